import { expect } from 'vitest'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { held } from '../gateway/faults.ts'
import { itOnTerminal, type OnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, type World } from '../world.ts'
import { atOnce, remembered, TRANSFER } from './payments.ts'

const CTRL_C = '\x03'
const HELD_NOTE = 'The request was already sent; waiting for the answer (press Ctrl-C again to stop without it)'

itOnTerminal('stops with nothing sent while no byte has left', async () => {
  const ends = await atOnce(['ctrlC', 'SIGTERM'], async (how) => {
    const mute = await startFaultGateway({ tls: {}, isMute: true })
    const world = emptyWorld({ PIXGATE_BASE_URL: mute.url })
    const terminal = onTerminal(world, [...TRANSFER, '--yes'])
    await mute.connected(1)
    if (how === 'ctrlC') terminal.press(CTRL_C)
    else terminal.signal('SIGTERM')
    const { exit, screen } = await terminal.ended
    expect(screen).toContain('error: Interrupted before anything was sent\n')
    return [exit, ...(await remembered(world))]
  })
  expect(ends).toEqual([
    [130, 'invoice-17 not-sent'],
    [143, 'invoice-17 not-sent'],
  ])
})

itOnTerminal('waits for the answer once a byte has left, and says so', async () => {
  const { gateway, world, terminal, release } = await awaitingTheAnswer()
  terminal.press(CTRL_C)
  await terminal.shows(HELD_NOTE)
  expect(await remembered(world)).toEqual(['invoice-17 unknown'])
  release()
  const { exit, screen } = await terminal.ended
  expect(exit).toBe(0)
  expect(screen).toContain('state        accepted\n')
  expect(await remembered(world)).toEqual(['invoice-17 accepted'])
  expect(gateway.ledger).toHaveLength(1)
})

itOnTerminal('leaves a transfer with an unknown outcome that resume settles', async () => {
  await atOnce(['ctrlC', 'SIGTERM'], async (how) => {
    const { gateway, world, terminal } = await awaitingTheAnswer()
    if (how === 'SIGTERM') terminal.signal('SIGTERM')
    else {
      terminal.press(CTRL_C)
      await terminal.shows(HELD_NOTE)
      terminal.press(CTRL_C)
    }
    const { exit, screen, cooked } = await terminal.ended
    expect([how, exit, cooked]).toEqual([how, 5, true])
    expect(screen.replaceAll(/\s+/g, ' ')).toContain('`pixgate resume invoice-17`')
    expect(await remembered(world)).toEqual(['invoice-17 unknown'])

    const resumed = JSON.parse(await world.prepare(['resume', 'invoice-17', '--yes', '-o', 'json']))
    expect(resumed).toMatchObject({ externalId: 'invoice-17', pixgate: { outcome: 'accepted-before' } })
    expect(await remembered(world)).toEqual(['invoice-17 accepted'])
    expect([gateway.ledger.length, gateway.arrivals.length]).toEqual([1, 2])
    expect(gateway.arrivals[1]?.body).toBe(gateway.arrivals[0]?.body)
  })
})

interface Awaiting {
  gateway: FaultGateway
  world: World
  terminal: OnTerminal
  release(): void
}

/** A transfer that a person has said yes to: the gateway has carried it out and not answered yet. */
async function awaitingTheAnswer(): Promise<Awaiting> {
  const gateway = await startFaultGateway()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const terminal = onTerminal(world, TRANSFER)
  await terminal.shows('(y/N)')
  terminal.press('y\r')
  await gateway.arrived(1)
  return { gateway, world, terminal, release }
}
