import { type MoneyPayment, payeeNameOf } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type PayeeNames, rowNames } from '../ledger/payeeNames.ts'
import { shownStateOf } from '../ledger/paymentState.ts'
import { attemptOutcome, firstWriter, loadPayment, type Payment } from '../ledger/payments.ts'
import { planOfNewestAttempt } from '../ledger/plans.ts'
import type { PaymentsBeingSent } from '../ledger/processes.ts'
import { type RunRowState, runRows, unpaidRunRows } from '../ledger/runRows.ts'
import { nameColumn, type Run } from '../ledger/runs.ts'
import { isSameRefundAmount, isSameRequest, isSameTarget } from '../ledger/samePayment.ts'
import { refusalText, saidAloneBy } from '../payments/explanation.ts'
import { formatReais } from '../pix/amount.ts'
import { destinationText } from '../pix/destination.ts'
import type { Mapping } from '../spreadsheet/tableHeader.ts'
import type { TableRecord } from '../spreadsheet/tableRecords.ts'
import type { Database } from '../storage/sqlite.ts'
import { foldedText } from '../text/foldedText.ts'
import { TRANSLATED_LANGUAGES, type TranslatedLanguage } from '../text/languages.ts'
import { currentLanguage, t } from '../text/translate.ts'
import type { Outcome } from '../wire/errors.ts'
import type { RowIds } from './rowIds.ts'

/** The result of one row; a field without a value is null. */
export type RowResult = ReturnType<typeof resultOf>

const PAGE_ROWS = 500

/** A run, accepted or not, of which rows are named. */
export type NamedRun = Pick<Run, 'columns' | 'fields'> & {
  record: { run: string; owner: Pick<Run['record']['owner'], 'environment'> }
}

/**
 * The results of the rows of a run, of which these payments are being sent, page by page, with final states as far as events reported them; no transaction is open between two
 * pages. Throws DamagedRecord.
 */
export async function* resultPages(
  ledger: Ledger,
  run: Run,
  sending?: PaymentsBeingSent,
): AsyncGenerator<readonly RowResult[]> {
  const read = (database: Database, state: RunRowState) => resultOf(database, state, run, sending)
  yield* pagesOf(ledger, run, read)
}

/**
 * The rows of a run that were sent and of which nothing was paid as far as it is known, page by page, with their results: refused, failed, returned or
 * unknown ones that `isNamed` picks. Throws DamagedRecord.
 */
export async function* unpaidPages(
  ledger: Ledger,
  run: NamedRun,
  isNamed: (state: RunRowState) => boolean,
): AsyncGenerator<{ state: RunRowState; result: RowResult }[]> {
  const read = (database: Database, state: RunRowState) =>
    isNamed(state) ? [{ state, result: resultOf(database, state, run) }] : []
  for await (const page of pagesOf(ledger, run, read, unpaidRunRows)) yield page.flat()
}

/** How many rows of a run have another name in the file than in the events of their payment. Throws DamagedRecord. */
export async function countDifferentNames(ledger: Ledger, run: Run): Promise<number> {
  if (nameColumn(run) === undefined) return 0
  let count = 0
  for await (const page of pagesOf(ledger, run, (database, state) => namesOf(database, state, run))) {
    count += page.filter(({ differ }) => differ === true).length
  }
  return count
}

async function* pagesOf<Item>(
  ledger: Ledger,
  { record }: NamedRun,
  read: (database: Database, state: RunRowState) => Item,
  select = runRows,
): AsyncGenerator<Item[]> {
  for (let afterLine = 0; ; ) {
    const page = await ledger.read((database) =>
      select(database, record.run, afterLine, PAGE_ROWS).map((state) => ({
        line: state.row.line,
        item: read(database, state),
      })),
    )
    const last = page.at(-1)
    if (last === undefined) return
    yield page.map(({ item }) => item)
    afterLine = last.line
  }
}

function namesOf(database: Database, { row, payment }: RunRowState, run: NamedRun): PayeeNames {
  const named = payment === null ? null : { id: payment, kind: row.facts.kind }
  return rowNames(database, nameColumn(run), row.cells, named, run.record.owner.environment)
}

function resultOf(database: Database, state: RunRowState, run: NamedRun, sending?: PaymentsBeingSent) {
  const namePlace = nameColumn(run)
  const { row, sentMs, idTransaction } = state
  const outcome = outcomeOf(database, state)
  const isSent = outcome !== 'not-sent'
  const { facts } = row
  return {
    line: row.line,
    /** The row's own cells, in the order of the file's columns. */
    cells: row.cells,
    /** The cell that seems to name who is paid, else the name of the payee; null if the file has neither. */
    typedName: namePlace === undefined ? payeeNameOf(facts) : (row.cells[namePlace] ?? '').trim(),
    names: namesOf(database, state, run),
    facts,
    amountCents: state.amountCents,
    externalId: (facts.kind === 'transfer' && isSent ? state.name : null) ?? row.rowId,
    idTransaction: isSent ? idTransaction : null,
    state: state.state ?? 'not-sent',
    /** The same as people see it: that it is being sent only where that was asked. */
    shownState: shownStateOf(state.state ?? 'not-sent', sending?.has(state.payment ?? '') === true),
    /** True if it was sent before this run. */
    isLeftOut: row.isLeftOut,
    /** True if another ledger, maybe another machine's, had sent it first and counts it, too. */
    isFromElsewhere: state.isFromElsewhere,
    outcome,
    status: isSent ? state.status : null,
    errorCode: state.errorCode,
    /** Why it failed, in the language of the texts when it is asked for. */
    message: messageOf(database, state, outcome),
    sentMs: isSent ? sentMs : null,
    /** Who created its payment, and on which machine; null for one that was not sent. */
    writer: state.payment !== null && isSent ? firstWriter(database, state.payment) : null,
    /** Who made and approved the plan of its payment; null if it needed none. */
    plannedBy: state.payment !== null && isSent ? planOfNewestAttempt(database, state.payment) : null,
  }
}

function outcomeOf(database: Database, { payment, state, name }: RunRowState): Outcome {
  if (payment === null || state === null || state === 'not-sent') return 'not-sent'
  if (state === 'refused' || state === 'unknown') return state
  const outcome = attemptOutcome(database, payment, name)
  if (outcome === 'accepted' || outcome === 'accepted-before') return outcome
  // A finding or an event takes precedence over a missing answer.
  return state === 'paid' || state === 'accepted' ? 'accepted' : 'refused'
}

function messageOf(
  database: Database,
  { payment, state, errorCode, isUnknown }: RunRowState,
  outcome: Outcome,
): () => string | null {
  if (isUnknown && payment !== null && state !== 'unknown') {
    const saidBy = saidAloneBy(loadPayment(database, payment).summary)
    return saidBy === null
      ? () => t`The event that says what became of it is not verified here`
      : () => t`Accepted according to ${saidBy}, who did not send it; not verified here`
  }
  if (state === 'unknown') return () => t`Whether it was carried out is unknown`
  if (payment === null || (state !== 'refused' && state !== 'not-paid' && state !== 'returned')) return () => null
  const loaded = loadPayment(database, payment)
  const { answer, event, finding } = loaded.summary.deciding
  const words = event?.errorMessage ?? (outcome === 'refused' ? answer?.message : null) ?? finding?.because ?? null
  return () => refusalText(errorCode, words) ?? (state === 'returned' ? t`The money came back` : t`It was refused`)
}

/** Gives the payments of the account that have an id: the externalId of an attempt, or the id of a refund's row. */
export type FindPayments = (id: string) => Promise<readonly Payment[]>

/** What a results file says of a payment that the ledger does not know. */
export type ElsewhereOutcome = 'accepted' | 'unknown'

type ResultRowId =
  | { is: 'row'; id: string; isTyped: boolean }
  /** The file says so of a payment that the ledger does not know, so that another machine sent it. */
  | { is: 'answered-elsewhere'; outcome: ElsewhereOutcome }
  | { is: 'fault'; column: 'externalId' | 'outcome'; message: string }

/** The most rows that are read to find the run of a results file. */
const SOUGHT_IDS = 200

/** The reference of the run that a results file comes from; undefined if the ledger knows none of its first payments. */
export async function referenceOfResults(
  records: AsyncIterable<Partial<TableRecord>>,
  { id: place }: ResultPlaces,
  findPayments: FindPayments,
): Promise<string | undefined> {
  let sought = 0
  for await (const { cells } of records) {
    const id = cells?.[place]?.trim() ?? ''
    if (id === '') continue
    const found = (await findPayments(id)).find(({ first }) => first.place !== null)
    if (found !== undefined) return found.first.place?.reference
    sought += 1
    if (sought === SOUGHT_IDS) break
  }
  return undefined
}

/**
 * Finds the id of a row of a results file. The payment with its id is that of the row if the row still asks for it. If it was refused and the row
 * was corrected, the row is a new payment with an id of its own; what was sent cannot be changed.
 */
export async function resultRowId(
  { cells }: TableRecord,
  places: ResultPlaces,
  facts: MoneyPayment,
  { ids, findPayments }: { ids: RowIds; findPayments: FindPayments },
): Promise<ResultRowId> {
  const derived = (): ResultRowId => ({ is: 'row', id: ids.newIdOf(facts), isTyped: false })
  const id = (cells[places.id] ?? '').trim()
  if (id === '' && (cells[places.inputId] ?? '').trim() === '') return derived()
  if (id === '') return { is: 'fault', column: 'externalId', message: t`Write the id of the row here, too` }
  const payments = await findPayments(id)
  const same = payments.findLast((payment) => isSamePayment(payment, facts))
  if (same !== undefined) {
    const { externalId, rowId, place } = same.first
    return { is: 'row', id: rowId ?? externalId ?? id, isTyped: place?.isDerivedId !== true }
  }
  const other = payments.find(({ summary }) => summary.mayHaveMoved) ?? payments.at(-1)
  if (other === undefined) return unknownRow(id, readOutcome(cells[places.outcome] ?? ''), facts, derived)
  if (other.summary.mayHaveMoved) {
    const message = t`This is the id of a payment that was sent: ${paymentText(other)}. Restore the row, or write the new payment in a row without an id`
    return { is: 'fault', column: 'externalId', message }
  }
  if (other.first.place?.isDerivedId === true) return derived()
  const ownId = (cells[places.inputId] ?? '').trim()
  // A further attempt has another id than its row.
  if (ownId !== '' && ownId !== other.first.rowId) return { is: 'row', id: ownId, isTyped: true }
  const message = t`This is the id of another payment, which was refused: ${paymentText(other)}. Write a new id for the corrected row`
  return { is: 'fault', column: 'externalId', message }
}

/** A row whose id the ledger does not know. Its id makes the gateway refuse what another machine may have sent. */
function unknownRow(id: string, outcome: string, { kind }: MoneyPayment, derived: () => ResultRowId): ResultRowId {
  switch (outcome) {
    case 'accepted':
    case 'accepted-before':
      return { is: 'answered-elsewhere', outcome: 'accepted' }
    case 'unknown':
      return { is: 'answered-elsewhere', outcome }
    case '':
    case 'refused':
    case 'not-sent':
      return kind === 'refund' ? derived() : { is: 'row', id, isTyped: true }
    default: {
      const message = t`\`${outcome}\` is not an outcome. Restore the cell, or clear it to send the row`
      return { is: 'fault', column: 'outcome', message }
    }
  }
}

function isSamePayment({ facts: known }: Payment, row: MoneyPayment): boolean {
  if (row.kind !== 'refund' || known.kind !== 'refund') return isSameRequest(known, row)
  return isSameTarget(known, row) && isSameRefundAmount(known, row)
}

function paymentText({ facts, amountCents }: Payment): string {
  const target =
    facts.kind === 'transfer'
      ? destinationText(facts.key, facts.keyType)
      : facts.kind === 'refund'
        ? facts.originalTransactionId
        : ''
  return amountCents === null ? target : t`${formatReais(amountCents)} to ${target}`
}

/** What a results file has before the columns of its input. */
const LINE_COLUMN = 'line'
/** What it has behind them, in this order. */
export const RESULT_COLUMNS = [
  'externalId',
  'idTransaction',
  'outcome',
  'status',
  'errorCode',
  'message',
  'sentAt',
] as const

type ResultColumn = typeof LINE_COLUMN | (typeof RESULT_COLUMNS)[number]

interface ResultWords {
  readonly columns: Readonly<Record<ResultColumn, string>>
  readonly outcomes: Readonly<Record<Outcome, string>>
}

/** The words in other languages than English. Files with them exist, so they stay as they are; none is a heading that a batch may have. */
const RESULT_WORDS: Readonly<Record<TranslatedLanguage, ResultWords>> = {
  'pt-BR': {
    columns: {
      line: 'Linha no arquivo',
      externalId: 'Id externo da linha',
      idTransaction: 'Id no gateway',
      outcome: 'Resultado do envio',
      status: 'Status no gateway',
      errorCode: 'Código do erro',
      message: 'Por que falhou',
      sentAt: 'Enviado em',
    },
    outcomes: {
      accepted: 'aceito',
      'accepted-before': 'já aceito antes',
      refused: 'recusado',
      unknown: 'resultado desconhecido',
      'not-sent': 'não enviado',
    },
  },
}

const ADDED: ReadonlySet<string> = new Set([LINE_COLUMN, ...RESULT_COLUMNS].map((name) => name.toLowerCase()))
const NAMES_OF_HEADINGS = inEnglish(({ columns }) => columns)
const OUTCOMES_OF_WORDS = inEnglish(({ outcomes }) => outcomes)
/** Without these a file is not taken for one of results, whatever else it has. */
const REQUIRED = ['externalId', 'idTransaction', 'outcome']
const RENAMED = 'input.'

/**
 * The names in the header of a results file, in the language of the texts. A column of the input that has the name of one of the results in any
 * language is called `input.…`, so that no name occurs twice and the file can be read again.
 */
export function resultsHeaderNames(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  const names = columns.map((column) => {
    let name = column
    while (name !== '' && (isAddedName(name) || taken.has(name.toLowerCase()))) name = `${RENAMED}${name}`
    taken.add(name.toLowerCase())
    return name
  })
  const shown = (name: ResultColumn) => wordsNow()?.columns[name] ?? name
  return [shown(LINE_COLUMN), ...names, ...RESULT_COLUMNS.map(shown)]
}

/** An outcome in a results file, in the language of the texts. */
export function resultsOutcome(outcome: Outcome): string {
  return wordsNow()?.outcomes[outcome] ?? outcome
}

/** The cells of the header of a results file with the English names of its columns, in whose language it is read; those of any other record unchanged. */
export function resultsHeaderInEnglish<Cells extends readonly string[]>(cells: Cells): Cells | string[] {
  const names = cells.map((cell) => NAMES_OF_HEADINGS.get(foldedText(cell)))
  return REQUIRED.every((name) => names.includes(name)) ? cells.map((cell, place) => names[place] ?? cell) : cells
}

/** The outcome that the cell of a results file in any language says; the cell itself if it says none. */
function readOutcome(cell: string): string {
  const text = cell.trim()
  return OUTCOMES_OF_WORDS.get(foldedText(text)) ?? text
}

/** The words in the language of texts now; undefined for English. */
function wordsNow(): ResultWords | undefined {
  const language = TRANSLATED_LANGUAGES.find((each) => each === currentLanguage())
  return language && RESULT_WORDS[language]
}

function inEnglish(words: (of: ResultWords) => Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const entries = Object.values(RESULT_WORDS).flatMap((of) => Object.entries(words(of)))
  return new Map(entries.map(([english, word]) => [foldedText(word), english]))
}

/** True for what results files call one of their own columns, in any language. */
function isAddedName(name: string): boolean {
  return ADDED.has(name.toLowerCase()) || NAMES_OF_HEADINGS.has(foldedText(name))
}

/** Where the columns of a results file are. */
export interface ResultPlaces {
  id: number
  outcome: number
  /** That of the ids that the input had itself; -1 if it had none. */
  inputId: number
  /** The places of all columns that pixgate added. */
  added: ReadonlySet<number>
}

/** The places of the columns that pixgate added, if a header is that of a results file; null for any other. */
export function resultPlaces(names: readonly string[], typed: Mapping): ResultPlaces | null {
  const lower = names.map((name) => name.toLowerCase())
  if (!REQUIRED.every((name) => lower.includes(name.toLowerCase()))) return null
  const typedId = typed.get('externalId')?.toLowerCase() ?? 'externalid'
  const inputId = lower.indexOf(typedId === 'externalid' ? `${RENAMED}externalid` : typedId)
  const added = lower.flatMap((name, place) => (ADDED.has(name) ? [place] : []))
  return {
    id: lower.indexOf('externalid'),
    outcome: lower.indexOf('outcome'),
    inputId,
    added: new Set(added),
  }
}

/** The columns that a file gives to its run: those of a results file are the ones of its input, under their own names. */
export function carriedColumns(
  names: readonly string[],
  places: ReadonlyMap<string, number>,
  results: ResultPlaces | null,
) {
  const kept = [...names.keys()].filter((place) => results?.added.has(place) !== true)
  const columns = results === null ? names : kept.map((place) => inputName(names[place] ?? ''))
  const typedIds = columns.findIndex((name) => name.toLowerCase() === 'externalid')
  const fields = [...places].flatMap(([field, place]) => {
    const at = results?.added.has(place) === true ? typedIds : kept.indexOf(place)
    return at === -1 ? [] : [[field, at] as const]
  })
  return {
    columns,
    /** The places of the fields of the request among them. */
    fields: Object.fromEntries(fields),
    /** Their places in the file. */
    places: kept,
    /** The cells of a record in these columns. */
    cellsOf: (cells: readonly string[]) => (results === null ? cells : kept.map((place) => cells[place] ?? '')),
  }
}

function inputName(name: string): string {
  const rest = name.startsWith(RENAMED) ? name.slice(RENAMED.length) : name
  return isAddedName(rest.replace(/^(?:input\.)+/, '')) ? rest : name
}
