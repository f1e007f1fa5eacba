import { expect } from 'vitest'
import { type Call, type Fault, startFaultGateway } from '../gateway/faultGateway.ts'
import { jsonAnswer, writeAnswer } from '../gateway/rawHttp.ts'
import { echoesOf } from './canaries.ts'
import { secretWorld } from './secretWorld.ts'

/** What a request carried as its secret. */
function secretIn({ request }: Call): string {
  return request.headers.cs ?? (request.headers.authorization ?? '').replace(/^Bearer /, '')
}

/** An answer whose every field holds the secret in all forms. */
function fieldsOf(secret: string, code: string): Record<string, unknown> {
  const echoes = echoesOf(secret)
  const all = echoes.join(' | ')
  return {
    statusCode: 400,
    error: all,
    message: code === '' ? all : code,
    details: `Authorization: Bearer ${secret} ${all}`,
    [secret]: secret,
    nested: { list: [echoes, { [`name ${all}`]: all }], number: 1 },
  }
}

/** The same as an answer that is accepted, or is the state of a payment. */
function acceptedOf(secret: string): Record<string, unknown> {
  const echoes = echoesOf(secret)
  return {
    ...fieldsOf(secret, ''),
    idTransaction: `id ${echoes.join(' ')}`,
    status: secret,
    statusTransaction: echoes.join(),
    amount: 10.5,
    paidAt: secret,
    expiresAt: secret,
    response: echoes.join(),
    paymentCode: `000201${echoes.join('')}`,
    paymentCodeBase64: Buffer.from(secret).toString('base64'),
  }
}

function headersOf(secret: string): Record<string, string> {
  return { 'x-echo': secret, 'www-authenticate': `Bearer ${secret}`, location: `/${secret}`, 'retry-after': secret }
}

/** Answers with this status, and the secret everywhere. */
function echoing(status: number, code = ''): Fault {
  return async (call) => {
    await call.read()
    const secret = secretIn(call)
    const fields = status < 300 && code === '' ? acceptedOf(secret) : fieldsOf(secret, code)
    writeAnswer(call.socket, jsonAnswer(status, fields, headersOf(secret)))
  }
}

/** Answers with bytes made of the secret. */
function saying(answer: (secret: string) => string): Fault {
  return async (call) => {
    await call.read()
    call.socket.end(answer(secretIn(call)))
  }
}

const ANSWERS: readonly Fault[] = [
  echoing(200),
  echoing(200, 'NO_FUNDS'),
  echoing(302),
  echoing(400),
  echoing(400, 'SOME_CODE'),
  echoing(401),
  echoing(403, 'UNAUTHORIZED_IP'),
  echoing(404, 'TRANSACTION_NOT_FOUND'),
  echoing(429),
  echoing(500),
  saying((secret) => `HTTP/1.1 200 ${secret}\r\nconnection: close\r\n\r\n${secret}`),
]

const NO_ANSWERS: readonly Fault[] = [
  saying((secret) => `HTTP/1.1 200 OK\r\n${secret}\r\n${secret}: ${secret}\r\n\r\n`),
  saying((secret) => `${secret}\r\n\r\n`),
  saying(() => ''),
]

/** The lines that send the secret, each with the number of this run in its ids. */
function sendingLines(run: number): string[][] {
  const callback = ['--callback-url', 'http://127.0.0.1:9/pix']
  return [
    ['transfer', '--key', 'maria@example.com', '--amount', String(run + 1), '--external-id', `i-${run}`, ...callback],
    ['refund', `paid-${run}`, '--reason', 'twice', '--amount', '1', '--skip-query', ...callback],
    ['refund', `paid-again-${run}`, '--reason', 'twice', '--amount', '1', ...callback],
    ['qr', 'create', '--amount', '10,50', '--request-number', `r-${run}`, '--qr', ...callback],
    ['status', `paid-${run}`, 'b'],
    ['status', `paid-${run}`],
    ['status', `paid-${run}`, '--wait=1ms', '--interval=1ms'],
    ['doctor'],
  ]
}

const FORMATS = [['-v'], ['-o', 'json', '-v'], ['-o', 'csv'], []]

/** Has a gateway send the secret back in all answers, to all lines that send it. */
export async function echoInAllLines(secret: string): Promise<void> {
  expect([...(await echoIn(secret, () => true))].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
}

/** The same, for one line of three and each answer, in turn. */
export async function echoInSomeLines(secret: string): Promise<void> {
  expect((await echoIn(secret, (line, answer) => (line + answer) % 3 === 0)).size).toBeGreaterThan(5)
}

/** Returns the exit codes that there were. */
async function echoIn(secret: string, isMeant: (line: number, answer: number) => boolean): Promise<Set<number>> {
  const gateway = await startFaultGateway()
  const world = secretWorld(secret)
  const env = { PIXGATE_BASE_URL: gateway.url, PIXGATE_CLIENT_ID: 'an-id', PIXGATE_CLIENT_SECRET: secret }
  const exits = new Set<number>()
  let run = 0
  for (const [answer, fault] of [...ANSWERS, ...NO_ANSWERS].entries()) {
    gateway.always(fault)
    const lines = sendingLines(run).filter((_, line) => isMeant(line, answer))
    // Queries are asked again as long as there is time, so one of them is enough.
    for (const line of NO_ANSWERS.includes(fault) ? lines.filter(([name]) => name !== 'status').slice(0, 5) : lines) {
      const format = FORMATS[run++ % FORMATS.length] ?? []
      const ran = await world.attempt([...line, '--yes', '--timeout', '300ms', ...format], { env })
      exits.add(ran.exit)
    }
  }
  await world.line(0, ['history', '--json'])
  await world.line(0, ['history', 'list', '-o', 'csv'])
  await world.line(0, ['history', 'show', 'i-0'])
  return exits
}
