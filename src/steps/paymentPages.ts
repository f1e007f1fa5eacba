import type { Context } from '../context.ts'
import { amountCentsOf } from '../ledger/derivePayment.ts'
import { PAYMENT_KINDS, type PaymentKind } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  countOfOtherAccounts,
  LIST_START,
  type ListPosition,
  lastPaymentSeq,
  listPayments,
  type PaymentFilter,
  type PaymentSum,
  positionOfNewest,
  sumPayments,
} from '../ledger/paymentList.ts'
import { SHOWN_STATES, type ShownState } from '../ledger/paymentState.ts'
import { loadPayment, type Payment, withSender } from '../ledger/payments.ts'
import { paymentsBeingSent } from '../ledger/processes.ts'
import { kindAndState, stateText } from '../ledger/stateWords.ts'
import { formatReais } from '../pix/amount.ts'
import { csvColumns, excelKindOf } from '../terminal/fields.ts'
import type { Column, ListFields } from '../terminal/printer.ts'
import { t, translated } from '../text/translate.ts'
import {
  dateColumn,
  ID_COLUMN,
  type ListedPayment,
  listedDocument,
  PAYMENT_CSV,
  PAYMENT_FIELDS,
  PAYMENT_LIST,
  type PaymentItem,
  paymentColumn,
  SIGNED_AMOUNT,
  shownAttempt,
  shownDocument,
  shownState,
} from '../views/payments/paymentFields.ts'
import { activeAccount } from './activeAccount.ts'
import { suggestAllRows } from './optionSets.ts'

export interface ListView {
  /** Of all accounts and environments. */
  isAll: boolean
  /** One row for each attempt in place of one for each payment. */
  showsAttempts: boolean
  /** The number of newest payments to list; null for all. */
  limit: number | null
  /** False if it is the one of every list on a terminal. */
  isLimitTyped?: boolean
  unmask: boolean
  /** A CSV for a Brazilian spreadsheet. */
  isExcel?: boolean
  /** Begins with the lines of a batch's file. */
  showsLines?: boolean
  /** The same search without each of its words. */
  without?: () => readonly { word: string; filter: PaymentFilter }[]
}

/** The payments that are read in one transaction. */
const PAGE_PAYMENTS = 100

/** Prints the payments that a filter selects, oldest first, then their counts and sums. */
export async function showPayments(context: Context, selected: PaymentFilter, view: ListView): Promise<number> {
  const { print, terminal } = context
  const ledger = await context.ledger()
  const beingSent = await paymentsBeingSent(ledger)
  const fields = listFields(context, view)
  const filter = { ...selected, ...(view.isAll ? {} : { account: await accountFilter(context) }), beingSent }
  // The state of a payment says nothing of its attempts.
  const listFilter = view.showsAttempts ? { ...filter, state: undefined } : filter
  const { lastSeq, after } = await ledger.read((database) => {
    const last = lastPaymentSeq(database)
    return {
      lastSeq: last,
      after: view.limit === null ? LIST_START : positionOfNewest(database, listFilter, last, view.limit),
    }
  })
  const counted = new AttemptSums()
  async function* pieces() {
    for await (const payments of paymentPages(ledger, listFilter, after, lastSeq)) {
      const listed = view.showsAttempts
        ? payments.flatMap((payment) => attemptsOf(payment, filter.state, counted))
        : payments.map((payment) => ({ payment, attempt: null }))
      yield listed.map((each) => ({
        document: shownDocument(listedDocument(each), view.unmask),
        amountCents: amountCentsOf(shownAttempt(each)),
      }))
    }
  }
  const iterator = pieces()
  const first = await iterator.next()
  if (first.done === true && print.format === 'text') {
    await noteNothing(context, filter, lastSeq, view.without)
    return 0
  }
  await print.list(withFirst(first, iterator), fields)
  if (print.format === 'json') return 0
  const dayFilter = { ...listFilter, isByDay: true }
  const { listed, sums } = await ledger.read((database) => ({
    listed: sumPayments(database, listFilter, lastSeq),
    sums: sumPayments(database, dayFilter, lastSeq),
  }))
  const all = countOf(listed)
  noteCut(context, view, all)
  if (view.showsAttempts) for (const line of counted.lines()) terminal.note(line)
  else {
    noteSums(context, sums, view.isAll)
    const others = all - countOf(sums)
    if (others > 0) terminal.note(t`created in this period and paid after it, so not part of these sums: ${others}`)
  }
  const unverified = listed.reduce((count, each) => count + each.unverified, 0)
  if (unverified > 0) terminal.note(t`of these not verified here: ${unverified}`)
  return 0
}

function countOf(sums: readonly PaymentSum[]): number {
  return sums.reduce((sum, { payments }) => sum + payments, 0)
}

/** Says that a list does not have all payments, and what the sums below are about. */
function noteCut(context: Context, { limit, isLimitTyped, showsAttempts }: ListView, all: number): void {
  if (limit === null || all <= limit) return
  context.terminal.note(
    showsAttempts
      ? limit === 1
        ? t`This is the newest of ${all} payments, and the counts are those of its attempts`
        : t`These are the newest ${limit} of ${all} payments, and the counts are those of their attempts`
      : limit === 1
        ? t`This is the newest of ${all} payments; the sums are those of all ${all}`
        : t`These are the newest ${limit} of ${all} payments; the sums are those of all ${all}`,
  )
  suggestAllRows(context, isLimitTyped === true)
}

/** The payments that a filter selects, page by page; no transaction is open between two pages. */
export async function* paymentPages(
  ledger: Ledger,
  filter: PaymentFilter,
  start: ListPosition,
  lastSeq: number,
): AsyncGenerator<Payment[]> {
  for (let after: ListPosition | undefined = start; after !== undefined; ) {
    const from: ListPosition = after
    const page = await ledger.read((database) => {
      const rows = listPayments(database, filter, from, lastSeq, PAGE_PAYMENTS)
      return {
        last: rows.length < PAGE_PAYMENTS ? undefined : rows.at(-1),
        payments: rows.map(({ id }) => withSender(loadPayment(database, id), filter.beingSent)),
      }
    })
    if (page.payments.length > 0) yield page.payments
    after = page.last
  }
}

/** The filter for the active account in its environment. */
export async function accountFilter(context: Context): Promise<PaymentFilter['account']> {
  const { url, clientId, environment } = await activeAccount(context)
  return { baseUrl: url, clientId, environment }
}

function listFields(context: Context, view: ListView): ListFields<PaymentItem> {
  const isText = context.print.format === 'text'
  return {
    columns: isText ? textColumns(view, context.now()) : dataColumns(view),
    ...PAYMENT_LIST,
    ...(view.isExcel === true && { excelKind: excelKindOf(PAYMENT_FIELDS) }),
  }
}

function textColumns({ isAll, showsAttempts, showsLines }: ListView, nowMs: number): Column<PaymentItem>[] {
  // A run is of one account.
  const hasAccounts = isAll && showsLines !== true
  return [
    ...(showsLines === true ? [paymentColumn('line')] : []),
    dateColumn(nowMs),
    ...(hasAccounts ? [paymentColumn('environment')] : []),
    paymentColumn('kind'),
    { ...paymentColumn('state'), text: ({ document }) => listedState(document) },
    SIGNED_AMOUNT,
    paymentColumn('party'),
    ...(showsAttempts ? [paymentColumn('attempt')] : []),
    paymentColumn('ref'),
    paymentColumn('errorCode'),
    ID_COLUMN,
    ...(hasAccounts ? [paymentColumn('account')] : []),
  ]
}

function listedState({ pixgate }: PaymentItem['document']): string {
  const state = pixgate?.state ?? ''
  return pixgate?.verified === false ? t`${stateText(state)}, not verified here` : stateText(state)
}

/** Programs read columns by their place, so these stay where they are. */
function dataColumns({ isAll, showsAttempts, showsLines }: ListView): Column<PaymentItem>[] {
  const names = [
    ...(showsLines === true ? (['line'] as const) : []),
    'date',
    ...(isAll ? (['environment'] as const) : []),
    ...(['kind', 'state', 'amount', 'payee'] as const),
    ...(showsAttempts ? (['attempt'] as const) : []),
    ...(['name', 'errorCode', 'idTransaction'] as const),
    ...(isAll ? (['account'] as const) : []),
  ] as const
  const columns = names.map(paymentColumn)
  const further = csvColumns(PAYMENT_FIELDS, PAYMENT_CSV).filter(
    ({ path }) => !columns.some((column) => column.path === path),
  )
  return [...columns, ...further]
}

function attemptsOf(payment: Payment, state: ShownState | undefined, counted: AttemptSums): ListedPayment[] {
  const all = payment.summary.attempts.map((attempt) => ({ payment, attempt }))
  const attempts = all.filter((each) => state === undefined || shownState(each) === state)
  for (const each of attempts) counted.add(payment.facts.kind, shownState(each))
  return attempts
}

/** How many attempts were listed. Their amounts are not added up: two attempts are one payment. */
class AttemptSums {
  readonly #counts = new Map<string, number>()

  add(kind: PaymentKind, state: ShownState): void {
    const name = kindAndState(kind, state)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  lines(): string[] {
    return [...this.#counts].map(([name, count]) => t`attempts, ${name}: ${count}`)
  }
}

function noteSums({ terminal }: Context, sums: readonly PaymentSum[], isAll: boolean): void {
  const groupOf = ({ environment, baseUrl, clientId }: PaymentSum) =>
    t`${translated(environment)}, ${baseUrl}, client id ${clientId}`
  const groups = new Map<string, PaymentSum[]>()
  for (const sum of sums) {
    const group = groupOf(sum)
    groups.set(group, [...(groups.get(group) ?? []), sum])
  }
  for (const [group, members] of groups) {
    if (isAll) terminal.note(group)
    for (const kind of PAYMENT_KINDS) {
      for (const state of SHOWN_STATES) {
        const sum = members.find((each) => each.kind === kind && each.state === state)
        if (sum === undefined) continue
        const text =
          sum.unknownAmounts === 0
            ? t`${kindAndState(kind, state)}: ${sum.payments}, ${formatReais(sum.cents)}`
            : t`${kindAndState(kind, state)}: ${sum.payments}, ${formatReais(sum.cents)} without the unknown amounts of ${sum.unknownAmounts}`
        terminal.note(`${isAll ? '  ' : ''}${text}`)
      }
    }
    const elsewhere = members.reduce((count, each) => count + each.elsewhere, 0)
    if (elsewhere > 0) {
      const cents = members.reduce((sum, each) => sum + each.elsewhereCents, 0n)
      const text = t`of these first sent with another ledger or machine: ${elsewhere}, ${formatReais(cents)}`
      terminal.note(`${isAll ? '  ' : ''}${text}`)
    }
  }
}

async function noteNothing(
  context: Context,
  filter: PaymentFilter,
  lastSeq: number,
  without: ListView['without'] = () => [],
): Promise<void> {
  const { terminal } = context
  if (lastSeq === 0) {
    terminal.note(t`No payment is recorded yet`)
    return
  }
  const ledger = await context.ledger()
  const others = await ledger.read((database) => countOfOtherAccounts(database, filter, lastSeq))
  const { account } = filter
  terminal.note(
    account === undefined
      ? t`No payments found`
      : t`No payments found (${translated(account.environment)} at ${account.baseUrl}, client id ${account.clientId})`,
  )
  for (const { word, filter: wider } of without()) {
    const found = await ledger.read((database) => countOf(sumPayments(database, { ...wider, account }, lastSeq)))
    if (found > 0) terminal.note(t`without \`${word}\`: ${found}`)
  }
  if (others > 0)
    terminal.next(t`Add \`--all\` to list the payments of other accounts and environments that match: ${others}`)
}

async function* withFirst<Item>(first: IteratorResult<Item, void>, rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (first.done === true) return
  yield first.value
  yield* rest
}
