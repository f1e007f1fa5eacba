import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { type Fault, healthy, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterActing, resetAfterReading, truncated } from '../gateway/faults.ts'
import { jsonAnswer, writeAnswer } from '../gateway/rawHttp.ts'
import { emptyWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { inThisProcess } from './payments.ts'

function answers(status: number, fields: object): Fault {
  return async ({ socket, read }) => {
    await read()
    writeAnswer(socket, jsonAnswer(status, fields))
  }
}

const refusal = (message: string, response = 'No') => answers(400, { message, response })

/** What each row meets, and what must be said of it: outcome, status, code. The last one stops the run, so that the row behind it is not sent. */
const ROWS: [fault: Fault, outcome: string, status: string | null, code: string | null][] = [
  [healthy, 'accepted', 'PROCESSING', null],
  [refusal('DUPLICATE_EXTERNAL_ID'), 'accepted-before', 'PROCESSING', null],
  [refusal('PIX_KEY_NOT_FOUND'), 'refused', 'FAILED', 'PIX_KEY_NOT_FOUND'],
  [refusal('AC03'), 'refused', 'FAILED', 'AC03'],
  [refusal('SOMETHING_NEW'), 'refused', 'FAILED', 'SOMETHING_NEW'],
  [answers(400, {}), 'refused', 'FAILED', null],
  [answers(500, {}), 'unknown', null, null],
  [answers(200, { status: 'PROCESSING' }), 'unknown', null, null],
  [resetAfterReading, 'unknown', null, null],
  [resetAfterActing, 'unknown', null, null],
  [truncated, 'unknown', null, null],
  [answers(429, {}), 'refused', 'FAILED', null],
  [healthy, 'not-sent', null, null],
]

type Said = Record<string, unknown>

const wordsOf = ({ line, externalId, outcome, status, idTransaction, errorCode }: Said) => ({
  ...{ line: Number(line), externalId, outcome },
  ...{ status: status || null, idTransaction: idTransaction || null, errorCode: errorCode || null },
})
/** The rows of a run, as JSON. */
async function rowsOf(world: World, run: string): Promise<Said[]> {
  return JSON.parse((await world.run(['batch', 'show', run, '-o', 'json'])).stdout).rowsDetail
}

/** The same without what became of the request, which lists do not have. */
const listed = ({ outcome: _, ...rest }: ReturnType<typeof wordsOf>) => rest

it('says the same of a row when it ends, in its results, in every list of it, and in the history', async () => {
  const gateway = await startFaultGateway()
  const world = inThisProcess(
    emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' }),
  )
  const path = csvIn(
    world,
    'folha.csv',
    'key,value',
    ROWS.map((_, place) => `a${place}@example.com,${place + 1}`),
  )
  gateway.misbehave(ROWS.slice(0, -1).map(([fault]) => fault))
  const results = join(world.home, 'results.csv')
  const words = ['batch', 'transfer', path, '--yes', '--concurrency', '1', '--stop-after', '99']
  const ran = await world.run([...words, '--results', results, '-o', 'json'])
  const live = linesOf(ran)
    .slice(0, -1)
    .map(wordsOf)
    .toSorted((one, other) => one.line - other.line)
  const run = String(linesOf(ran).at(-1)?.run)
  expect(live).toEqual(
    ROWS.map(([, outcome, status, errorCode], place) => ({
      ...{ line: place + 2, outcome, status, errorCode },
      externalId: expect.any(String),
      idTransaction: outcome === 'accepted' ? expect.any(String) : null,
    })),
  )

  const file: Said[] = parse(readFileSync(results), { columns: true })
  expect(file.map(wordsOf)).toEqual(live)
  const rowsDetail = await rowsOf(world, run)
  expect(rowsDetail.map(wordsOf).map(listed)).toEqual(live.map(listed))
  const csv: Said[] = parse((await world.run(['batch', 'show', run, '-o', 'csv'])).stdout, { columns: true })
  expect(csv.map(wordsOf).map(listed)).toEqual(live.map(listed))
  expect(csv.map(({ message }) => message)).toEqual(file.map(({ message }) => message))

  const payments: { externalId: string; status: string | null; pixgate: Said }[] = JSON.parse(
    (await world.run(['history', '-o', 'json'])).stdout,
  )
  for (const { externalId, status, errorCode } of live) {
    const payment = payments.find((each) => each.externalId === externalId)
    if (payment !== undefined) expect([payment.status, payment.pixgate.errorCode]).toEqual([status, errorCode])
  }

  // What resume names again, it names with the same words.
  gateway.always(answers(503, {}))
  const again = linesOf(
    await world.run(['resume', run, '--yes', '--concurrency', '1', '--stop-after', '99', '-o', 'json']),
  )
  const named = again.slice(0, -1).map(wordsOf)
  const unsettled = live.filter(({ outcome }) => outcome === 'refused' || outcome === 'unknown')
  expect(named).toEqual(expect.arrayContaining(unsettled))
})

it('says what a code means beside it, in the language of the screen, wherever a row is named', async () => {
  const gateway = await startFaultGateway()
  const world = inThisProcess(
    emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/', PIXGATE_LANG: 'pt-BR' }),
  )
  const path = csvIn(world, 'folha.csv', 'key,value', ['a@example.com,10'])
  gateway.misbehave([refusal('NO_FUNDS', 'The balance is not sufficient')])
  const ran = await world.run(['batch', 'transfer', path, '--yes'])
  expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain('recusado Saldo insuficiente (NO_FUNDS)')
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const [row] = await rowsOf(world, run)
  const externalId = String(row?.externalId)
  expect((await world.run(['batch', 'show', run])).stdout).toContain('NO_FUNDS\tSaldo insuficiente\t')
  const reason = { fields: ['history', '--fields', 'errorCode,reason'], shown: ['history', 'show', externalId] }
  expect((await world.run(reason.fields)).stdout).toContain('NO_FUNDS\tSaldo insuficiente\n')
  expect((await world.run(reason.shown)).stdout).toMatch(/^motivo +Saldo insuficiente \(NO_FUNDS\)$/m)
  const excel = join(world.home, 'excel.csv')
  await world.run(['resume', run, '--yes', '--results', excel, '--excel'])
  expect(readFileSync(excel, 'utf8')).toContain('"NO_FUNDS";"Saldo insuficiente"')
})
