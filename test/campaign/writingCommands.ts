import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { hmac } from '../cli/webhookTarget.ts'
import { resetAfterActing } from '../gateway/faults.ts'
import { paymentsOf, problemsOf } from '../ledger/storedLedger.ts'
import type { World } from '../world.ts'
import { originalOf } from './signals.ts'
import { checkFile, type FailingRun, outOf, transferOf, type WritingCommand } from './writingCommand.ts'
import { LISTENING } from './writingListener.ts'
import { PLANNING } from './writingPlans.ts'

const ROWS = 3
const OLD = 'what was in the file before\n'

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

function profilesOf({ env }: World): string {
  const path = join(env.PIXGATE_CONFIG_DIR ?? '', 'profiles.json')
  return existsSync(path) ? JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))) : ''
}

const profileOf = (name: string) => [
  ...['profile', 'add', name, '--base-url', 'http://127.0.0.1:4010', '--client-id', 'shop', '--no-test'],
  ...['--client-secret-env', 'SHOP_SECRET', '--callback-url', 'http://127.0.0.1:4242/', '-o', 'json'],
]

/** The run that is reported on, by the home of its world. */
const RUNS = new Map<string, string>()
/** What begins the last part of a whole workbook. */
const ZIP_END = Buffer.from('504b0506', 'hex')

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
    words: profileOf,
    check({ world, name, ran }) {
      expect([0, 2, 6], ran.stderr).toContain(ran.exit)
      const isThere = profilesOf(world).includes(`"${name}"`)
      if (ran.exit === 0) expect([name, isThere]).toEqual([name, true])
    },
  },
  'profile edit': {
    async prepare({ world, name }) {
      await world.prepare([...profileOf(name), '--max-amount', '7'])
    },
    words: (name) => ['profile', 'edit', name, '--max-amount', '5', '-o', 'json'],
    check({ world, name, ran }) {
      expect([0, 2, 6], ran.stderr).toContain(ran.exit)
      const { maxAmountCents } = JSON.parse(profilesOf(world)).profiles[name]
      expect(ran.exit === 0 ? [500] : [500, 700]).toContain(maxAmountCents)
    },
  },
  'batch report': {
    async prepare({ world }) {
      if (RUNS.has(world.home)) return
      const words = ['batch', 'transfer', '-', '--reference', 'reported', '--yes', '-o', 'json']
      const printed = await world.prepare(words, { stdin: 'key,value\na@example.com,1\nb@example.com,2\n' })
      RUNS.set(world.home, JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '').run)
    },
    words: (name, world) => {
      const run = RUNS.get(world.home) ?? ''
      return ['batch', 'report', run, '--out', outOf(name, world, 'xlsx'), '-o', 'json']
    },
    check: ({ world, name, ran }) =>
      checkFile(outOf(name, world, 'xlsx'), ran, undefined, (content) => content.includes(ZIP_END)),
  },
  ...PLANNING,
  ...LISTENING,
}
