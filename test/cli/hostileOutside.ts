import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '../../src/ledger/accounts.ts'
import { here } from '../inProcess.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld, type ProcessResult, type World } from '../world.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'

/** A machine whose gateway, files and webhooks all say what is hostile. */
export interface HostileOutside {
  world: World
  /** Runs a command in this process. */
  run(...args: string[]): Promise<ProcessResult>
  /** The batch that was sent: its name, its file, and the results that were written, lossless and for a spreadsheet. */
  batch: { run: string; file: string; results: string; excel: string }
  /** Ids of payments that the gateway accepted. */
  accepted: string[]
  owner: Owner
}

/** What a program that pretends to be the sandbox answers to each control call. */
function sandboxAnswer(texts: readonly string[]) {
  const items = texts.map((text, n) => ({
    ...Object.fromEntries(SANDBOX_FIELDS.map((name) => [name, text])),
    ...{ n, at: '2026-11-26T12:00:00Z', amount: 1, value: 1, times: 1 },
  }))
  const lists = ['payments', 'refunds', 'transfers', 'deliveries', 'faults', 'requests'].map((name) => [name, items])
  const [text = ''] = texts
  return { ...Object.fromEntries(lists), balance: 1, now: '2026-11-26T12:00:00Z', [text]: text, status: text }
}

const SANDBOX_FIELDS = [
  'idTransaction',
  'type',
  'status',
  'refundReason',
  'key',
  'event',
  'outcome',
  'attempts',
  'kind',
  'on',
].concat(['async', 'method', 'path', 'code', 'details', 'requestNumber', 'externalId'])

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/**
 * Sends one batch in which each of the texts is in a row as the name, the note and the end of the reference; the gateway refuses every
 * other row with one of the texts as details, and accepts the others with one as status. Each text comes in a webhook too.
 */
export async function hostileOutside(texts: readonly string[]): Promise<HostileOutside> {
  let calls = 0
  const accepted: string[] = []
  const url = await localServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/sandbox/') === true) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(sandboxAnswer(texts)))
      return
    }
    const text = texts[calls % texts.length] ?? ''
    calls += 1
    const isRefused = request.method === 'POST' && calls % 2 === 1
    const idTransaction = randomUUID()
    if (request.method === 'POST' && !isRefused) accepted.push(idTransaction)
    response.statusCode = isRefused ? 400 : 200
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(
        isRefused
          ? { statusCode: 400, error: text, message: 'INVALID_PIX_KEY', details: text }
          : { idTransaction, status: request.method === 'POST' ? 'PROCESSING' : text, response: text, amount: 1 },
      ),
    )
  })
  const world = emptyWorld({
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: 'shop-id',
    PIXGATE_CLIENT_SECRET: 'shop-secret',
    PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/',
  })
  const inProcess = here(world)
  const run = (...args: string[]) => inProcess(args)
  const [file, results, excel] = ['payments.csv', 'results.csv', 'excel.csv'].map((name) => join(world.home, name))
  if (file === undefined || results === undefined || excel === undefined) throw new Error('three names are three paths')
  const rows = texts.map((text, place) => [`p${place}@example.com`, `${place + 1}`, text, text, `id-${place}`])
  const header = 'key,value,fornecedor,obs,externalId'
  writeFileSync(file, `${[header, ...rows.map((cells) => cells.map(quoted).join(','))].join('\n')}\n`)
  const sending = ['--yes', '--stop-after', '100000', '--rate', '1000/s', '--concurrency', '1']
  const reading = ['--map', 'name=fornecedor', '--reference', 'hostile']
  const sent = await run('batch', 'transfer', file, ...reading, ...sending, '--results', results, '-o', 'json')
  const last = sent.stdout === '' ? null : JSON.parse(sent.stdout.trimEnd().split('\n').at(-1) ?? 'null')
  if (last?.type !== 'summary') throw new Error(`the batch was not sent: ${sent.stderr}`)
  await run('resume', String(last.run), '--results', excel, '--excel', '--yes')
  const owner: Owner = { profile: null, environment: 'sandbox', baseUrl: url, clientId: 'shop-id' }
  for (const [place, text] of texts.entries()) {
    const idTransaction = accepted[place % Math.max(1, accepted.length)]
    const receiver = { name: text, document: text, institution: text, ispb: text }
    const names = { destinationName: text, destinationBank: text, payerName: text }
    const body = {
      event: 'transfer.completed',
      data: {
        ...names,
        idTransaction,
        status: 'COMPLETED',
        amount: 1,
        receiver,
        payer: receiver,
        error: text,
        endToEndId: text,
      },
    }
    await storeIn(world, receivedEvent(JSON.stringify(body), { owner }))
  }
  return { world, run, batch: { run: String(last.run), file, results, excel }, accepted, owner }
}
