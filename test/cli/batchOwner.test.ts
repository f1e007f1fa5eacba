import { expect, it } from 'vitest'
import { startWorld } from '../sandbox/sandboxWorld.ts'
import { emptyWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, failureOf } from './payments.ts'

const OWNER = '52998224725'

/** Sends a file of one row with the id `inv-1`, first without an owner, then with `owner`. */
async function sentTwice(key: string, owner: string) {
  const { url } = await startWorld()
  const world = emptyWorld({ PIXGATE_BASE_URL: url, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const send = (cell: string) => {
    const path = csvIn(world, 'payroll.csv', 'key,value,externalId,documentValidation', [`${key},1.50,inv-1,${cell}`])
    return world.run(['batch', 'transfer', path, '--yes', '-o', 'json'])
  }
  const first = await send('')
  return { first, second: failureOf(await send(owner)), carried: await carriedOut(url) }
}

it('takes a row that is sent again unchanged for the payment that was made', async () => {
  const { first, second } = await sentTwice('maria@example.com', '')
  expect(first.exit).toBe(0)
  expect(second).toMatchObject({ exit: 2, message: expect.stringContaining('Nothing of this file is left') })
})

it('does not take a row that asks for another owner for the payment that was made', async () => {
  const { first, second, carried } = await sentTwice('maria@example.com', OWNER)
  expect(first.exit).toBe(0)
  expect(second).toMatchObject({
    exit: 2,
    code: 'REPEAT',
    faults: [{ line: 2, column: 'externalId', message: expect.stringContaining('inv-1') }],
  })
  expect(carried.transfers).toHaveLength(1)
})
