import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import { linesOf } from '../cli/batchFiles.ts'
import { atOnce } from '../cli/payments.ts'
import { brazilian, type PlannedTransfer } from './courses.ts'
import { transferEvents } from './events.ts'
import { consent, deliver, type Month, type MonthAccount } from './monthWorld.ts'

/** A file of transfers that were sent, and everything that happened to them. */
export interface PlayedBatch {
  account: MonthAccount
  run: string
  reference: string
  /** In the order of the file, whose first row is in line 2. */
  transfers: readonly PlannedTransfer[]
}

/** How a file is sent. */
interface BatchOptions {
  reference: string
  isWorkbook?: boolean
  /** False leaves refused rows and unknown outcomes as they are. */
  isResumed?: boolean
  /** True sends it in processes of its own. */
  isAlone?: boolean
}

const MAP = ['--map', 'key=chave,value=valor,typeKey=tipo']
/** More refusals in a row than a run allows by default. */
const GO_ON = ['--stop-after', '1000']

/** Sends the transfers as a batch; people and events tell of some, the rest is resumed, and the other events come. */
export async function playBatch(
  month: Month,
  account: MonthAccount,
  transfers: readonly PlannedTransfer[],
  { reference, isWorkbook = false, isResumed = true, isAlone = false }: BatchOptions,
): Promise<PlayedBatch> {
  const { books } = account
  for (const { key, course } of transfers) books.plan(key, course)
  const file = await writeFile(month, reference, transfers, isWorkbook)
  const run = isAlone ? month.run : month.runHere
  const ran = await run(account, ['batch', 'transfer', file, ...MAP, ...GO_ON, ...consent(account), '-o', 'json'], 5)
  const lines = linesOf(ran)
  const id = String(lines.at(-1)?.run)
  const unknown = new Map(
    lines.flatMap(({ line, outcome, externalId }) => (outcome === 'unknown' ? [[line, String(externalId)]] : [])),
  )
  await settle(month, account, transfers, (_transfer, place) => unknown.get(place + 2))
  await deliver(month, account, [
    ...endWith(account, transfers, ({ course }) => (course.first === 'failed' ? 'not-paid' : null)),
    ...endWith(account, transfers, ({ course }) => (course.first === 'answer lost' ? told(course) : null)),
  ])
  if (isResumed) {
    const again = ['resume', id, '--refused', ...GO_ON, ...consent(account), '-o', 'json']
    const resumed = await run(account, again, 1)
    expect(linesOf(resumed).at(-1)).toMatchObject({ type: 'summary', unknown: 0, notSent: 0 })
  }
  await deliver(
    month,
    account,
    endWith(account, transfers, ({ course }) => told(course)),
  )
  await settle(month, account, transfers, ({ key }) => openEntry(account, key)?.idTransaction)
  return { account, run: id, reference, transfers }
}

async function writeFile(
  { world }: Month,
  reference: string,
  transfers: readonly PlannedTransfer[],
  isWorkbook: boolean,
): Promise<string> {
  const header = ['chave', 'valor', 'tipo', 'favorecido']
  const path = join(world.home, `${reference}.${isWorkbook ? 'xlsx' : 'csv'}`)
  const rows = transfers.map(({ typedKey, cents, keyType, payee }) => ({ typedKey, cents, keyType, payee }))
  if (isWorkbook) {
    const data = rows.map(({ typedKey, cents, keyType, payee }) => [typedKey, cents / 100, keyType, payee])
    await writeExcelFile([{ sheet: 'Folha', data: [header, ...data] }]).toFile(path)
  } else {
    const lines = rows.map(({ typedKey, cents, keyType, payee }) =>
      [typedKey, brazilian(cents), keyType, payee].join(';'),
    )
    writeFileSync(path, `${[header.join(';'), ...lines].join('\n')}\n`)
  }
  return path
}

function told({ end, toldBy }: PlannedTransfer['course']): 'paid' | 'not-paid' | 'returned' | null {
  return toldBy === 'event' && end !== 'open' && end !== 'refused' ? end : null
}

/** The newest entry of a transfer, if its result is not in the books yet. */
function openEntry({ books }: MonthAccount, key: string) {
  const entry = books.entriesFor(key).at(-1)
  return entry === undefined || books.endingOf(entry.idTransaction) !== null ? undefined : entry
}

/** Records the results of transfers in the gateway's books; returns the events that report them. */
function endWith(
  account: MonthAccount,
  transfers: readonly PlannedTransfer[],
  endingOf: (transfer: PlannedTransfer) => 'paid' | 'not-paid' | 'returned' | null,
): object[] {
  return transfers.flatMap((transfer) => {
    const [ending, entry] = [endingOf(transfer), openEntry(account, transfer.key)]
    if (ending === null || entry === undefined) return []
    account.books.end(entry.idTransaction, ending)
    return transferEvents(entry, transfer, ending)
  })
}

/** People record what they found out of the transfers that they know by an id. */
async function settle(
  month: Month,
  account: MonthAccount,
  transfers: readonly PlannedTransfer[],
  idOf: (transfer: PlannedTransfer, place: number) => string | undefined,
): Promise<void> {
  const { books } = account
  const found = [...transfers.entries()].flatMap(([place, transfer]) => {
    const id = transfer.course.toldBy === 'person' ? idOf(transfer, place) : undefined
    return id === undefined ? [] : [{ transfer, id }]
  })
  await atOnce(found, async ({ transfer: { key, course }, id }) => {
    const finding = ['--as', course.end, '--because', 'seen in the dashboard', ...consent(account)]
    await month.runHere(account, ['history', 'settle', id, ...finding])
    const entry = openEntry(account, key)
    if (entry === undefined) books.giveUp(key)
    else if (course.end === 'paid') books.end(entry.idTransaction, 'paid')
  })
}
