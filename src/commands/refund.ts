import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import type { RefundPayment } from '../ledger/facts.ts'
import { readAmount, readText } from '../optionParsers.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import { assertCanSend } from '../payments/consent.ts'
import { dryRun } from '../payments/dryRun.ts'
import { type KnownOriginal, knownOriginal } from '../payments/originals.ts'
import { type Accepted, pay } from '../payments/pay.ts'
import { refundedCents } from '../payments/paymentRules.ts'
import { previewPayment } from '../payments/preview.ts'
import { checkKnownRefundable, checkRefundable, type RefundablePayment } from '../payments/refundable.ts'
import { centsFromJson, formatReais } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { amountText, instantText, statusColour } from '../views/valueText.ts'
import { statusOf } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import { REFUND_ID_FIELDS } from '../wire/requests.ts'
import { CALLBACK_URL_OPTION, callbackUrl, checkListener } from './callbackUrl.ts'
import { defineCommand, defineOptions, type OptionsOf } from './command.ts'
import { DRY_RUN_OPTION, showDryRun } from './dryRun.ts'
import { showFinalEvent } from './finalEvent.ts'
import { typedOrPrompted } from './requiredValue.ts'
import { settledRows } from './transferSteps.ts'
import { DEFAULT_WAIT, waitOption } from './waitOptions.ts'

const OPTIONS = defineOptions(
  { flags: '--reason <text>', description: 'reason for the refund', parse: readText },
  {
    flags: '--amount <amount>',
    description: 'amount in reais: 10, 10.50, 10,50 or 1.234,56 (default: what is left)',
    parse: readAmount,
  },
  {
    flags: '--full',
    description: 'refund all that is left; in production this or --amount is required',
    conflicts: { options: ['--amount'] },
  },
  CALLBACK_URL_OPTION,
  {
    flags: '--id-field <name>',
    description: `field for the id of the payment: ${REFUND_ID_FIELDS.join(', ')}`,
    default: REFUND_ID_FIELDS[0],
    choices: REFUND_ID_FIELDS,
  },
  { flags: '--skip-query', description: 'do not query the payment first; what the ledger knows of it still counts' },
  { flags: '--despite-chargeback', description: 'refund the payment although a chargeback of it is known' },
  { flags: '--again', description: 'allow a repeat of an earlier refund, in a sandbox' },
  {
    flags: '--in-addition-to <id>',
    description: 'allow a repeat of this earlier refund (repeatable)',
    repeatable: true,
  },
  waitOption('wait for the event that reports the result', DEFAULT_WAIT),
  DRY_RUN_OPTION,
)

type RefundOptions = OptionsOf<typeof OPTIONS>

export const refund = defineCommand({
  arguments: [
    { name: '<original-id>', description: 'idTransaction of the received payment', parse: readText, completes: 'ids' },
  ],
  options: OPTIONS,
  examples: [
    [
      'pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason "ordered twice"',
      'refund all of it; asks before it sends',
    ],
    [
      'pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason damaged --amount 12,50 --yes',
      'refund part of it without asking, in a sandbox',
    ],
    ['pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason damaged --dry-run', 'show the exact request'],
  ],
  run: sendRefund,
})

async function sendRefund(
  context: Context,
  { originalId: typedOriginalId, ...options }: RefundOptions & { originalId: string },
): Promise<number> {
  const { idField, dryRun: isDryRun, wait: waitMs = null, amount: typedCents = null } = options
  const account = await context.account()
  assertCanSend(account)
  if (typedCents === null && !options.full) assertAllMayBeRefunded(account)
  const refundReason = await typedOrPrompted(context, options.reason, '--reason', {
    question: t`Reason for the refund`,
    hint: t`Add \`--reason "ordered twice"\`, or see \`--help\` for examples`,
    parse: readText,
  })
  const target = await callbackUrl(context, account, options.callbackUrl)
  const payments = await context.payments()
  const { known, refundedBefore } = await payments.ledger.read((database) => ({
    known: knownOriginal(database, account, typedOriginalId),
    refundedBefore: refundedCents(database, account, typedOriginalId),
  }))
  // An id that the ledger knows is sent as it is recorded, any other as typed.
  const originalTransactionId = known.id ?? typedOriginalId
  const factsFor = (amountCents: number | null, isWhole: boolean): RefundPayment => ({
    kind: 'refund',
    originalTransactionId,
    amountCents,
    isWhole,
    refundReason,
    callbackUrl: target,
    idField,
  })
  if (waitMs !== null && !isDryRun) await checkListener(context, account, target)

  const isWhole = typedCents === null && (refundedBefore === 0 || refundedBefore === Number.POSITIVE_INFINITY)
  const typed = factsFor(typedCents, isWhole)
  const plan = { externalId: null, payment: null, run: null }
  // The limits are applied when the amount is known.
  const unlimited = { ...payments, account: { ...account, maxAmountCents: null, maxDayCents: null } }
  const preview = await previewPayment(unlimited, { ...plan, facts: typed, originalCents: null }, options)
  const { original, warnings } = options.skipQuery
    ? {
        original: withoutQuery(originalTransactionId, known, typedCents, refundedBefore, context.now()),
        warnings: [],
      }
    : await lookUp(context, originalTransactionId, known, preview.refundedCents)
  const amountCents = typedCents ?? original?.leftCents ?? null
  const facts = factsFor(amountCents, typedCents === null && preview.refundedCents === 0)
  const originalCents = original?.amountCents ?? null
  const { accepted, settledEarlier } = await previewPayment(payments, { ...plan, facts, originalCents }, options)
  const question = {
    amountCents,
    rows: [
      ...summaryRows(originalTransactionId, original, options.skipQuery),
      [t`reason`, refundReason] as const,
      ...settledRows(settledEarlier, payments.terminal.err),
      [t`sent today`, t`${formatReais(preview.sentTodayCents)} without this one`] as const,
    ],
    text:
      amountCents === null
        ? t`Refund all of ${originalTransactionId}?`
        : t`Refund ${formatReais(amountCents)} to the payer?`,
  }
  const proposal = {
    action: 'pay',
    facts,
    externalId: null,
    rowId: null,
    place: null,
    accepted,
    originalCents,
  } as const
  if (isDryRun) return showDryRun(context, describeRequest(await dryRun(payments, proposal, facts, question)))
  const answer = await pay(payments, proposal, question)
  const all = { ...answer, warnings: [...warnings, ...answer.warnings] }
  show(context, account, all, { amountCents, waits: waitMs !== null })
  if (!answer.isRecorded) return UNRECORDED_EXIT
  if (waitMs === null) return 0
  const { idTransaction } = answer
  return showFinalEvent(context, account, { kind: 'refund', idTransaction, externalId: null }, waitMs)
}

/** What the ledger alone knows of the original; null if that is nothing. Throws Refused and UsageError. */
function withoutQuery(
  originalTransactionId: string,
  known: KnownOriginal,
  typedCents: number | null,
  refundedBefore: number,
  nowMs: number,
): RefundablePayment | null {
  const original = checkKnownRefundable(originalTransactionId, known, refundedBefore, nowMs)
  if (typedCents !== null || refundedBefore === 0 || original.leftCents !== null) {
    return known.amountCents === null && known.paidAtMs === null ? null : original
  }
  throw new UsageError(
    t`${formatReais(refundedBefore)} of this payment was already refunded, so \`--skip-query\` needs an amount`,
    { hint: t`Add \`--amount\`, or omit \`--skip-query\` to look up what is left` },
  )
}

/** Queries the original payment at the gateway. Throws Refused if it cannot be refunded. */
async function lookUp(
  context: Context,
  originalTransactionId: string,
  known: KnownOriginal,
  refundedBefore: number,
): Promise<{ original: RefundablePayment; warnings: string[] }> {
  const gateway = await context.gateway()
  const { fields } = await gateway.consult(originalTransactionId)
  const original = checkRefundable(originalTransactionId, fields, known, refundedBefore, context.now())
  if (original.paidAtMs !== null) return { original, warnings: [] }
  const warning = t`The gateway does not report when the payment was made, so the 30-day limit was not checked`
  context.terminal.warn(warning)
  return { original, warnings: [warning] }
}

function show(
  context: Context,
  account: Account,
  accepted: Accepted,
  { amountCents, waits }: { amountCents: number | null; waits: boolean },
): void {
  const status = statusOf(accepted.fields)
  const { profile, environment } = account
  const pixgate = { profile, environment, outcome: 'accepted', warnings: accepted.warnings }
  const { out } = context.terminal
  const { print } = context
  const write = waits ? print.item : print.one
  write({ ...accepted.fields, status, pixgate }, () =>
    labelledLines(
      [
        [t`id`, accepted.idTransaction],
        [t`status`, status ?? '—', statusColour(status, out)],
        [t`amount`, amountText(centsFromJson(accepted.fields.amount) ?? amountCents)],
      ],
      out,
    ),
  )
  context.terminal.note(t`The refund is accepted but not completed yet: a \`refund.status\` event reports the result`)
}

/** In production, all that is left is refunded only if it is asked for. Throws UsageError. */
function assertAllMayBeRefunded({ environment }: Account): void {
  if (environment === 'sandbox') return
  throw new UsageError(t`In production \`--amount\` or \`--full\` is required`, {
    hint: t`Add \`--amount\`, or \`--full\` to refund all that is left`,
  })
}

function summaryRows(
  originalTransactionId: string,
  original: RefundablePayment | null,
  isQuerySkipped: boolean,
): LabelledRow[] {
  const rows: LabelledRow[] = [[t`original`, originalTransactionId]]
  if (isQuerySkipped) {
    rows.push([
      t`queried`,
      original === null
        ? t`no (\`--skip-query\`), so the payment itself was not checked`
        : t`no (\`--skip-query\`); this is what the ledger knows`,
    ])
  }
  if (original === null) return rows
  return [
    ...rows,
    [t`paid`, amountText(original.amountCents)],
    [t`paid at`, instantText(original.paidAtMs)],
    [t`refunded`, amountText(original.refundedCents)],
    [t`left`, amountText(original.leftCents)],
    [t`days left`, original.daysLeft === null ? t`unknown` : String(original.daysLeft)],
  ]
}
