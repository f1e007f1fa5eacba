import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { healthy, startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { startListener } from './listener.ts'

const SAID = /was removed or replaced while this command used it/

/** Moves the data folder of a world away; returns what puts it back. Windows moves no folder whose files are open. */
function moveAway({ home }: World): () => void {
  const from = join(home, 'data')
  const to = join(home, 'moved')
  renameSync(from, to)
  return () => renameSync(to, from)
}

it.skipIf(process.platform === 'win32')(
  'sends nothing more once the ledger is gone, and goes on when it is back',
  async () => {
    const gateway = await startFaultGateway()
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const amounts = [1, 2, 3, 4, 5, 6]
    const file = csvIn(
      world,
      'rows.csv',
      'key,value',
      amounts.map((amount) => `p${amount}@example.com,${amount}`),
    )
    let putBack = () => {}
    const thief = async (call: Parameters<typeof healthy>[0]) => {
      putBack = moveAway(world)
      await healthy(call)
    }
    gateway.misbehave([thief], 'POST')
    const batch = ['batch', 'transfer', file, '--yes', '--concurrency', '1']
    const { exit, stdout, stderr } = await world.run(batch)
    expect({ exit, text: stdout + stderr }).toEqual({ exit: 5, text: expect.stringMatching(SAID) })
    // The next row may have been recorded before.
    expect(gateway.ledger.length).toBeLessThanOrEqual(2)

    putBack()
    const run = /run-[0-9a-f]+/.exec(stdout + stderr)?.[0] ?? ''
    expect(await world.run(['resume', run, '--yes'])).toMatchObject({ exit: 0 })
    expect(gateway.ledger.map(({ body }) => Number(body.amount ?? body.value)).sort()).toEqual(amounts)
  },
)

it.skipIf(process.platform === 'win32')('tells no sender that an event is kept while the ledger is gone', async () => {
  const world = emptyWorld({})
  const { url } = await startListener(world)
  const send = (expected: string) => world.run(['webhook', 'send', 'pix.received', '--to', url, '--expect', expected])
  expect(await send('200')).toMatchObject({ exit: 0 })
  const putBack = moveAway(world)
  expect(await send('503')).toMatchObject({ exit: 0 })
  putBack()
  expect(await send('200')).toMatchObject({ exit: 0 })
})
