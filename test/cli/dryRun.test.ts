import { describe, expect, it } from 'vitest'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld, type ProcessResult, sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { hintOf, messageOf, type Sandbox } from './followedHints.ts'
import { carriedOut, control, inProduction, inThisProcess, paidPayment, remembered, TRANSFER } from './payments.ts'
import { writeTransfer } from './sentPayments.ts'

const CONFIRM = ['--confirm', 'prod']
const SAME = [...TRANSFER.slice(0, 5), '--external-id', 'invoice-18']

/** A machine whose active profile is a sandbox that is said to be production. */
async function production(differences: Partial<StoredProfile> = {}): Promise<Sandbox> {
  const { url } = await sandboxWorld()
  return { ...(await inProduction(emptyWorld(), url, differences)), url }
}

async function outcomeLost(world: Sandbox, args: readonly string[]): Promise<string> {
  await control(world.url, 'fault', { kind: 'drop-after' })
  const lost = await inThisProcess(world).run([...args, ...CONFIRM])
  expect(lost.exit, lost.stderr).toBe(5)
  return lost.stderr
}

async function refundOf(world: Sandbox, amount: number, ...words: string[]): Promise<string[]> {
  return ['refund', await paidPayment(world.url, amount), '--reason', 'ordered twice', ...words]
}

/** What the ledger of this machine remembers, and how much the sandbox has carried out. */
async function moved(world: Sandbox) {
  const { transfers, refunds } = await carriedOut(world.url)
  return { remembered: await remembered(world), transfers: transfers.length, refunds: refunds.length }
}

/** What a failure says, for a person and for a program. */
function told(result: ProcessResult) {
  return { exit: result.exit, stdout: result.stdout, message: messageOf(result), hint: hintOf(result) }
}

describe('a dry run fails as the real run does', () => {
  it.each<
    [title: string, exit: number, differences: Partial<StoredProfile>, stage: (world: Sandbox) => Promise<string[]>]
  >([
    ['a transfer above the limit of one payment', 2, { maxAmountCents: 500 }, async () => TRANSFER],
    ['a transfer above the limit of the day', 2, { maxDayCents: 500 }, async () => TRANSFER],
    ['a read-only profile', 2, { readOnly: true }, async () => TRANSFER],
    [
      'a repeat',
      2,
      {},
      async (world) => {
        await world.prepare([...TRANSFER, ...CONFIRM])
        return SAME
      },
    ],
    [
      'a transfer like one with an unknown outcome',
      2,
      {},
      async (world) => {
        await outcomeLost(world, TRANSFER)
        return SAME
      },
    ],
    [
      'an external id that was used',
      2,
      {},
      async (world) => {
        await world.prepare([...TRANSFER, ...CONFIRM])
        return ['transfer', '--key', 'joao@example.com', '--amount', '1', '--external-id', 'invoice-17']
      },
    ],
    [
      'a key that is only guessed',
      2,
      {},
      async () => ['transfer', '--key', '11987654302', '--amount', '1', ...CONFIRM],
    ],
    ['the name of another profile', 2, {}, async () => [...TRANSFER, '--confirm', 'acme']],
    ['more than what was paid', 1, {}, (world) => refundOf(world, 25, '--amount', '26')],
    [
      'more than what is left',
      1,
      {},
      async (world) => {
        const args = await refundOf(world, 25)
        await world.prepare([...args, '--amount', '20', ...CONFIRM])
        return [...args, '--amount', '6']
      },
    ],
    [
      'a refund of a charge that was not paid',
      1,
      {},
      async (world) => {
        const { idTransaction } = await inThisProcess(world).json(['qr', 'create', '--amount', '25'])
        return ['refund', String(idTransaction), '--reason', 'ordered twice', '--full']
      },
    ],
    [
      'a refund of unknown amount with limits',
      2,
      { maxAmountCents: 500 },
      (world) => refundOf(world, 25, '--full', '--skip-query'),
    ],
    [
      'a transfer to resume that was refused',
      1,
      {},
      async (world) => {
        await control(world.url, 'fault', { kind: 'NO_FUNDS' })
        await inThisProcess(world).run([...TRANSFER, ...CONFIRM])
        return ['resume', 'invoice-17']
      },
    ],
    [
      'a transfer to resume that is too old',
      2,
      {},
      async (world) => {
        const owner = { profile: 'prod', environment: 'production', baseUrl: world.url } as const
        const answer = { outcome: 'unknown', idTransaction: null, status: null } as const
        await writeTransfer(world, { externalId: 'invoice-17', at: '2026-01-02T12:00:00.000Z', owner, answer })
        return ['transfer', '--retry', 'invoice-17']
      },
    ],
    [
      'a batch above the limit of the day',
      2,
      { maxDayCents: 1500 },
      async (world) => ['batch', 'transfer', csvIn(world, 'a.csv', 'key,value', ['a@b.co,10', 'c@b.co,10'])],
    ],
    [
      'a batch of which nothing is left to send',
      2,
      {},
      async (world) => {
        const args = ['batch', 'transfer', csvIn(world, 'a.csv', 'key,value', ['a@b.co,10'])]
        await world.prepare([...args, ...CONFIRM])
        return args
      },
    ],
    [
      'a batch of refunds above what is left',
      2,
      {},
      async (world) => {
        const id = await paidPayment(world.url, 25)
        return ['batch', 'refund', csvIn(world, 'a.csv', 'originalTransactionId,amount,refundReason', [`${id},26,x`])]
      },
    ],
    [
      'a run above a limit that was lowered',
      2,
      {},
      async (world) => {
        const file = csvIn(world, 'a.csv', 'key,value', ['a@b.co,10', 'c@b.co,10'])
        await world.prepare(['batch', 'transfer', file, '--limit', '1', ...CONFIRM])
        await inProduction(world, world.url, { maxDayCents: 1500 })
        const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
        return ['resume', run]
      },
    ],
  ])('%s', async (_, exit, differences, stage) => {
    const world = await production(differences)
    const args = await stage(world)
    const before = await moved(world)
    const dry = await inThisProcess(world).run([...args, '--dry-run'])
    expect(await moved(world)).toEqual(before)
    const real = await inThisProcess(world).run(args.includes('--confirm') ? args : [...args, ...CONFIRM])
    expect(told(dry)).toEqual({ ...told(real), exit })
    expect(dry.stderr).not.toContain('Nothing was sent\nNothing was sent')
  })
})

describe('a dry run that would be allowed', () => {
  it.each<[title: string, stage: (world: Sandbox) => Promise<string[]>]>([
    ['a transfer', async () => TRANSFER],
    ['a whole refund', (world) => refundOf(world, 25, '--full')],
    ['a refund that is not queried', (world) => refundOf(world, 25, '--amount', '5', '--skip-query')],
    [
      'a transfer with an unknown outcome',
      async (world) => {
        await outcomeLost(world, TRANSFER)
        return ['resume', 'invoice-17']
      },
    ],
    ['a batch', async (world) => ['batch', 'transfer', csvIn(world, 'a.csv', 'key,value', ['a@b.co,10'])]],
    [
      'a run with an unknown outcome',
      async (world) => {
        const file = csvIn(world, 'a.csv', 'key,value', ['a@b.co,10', 'c@b.co,20'])
        const [run = ''] = /run-\w+/.exec(await outcomeLost(world, ['batch', 'transfer', file])) ?? []
        return ['resume', run]
      },
    ],
  ])('shows the rows of the question, needs no answer and moves nothing: %s', async (_, stage) => {
    const world = await production()
    const args = await stage(world)
    const before = await moved(world)
    const dry = await inThisProcess(world).run([...args, '--dry-run'])
    expect([dry.exit, dry.stderr]).toEqual([0, expect.stringMatching(/(?:^|\n)Nothing was sent\n$/)])
    const json = await inThisProcess(world).run([...args, '--dry-run', '-o', 'json'])
    expect([json.exit, json.stderr]).toEqual([0, ''])
    expect(await moved(world)).toEqual(before)
    const real = await inThisProcess(world).run([...args, ...CONFIRM])
    // What a batch would send is the question itself; what a payment would send is its request.
    const rows =
      args[0] === 'batch' || args[1]?.startsWith('run-') ? dry.stdout : dry.stderr.replace(/Nothing was sent\n$/, '')
    expect(rows).toContain('environment')
    expect(real.stderr.slice(0, rows.length)).toBe(rows)
  })
})

it('prints the exact request, without the secret, and its body is what is then sent', async () => {
  const gateway = await startFaultGateway()
  const world = await inProduction(emptyWorld(), gateway.url)
  const dry = await world.run([...TRANSFER, '--dry-run', '-o', 'json'])
  expect([dry.exit, dry.stderr]).toEqual([0, ''])
  const { method, url, headers, body } = JSON.parse(dry.stdout)
  expect([method, url, headers.ci, headers.cs]).toEqual([
    'POST',
    `${gateway.url}/api/v1/gateway/pix-payment`,
    'local',
    '••••',
  ])
  const text = await world.run([...TRANSFER, '--dry-run'])
  expect(text.exit).toBe(0)
  expect(text.stderr).toContain('\namount       R$ 1.500,00\nin words     one thousand five hundred reais\n')
  expect(text.stdout).toMatch(/^POST http:.*\n(?:[a-z-]+: .*\n)+\n\{\n/)
  expect(text.stdout + text.stderr).not.toContain('local-secret')
  expect(gateway.arrivals).toEqual([])
  await world.prepare([...TRANSFER, ...CONFIRM])
  expect(gateway.arrivals.map((each) => each.body)).toEqual([JSON.stringify(body)])
})
