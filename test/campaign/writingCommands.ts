import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { hmac } from '../cli/webhookTarget.ts'
import type { FaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterActing } from '../gateway/faults.ts'
import { paymentsOf, problemsOf } from '../ledger/storedLedger.ts'
import type { ProcessResult, World } from '../world.ts'
import { originalOf } from './signals.ts'

/** A command that writes, while the disk fails. */
interface FailingRun {
  world: World
  gateway: FaultGateway
  /** Its own in everything that it makes. */
  name: string
  ran: ProcessResult
}

interface WritingCommand {
  prepare?(run: Omit<FailingRun, 'ran'>): Promise<void> | void
  words(name: string, world: World): string[]
  stdin?(name: string): string
  /** Throws unless its exit code and what it left agree. */
  check(run: FailingRun): Promise<void> | void
}

const ROWS = 3
const OLD = 'what was in the file before\n'

/** A transfer with this external id. */
export const transferOf = (name: string) => [
  ...['transfer', '--key', `${name}@example.com`, '--amount', '1', '--external-id', name, '--yes', '-o', 'json'],
]

/** Asserts that what the gateway booked is in the ledger, and that the exit code says whether it was. */
async function checkPayment({ world, gateway, name, ran }: FailingRun): Promise<void> {
  const booked = gateway.ledger.filter(({ externalId, body }) => externalId === name || body.requestNumber === name)
  const known = (await paymentsOf(world)).find((each) => each.name === name)
  if (booked.length === 0) {
    expect([2, 6], `${name}: ${ran.stderr}`).toContain(ran.exit)
    return
  }
  expect([0, 5], `${name}: ${ran.stderr}`).toContain(ran.exit)
  expect([name, known?.state]).toEqual([name, ran.exit === 0 ? 'accepted' : expect.stringMatching(/unknown|accepted/)])
  expect(ran.stdout + ran.stderr).toContain(booked[0]?.idTransaction)
}

/** Asserts that a file is as it was (`undefined`: missing) or whole, and whole if the command succeeded. */
function checkFile(
  path: string,
  ran: ProcessResult,
  before: string | undefined,
  isWhole: (content: Buffer) => boolean,
): void {
  expect([0, 2, 6], ran.stderr).toContain(ran.exit)
  const content = existsSync(path) ? readFileSync(path) : undefined
  const isOld = content === undefined ? before === undefined : content.toString() === before
  if (ran.exit === 0 || !isOld) expect([path, content !== undefined && isWhole(content)]).toEqual([path, true])
}

function profilesOf({ env }: World): string {
  const path = join(env.PIXGATE_CONFIG_DIR ?? '', 'profiles.json')
  return existsSync(path) ? JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))) : ''
}

const outOf = (name: string, { home }: World, ending: string) => join(home, `${name}.${ending}`)

/** The commands that write, and what each must keep whole. */
export const WRITING: Readonly<Record<string, WritingCommand>> = {
  transfer: { words: transferOf, check: checkPayment },
  'qr create': {
    words: (name, world) => [
      ...[
        'qr',
        'create',
        '--amount',
        '1',
        '--request-number',
        name,
        '--no-qr',
        '--png',
        outOf(name, world, 'png'),
        '-o',
        'json',
      ],
    ],
    check: checkPayment,
  },
  refund: {
    words: (name) => ['refund', originalOf(name), '--amount', '1', '--reason', name, '--yes', '-o', 'json'],
    async check({ world, gateway, name, ran }) {
      const isBooked = gateway.ledger.some(({ body }) => body.refundReason === name)
      expect(isBooked ? [0, 5] : [2, 6], ran.stderr).toContain(ran.exit)
      const known = (await paymentsOf(world)).find((each) => each.name === originalOf(name))
      if (isBooked) expect([name, known?.state]).toEqual([name, ran.exit === 0 ? 'accepted' : expect.any(String)])
    },
  },
  resume: {
    async prepare({ world, gateway, name }) {
      gateway.misbehave([resetAfterActing], 'POST')
      await world.prepare(transferOf(name)).catch(() => undefined)
    },
    words: (name) => ['resume', name, '--yes', '-o', 'json'],
    async check({ world, gateway, name, ran }) {
      expect([0, 2, 5, 6], ran.stderr).toContain(ran.exit)
      expect(
        gateway.ledger.filter(({ externalId }) => externalId === name),
        name,
      ).toHaveLength(1)
      const known = (await paymentsOf(world)).find((each) => each.name === name)
      if (ran.exit === 0) expect([name, known?.state]).toEqual([name, 'accepted'])
      else expect([name, known]).not.toEqual([name, undefined])
    },
  },
  'batch transfer': {
    words: (name, world) => [
      ...['batch', 'transfer', '-', '--reference', name, '--results', outOf(name, world, 'csv'), '--yes', '-o', 'json'],
    ],
    stdin: (name) => `key,value\n${[1, 2, 3].map((row) => `${name}-${row}@example.com,${row}\n`).join('')}`,
    async check({ world, gateway, name, ran }) {
      const booked = gateway.ledger.filter(({ body }) => String(body.key).startsWith(`${name}-`))
      const states = new Map((await paymentsOf(world)).map((each) => [each.name, each.state]))
      for (const { externalId } of booked) expect([name, states.get(externalId ?? '')]).not.toEqual([name, undefined])
      expect(booked.length === 0 ? [2, 5, 6] : [0, 5], ran.stderr).toContain(ran.exit)
      const path = outOf(name, world, 'csv')
      if (ran.exit === 0) expect([name, booked.length, existsSync(path)]).toEqual([name, ROWS, true])
      if (existsSync(path)) expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1 + ROWS)
    },
  },
  'history settle': {
    async prepare({ world, gateway, name }) {
      gateway.misbehave([resetAfterActing], 'POST')
      await world.prepare(transferOf(name)).catch(() => undefined)
    },
    words: (name) => [
      'history',
      'settle',
      name,
      '--as',
      'paid',
      '--because',
      'the bank says so',
      '--yes',
      '-o',
      'json',
    ],
    async check({ world, name, ran }) {
      expect([0, 2, 6], ran.stderr).toContain(ran.exit)
      const state = (await paymentsOf(world)).find((each) => each.name === name)?.state
      expect([name, state]).toEqual([name, ran.exit === 0 ? 'paid' : expect.stringMatching(/unknown|paid/)])
    },
  },
  'history import': {
    words: () => ['history', 'import', '-', '-o', 'json'],
    stdin: (name) => {
      const body = JSON.stringify({ event: 'pix.received', data: { idTransaction: name, status: 'PAID', amount: 1 } })
      return `${JSON.stringify({ body, signature: hmac(body, 'local-secret', 'hex') })}\n`
    },
    async check({ world, name, ran }) {
      expect([0, 2, 6], ran.stderr).toContain(ran.exit)
      const events: { bodyBase64: string }[] = JSON.parse(await world.prepare(['webhook', 'events', '-o', 'json']))
      const isThere = events.some(({ bodyBase64 }) =>
        Buffer.from(bodyBase64, 'base64').toString().includes(`"${name}"`),
      )
      if (ran.exit === 0) expect([name, isThere]).toEqual([name, true])
    },
  },
  'history backup': {
    words: (name, world) => ['history', 'backup', outOf(name, world, 'db'), '-o', 'json'],
    async check({ world, name, ran }) {
      const path = outOf(name, world, 'db')
      checkFile(path, ran, undefined, (content) => content.subarray(0, 15).toString() === 'SQLite format 3')
      if (!existsSync(path)) return
      const copy = { env: { PIXGATE_DATA_DIR: join(world.home, `${name}-copy`) } }
      mkdirSync(copy.env.PIXGATE_DATA_DIR, { mode: 0o700 })
      writeFileSync(join(copy.env.PIXGATE_DATA_DIR, 'ledger.db'), readFileSync(path), { mode: 0o600 })
      expect(await problemsOf(copy)).toEqual([])
    },
  },
  'history report': {
    words: (name, world) => [
      'history',
      'report',
      '--month',
      '2026-11',
      '--out',
      outOf(name, world, 'html'),
      '-o',
      'json',
    ],
    check: ({ world, name, ran }) =>
      checkFile(outOf(name, world, 'html'), ran, undefined, (content) =>
        content.toString().trimEnd().endsWith('</html>'),
      ),
  },
  'webhook verify': {
    prepare: ({ world, name }) => writeFileSync(outOf(name, world, 'json'), OLD),
    words: (name, world) => {
      const original = `{"id":"${name}"}`
      const signature = hmac(original, 'local-secret', 'hex')
      return ['webhook', 'verify', '--body', '-', '--signature', signature, '--recover', outOf(name, world, 'json')]
    },
    stdin: (name) => `{"id":"${name}"}\n`,
    check({ world, name, ran }) {
      const path = outOf(name, world, 'json')
      const verdict = { ...ran, exit: ran.exit === 1 ? 0 : ran.exit }
      checkFile(path, verdict, OLD, (content) => content.toString() === `{"id":"${name}"}`)
    },
  },
  'payee add': {
    words: (name) => ['payee', 'add', name, '--key', `${name}@example.com`, '-o', 'json'],
    async check({ world, name, ran }) {
      expect([0, 2, 6], ran.stderr).toContain(ran.exit)
      const isThere = (await world.prepare(['payee', 'list', '-o', 'json'])).includes(`"${name}"`)
      if (ran.exit === 0) expect([name, isThere]).toEqual([name, true])
    },
  },
  'profile add': {
    words: (name) => [
      ...['profile', 'add', name, '--base-url', 'http://127.0.0.1:4010', '--client-id', 'shop', '--no-test'],
      ...['--client-secret-env', 'SHOP_SECRET', '--callback-url', 'http://127.0.0.1:4242/', '-o', 'json'],
    ],
    check({ world, name, ran }) {
      expect([0, 2, 6], ran.stderr).toContain(ran.exit)
      const isThere = profilesOf(world).includes(`"${name}"`)
      if (ran.exit === 0) expect([name, isThere]).toEqual([name, true])
    },
  },
}
