import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundled } from '../bundled.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixgate-batch-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** In a process of its own, so that its memory is not that of the tests. */
const JUDGE = `
  const [path, batchFile] = process.argv.slice(1)
  const { readBatchFile, judgeBatchFile } = await import(batchFile)
  const file = await readBatchFile(path, 'transfer')
  const begun = performance.now()
  const { count, totalCents, faultCount } = await judgeBatchFile(file)
  const ms = Math.round(performance.now() - begun)
  const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(JSON.stringify({ count, totalCents, faultCount, ms, mebibytes }))
`

it.each([100_000, 1_000_000])('reads and checks %i rows', async (rows) => {
  const path = join(folder, `${rows}.csv`)
  await writeFile(path, lines(rows))
  const modules = await Promise.all(['batch/batchFile.ts'].map(bundled))
  const words = ['--input-type=module', '-e', JUDGE, path, ...modules]
  const answer = execFileSync(process.execPath, words, { encoding: 'utf8' })
  console.log(answer.trim())
  expect(JSON.parse(answer)).toMatchObject({ count: rows, faultCount: 0, totalCents: (rows / 100) * 999_950 })
})

function* lines(rows: number): Generator<string> {
  yield 'key;value;nome;externalId;documentValidation\r\n'
  for (let hundred = 0; hundred < rows / 100; hundred += 1) {
    const row = (index: number) =>
      `person.${hundred}.${index}@example.com.br;${50 + index},${String(index).padStart(2, '0')};João da Silva;;`
    yield `${Array.from({ length: 100 }, (_, index) => row(index)).join('\r\n')}\r\n`
  }
}
