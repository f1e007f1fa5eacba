import type { Context } from '../context.ts'
import { isMadeUp, paymentNames } from '../ledger/payeeNames.ts'
import { LIST_START, lastPaymentSeq, type PaymentFilter, paymentsWithEvents } from '../ledger/paymentList.ts'
import { findPayments, isOfAccount, loadPayment, type Payment, refundsOf } from '../ledger/payments.ts'
import { formatReais } from '../pix/amount.ts'
import type { Period } from '../pix/calendar.ts'
import {
  calledName,
  matchDay,
  matchStatement,
  type NamedPayment,
  type OwnPayments,
  periodOf,
  periodOfPayments,
  STATEMENT_VERDICTS,
  type StatementMatch,
  statedCents,
  suggestsPaid,
  unpaidLine,
  withDirections,
} from '../reconcile/statement.ts'
import { readStatementFile, STATEMENT } from '../reconcile/statementFile.ts'
import type { StatementFile, StatementLine } from '../reconcile/tableFile.ts'
import { readMapping } from '../spreadsheet/tableHeader.ts'
import type { Database } from '../storage/sqlite.ts'
import { withoutAccents } from '../text/foldedText.ts'
import { t, translated } from '../text/translate.ts'
import { PAYMENT_LIST } from '../views/payments/paymentFields.ts'
import { statementColumns, statementItem } from '../views/payments/statementMatches.ts'
import { UsageError } from '../wire/errors.ts'
import { accountFilter, paymentPages } from './paymentPages.ts'
import { assertNoFaults, readNamedInput } from './tableInput.ts'

interface StatementOptions {
  map: readonly string[]
  /** Texts of lines that are left out, such as fees. */
  ignore: readonly string[]
  unmask: boolean
}

/** Compares a statement with the payments of the active account: 0 if all match, else 1. */
export async function checkStatement(
  context: Context,
  path: string,
  options: StatementOptions,
  filter: Period & Pick<PaymentFilter, 'kind'>,
): Promise<number> {
  const file = await readStatement(context, path, options.map)
  const isPeriodTyped = filter.sinceMs !== null || filter.beforeMs !== null
  const { sinceMs, beforeMs } = isPeriodTyped ? filter : periodOf(file)
  const possible = union(periodOfPayments(file), { sinceMs, beforeMs })
  const ignored = options.ignore.map((text) => file.lines.filter((line) => mentions(line, text)))
  const lines = file.lines.filter((line) => !ignored.some((each) => each.includes(line)))
  const payments = await ownPayments(context, await accountFilter(context), possible)
  const all = await matchStatement(lines, payments, { sinceMs, beforeMs, kind: filter.kind ?? null })
  const matches = all.filter((match) => unpaidLine(match) === null)
  const isSigned = lines.some(({ direction }) => direction !== null)
  const notes = [
    ...skippedTexts(file),
    ...unpaidText(all),
    ...options.ignore.flatMap((text, place) => ignoredText(text, ignored[place])),
  ]
  const warnings = [
    ...options.ignore.filter((_, place) => ignored[place]?.length === 0).map(unusedText),
    ...missingDays(lines, sinceMs === null && beforeMs === null),
  ]
  await listMatches(context, matches, isSigned, [...file.remarks, ...notes, ...warnings], options.unmask)
  for (const note of notes) context.terminal.note(note)
  noteTotals(context, matches, isSigned)
  noteOpenQuestions(context, matches)
  for (const warning of warnings) context.terminal.warn(warning)
  return matches.every(({ verdict }) => verdict === 'match') ? 0 : 1
}

/** Prints the matches; as text only those that a person must look at. What is to be said of the file is part of the JSON of the first. */
async function listMatches(
  { print, terminal }: Context,
  matches: readonly StatementMatch[],
  isSigned: boolean,
  warnings: readonly string[],
  unmask: boolean,
): Promise<void> {
  const isText = print.format === 'text'
  const shown = isText ? matches.filter(({ verdict }) => verdict !== 'match') : matches
  if (shown.length === 0 && isText) return
  const items = shown.map((match, place) => statementItem(match, place === 0 ? warnings : [], unmask))
  const columns = statementColumns(items, print, terminal, isSigned)
  await print.list(items, { columns, documentOf: PAYMENT_LIST.documentOf })
}

/** Reads a statement. Throws UsageError if it has faults or no lines. */
async function readStatement(context: Context, path: string, map: readonly string[]): Promise<StatementFile> {
  const mapping = readMapping(map, STATEMENT)
  const file = await readStatementFile(await readNamedInput(context, path, 'statement'), mapping)
  const { remarks, faults, recognised } = file
  for (const remark of remarks) context.terminal.warn(remark)
  assertNoFaults(faults, (count) => (count === 1 ? t`The statement has a fault` : t`The statement has ${count} faults`))
  if (recognised.length > 0) {
    context.terminal.note(t`Read as \`--map "${recognised.join(',')}"\`; give another \`--map\` if that is wrong`)
  }
  if (file.lines.length > 0) return { ...file, lines: withDirections(file.lines) }
  if (file.balanceLines.length > 0) {
    throw new UsageError(onlyBalances(file), { hint: t`Export the statement of a period with payments` })
  }
  throw new UsageError(t`The statement has no rows`, {
    hint: t`Give an OFX file, or a CSV or workbook whose header names \`date\` and \`amount\`, or name these columns with \`--map\``,
  })
}

function onlyBalances({ period }: StatementFile): string {
  if (period === null) return t`The statement holds balances only, no payments`
  const [first = '', last = ''] = period.map((day) => day.split('-').reverse().join('/'))
  return t`The statement holds balances only, no payments from ${first} to ${last}`
}

/** True if what the bank says about a line contains a text, without regard to case and accents. */
function mentions({ description, name }: StatementLine, text: string): boolean {
  return withoutAccents(`${description} ${name ?? ''}`.trim()).includes(withoutAccents(text.trim()))
}

/** The shortest period that holds both; null for an open end. */
function union<Period extends { sinceMs: number | null; beforeMs: number | null }>(one: Period, other: Period) {
  return {
    sinceMs: one.sinceMs === null || other.sinceMs === null ? null : Math.min(one.sinceMs, other.sinceMs),
    beforeMs: one.beforeMs === null || other.beforeMs === null ? null : Math.max(one.beforeMs, other.beforeMs),
  }
}

/** What follows from lines without a day, a sentence each. */
function missingDays(lines: readonly StatementLine[], isWithoutPeriod: boolean): string[] {
  const count = lines.filter(({ id, day }) => id === null && day === null).length
  return [
    ...(isWithoutPeriod
      ? [
          t`The statement has no dates, so all payments were compared: narrow them with \`--month\`, or name its column with \`--map date=…\``,
        ]
      : []),
    ...(count > 0 ? [t`Lines that have neither an id nor a date, so that they match no payment: ${count}`] : []),
  ]
}

const RANGES_MAX = 8
const GROUPS_MAX = 5
const NAMES_MAX = 8

/** Which lines were not compared because they hold no payment, a sentence each. */
function skippedTexts({ balanceLines, otherLines }: StatementFile): string[] {
  return [
    ...(balanceLines.length === 0
      ? []
      : [t`Skipped lines that hold a balance: ${balanceLines.length} (${lineList(balanceLines)})`]),
    ...(otherLines.length === 0
      ? []
      : [t`Skipped lines that hold no payment: ${otherLines.length} (${lineList(otherLines)})`]),
  ]
}

/** Which lines were left out because their own status says that nothing was paid; nothing if there are none. */
function unpaidText(matches: readonly StatementMatch[]): string[] {
  const lines = matches.flatMap((match) => unpaidLine(match) ?? [])
  if (lines.length === 0) return []
  const statuses = [...new Set(lines.flatMap(({ status }) => status ?? []))].slice(0, NAMES_MAX)
  const numbers = lineList(lines.map(({ line }) => line))
  return [
    t`Skipped lines that by their own status (${statuses.join(', ')}) were not paid: ${lines.length} (${numbers})`,
  ]
}

function noteTotals({ terminal }: Context, matches: readonly StatementMatch[], isSigned: boolean): void {
  for (const verdict of STATEMENT_VERDICTS) {
    const members = matches.filter((each) => each.verdict === verdict)
    if (members.length === 0) continue
    const here = members.reduce((sum, { hereCents }) => sum + BigInt(shownCents(hereCents ?? 0, isSigned)), 0n)
    const there = members.reduce((sum, { line }) => sum + BigInt(line === null ? 0 : statedCents(line)), 0n)
    terminal.note(t`${translated(verdict)}: ${members.length}, ${formatReais(here)} here, ${formatReais(there)} there`)
  }
}

function shownCents(cents: number, isSigned: boolean): number {
  return isSigned ? cents : Math.abs(cents)
}

/** Prints what a person has to find out: which of several payments a line is, and what became of payments with an unknown outcome. */
function noteOpenQuestions({ terminal }: Context, matches: readonly StatementMatch[]): void {
  const ambiguous = matches.filter(({ isAmbiguous }) => isAmbiguous)
  const groups = new Map<string, StatementMatch[]>()
  for (const match of ambiguous) {
    const group = groups.get(groupOf(match))
    if (group === undefined) groups.set(groupOf(match), [match])
    else group.push(match)
  }
  const unequal = [...groups.values()].filter((members) => members.some(({ verdict }) => verdict !== 'match'))
  const inOrder = ambiguous.length - unequal.flat().length
  if (inOrder > 0) {
    terminal.note(
      t`Lines that were matched in the order of the ledger, because several payments have their amount and day: ${inOrder}`,
    )
  }
  for (const members of unequal.slice(0, GROUPS_MAX)) terminal.warn(ambiguityText(members))
  if (unequal.length > GROUPS_MAX) {
    terminal.warn(
      t`Further amounts of which it is not known which payments belong to which lines: ${unequal.length - GROUPS_MAX}`,
    )
  }
  for (const { payment, line } of matches.filter(suggestsPaid)) {
    terminal.next(
      t`Check whether line ${line.line} of the statement is the payment ${calledName(payment)}, whose outcome is unknown here, then record it with \`pixgate history settle ${payment.id}\``,
    )
  }
}

/** Equal for lines and payments of one amount on one day. */
function groupOf({ payment, line }: StatementMatch): string {
  return `${amountOf({ payment, line })} ${dayOf({ payment, line })}`
}

function amountOf({ payment, line }: Pick<StatementMatch, 'payment' | 'line'>): string {
  return formatReais(line?.amountCents ?? payment?.amountCents ?? 0)
}

function dayOf({ payment, line }: Pick<StatementMatch, 'payment' | 'line'>): string {
  const day = matchDay({ payment, line }) ?? ''
  return day.split('-').toReversed().join('/')
}

function ambiguityText(members: readonly StatementMatch[]): string {
  const lines = members.flatMap(({ line }) => line?.line ?? [])
  const names = [...new Set(members.flatMap(({ payment }) => (payment === null ? [] : calledName(payment))))]
  const shown = names.slice(0, NAMES_MAX).join(', ') + (names.length > NAMES_MAX ? ', …' : '')
  const [first] = members
  if (first === undefined) return ''
  return t`It is not known which of the payments ${shown} of ${amountOf(first)} on ${dayOf(first)} are on the statement (${lineList(lines)})`
}

function unusedText(text: string): string {
  return t`\`--ignore ${text}\` matches no line of the statement`
}

/** The count, sum and numbers of the lines that were left out because of `--ignore` with this text; nothing if there are none. */
function ignoredText(text: string, lines: readonly StatementLine[] = []): string[] {
  if (lines.length === 0) return []
  const sum = lines.reduce((all, line) => all + BigInt(statedCents(line)), 0n)
  const numbers = lineList(lines.map(({ line }) => line))
  return [t`Ignored because of \`--ignore ${text}\`: ${lines.length}, ${formatReais(sum)} (${numbers})`]
}

/** Numbers of lines for a person: `line 3`, `lines 1–5, 9`. */
function lineList(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const before = ranges.at(-1)
    if (before !== undefined && number <= before.last + 1) before.last = number
    else ranges.push({ first: number, last: number })
  }
  const texts = ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`))
  const shown = texts.slice(0, RANGES_MAX).join(', ') + (texts.length > RANGES_MAX ? ', …' : '')
  return numbers.length === 1 ? t`line ${shown}` : t`lines ${shown}`
}

/** The payments that are read in one transaction. */
const PAGE_PAYMENTS = 100

/**
 * The payments of an account for a comparison with a statement: those that were created in a period, and those that an event of the period is
 * about, because a charge may be paid, and a transfer returned, long after it was created.
 */
async function ownPayments(context: Context, account: PaymentFilter['account'], period: Period): Promise<OwnPayments> {
  const ledger = await context.ledger()
  const filter: PaymentFilter = { ...period, account }
  return {
    named: (id) =>
      ledger.read((database) => {
        const found = findPayments(database, id)
        const all = [...found, ...found.flatMap((payment) => refundsOfCharge(database, payment))]
        return all.filter((payment) => isOfFilter(payment, account)).map(withNames)
      }),
    async *all() {
      const [lastSeq, withEvents] = await ledger.read((database) => [
        lastPaymentSeq(database),
        new Set(paymentsWithEvents(database, filter)),
      ])
      for await (const page of paymentPages(ledger, filter, LIST_START, lastSeq)) {
        for (const { id } of page) withEvents.delete(id)
        yield page.map(withNames)
      }
      const ids = [...withEvents]
      for (let at = 0; at < ids.length; at += PAGE_PAYMENTS) {
        yield await ledger.read((database) => {
          const page = ids.slice(at, at + PAGE_PAYMENTS).map((id) => loadPayment(database, id))
          return page.filter((payment) => isOfFilter(payment, account)).map(withNames)
        })
      }
    },
    async *unpaid() {
      const lastSeq = await ledger.read(lastPaymentSeq)
      const charges: PaymentFilter = { ...filter, sinceMs: null, kind: 'qr', state: 'pending' }
      for await (const page of paymentPages(ledger, charges, LIST_START, lastSeq)) yield page.map(withNames)
    },
  }
}

/** A statement may name a refund by the payment that it returns. */
function refundsOfCharge(database: Database, { facts, summary }: Payment): Payment[] {
  if (facts.kind !== 'qr' || summary.idTransaction === null) return []
  return refundsOf(database, summary.idTransaction)
}

function withNames(payment: Payment): NamedPayment {
  const { inFile, inEvent } = paymentNames(payment)
  const isKnown = (name: string | null): name is string => name !== null && !isMadeUp(name, payment.owner.environment)
  return { payment, names: [inEvent, inFile].filter(isKnown), ownName: payment.partyName }
}

function isOfFilter(payment: Payment, account: PaymentFilter['account']): boolean {
  if (account === undefined) return true
  const { baseUrl: url, clientId, environment } = account
  return isOfAccount(payment, { url, clientId }) && payment.owner.environment === environment
}
