import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { signBody } from '../../src/wire/signature.ts'
import { emptyWorld } from '../world.ts'
import { failureOf } from './payments.ts'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const SHAPES =
  'hint: Give one raw HTTP request with its head, lines of `pixgate webhook listen -o json`, or lines like {"body": "…", "signature": "…"}'
const EMPTY = [
  'error: `-` contains no webhooks',
  'hint: Give raw requests, or bodies with their signatures; `pixgate history import --help` has examples',
]

function unreadable(stdin: string, ...faults: string[]): RejectedCommandLine {
  return [
    ['-'],
    [
      'error: `-` has entries that are not webhooks; nothing was imported',
      ...faults.map((fault) => `  ${fault}`),
      SHAPES,
    ],
    { stdin },
  ]
}

const TABLE: readonly RejectedCommandLine[] = [
  [
    ['no-such-file'],
    ['error: The file `no-such-file` does not exist', 'hint: Check the path, or use `-` to read from standard input'],
  ],
  [['.'], ['error: `.` is a folder', 'hint: Use the path of a file']],
  [
    ['-', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [['-'], EMPTY],
  [['-'], EMPTY, { stdin: '\uFEFF \n\n' }],
  [['-'], EMPTY, { stdin: '[]' }],
  [['-'], EMPTY, { stdin: '{"type":"ready","url":"x"}\n{"type":"summary"}\n' }],
  unreadable('hello', 'line 1, event: The request has no blank line between its headers and its body'),
  unreadable('{"a":1}', 'line 1, event: It has neither `bodyBase64` nor `body`'),
  unreadable(
    '{"body":{"a":1},"signature":"x"}',
    'line 1, event: `body` is not a string: only the exact bytes can be verified',
  ),
  unreadable('{"body":"x","signature":5}', 'line 1, event: `signature` is not a string'),
  unreadable('{"body":"x","headers":"x"}', 'line 1, event: The event has no `headers`'),
  unreadable('{"bodyBase64":"*"}', 'line 1, event: The `bodyBase64` of the event is not Base64'),
  unreadable(
    '{"body":"x","receivedAt":"yesterday"}',
    'line 1, event: `receivedAt` is not a date-time such as 2026-11-21T12:00:00Z',
  ),
  unreadable('{"body":"x"}\n\n{"body":', 'line 3, event: This is not JSON'),
  unreadable('[1,"two",null]', ...[1, 2, 3].map((n) => `line ${n}, event: This is not a JSON object`)),
  unreadable(
    '{"a":1}\nnope\n{"type":"event"}',
    'line 1, event: It has neither `bodyBase64` nor `body`',
    'line 2, event: This is not JSON',
    'line 3, event: It has neither `bodyBase64` nor `body`',
  ),
]

it('refuses what it cannot read, whole', async () => {
  await expectRejected(['history', 'import'], TABLE)
})

it('lists the faults for scripts', async () => {
  const ran = await emptyWorld().run(['history', 'import', '-', '-o', 'json'], { stdin: '{"body":"x"}\n{}' })
  expect(ran.stdout).toBe('')
  expect(failureOf(ran)).toMatchObject({
    exit: 2,
    code: 'USAGE',
    faults: [{ line: 2, column: 'event', message: 'It has neither `bodyBase64` nor `body`' }],
  })
})

it('needs a secret', async () => {
  const world = emptyWorld({ PIXGATE_BASE_URL: 'https://gateway.example' })
  const ran = await world.run(['history', 'import', '-', '-o', 'json'], { stdin: '{"body":"x"}' })
  expect(failureOf(ran)).toMatchObject({ exit: 4 })
})

it('says that the events cannot be recorded, and how to go on', async () => {
  const world = emptyWorld()
  mkdirSync(join(world.home, 'data', 'ledger.db'), { recursive: true })
  const body = '{}'

  const kept = JSON.stringify({ body, signature: signBody(Buffer.from(body), 'local-secret') })
  writeFileSync(join(world.home, 'kept'), kept)
  const failure = failureOf(await world.run(['history', 'import', join(world.home, 'kept'), '-o', 'json']))
  expect(failure).toMatchObject({
    exit: 2,
    message: expect.stringContaining('ledger.db` is a folder, not a file'),
  })
})
