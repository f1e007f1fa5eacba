import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { endingOf, NOT_SENT, PAYMENT_ID, UNKNOWN, UNUSABLE } from './commandLines.ts'
import { startFaultGateway } from './faultGateway.ts'
import { resetAfterReading, stall } from './faults.ts'
import { start } from './running.ts'

const COMMANDS = [['pay', PAYMENT_ID], ['fault', 'drop-after'], ['advance', '1d'], ['reset']]

function world(url: string) {
  return emptyWorld({ PIXGATE_BASE_URL: url, PIXGATE_OUTPUT: 'json' })
}

it.each([
  ['stalls', stall, 'No complete answer arrived within 500 ms'],
  ['breaks the connection', resetAfterReading, 'broke before the complete answer arrived'],
])('a command to a sandbox that %s has an unknown outcome', async (_, fault, message) => {
  const gateway = await startFaultGateway()
  gateway.always(fault)
  for (const words of COMMANDS) {
    const own = world(gateway.url)
    const run = words[0] === 'pay' ? own.run : here(own)
    const ran = await run(['sandbox', ...words, '--timeout', '500ms'])
    expect(endingOf(ran)).toMatchObject({ ...UNKNOWN, message: expect.stringContaining(message) })
    expect(endingOf(ran).hint).toContain('`pixgate sandbox state`')
    expect(ran.stderr).not.toMatch(/nothing was sent/i)
  }
})

it('a question that a sandbox does not answer may be repeated', async () => {
  const gateway = await startFaultGateway()
  gateway.always(stall)
  expect(endingOf(await world(gateway.url).run(['sandbox', 'state', '--timeout', '500ms']))).toMatchObject(UNUSABLE)
})

it('a command that reaches no sandbox was not sent', async () => {
  const nothing = world('http://127.0.0.1:1')
  expect(endingOf(await nothing.run(['sandbox', 'pay', PAYMENT_ID]))).toMatchObject(NOT_SENT)
})

it('Ctrl-C says that a command may have been carried out', async () => {
  const gateway = await startFaultGateway()
  gateway.always(stall)
  const running = start(world(gateway.url), ['sandbox', 'pay', PAYMENT_ID])
  await gateway.arrived(1)
  running.signal('SIGINT')
  expect(endingOf(await running.ended)).toMatchObject({ exit: 130, code: 'CANCELLED', outcome: 'unknown' })
})
