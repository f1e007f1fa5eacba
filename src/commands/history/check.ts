import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { mapConcurrent } from '../../gateway/retry.ts'
import { PAYMENT_KINDS } from '../../ledger/facts.ts'
import { countOfOtherAccounts, LIST_START, lastPaymentSeq, type PaymentFilter } from '../../ledger/paymentList.ts'
import { isFinding, isOpen, PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { type Payment, withSender } from '../../ledger/payments.ts'
import { paymentsBeingSent } from '../../ledger/processes.ts'
import { findingFromStatus } from '../../ledger/statusMeaning.ts'
import { readText } from '../../optionParsers.ts'
import { unknownOutcomeHint } from '../../payments/attemptOutcomes.ts'
import { reaisFromCents } from '../../pix/amount.ts'
import { DAY_MS, parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { PERIOD_OPTIONS, periodOf } from '../../steps/historyFilters.ts'
import { acceptOlderLedger, checkIntegrity, reportRefused, verifyWithSecret } from '../../steps/integrityCheck.ts'
import { UNMASK_OPTION } from '../../steps/optionSets.ts'
import { accountFilter, paymentPages } from '../../steps/paymentPages.ts'
import { checkStatement } from '../../steps/statementCheck.ts'
import { type Column, withPixgate } from '../../terminal/printer.ts'
import { t, translated } from '../../text/translate.ts'
import { FAILURE } from '../../views/failureView.ts'
import { dayMsOf } from '../../views/payments/paymentCells.ts'
import {
  dateColumn,
  type GATEWAY_VERDICTS,
  ID_COLUMN,
  PAYMENT_LIST,
  type PaymentItem,
  paymentColumn,
  paymentDocument,
  SIGNED_AMOUNT,
  shownDocument,
} from '../../views/payments/paymentFields.ts'
import { type AnswerFields, readPaymentStatus, textField } from '../../wire/answers.ts'
import { Cancelled, Failure, NotFound, worstExitCode } from '../../wire/errors.ts'

const OPEN_STATES = PAYMENT_STATES.filter(isOpen)
const CONCURRENCY = 8
/** Charges that were paid this recently are queried again, unless a period is named. */
const PAID_MS = 7 * DAY_MS
const QUERIES_A_MINUTE = 100

const VERDICT_COLUMNS: readonly Column<PaymentItem>[] = [
  { path: 'pixgate.gateway.status', header: 'gateway', drop: 1 },
  paymentColumn('verdict'),
]
const DATA_COLUMNS: readonly Column<PaymentItem>[] = [
  ...(['date', 'kind', 'state', 'amount', 'payee', 'name', 'idTransaction'] as const).map(paymentColumn),
  ...VERDICT_COLUMNS,
]

function textColumns(nowMs: number): Column<PaymentItem>[] {
  return [
    dateColumn(nowMs),
    paymentColumn('kind'),
    paymentColumn('state'),
    SIGNED_AMOUNT,
    paymentColumn('party'),
    // In Portuguese two long words on a line leave no room for it on 80 columns.
    { ...paymentColumn('ref'), drop: 0, outlastsProse: true },
    ID_COLUMN,
    ...VERDICT_COLUMNS,
  ]
}

const OPTIONS = defineOptions(
  ...PERIOD_OPTIONS,
  { flags: '--kind <kind>', description: `only ${PAYMENT_KINDS.join(', ')}`, choices: PAYMENT_KINDS },
  {
    flags: '--statement <file>',
    description:
      'compare with a statement of the bank or the gateway: OFX, CSV or .xlsx; its dates set the period; - for stdin',
    parse: readText,
  },
  {
    flags: '--map <pairs>',
    description: 'which columns hold what: id=Código,amount=Valor; or debit=…,credit=…',
    repeatable: true,
    requires: { option: '--statement', hint: () => t`Add \`--statement\` with the file whose columns it names` },
  },
  {
    flags: '--ignore <text>',
    description: 'leave out lines with this text, such as fees: TARIFA; repeatable',
    parse: readText,
    repeatable: true,
    requires: { option: '--statement', hint: () => t`Add \`--statement\` with the file whose lines it leaves out` },
  },
  UNMASK_OPTION,
  {
    flags: '--accept-older',
    description: 'accept a ledger that lacks records, or is new to the account, for example after restoring a backup',
  },
)

type CheckOptions = OptionsOf<typeof OPTIONS>

export const historyCheck = defineCommand({
  options: OPTIONS,
  examples: [
    ['pixgate history check', 'what is open, and charges that were paid within 7 days'],
    ['pixgate history check --since 1d -o json', 'what was sent since yesterday, in a script'],
    [
      'pixgate history check --statement november.csv --map "id=Transação,amount=Valor,date=Data"',
      'in both, only here, only there, or different',
    ],
    ['pixgate history check --statement november.ofx --ignore tarifa', 'by amount, day and name; without the fees'],
    ['pixgate history check --accept-older', 'after the ledger was lost or restored from a backup'],
  ],
  acceptsCsv: true,
  run: check,
})

async function check(context: Context, options: CheckOptions): Promise<number> {
  const filter = { ...periodOf(options), kind: options.kind }
  if (options.acceptOlder) return acceptOlderLedger(context)
  if (options.statement !== undefined) return checkStatement(context, options.statement, options, filter)
  await checkIntegrity(context)
  const refused = await reportRefused(context)
  await verifyWithSecret(context)
  return worstExitCode([await checkGateway(context, options, filter), refused])
}

async function checkGateway(context: Context, { unmask }: CheckOptions, selected: PaymentFilter): Promise<number> {
  const { terminal, print } = context
  const filter = { ...selected, account: await accountFilter(context) }
  const paidSinceMs = filter.sinceMs == null && filter.beforeMs == null ? context.now() - PAID_MS : 0
  const payments = await paymentsToCheck(context, filter, paidSinceMs)
  await noteOthers(context, filter)
  noteQueries(context, payments.filter(canBeQueried).length)
  const sending = await paymentsBeingSent(await context.ledger())
  const account = payments.some(canBeQueried) ? await context.account() : null
  let done = 0
  const results = await mapConcurrent(payments, CONCURRENCY, async (payment) => {
    const result = await compareWithGateway(context, account, withSender(payment, sending))
    done += 1
    terminal.progress(t`Checked ${done} of ${payments.length}`)
    return result
  })
  const items = results
    .map(({ document, payment: { amountCents } }) => ({ document: shownDocument(document, unmask), amountCents }))
    .sort((one, other) => (dayMsOf(one.document) ?? 0) - (dayMsOf(other.document) ?? 0))
  if (items.length === 0 && print.format === 'text') terminal.note(t`No payment is open`)
  else {
    const columns = print.format === 'text' ? textColumns(context.now()) : DATA_COLUMNS
    await print.list(items, { columns, documentOf: PAYMENT_LIST.documentOf })
  }
  noteVerdicts(context, results)
  const unknown = results.find(({ verdict }) => verdict === 'unknown')?.payment
  if (unknown !== undefined) terminal.next(unknownOutcomeHint(unknown))
  return worstExitCode(results.map(({ exitCode }) => exitCode))
}

/** Payments without a final state, and charges paid since `paidSinceMs` according to an event or a person; oldest first. */
async function paymentsToCheck(context: Context, filter: PaymentFilter, paidSinceMs: number): Promise<Payment[]> {
  const ledger = await context.ledger()
  const lastSeq = await ledger.read(lastPaymentSeq)
  const filters: PaymentFilter[] = OPEN_STATES.map((state) => ({ ...filter, state }))
  if (filter.kind === undefined || filter.kind === 'qr') {
    filters.push({ ...filter, kind: 'qr', state: 'paid', sinceMs: Math.max(filter.sinceMs ?? 0, paidSinceMs) })
  }
  const found: Payment[] = []
  for (const each of filters) {
    for await (const page of paymentPages(ledger, each, LIST_START, lastSeq)) found.push(...page)
  }
  return found.sort((one, other) => one.first.seq - other.first.seq)
}

function noteVerdicts({ terminal }: Context, results: readonly CheckResult[]): void {
  const counts = new Map<CheckResult['verdict'], number>()
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  for (const [verdict, count] of counts)
    terminal.note(verdict === null ? t`not asked: ${count}` : t`${translated(verdict)}: ${count}`)
}

async function noteOthers(context: Context, filter: PaymentFilter): Promise<void> {
  const { account } = filter
  if (account === undefined) return
  const count = await context.read((database) => {
    const lastSeq = lastPaymentSeq(database)
    const counts = OPEN_STATES.map((state) => countOfOtherAccounts(database, { ...filter, state }, lastSeq))
    return counts.reduce((sum, each) => sum + each, 0)
  })
  if (count === 0) return
  context.terminal.note(
    t`Open payments of accounts other than the one at ${account.baseUrl}: ${count}. Add their \`--profile\` to check them`,
  )
}

function noteQueries({ terminal }: Context, count: number): void {
  if (count <= QUERIES_A_MINUTE) return
  const minutes = Math.ceil(count / QUERIES_A_MINUTE)
  terminal.note(t`${count} queries take about ${minutes} minutes; \`--since 1d\` checks fewer payments`)
}

/** A payment that was checked, and the exit code that it alone would give. */
interface CheckResult {
  payment: Payment
  /** Null if the gateway could not be asked. */
  verdict: GatewayVerdict | null
  document: object
  exitCode: number
}

/** `late` is a question of time, and an outcome that is unknown here is no difference. */
const EXIT_CODES: Readonly<Record<GatewayVerdict, number>> = {
  agrees: 0,
  open: 0,
  late: 0,
  unknown: 5,
  differs: 1,
  'paid-there': 1,
  'not-paid-there': 1,
  'not-there': 1,
}

/** True if the gateway can be queried for a payment; it only has a query for charges. */
function canBeQueried({ facts, summary }: Payment): boolean {
  return facts.kind === 'qr' && summary.idTransaction !== null
}

/**
 * Checks one payment; `account` is needed for those that are askable. Throws Cancelled on Ctrl-C; another failure of the query is part of
 * the result.
 */
async function compareWithGateway(context: Context, account: Account | null, payment: Payment): Promise<CheckResult> {
  const nowMs = context.now()
  if (account === null || !canBeQueried(payment)) return checkResult(payment, verdictWithoutAnswer(payment, nowMs), {})
  // Outside of the `try`, because an environment in which no query can leave fails the command, not one payment of it.
  const gateway = await context.gateway()
  const id = payment.summary.idTransaction ?? ''
  try {
    const { fields } = await gateway.consult(id, { isOneOfMany: true })
    const { status, amountCents } = readPaymentStatus(fields)
    const answered = { status, amount: amountCents === null ? null : reaisFromCents(amountCents) }
    return checkResult(payment, verdictOnAnswer(payment, fields, nowMs), { gateway: answered })
  } catch (error) {
    if (error instanceof NotFound) return checkResult(payment, 'not-there', { gateway: null })
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    const document = { ...paymentDocument(payment), error: FAILURE.documentOf(error) }
    context.terminal.note(t`${id} at ${account.url}: ${error.message}`)
    return { payment, verdict: null, document, exitCode: error.exitCode }
  }
}

function checkResult(payment: Payment, verdict: GatewayVerdict, found: object): CheckResult {
  const document = withPixgate(paymentDocument(payment), { ...found, verdict })
  return { payment, verdict, document, exitCode: EXIT_CODES[verdict] }
}

type GatewayVerdict = (typeof GATEWAY_VERDICTS)[number]

type CheckedPayment = Pick<Payment, 'facts' | 'amountCents' | 'sentBy'> & {
  summary: Pick<Payment['summary'], 'state' | 'sentMs'>
}

/** An event comes within seconds; a transfer or refund without one this long after it was sent is late. */
const LATE_MS = 60 * 60_000

/** The verdict on a payment for which the gateway has no query. */
export function verdictWithoutAnswer({ facts, summary, sentBy }: CheckedPayment, nowMs: number): GatewayVerdict {
  if (sentBy !== undefined) return 'open'
  if (summary.state === 'unknown') return 'unknown'
  return facts.kind !== 'qr' && nowMs - summary.sentMs > LATE_MS ? 'late' : 'open'
}

/** The verdict on a charge with the gateway's answer to its query. */
export function verdictOnAnswer(
  { facts, summary }: CheckedPayment,
  fields: AnswerFields,
  nowMs: number,
): GatewayVerdict {
  const { status, amountCents } = readPaymentStatus(fields)
  if (facts.amountCents !== null && amountCents !== null && amountCents !== facts.amountCents) return 'differs'
  const [here, there] = [isFinding(summary.state) ? summary.state : null, findingFromStatus(status ?? '')]
  if (here === null && there === null) {
    const expiresAtMs = parseInstant(textField(fields, 'expiresAt') ?? '')
    return expiresAtMs !== undefined && expiresAtMs < nowMs ? 'late' : 'open'
  }
  // What was paid may have been refunded since, by a request of this ledger, too.
  if (here === there || (here === 'paid' && there === 'returned')) return 'agrees'
  if (there === 'paid' || there === 'returned') return here === 'returned' ? 'differs' : 'paid-there'
  return here === 'returned' ? 'differs' : 'not-paid-there'
}
