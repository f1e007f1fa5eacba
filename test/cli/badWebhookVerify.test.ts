import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runInProcess } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const SIGNATURE = '0'.repeat(64)
const REQUEST_HINT = 'hint: Use the request as it was sent: the headers with `X-Signature`, a blank line, the body'
const JSON_HINT =
  'hint: Use one line of `pixgate webhook listen -o json`, the output of `pixgate webhook events show 1 -o json`, or a raw HTTP request; use `--body` for only a body'
const UNREADABLE_HINT = 'hint: Check the path, or use `-` to read from standard input'

const OPTIONS: readonly RejectedCommandLine[] = [
  [
    [],
    [
      'error: No webhook to verify is given',
      'hint: Give `--body` and `--signature`, or `--request request.txt`, or `--event 1`',
    ],
  ],
  [
    ['--signature', SIGNATURE],
    [
      'error: No webhook to verify is given',
      'hint: Give `--body` and `--signature`, or `--request request.txt`, or `--event 1`',
    ],
  ],
  [
    ['--body', '-'],
    [
      'error: `--signature` is missing',
      'hint: Add `--signature` with the value of `X-Signature`, or give the whole request with `--request`',
    ],
  ],

  [
    ['--body', '-', '--signature', SIGNATURE, '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['--event', '7'],
    [
      'error: No event `7` is recorded',
      'hint: Run `pixgate webhook events` to list the numbers and ids of recorded events',
    ],
    { exit: 3 },
  ],
]

const FILES: readonly RejectedCommandLine[] = [
  [
    ['--request', 'missing'],
    ['error: The file `missing` does not exist', UNREADABLE_HINT],
  ],
  [
    ['--body', '.', '--signature', ''],
    ['error: `.` is a folder', 'hint: Use the path of a file'],
  ],
  [
    ['--request', '-'],
    ['error: `--request`: The request has no blank line between its headers and its body', REQUEST_HINT],
  ],
  [
    ['--request', '-'],
    ['error: `--request`: The request has an invalid header line: `\\u{1b}[2J`', REQUEST_HINT],
    { stdin: 'POST / HTTP/1.1\n\u001b[2J\n\n{}' },
  ],
  [
    ['--request', '-'],
    [
      'error: `--request`: The `Content-Length` is not one whole number: `x`',
      'hint: Remove the header if the length is unknown; the body is then everything after the blank line',
    ],
    { stdin: 'Content-Length: x\n\n{}' },
  ],
  [
    ['--request', '-'],
    [
      'error: `--request`: The transfer coding `gzip` is not supported',
      'hint: Remove the transfer coding from the body and the `Transfer-Encoding` header',
    ],
    { stdin: 'Transfer-Encoding: gzip\n\n{}' },
  ],
  [
    ['--request', '-'],
    [
      'error: `--request`: The body is incomplete or not chunked, although the `Transfer-Encoding` header says so',
      'hint: Remove that header if the body is not chunked',
    ],
    { stdin: 'Transfer-Encoding: chunked\n\n{}' },
  ],
  [
    ['--request', '-'],
    ['error: `--request`: The JSON contains no event with a `bodyBase64`', JSON_HINT],
    { stdin: '{"event":"pix.received"}' },
  ],
  [
    ['--request', '-'],
    ['error: `--request`: The text begins like JSON but is not valid JSON', JSON_HINT],
    { stdin: '{"event":' },
  ],
  [
    ['--request', '-'],
    ['error: `--request`: The JSON contains 2 events; only one can be verified at a time', JSON_HINT],
    { stdin: '{"bodyBase64":"","headers":{}}\n{"bodyBase64":"","headers":{}}' },
  ],
  [
    ['--request', '-'],
    ['error: `--request`: The `bodyBase64` of the event is not Base64', JSON_HINT],
    { stdin: '{"bodyBase64":"é","headers":{}}' },
  ],
  [['--request', '-'], ['error: `--request`: The event has no `headers`', JSON_HINT], { stdin: '{"bodyBase64":""}' }],
]

const RECOVER: readonly RejectedCommandLine[] = [
  [
    ['--recover', '-'],
    ['error: `--recover` takes a file, not `-`', 'hint: Name a file, like `--recover original.json`'],
  ],
]

it('says what is wrong with the options', () => expectRejected(['webhook', 'verify'], OPTIONS))

it('says what is wrong with a request', () => expectRejected(['webhook', 'verify'], FILES))

it('says what is wrong with `--recover`', () => {
  return expectRejected(['webhook', 'verify', '--body', '-', '--signature', SIGNATURE], RECOVER)
})

it('never writes over what it verifies', async () => {
  const { home, run, env } = emptyWorld()
  const body = join(home, 'body.json')
  writeFileSync(body, '{}\n')
  linkSync(body, join(home, 'linked.json'))
  symlinkSync(body, join(home, 'symbolic.json'))
  const refused = (target: string) => ({
    exit: 2,
    stdout: '',
    stderr: `error: \`--recover ${target}\` would overwrite the file being verified\nhint: Name another file, like \`--recover original.json\`\n`,
  })
  for (const source of [
    ['--body', 'body.json', '--signature', SIGNATURE],
    ['--request', 'body.json'],
  ]) {
    const relative = source.includes('--request') ? 'body.json' : './body.json'
    expect(await run(['webhook', 'verify', ...source, '--recover', relative], { cwd: home })).toEqual(refused(relative))
    const absolute = source.map((word) => (word === 'body.json' ? body : word))
    for (const target of [body, join(home, 'linked.json'), join(home, 'symbolic.json')]) {
      const ran = await runInProcess(['webhook', 'verify', ...absolute, '--recover', target], env)
      expect(ran).toEqual(refused(target))
    }
  }
  expect(readFileSync(body, 'utf8')).toBe('{}\n')
})

it('reports that it cannot write', async () => {
  const { home, run, prepare } = emptyWorld({ PIXGATE_CLIENT_SECRET: 'a-long-secret-0123456789' })
  const signature = await prepare(['webhook', 'sign', '--body', '-', '--yes'], { stdin: '{}' })
  const verify = ['webhook', 'verify', '--body', '-', '--signature', signature.trim(), '--recover']
  for (const [target, reason] of [
    ['.', 'it is a folder (EISDIR)'],
    ['missing/original.json', 'it does not exist (ENOENT)'],
  ]) {
    expect(await run([...verify, target ?? ''], { cwd: home, stdin: '{}\n' })).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: \`--recover ${target}\` cannot be written: ${reason}\nhint: Name a file in a folder that exists and that you may write to\n`,
    })
  }
  expect(existsSync(join(home, 'missing'))).toBe(false)
})

it('needs a secret', async () => {
  const { run } = emptyWorld({ PIXGATE_CLIENT_ID: 'a', PIXGATE_BASE_URL: 'https://gateway.example.com' })
  const ran = await run(['webhook', 'verify', '--body', '-', '--signature', SIGNATURE, '--json'], { stdin: '{}' })
  expect([ran.exit, ran.stdout]).toEqual([4, ''])
  expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: 'NO_CREDENTIALS', exitCode: 4 } })
})
