import { expect, it } from 'vitest'
import { readStatementFile } from '../../src/reconcile/statementFile.ts'
import { input } from '../reconcile/input.ts'

it('reads no more lines of a statement than a bank writes', async () => {
  const read = (lines: number) =>
    readStatementFile(input(Buffer.from(`data;valor\n${'21/11/2026;1\n'.repeat(lines)}`)), new Map())
  expect((await read(200_000)).lines).toHaveLength(200_000)
  await expect(read(200_001)).rejects.toMatchObject({ message: 'The statement has more than 200000 lines' })
})
