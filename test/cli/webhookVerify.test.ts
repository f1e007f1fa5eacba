import { createHash, createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { headersOf, paymentBody, recordEvent } from './recordedEvents.ts'

const SECRET = 'a-long-secret-0123456789'
const PREVIOUS = 'the-secret-before-it-9876'
const BODY = '{"event":"pix.received","data":{"amount":10.50,"payerName":"João"}}'
const VERIFY = ['webhook', 'verify', '--body', '-', '--signature']

function signed(body: string | Buffer, secret = SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

function fingerprint(source: string, secret: string) {
  const sha256Prefix = createHash('sha256').update(secret).digest('hex').slice(0, 8)
  return { source, length: secret.length, sha256Prefix }
}

function secretRows(source: string, secret: string, encoding = 'hex'): string[] {
  const { length, sha256Prefix } = fingerprint(source, secret)
  return [
    `encoding  ${encoding}`,
    `secret    ${source}`,
    `length    ${length} characters`,
    `SHA-256   begins ${sha256Prefix}`,
  ]
}

function world(): World {
  return emptyWorld({ PIXGATE_CLIENT_SECRET: SECRET })
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

const OWN = fingerprint('PIXGATE_CLIENT_SECRET', SECRET)
const OWN_ROWS = secretRows('PIXGATE_CLIENT_SECRET', SECRET)

it('says that a signature is valid, in every form that it may have', async () => {
  const own = world()
  const hex = signed(BODY)
  const base64 = Buffer.from(hex, 'hex').toString('base64')
  expect(await own.run([...VERIFY, hex], { stdin: BODY })).toEqual({
    exit: 0,
    stdout: text(['Valid: the signature matches these bytes', ...OWN_ROWS]),
    stderr: '',
  })
  for (const [value, encoding] of [
    [hex.toUpperCase(), 'hex'],
    [`sha256=${hex}`, 'hex'],
    [base64, 'base64'],
    [`sha256=${base64}`, 'base64'],
  ]) {
    const ran = await here(own)([...VERIFY, value ?? '', '--json'], { stdin: BODY })
    expect([ran.exit, ran.stderr]).toEqual([0, ''])
    expect(JSON.parse(ran.stdout)).toEqual({ valid: true, encoding, reason: null, cause: null, tried: [], secret: OWN })
  }
})

it.each([
  ['missing', [''], 'Not valid: the `X-Signature` header is missing or empty'],
  [
    'malformed',
    [signed(BODY), '--signature', signed(BODY)],
    'Not valid: there are 2 `X-Signature` headers, and exactly one is allowed',
  ],
  ['malformed', [`${signed(BODY)} `], 'Not valid: the signature has leading or trailing white space'],
  [
    'malformed',
    [signed(BODY).slice(1)],
    'Not valid: expected 64 hex digits, 44 characters of Base64 or 43 of base64url, but the value has 63 characters',
  ],
])('says that a signature is %s: %j', async (reason, values, headline) => {
  const run = here(world())
  const rows = OWN_ROWS.slice(1).map((row) => row.replace(/^(\S+) +/, (_, label: string) => `${label.padEnd(7)}  `))
  expect(await run([...VERIFY, ...values], { stdin: BODY })).toEqual({
    exit: 1,
    stdout: text([headline, ...rows]),
    stderr: '',
  })
  const ran = await run([...VERIFY, ...values, '--json'], { stdin: BODY })
  expect(JSON.parse(ran.stdout)).toEqual({ valid: false, encoding: null, reason, cause: null, tried: [], secret: OWN })
})

it('recovers the original bytes, and names the serialiser', async () => {
  const own = world()
  const { home, run } = own
  const original = '{"event": "pix.received", "data": {"amount": 10.50, "payerName": "Jo\\u00e3o"}}'
  const given = JSON.stringify(JSON.parse(original))
  const path = join(home, 'original.json')
  expect(await run([...VERIFY, signed(original), '--recover', path], { stdin: given })).toEqual({
    exit: 1,
    stdout: text([
      'Not valid: the signature does not match these bytes',
      'The JSON was parsed and written again, as JavaScript, Python, PHP, Go, Java, C# or Ruby writes it',
      'Verify the raw bytes of the body before anything parses them',
      `The first difference is at byte 10 of ${Buffer.byteLength(given)}: signed \`…"event": "pix.received",…\`, here \`…"event":"pix.received","…\``,
      ...OWN_ROWS.map((row) => row.replace(/^(\S+) +/, (_, label: string) => `${label.padEnd(9)}  `)),
      `recovered  ${path}`,
    ]),
    stderr: '',
  })
  expect(readFileSync(path, 'utf8')).toBe(original)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const again = await here(own)([...VERIFY, signed(original)], { stdin: given })
  expect(again.stderr).toBe('→ Add `--recover original.json` to write the bytes that were signed\n')
  const ran = await here(own)([...VERIFY, signed(original), '--recover', path, '--json'], { stdin: given })
  expect(JSON.parse(ran.stdout)).toEqual({
    valid: false,
    encoding: 'hex',
    reason: 'mismatch',
    cause: 'reserialized',
    tried: [
      ...[
        'empty-body',
        'secret-whitespace',
        'secret-changed',
        'other-profile',
        'trailing-newline',
        'bom',
        'crlf',
        'latin1',
      ],
      ...['wrapped', 'wrong-construction', 'reserialized'],
    ],
    secret: OWN,
    serializers: expect.arrayContaining(["JavaScript's JSON.stringify", "PHP's json_encode"]),
    recovered: path,
  })
})

it.each([
  ['trailing-newline', `${BODY}\n`, signed(BODY)],
  ['crlf', '{\r\n"a":1}', signed('{\n"a":1}')],
  ['bom', `\uFEFF${BODY}`, signed(BODY)],
  ['latin1', Buffer.from(BODY).toString('latin1'), signed(BODY)],
  ['secret-whitespace', BODY, signed(BODY, `${SECRET}\n`)],
  ['secret-changed', BODY, signed(BODY, `"${SECRET}"`)],
  ['wrapped', JSON.stringify(BODY), signed(BODY)],
])('finds the cause %s', async (cause, stdin, signature) => {
  const run = here(world())
  const ran = await run([...VERIFY, signature, '--json'], { stdin })
  expect([ran.exit, ran.stderr]).toEqual([1, ''])
  expect(JSON.parse(ran.stdout)).toMatchObject({ valid: false, reason: 'mismatch', cause, secret: OWN })
  const told = await run([...VERIFY, signature], { stdin })
  expect(told.stdout.split('\n').length).toBeGreaterThan(6)
})

it('reports what was tried, and that a body is not JSON', async () => {
  const { home, run } = world()
  const recover = ['--recover', join(home, 'never.json')]
  const ran = await run([...VERIFY, '0'.repeat(64), ...recover], { stdin: 'hello' })
  expect(ran).toEqual({
    exit: 1,
    stdout: text([
      'Not valid: the signature does not match these bytes',
      'No cause was found; tried: an empty body; a space, tab or line break around the secret; the secret in quotes, with a written `\\n`, a byte order mark, in Base64, with percent signs; the secrets of the other profiles; line breaks added or removed at the end; a byte order mark added or removed, UTF-16; LF, CRLF or CR as line endings; UTF-8 read or written as Latin-1 or Windows-1252; a JSON string, a Buffer or Base64 around the body; plain hashes and HMACs of the body, its `data`, its values, its hex and its Base64, in hex or Base64, with the secret before, behind, as the key or as the message',
      'The body is not JSON, so other JSON formats were not tried',
      "Compare the secret below with the sender's, and the body with the one that was sent",
      ...OWN_ROWS,
    ]),
    stderr: `Nothing was written to ${join(home, 'never.json')}: the original was not found\n`,
  })
  expect(existsSync(join(home, 'never.json'))).toBe(false)
})

it('accepts the previous secret, and names it', async () => {
  const { run } = inThisProcess(emptyWorld({ PIXGATE_CLIENT_SECRET: SECRET, PIXGATE_PREVIOUS_CLIENT_SECRET: PREVIOUS }))
  const source = 'PIXGATE_PREVIOUS_CLIENT_SECRET'
  expect(await run([...VERIFY, signed(BODY, PREVIOUS)], { stdin: BODY })).toEqual({
    exit: 0,
    stdout: text([
      'Valid: the signature matches these bytes',
      'The signature matches the previous secret, not the current one',
      ...secretRows(source, PREVIOUS),
    ]),
    stderr: '',
  })
  const ran = await run([...VERIFY, signed(BODY, PREVIOUS), '--json'], { stdin: `${BODY}\n` })
  expect(JSON.parse(ran.stdout)).toMatchObject({ cause: 'trailing-newline', secret: fingerprint(source, PREVIOUS) })
})

it('names the profile whose secret fits, and reads none that a command gives', async () => {
  const own = emptyWorld()
  const mark = join(own.home, 'the-command-ran')
  const profile = (secret: object) => ({
    environment: 'sandbox',
    baseUrl: 'https://gateway.example.com',
    clientId: 'x',
    secret,
  })
  const profiles = {
    shop: profile({ source: 'stored', value: SECRET }),
    prod: profile({ source: 'stored', value: PREVIOUS }),
    dev: profile({ source: 'env', variable: 'DEV_SECRET' }),
    vault: profile({ source: 'command', command: `touch '${mark}'` }),
  }
  mkdirSync(join(own.home, 'config'), { mode: 0o700 })
  const store = JSON.stringify({ version: 1, active: 'shop', profiles })
  writeFileSync(join(own.home, 'config', 'profiles.json'), store, { mode: 0o600 })
  const find = async (secret: string, env = {}) => {
    const ran = await here(own)([...VERIFY, signed(BODY, secret), '--json'], { stdin: BODY, env })
    return JSON.parse(ran.stdout)
  }
  const notTried = { profilesNotTried: ['dev', 'vault'] }
  const secret = fingerprint('profile shop', SECRET)
  expect(await find(PREVIOUS)).toMatchObject({ cause: 'other-profile', profile: 'prod', secret, ...notTried })
  expect(await find('local-secret')).toMatchObject({ cause: 'other-profile', profile: 'local', ...notTried })
  expect(await find('of-the-env')).toMatchObject({ cause: null, ...notTried })
  const env = { DEV_SECRET: 'of-the-env' }
  expect(await find('of-the-env', env)).toMatchObject({ profile: 'dev', profilesNotTried: ['vault'] })
  const told = await own.run([...VERIFY, signed(BODY, 'unknown')], { stdin: BODY })
  expect(told.stdout).toContain('were not tried, because they are not stored in plain text: dev, vault\n')
  expect(existsSync(mark)).toBe(false)
})

it('reads a raw request', async () => {
  const { home, ...own } = world()
  const run = here(own)
  const head = ['POST /pix HTTP/1.1', 'Host: shop', `x-signature: ${signed(BODY)}`].join('\r\n')
  const length = `Content-Length: ${Buffer.byteLength(BODY)}`
  const path = join(home, 'request.txt')
  writeFileSync(path, `${head}\r\n${length}\r\n\r\n${BODY}\n`)
  const ran = await own.run(['webhook', 'verify', '--request', path])
  expect([ran.exit, ran.stderr]).toEqual([
    0,
    'warning: The body is longer than its `Content-Length` says; bytes left out at the end: 1\n',
  ])
  const short = await run(['webhook', 'verify', '--request', '-', '--json'], {
    stdin: `${head}\r\nContent-Length: 999\r\n\r\n${BODY}`,
  })
  const missing = 999 - Buffer.byteLength(BODY)
  expect(JSON.parse(short.stdout)).toMatchObject({
    valid: true,
    warnings: [`The body is shorter than its \`Content-Length\` says; bytes missing: ${missing}`],
  })
  const doubled = await run(['webhook', 'verify', '--request', '-', '--json'], {
    stdin: `${head}\r\nX-SIGNATURE: ${signed(BODY)}\r\n\r\n${BODY}`,
  })
  expect([doubled.exit, JSON.parse(doubled.stdout).reason]).toEqual([1, 'malformed'])
  const none = await run(['webhook', 'verify', '--request', '-', '--json'], { stdin: `Host: a\n\n${BODY}` })
  expect([none.exit, JSON.parse(none.stdout).reason]).toEqual([1, 'missing'])
})

it('says that the body of a request was compressed', async () => {
  const compressed = gzipSync(BODY)
  const request = (body: Buffer, signature: string) =>
    Buffer.concat([Buffer.from(`Content-Encoding: gzip\r\nX-Signature: ${signature}\r\n\r\n`), body])
  const verify = (stdin: Buffer) => here(world())(['webhook', 'verify', '--request', '-', '-o', 'json'], { stdin })
  const verdict = async (stdin: Buffer) => {
    const { exit, stdout } = await verify(stdin)
    return { exit, ...JSON.parse(stdout) }
  }
  const isCompressed = 'The body in the file is compressed (`Content-Encoding: gzip`)'
  const wasCompressed = 'The body was sent compressed (`Content-Encoding: gzip`), but is not compressed in the file'
  const warnings = (warning: string) => [`${warning}; a signature covers the bytes as they were sent`]
  const signature = signed(compressed)
  expect(await verdict(request(compressed, signature))).toMatchObject({ exit: 0, warnings: warnings(isCompressed) })
  expect(await verdict(request(compressed, signed(BODY)))).toMatchObject({ exit: 1, warnings: warnings(isCompressed) })
  const decompressed = request(Buffer.from(BODY), signature)
  expect(await verdict(decompressed)).toMatchObject({ exit: 1, warnings: warnings(wasCompressed) })
})

it('reads a recorded event, and what `events show` prints of it', async () => {
  const own = inThisProcess(emptyWorld())
  const body = paymentBody('tx-1')
  await recordEvent(own, body)
  await recordEvent(own, paymentBody('tx-2'))
  for (const name of ['1', 'tx-1']) {
    const ran = await own.run(['webhook', 'verify', '--event', name, '--json'])
    expect([ran.exit, ran.stderr]).toEqual([0, ''])
    expect(JSON.parse(ran.stdout)).toMatchObject({ valid: true, secret: fingerprint('profile local', 'local-secret') })
  }
  const shown = await own.prepare(['webhook', 'events', 'show', '1', '-o', 'json'])
  const ran = await own.run(['webhook', 'verify', '--request', '-'], { stdin: shown })
  expect([ran.exit, ran.stderr]).toEqual([0, ''])
})

it('asks for the number if several events have an id', async () => {
  const own = inThisProcess(emptyWorld())
  for (const amount of ['1.00', '2.00']) {
    const body = paymentBody('tx-1', amount)
    await recordEvent(own, body, { headers: headersOf(body) })
  }
  expect(await own.run(['webhook', 'verify', '--event', 'tx-1'])).toEqual({
    exit: 2,
    stdout: '',
    stderr: text([
      'error: `tx-1` names 2 events',
      '  1: pix.received PAID',
      '  2: pix.received PAID',
      'hint: Name one of them by its number',
    ]),
  })
})
