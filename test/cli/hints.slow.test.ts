import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../freePort.ts'
import { start } from '../gateway/running.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import {
  commandsAfterHint,
  type Failing,
  followed,
  hintOf,
  messageOf,
  optionsIn,
  type Sandbox,
} from './followedHints.ts'
import { control, inProduction, inThisProcess, paidPayment, TRANSFER } from './payments.ts'
import { writeTransfer } from './sentPayments.ts'

const OTHER = ['transfer', '--key', 'joao@example.com', '--amount', '20', '--external-id', 'invoice-18']
async function sandbox(): Promise<Sandbox> {
  return inThisProcess(await sandboxWorld())
}

/** A machine whose active profile is a sandbox that is said to be production. */
async function production(): Promise<Sandbox> {
  const { url } = await sandboxWorld()
  return inThisProcess({ ...(await inProduction(emptyWorld(), url)), url })
}

async function sent(world: World, args: readonly string[], answer = ['--yes']): Promise<void> {
  await world.prepare([...args, ...answer])
}

/** The command line of a refund of 10 reais whose answer will be lost. */
async function lostRefund(world: Sandbox): Promise<string[]> {
  const original = await paidPayment(world.url, 25)
  await control(world.url, 'fault', { kind: 'drop-after' })
  return ['refund', original, '--amount', '10', '--reason', 'ordered twice', '--skip-query', '--yes']
}

describe('the command of a hint can be typed and leads on', () => {
  it.each<[title: string, command: RegExp, stage: () => Promise<Sandbox>, failing: Failing]>([
    [
      'a transfer that was made already',
      /^pixgate history show invoice-17$/,
      sandbox,
      async (world) => {
        await sent(world, TRANSFER)
        return [...TRANSFER.slice(0, 5), '--yes']
      },
    ],
    [
      'a transfer whose outcome is unknown',
      /^pixgate resume invoice-17$/,
      sandbox,
      async (world) => {
        await control(world.url, 'fault', { kind: 'drop-after' })
        return [...TRANSFER, '--yes']
      },
    ],
    [
      'a transfer like one whose outcome is unknown',
      /^pixgate resume 'invoice 17'$/,
      sandbox,
      async (world) => {
        await control(world.url, 'fault', { kind: 'drop-after' })
        await inThisProcess(world).run([...TRANSFER.slice(0, 5), '--external-id', 'invoice 17', '--yes'])
        return [...TRANSFER, '--yes']
      },
    ],
    ['a refund whose outcome is unknown', /^pixgate history settle [-\w]{36}$/, sandbox, lostRefund],
    [
      'a refund of a payment of which one has an unknown outcome',
      /^pixgate history settle [-\w]{36}$/,
      sandbox,
      async (world) => {
        const args = await lostRefund(world)
        await inThisProcess(world).run(args)
        return args
      },
    ],
    [
      'an external id that was used already',
      /^pixgate history show -- '-1 a'$/,
      sandbox,
      async (world) => {
        await sent(world, [...TRANSFER.slice(0, 5), '--external-id=-1 a'])
        return [...OTHER.slice(0, 5), '--external-id=-1 a', '--yes']
      },
    ],
    [
      'a payment that is not in the ledger',
      /^pixgate history find 'x y'$/,
      sandbox,
      async () => ['history', 'show', 'x y'],
    ],
    [
      'a finding about an unknown id',
      /^pixgate history find --all nope$/,
      sandbox,
      async () => ['history', 'settle', 'nope'],
    ],
    ['a transfer to resume that is unknown', /^pixgate history find nope$/, sandbox, async () => ['resume', 'nope']],
    ['a run to resume that is unknown', /^pixgate batch list$/, sandbox, async () => ['resume', 'run-5f0c2a9b1d3e']],
    [
      'a gateway without credentials',
      /^pixgate profile add shop$/,
      sandbox,
      async () => ['status', 'x', '--base-url', 'https://gateway.example.com'],
    ],
    ['an unknown profile', /^pixgate profile list$/, sandbox, async () => ['history', 'check', '--profile', 'acme']],
    [
      'a damaged ledger',
      /^pixgate history check$/,
      // Only the end of a process moves all of its writes into this file.
      sandboxWorld,
      async (world) => {
        await world.json([...TRANSFER, '--yes'])
        writeFileSync(join(world.home, 'data', 'ledger.db'), 'not a database'.repeat(1000))
        return [...OTHER, '--yes']
      },
    ],
    [
      'a ledger that was deleted',
      /^pixgate history check --accept-older$/,
      production,
      async (world) => {
        await sent(world, TRANSFER, ['--confirm', 'prod'])
        rmSync(join(world.home, 'data'), { recursive: true })
        return [...OTHER, '--confirm', 'prod']
      },
    ],
    ['a run that is unknown', /^pixgate batch list$/, sandbox, async () => ['batch', 'show', 'run-000000000000']],
    [
      'a batch of which only refused rows are left',
      /^pixgate resume run-[-\w]+$/,
      sandbox,
      async (world) => {
        const file = csvIn(world, 'payroll.csv', 'key,value', ['maria@example.com,10'])
        await control(world.url, 'fault', { kind: 'NO_FUNDS' })
        await inThisProcess(world).run(['batch', 'transfer', file, '--yes'])
        return ['batch', 'transfer', file, '--yes']
      },
    ],
    [
      'a finding about an id of two payments',
      /^pixgate history settle [-\w]{36}$/,
      sandbox,
      async (world) => {
        const at = '2026-11-21T12:00:00.000Z'
        const owner = { baseUrl: world.url, clientId: 'local' }
        await writeTransfer(world, { externalId: 'twice', at, owner })
        await writeTransfer(world, { externalId: 'twice', at, owner })
        return ['history', 'settle', 'twice']
      },
    ],
    [
      'a receipt of a payment that is not finished',
      /^pixgate history import event.json$/,
      sandbox,
      async (world) => {
        await sent(world, TRANSFER)
        return ['history', 'show', 'invoice-17', '--receipt']
      },
    ],
    [
      'an event that is not recorded',
      /^pixgate webhook events$/,
      sandbox,
      async () => ['webhook', 'events', 'show', '9'],
    ],
    [
      'a refund without what is left',
      /^pixgate history show [-\w]{36}$/,
      sandbox,
      async (world) => {
        const original = await paidPayment(world.url, 25)
        await sent(world, ['refund', original, '--reason', 'ordered twice'])
        return ['refund', original, '--reason', 'ordered twice', '--amount', '1', '--yes']
      },
    ],
  ])('%s', async (_, command, stage, failing) => {
    const world = await stage()
    const hint = await followed(world, failing)
    expect([...hint.matchAll(/`(pixgate[^`]*)`/g)].some(([, line = '']) => command.test(line)) ? '' : hint).toBe('')
  })
})

describe('the option of a hint leads on', () => {
  it.each<[title: string, option: string, stage: () => Promise<Sandbox>, failing: Failing, more?: string[]]>([
    ['a transfer without an answer to the question', '--yes', sandbox, async () => TRANSFER],
    ['one in production', '--confirm prod', production, async () => TRANSFER],
    ['`--yes` in production', '--confirm prod', production, async () => [...TRANSFER, '--yes']],
    [
      'the same transfer under another id',
      '--again',
      sandbox,
      async (world) => {
        await sent(world, TRANSFER)
        return [...TRANSFER.slice(0, 5), '--external-id', 'invoice-18', '--yes']
      },
    ],
    [
      'the same in production',
      '--in-addition-to invoice-17',
      production,
      async (world) => {
        await sent(world, TRANSFER, ['--confirm', 'prod'])
        return [...TRANSFER.slice(0, 5), '--external-id', 'invoice-18', '--confirm', 'prod']
      },
    ],
    [
      'a batch of what was paid outside it',
      '--again',
      sandbox,
      async (world) => {
        await sent(world, TRANSFER)
        return ['batch', 'transfer', csvIn(world, 'a.csv', 'key,value', ['maria@example.com,"1500,00"']), '--yes']
      },
    ],
  ])('%s', async (_, option, stage, failing) => {
    const world = await stage()
    const args = await failing(world)
    const failure = await world.run(args)
    expect(failure.exit).toBe(2)
    const options = optionsIn(hintOf(failure)).filter((words) => words.join(' ') === option)
    expect(options).toHaveLength(1)
    const ran = await inThisProcess(world).run([...args, ...options.flat()])
    expect([ran.exit, messageOf(ran)]).toEqual([0, ''])
  })
})

it('tells what an ambiguous amount is typed like', async () => {
  const world = await sandbox()
  const failure = await world.run([...TRANSFER.slice(0, 3), '--amount', '1.234', '--yes'])
  const [, typed = ''] = /`([^`]+)`/.exec(hintOf(failure)) ?? []
  await world.prepare([...TRANSFER.slice(0, 3), '--amount', typed, '--yes'])
})

it('names the option that tells what an ambiguous key is', async () => {
  const world = await sandbox()
  const args = ['transfer', '--key', '11987654302', '--amount', '10', '--yes']
  const failure = await world.run(args)
  expect(failure.exit).toBe(2)
  const [words = []] = optionsIn(hintOf(failure))
  expect(words[0]).toBe('--key-type')
  await world.prepare([...args, ...words])
})

it('says that a batch is sent again once its faults are corrected, and it can be', async () => {
  const world = await sandbox()
  const file = csvIn(world, 'payroll.csv', 'key,value', ['maria@example.com,0'])
  const failure = await world.run(['batch', 'transfer', file, '--yes'])
  expect(hintOf(failure)).toMatch(/^Correct them in the file and send it again/)
  csvIn(world, 'payroll.csv', 'key,value', ['maria@example.com,10'])
  await world.prepare(['batch', 'transfer', file, '--yes'])
})

it('names the command that starts the sandbox if none runs, after which the first command gets an answer', async () => {
  const port = await freePort()
  const world = emptyWorld({ PIXGATE_BASE_URL: `http://127.0.0.1:${port}` })
  const failure = await world.run(['status', 'x'])
  expect([failure.exit, commandsAfterHint(failure)]).toEqual([6, [`pixgate sandbox --port ${port}`]])
  start(world, ['sandbox', '--port', String(port)])
  // Until the sandbox listens no gateway is reached (6); then the gateway refuses the id, which is not a UUID (1).
  await expect.poll(async () => (await inThisProcess(world).run(['status', 'x'])).exit, { timeout: 20_000 }).toBe(1)
})
