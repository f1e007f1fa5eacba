import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { accountId, withNumber } from '../ledger/accounts.ts'
import { chainEnd } from '../ledger/chain.ts'
import { type MoneyPayment, payeeNameOf, type TransferPayment, withAmountNamed } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type UnconfirmedPayee, type UnconfirmedState, unconfirmedPayee } from '../ledger/payees.ts'
import { type PaymentRow, paymentRow, referenceOfPayment, sentReferences } from '../ledger/payments.ts'
import type { RunRow } from '../ledger/records.ts'
import { accountRules } from '../ledger/rulesInForce.ts'
import { RunSum, type RunSums } from '../ledger/runFingerprint.ts'
import { isHeldByRun, type RunRowState, runRows } from '../ledger/runRows.ts'
import { type TextColumns, textColumnsOf, textsIn } from '../ledger/runs.ts'
import { comparableTarget, HAS_SAME_TARGET, targetValues } from '../ledger/samePayment.ts'
import { proposedBody } from '../payments/askCheckCommand.ts'
import { isSafeToResend } from '../payments/decide.ts'
import { assertClockAgrees } from '../payments/gatewayClock.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { sentTodayCents } from '../payments/paymentLookup.ts'
import { type Conflict, findConflict, isCountedToday, limitConflict } from '../payments/paymentRules.ts'
import type { Proposal } from '../payments/proposal.ts'
import { acceptedRepeats, type RepeatOptions } from '../payments/repeatOptions.ts'
import { DAY_MS, nearestDay, saoPauloDay } from '../pix/calendar.ts'
import { comparableKey, destinationText } from '../pix/destination.ts'
import type { KeyType } from '../pix/pixKey.ts'
import { isOtherBill, isSameReference, referenceIn } from '../pix/tableWords.ts'
import type { Account } from '../profiles/account.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { Cancelled } from '../wire/errors.ts'
import { addRow, noRows } from './rowMarks.ts'

/** Which rows of a run are sent beside those that were never sent, and transfers with an unknown outcome for less than a day. */
interface RowSelection {
  /** Refused, failed and returned rows too, each as a new attempt. */
  refused: boolean
  /** All transfers and refunds with an unknown outcome. */
  includeUnknown: boolean
}

/** The selection for a file that is sent for the first time. */
export const UNSENT_ROWS: RowSelection = { refused: false, includeUnknown: false }

/** What is asked for: which rows of a run are sent now, and which payments may be made once more. */
export interface RunOrder {
  run: string
  kind: 'transfer' | 'refund'
  reference: string
  /** False if the reference is only the name of the file. */
  isReferenceTyped: boolean
  selection: RowSelection
  /** The most rows to send now; null for all. */
  limit: number | null
  repeats: RepeatOptions
}

type RowAction = Proposal['action']

/** What to do with a row of a run; null if it is not sent. */
export function rowAction(
  { row, state, mayHaveMoved, firstSentMs }: RunRowState,
  { refused, includeUnknown }: RowSelection,
  nowMs: number,
): RowAction | null {
  if (row.isLeftOut) return null
  switch (state) {
    case null:
    case 'not-sent':
      return 'pay'
    case 'unknown': {
      const isSafe = isSafeToResend(row.facts, firstSentMs ?? nowMs, nowMs)
      return isSafe || includeUnknown ? 'resend' : null
    }
    case 'refused':
    case 'not-paid':
    case 'returned':
      // If money may have moved, the gateway may hold a transfer with this id, even if it refused our request.
      return refused && !mayHaveMoved ? 'retry' : null
    case 'pending':
    case 'accepted':
    case 'paid':
      return null
  }
}

/** True if pixgate made up the id of a row, because neither it nor the reference was typed. */
function isMadeUp({ isReferenceTyped }: RunOrder, { isTypedId }: Pick<RunRow, 'isTypedId'>): boolean {
  return !isReferenceTyped && !isTypedId
}

/** A row that must not be sent, and why. */
export interface RowConflict {
  line: number
  state: RunRowState
  conflict: Conflict
}

/** What is about to be sent of a run: of a file, sent for the first time or again, or of a run that is resumed. */
export class RunPreview {
  readonly order: RunOrder
  /** The last record that the preview knows. */
  readonly lastSeq: number
  /** Rows to send, by what is done with them; without those that have a conflict. */
  rows: Record<RowAction, number> = { pay: 0, resend: 0, retry: 0 }
  count = 0
  /** All rows but those that had been sent before the run: what its record confirms. */
  whole: RunSums = new RunSum().sums
  /** The part of these rows that `--limit` sends now; what follows, up to the rows that are not sent, is about this part. */
  now = { count: 0, cents: 0 }
  /** What the rows add to the sum of the day, in cents: those that are sent again are counted already. */
  newTodayCents = 0
  /** Refunds of all that is left whose amount is not known. */
  unknownAmounts = 0
  largest: { line: number; target: string; amountCents: number } | null = null
  keyTypes: Partial<Record<KeyType, number>> = {}
  /** Transfers without a document that must own the key. */
  withoutOwner = 0
  /** The first hundred rows with an amount far above what their key was paid before; `unusualCount` counts all. */
  unusual: UnusualRow[] = []
  unusualCount = 0
  /** Rows to payees without a confirmed payment, by their state: how many, and the first five of them. */
  unconfirmed: Record<UnconfirmedState, { count: number; first: UnconfirmedRow[] }> = {
    new: { count: 0, first: [] },
    changed: { count: 0, first: [] },
  }
  /** Rows that are due after today, and before. */
  due = { later: noRows(), overdue: noRows() }
  /** The first thousand rows whose reference a payment of an earlier file has, with the same target and amount; `sentBeforeCount` counts all. */
  sentBefore: SentBefore[] = []
  sentBeforeCount = 0
  /** Rows that were sent before this run, by what is known of them. */
  leftOut = { accepted: 0, refused: 0, unknown: 0 }
  /** The first thousand of those accepted more than a day ago, or under another reference; `leftOutNamedCount` counts all. */
  leftOutNamed: LeftOutRow[] = []
  leftOutNamedCount = 0
  /** The first thousand rows that must not be sent; `conflictCount` counts all. */
  conflicts: RowConflict[] = []
  conflictCount = 0
  /** The first thousand rows with an unknown outcome that are not sent again; `notResentCount` counts all. */
  notResent: RunRowState[] = []
  notResentCount = 0
  sentTodayCents = 0

  constructor(order: RunOrder, lastSeq: number) {
    this.order = order
    this.lastSeq = lastSeq
  }
}

/** A row whose reference, target and amount are those of a payment that was sent. */
interface SentBefore {
  line: number
  reference: string
  sentMs: number
  isPaid: boolean
}

/** A row that is left out although it may be another payment than the one that was accepted. */
interface LeftOutRow {
  line: number
  /** Null if the file has no names. */
  payee: string | null
  /** As the file has it; null if it has none. */
  reference: string | null
  /** That of the payment that was accepted; null if it is the same, or unknown. */
  sentReference: string | null
  sentMs: number
}

interface UnconfirmedRow {
  line: number
  payee: UnconfirmedPayee
}

/** So few that the rules for a page block nothing else for long. */
const PAGE_ROWS = 100
const LISTED_MAX = 1000
const UNUSUAL_MAX = 100
const UNCONFIRMED_MAX = 5

/**
 * Reads all rows of a run and applies the rules to those that are to be sent, in pages, so that other processes can write and memory does
 * not grow with the file. {@link decide} applies the same rules again. Before the payments that a file refunds were looked up, what is left of
 * them is unknown, so that the rule about it is not applied. Throws Cancelled at an interrupt.
 */
export async function previewRun(
  context: PaymentContext,
  order: RunOrder,
  { isBeforeLookUp = false } = {},
): Promise<RunPreview> {
  const { ledger, terminal, interrupt, account, now } = context
  await assertClockAgrees(context)
  const [lastSeq, columns] = await ledger.read((database) => [
    chainEnd(database).seq,
    textColumnsOf(database, order.run),
  ])
  const previewer = new RunPreviewer(order, columns, lastSeq, now(), isBeforeLookUp)
  let [afterLine, done] = [0, 0]
  for (;;) {
    if (interrupt.aborted) throw batchInterrupted()
    const last = await ledger.read((database) => {
      const page = runRows(database, order.run, afterLine, PAGE_ROWS)
      // The limit of a day is judged for all rows together.
      const ofRows = { ...withNumber(database, account), maxDayCents: null }
      const rules = accountRules(database, ofRows)
      for (const state of page) previewer.add(database, ofRows, rules, state)
      done += page.length
      return page.at(-1)
    })
    if (last === undefined) break
    afterLine = last.row.line
    terminal.progress(done === 1 ? t`Checked 1 row` : t`Checked ${done} rows`)
    // A read does not wait for anything, so without this an interrupt would be noticed after the last page.
    await turnOfEventLoop()
  }
  return previewer.preview(await ledger.read((database) => sentTodayCents(database, account, now())))
}

/** The failure of a batch that was interrupted before its first payment. */
export function batchInterrupted(): Cancelled {
  return new Cancelled(t`Interrupted, nothing was sent`, { hint: t`Run the command again when you are ready` })
}

class RunPreviewer {
  readonly #isBeforeLookUp: boolean
  readonly #nowMs: number
  readonly #whole = new RunSum()
  readonly #preview: RunPreview
  readonly #columns: TextColumns
  readonly #today: string
  readonly #sent = new Map<string, ReturnType<typeof sentReferences>>()

  constructor(order: RunOrder, columns: TextColumns, lastSeq: number, nowMs: number, isBeforeLookUp: boolean) {
    this.#isBeforeLookUp = isBeforeLookUp
    this.#nowMs = nowMs
    this.#columns = columns
    this.#today = saoPauloDay(nowMs)
    this.#preview = new RunPreview(order, lastSeq)
  }

  add(database: Database, account: Account, rules: AccountRules, state: RunRowState): void {
    const preview = this.#preview
    if (!state.row.isLeftOut) this.#whole.add(state.row.rowId, state.row.facts)
    const action = rowAction(state, preview.order.selection, this.#nowMs)
    if (action !== null) {
      const conflict = this.#conflict(database, account, rules, state, action)
      if (conflict === undefined) this.#addRow(database, account, state, action)
      else if (++preview.conflictCount <= LISTED_MAX) preview.conflicts.push({ line: state.row.line, state, conflict })
    } else if (state.row.isLeftOut) this.#countLeftOut(database, state)
    else if (state.state === 'unknown' && ++preview.notResentCount <= LISTED_MAX) preview.notResent.push(state)
  }

  preview(sentToday: number): RunPreview {
    return { ...this.#preview, whole: this.#whole.sums, sentTodayCents: sentToday }
  }

  #conflict(
    database: Database,
    account: Account,
    rules: AccountRules,
    { row, payment }: RunRowState,
    action: RowAction,
  ): Conflict | undefined {
    const { order, lastSeq } = this.#preview
    const { facts, originalCents, rowId } = row
    const overLimit = () => limitConflict(account, facts.amountCents ?? 0, 0, () => 0)
    // The other rules for a payment with an unknown outcome are applied in the transaction that sends it.
    if (action === 'resend') return overLimit()
    const intended = {
      facts,
      // The id of a further attempt is chosen when it is recorded.
      externalId: action === 'pay' && facts.kind === 'transfer' ? rowId : null,
      payment,
      run: order.run,
      accepted: acceptedRepeats(database, account, facts, order.repeats, lastSeq),
      originalCents,
      isIdMadeUp: isMadeUp(order, row),
    }
    const conflict = findConflict(database, account, intended, this.#nowMs, () => 0, rules)
    if (conflict === undefined) return undefined
    if (this.#isResentBefore(conflict)) return overLimit()
    // An amount that no row names is judged with the sum of the run.
    const isLater = conflict.why === 'amount-unknown' || (conflict.why === 'left' && this.#isBeforeLookUp)
    return isLater ? undefined : conflict
  }

  /** True if the payment with the unknown outcome is a row of this run that is sent again, and so has an answer before this one is sent. */
  #isResentBefore(conflict: Conflict): boolean {
    const { run, selection } = this.#preview.order
    return conflict.why === 'unknown' && selection.includeUnknown && conflict.earlier.run === run
  }

  #addRow(database: Database, account: Account, { row, sentMs }: RunRowState, action: RowAction): void {
    const preview = this.#preview
    const { facts, line } = row
    const { amountCents } = facts
    preview.rows[action] += 1
    preview.count += 1
    if (preview.now.count === preview.order.limit) return
    preview.now.count += 1
    preview.now.cents += amountCents ?? 0
    const isCounted = action === 'resend' && sentMs !== null && isCountedToday(sentMs, this.#nowMs)
    if (!isCounted) preview.newTodayCents += amountCents ?? 0
    this.#countDue(row)
    if (amountCents === null) preview.unknownAmounts += 1
    if (amountCents !== null && amountCents > (preview.largest?.amountCents ?? 0)) {
      const isTransfer = facts.kind === 'transfer'
      const target = isTransfer ? destinationText(facts.key, facts.keyType) : facts.originalTransactionId
      preview.largest = { line, target, amountCents }
    }
    const paid = facts.kind === 'transfer' ? paidAmounts(database, account, facts) : null
    // Most keys of a file that is new were never paid, so that no payment has the reference of their row.
    if (action === 'pay' && paid?.length !== 0) this.#noteSentBefore(database, account, row)
    if (facts.kind !== 'transfer' || paid === null) return
    preview.keyTypes[facts.keyType] = (preview.keyTypes[facts.keyType] ?? 0) + 1
    if (facts.documentValidation === null) preview.withoutOwner += 1
    const unusual = unusualAmount(line, facts, paid)
    if (unusual !== undefined && ++preview.unusualCount <= UNUSUAL_MAX) preview.unusual.push(unusual)
    const payee = unconfirmedPayee(database, account, facts)
    if (payee === undefined) return
    const marked = preview.unconfirmed[payee.state]
    if (++marked.count <= UNCONFIRMED_MAX) marked.first.push({ line, payee })
  }

  #countDue({ cells, facts }: RunRow): void {
    const { due, daysToPay } = this.#columns
    const dayAt = (place: number) => nearestDay((cells[place] ?? '').trim(), this.#today) ?? this.#today
    if (daysToPay.some((place) => dayAt(place) > this.#today)) addRow(this.#preview.due.later, facts.amountCents)
    else if (dayAt(due) < this.#today) addRow(this.#preview.due.overdue, facts.amountCents)
  }

  #noteSentBefore(database: Database, account: Account, { line, cells, facts, rowId, isTypedId }: RunRow): void {
    const reference = referenceIn(cells, this.#columns.references, isTypedId ? rowId : null)
    if (reference === null) return
    // Many rows of a file may pay the same amount to one key.
    const target = `${facts.amountCents} ${comparableTarget(facts)}`
    if (this.#sent.size > PAGE_ROWS) this.#sent.clear()
    const sent = this.#sent.get(target) ?? sentReferences(database, account, facts, this.#preview.order.run)
    this.#sent.set(target, sent)
    for (const { comparable, shown } of reference.numbers) {
      const earlier = sent.get(comparable)?.find(({ said }) => !isOtherBill(said, reference.said))
      if (earlier === undefined) continue
      const { sentMs, isPaid } = earlier
      if (++this.#preview.sentBeforeCount <= LISTED_MAX) {
        this.#preview.sentBefore.push({ line, reference: shown, sentMs, isPaid })
      }
      return
    }
  }

  /** Names a row that was accepted long ago, or with another reference: it may not be the same payment. */
  #nameLeftOut(database: Database, { row, payment, sentMs }: RunRowState): void {
    const { name, reference } = textsIn(row.cells, this.#columns)
    const sent = reference === null || payment === null ? null : referenceOfPayment(database, payment)
    const isOther = sent !== null && (reference === null || !isSameReference(sent, reference))
    if (sentMs === null || (!isOther && this.#nowMs - sentMs <= DAY_MS)) return
    if (++this.#preview.leftOutNamedCount > LISTED_MAX) return
    this.#preview.leftOutNamed.push({
      line: row.line,
      payee: name ?? payeeNameOf(row.facts),
      reference: reference?.shown ?? null,
      sentReference: isOther ? sent.shown : null,
      sentMs,
    })
  }

  #countLeftOut(database: Database, row: RunRowState): void {
    const { leftOut } = this.#preview
    const { state } = row
    if (state === 'accepted' || state === 'paid') this.#nameLeftOut(database, row)
    if (state === 'unknown') leftOut.unknown += 1
    else if (state === 'accepted' || state === 'paid') leftOut.accepted += 1
    else if (state !== null && state !== 'not-sent') leftOut.refused += 1
  }
}

/** Rows to send with the same target and amount as one above. */
export interface EqualRows {
  count: number
  /** The first of them, and the row above; null if there is none. */
  first: { line: number; like: number } | null
}

/** Counts the rows of a run to send that equal one above them. */
export function countEqualRows(database: Database, run: string): EqualRows {
  const equal = `FROM run_row above WHERE above.run = run_row.run AND above.comparable_key = run_row.comparable_key
    AND above.amount_cents IS run_row.amount_cents AND above.line < run_row.line`
  const row = database.get(
    `SELECT line, (SELECT min(above.line) ${equal}) AS like, count(*) OVER () AS rows FROM run_row
     WHERE run = ? AND is_left_out = 0 AND EXISTS (SELECT 1 ${equal}) ORDER BY line LIMIT 1`,
    run,
  )
  return row === undefined
    ? { count: 0, first: null }
    : { count: integerOf(row, 'rows'), first: { line: integerOf(row, 'line'), like: integerOf(row, 'like') } }
}

/** Counts the PIX keys among the rows of a run to send that this account never paid before. */
export function countNewKeys(database: Database, account: Account, run: string): number {
  const keys = database.integer(
    `SELECT count(DISTINCT comparable_key) FROM run_row
     WHERE run = ? AND is_left_out = 0 AND NOT EXISTS (
       SELECT 1 FROM payment
       WHERE payment.comparable_key = run_row.comparable_key AND payment.account = ?
         AND payment.kind = 'transfer' AND may_have_moved = 1
     )`,
    run,
    accountId(database, account),
  )
  return keys ?? 0
}

/** What was paid to the target of a payment before. */
export interface PaidToTarget {
  count: number
  /** The last amount, and when it was sent in ms; null if there is none. */
  lastCents: number | null
  lastMs: number | null
}

/** Reads what this account paid to the key of a transfer, or returned of the original of a refund. */
export function paidToTarget(database: Database, account: Account, facts: MoneyPayment): PaidToTarget {
  const last = database.get(
    `SELECT count(*) OVER () AS payments, moved_cents, sent_ms FROM payment
     WHERE ${HAS_SAME_TARGET} AND may_have_moved = 1 ORDER BY sent_ms DESC LIMIT 1`,
    targetValues(database, account, facts),
  )
  return last === undefined
    ? { count: 0, lastCents: null, lastMs: null }
    : {
        count: integerOf(last, 'payments'),
        lastCents: integerOf(last, 'moved_cents'),
        lastMs: integerOf(last, 'sent_ms'),
      }
}

/** A row that pays a key far more than it was paid before. */
export interface UnusualRow {
  line: number
  /** As people write it. */
  key: string
  amountCents: number
  medianCents: number
}

const EARLIER_MIN = 3
const EARLIER_MAX = 100
const TIMES = 5

/** Compares a transfer with what its key was paid before; undefined if that is too little to compare with, or if it is usual. */
export function findUnusualAmount(
  database: Database,
  account: Account,
  line: number,
  facts: TransferPayment,
): UnusualRow | undefined {
  return unusualAmount(line, facts, paidAmounts(database, account, facts))
}

/** What a key was paid before, newest first. */
function paidAmounts(database: Database, account: Account, { key, keyType }: TransferPayment): number[] {
  const rows = database.all(PAID_AMOUNTS, comparableKey(key, keyType), accountId(database, account))
  return rows.map((row) => integerOf(row, 'moved_cents'))
}

const PAID_AMOUNTS = `SELECT moved_cents FROM payment
  WHERE comparable_key = ? AND account = ? AND kind = 'transfer' AND may_have_moved = 1
  ORDER BY sent_ms DESC LIMIT ${EARLIER_MAX}`

function unusualAmount(
  line: number,
  { key, keyType, amountCents }: TransferPayment,
  paid: readonly number[],
): UnusualRow | undefined {
  if (paid.length < EARLIER_MIN) return undefined
  const medianCents = median(paid)
  return amountCents > TIMES * medianCents
    ? { line, key: destinationText(key, keyType), amountCents, medianCents }
    : undefined
}

function median(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2)
}

/** Payments under a reference that moved money, or may have, and that the file no longer holds. */
export interface MissingRows {
  count: number
  /** The first of them. */
  payments: readonly PaymentRow[]
}

/** Finds the payments of earlier files of the same reference that a run no longer holds. */
export function findMissingRows(
  database: Database,
  account: Account,
  { run, kind, reference }: { run: string; kind: 'transfer' | 'refund'; reference: string },
): MissingRows {
  const rows = database.all(
    `SELECT payment.*, count(*) OVER () AS payments FROM payment
     WHERE payment.reference = $reference AND kind = $kind AND account = $account AND may_have_moved = 1
       AND NOT ${isHeldByRun('payment.row_id')} ORDER BY payment.seq LIMIT ${LISTED_MAX}`,
    { run, kind, reference, account: accountId(database, account) },
  )
  const [first] = rows
  return { count: first === undefined ? 0 : integerOf(first, 'payments'), payments: rows.map(paymentRow) }
}

/** A row of a run that is to be sent. */
export interface SelectedRow {
  state: RunRowState
  action: RowAction
}

const SENDING_PAGE_ROWS = 200

/** The rows of a preview that are to be sent, in the order of the file, a page at a time; without those that were not part of the question. */
export async function* rowsToSend(
  ledger: Ledger,
  { order, conflicts }: RunPreview,
  nowMs: number,
): AsyncGenerator<SelectedRow[]> {
  const skippedLines = new Set(conflicts.map(({ line }) => line))
  let left = order.limit ?? Number.POSITIVE_INFINITY
  for (let afterLine = 0; left > 0; ) {
    const states = await ledger.read((database) => runRows(database, order.run, afterLine, SENDING_PAGE_ROWS))
    const last = states.at(-1)
    if (last === undefined) return
    afterLine = last.row.line
    const rows = states.flatMap((state): SelectedRow[] => {
      const action = rowAction(state, order.selection, nowMs)
      return action === null || skippedLines.has(state.row.line) ? [] : [{ state, action }]
    })
    yield rows.slice(0, left)
    left -= rows.length
  }
}

/** The bodies of the requests of the rows that are to be sent, in their order, for a check command. */
export async function* proposedBodies(
  { ledger, account, now, plans }: PaymentContext,
  preview: RunPreview,
): AsyncGenerator<string> {
  for await (const rows of rowsToSend(ledger, preview, now())) {
    yield* await ledger.read((database) =>
      rows.map((row) => proposedBody(database, account, rowProposal(database, { account, plans }, row, preview))),
    )
  }
}

/**
 * What is proposed to `decide` for a row of a run: a new payment, the next attempt of a known one, or the same request again. A new request that a plan
 * must allow names its amount, as those of plans do.
 */
export function rowProposal(
  database: Database,
  { account, plans }: Pick<PaymentContext, 'account' | 'plans'>,
  { state: { row, payment }, action }: SelectedRow,
  { order, lastSeq }: Pick<RunPreview, 'order' | 'lastSeq'>,
): Proposal {
  const { originalCents, rowId, line, isTypedId } = row
  const facts = plans === undefined || action === 'resend' ? row.facts : withAmountNamed(row.facts)
  const { run, reference, repeats, selection } = order
  // What was recorded after the preview was not shown, and is not accepted.
  const accepted = acceptedRepeats(database, account, facts, repeats, lastSeq)
  if (action === 'resend') {
    const { includeUnknown } = selection
    const { despiteChargeback } = accepted
    return {
      action,
      payment: known(payment),
      includeUnknown,
      despiteChargeback,
      asNew: { accepted, row: { run, facts } },
    }
  }
  if (action === 'retry') return { action, payment: known(payment), accepted, originalCents, run, row: facts }
  const externalId = facts.kind === 'transfer' ? rowId : null
  const place = { run, line, reference, isDerivedId: !isTypedId }
  return { action, facts, externalId, rowId, place, accepted, originalCents, isIdMadeUp: isMadeUp(order, row) }
}

/** The payment of a row that must have one. */
export function known(payment: string | null): string {
  if (payment === null) throw new Error('a row without a payment cannot be sent again')
  return payment
}
