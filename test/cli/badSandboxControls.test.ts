import { expect, it } from 'vitest'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { failureOf, inProduction } from './payments.ts'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const CONTROLS: readonly RejectedCommandLine[] = [
  [
    ['fault', 'nope'],
    [
      'error: `<kind>`: There is no fault `nope`',
      'hint: Choose one of status:500, drop-before, drop-after, slow:10s, garbage, html, garbage-before, html-before, INVALID_AMOUNT, INVALID_TRANSACTION_ID, INVALID_CREDENTIALS, TRANSACTION_NOT_FOUND, REFUND_NOT_ALLOWED, NO_FUNDS, PIX_KEY_NOT_FOUND, DOCUMENT_VALIDATE, DUPLICATE_EXTERNAL_ID, UNAUTHORIZED_IP, ACCOUNT_DOCUMENTS_NOT_VALIDATED, OPERATION_EXCEEDS_LIMIT, WRONG_DATA_FORMAT, webhook:lost, webhook:twice, webhook:late:10s, webhook:reorder, webhook:unsigned, webhook:bad-signature',
    ],
  ],
  [
    ['fault', 'status:999'],
    ['error: `<kind>`: There is no fault `status:999`', 'hint: Did you mean `status:500`?'],
  ],
  [
    ['fault', 'webhook:late:1'],
    ['error: `<kind>`: The duration `1` has no unit', 'hint: Type `1s` for seconds'],
  ],
  [
    ['fault', 'drop-after', '--async'],
    [
      'error: `<kind>`: The fault `drop-after` cannot happen after a transfer was accepted',
      'hint: Use a cash-out code such as `NO_FUNDS`, or omit `--async`',
    ],
  ],
  [
    ['fault', 'NO_FUNDS', '--on', 'refund'],
    ['error: `--on`: This fault cannot happen at `refund`', 'hint: Use `transfer` or an id'],
  ],
  [
    ['fault', 'webhook:lost', '--on', 'status'],
    ['error: `--on`: This fault cannot happen at `status`', 'hint: Use `transfer`, `refund`, `qr` or an id'],
  ],
]

const BEYOND: readonly RejectedCommandLine[] = [
  [
    ['pay', 'x', '--base-url', 'https://gateway.example.com'],
    [
      'error: `gateway.example.com` is not on this machine, and only a sandbox on this machine can be controlled',
      'hint: Set `--base-url` to the address that `pixgate sandbox` printed',
    ],
  ],
  [
    ['reset', '--base-url', 'https://gateway.example.com'],
    [
      'error: `gateway.example.com` is not on this machine, and only a sandbox on this machine can be controlled',
      'hint: Set `--base-url` to the address that `pixgate sandbox` printed',
    ],
  ],
  [
    ['state'],
    [
      'error: `gateway.example.com` is not on this machine, and only a sandbox on this machine can be controlled',
      'hint: Set `--base-url` to the address that `pixgate sandbox` printed',
    ],
    { env: { PIXGATE_BASE_URL: 'https://gateway.example.com' } },
  ],
]

it('says what a control command takes', () => expectRejected(['sandbox'], CONTROLS))

it('controls a sandbox on this machine only', () => expectRejected(['sandbox'], BEYOND))

it('controls nothing at the address of a profile beyond this machine', async () => {
  const world = await inProduction(emptyWorld(), 'https://gateway.example.com')
  for (const words of [
    ['sandbox', 'reset'],
    ['sandbox', 'pay', 'x', '-p', 'prod'],
  ]) {
    expect(failureOf(await world.run([...words, '-o', 'json']))).toMatchObject({
      exit: 2,
      message: expect.stringContaining('`gateway.example.com` is not on this machine'),
      hint: 'Add `-p local` to control the sandbox at http://127.0.0.1:4010',
    })
  }
})

it('controls nothing with a production profile, also one whose address is on this machine', async () => {
  const { url } = await sandboxWorld()
  const world = await inProduction(emptyWorld(), url)
  expect(failureOf(await world.run(['sandbox', 'reset', '-o', 'json']))).toMatchObject({
    exit: 2,
    message: 'The profile `prod` is for production, and only a sandbox can be controlled',
  })
  for (const run of [
    world.run(['sandbox', 'reset', '--base-url', url]),
    world.run(['sandbox', 'state'], { env: { PIXGATE_BASE_URL: url } }),
  ]) {
    expect(await run).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: A profile for production uses ${url}, and only a sandbox can be controlled\nhint: Set \`--base-url\` to the address that \`pixgate sandbox\` printed\n  pixgate sandbox\n`,
    })
  }
})

it('names the endpoint that a mistyped target means', async () => {
  const world = await sandboxWorld()
  expect(await world.run(['sandbox', 'fault', 'drop-after', '--on', 'tranfer'])).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: `--on`: `tranfer` is neither an endpoint nor the id or name of a transaction\nhint: Type `--on transfer`\n',
  })
})
