import type { Context } from '../context.ts'
import type { RefundPayment } from '../ledger/facts.ts'
import { type KnownOriginal, knownOriginal } from '../ledger/originals.ts'
import { refundedCharge } from '../ledger/refundedCharge.ts'
import { readAmount, readText } from '../optionParsers.ts'
import { assertCanSend } from '../payments/consent.ts'
import { refundedCents } from '../payments/paymentRules.ts'
import { previewPayment } from '../payments/preview.ts'
import { checkKnownRefundable, type RefundablePayment } from '../payments/refundable.ts'
import { formatReais } from '../pix/amount.ts'
import { t } from '../text/translate.ts'
import { customerRows, originalRows } from '../views/payments/paymentQuestion.ts'
import { UsageError } from '../wire/errors.ts'
import { REFUND_ID_FIELDS } from '../wire/requests.ts'
import { CALLBACK_URL_OPTION, callbackUrl, checkListener } from './callbackUrl.ts'
import { defineCommand, defineOptions, type OptionsOf } from './command.ts'
import { DRY_RUN_OPTION } from './dryRun.ts'
import { lookUpOriginal, payRefund } from './payRefund.ts'
import { amountRequiredForPlan, PLAN_OPTIONS } from './plan/planOptions.ts'
import { amountRequired, askRefundAmount } from './refundAmount.ts'
import { refundOriginal } from './refundOriginal.ts'
import { typedOrPrompted } from './requiredValue.ts'
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
  waitOption('wait for the event with the result', DEFAULT_WAIT),
  DRY_RUN_OPTION,
  ...PLAN_OPTIONS,
)

type RefundOptions = OptionsOf<typeof OPTIONS>

export const refund = defineCommand({
  arguments: [
    {
      name: '<original-id>',
      description:
        'idTransaction of the received payment or its beginning, or the request number of its charge; without it, pick from a list',
      parse: readText,
      completes: 'ids',
      isPicked: true,
    },
  ],
  options: OPTIONS,
  examples: [
    ['pixgate refund order-1005 --reason "ordered twice"', 'by the order number'],
    [
      'pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason "ordered twice"',
      'refund all of it; asks before it sends',
    ],
    [
      'pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason "arrived damaged" --amount 12,50 --yes',
      'refund part of it without asking, in a sandbox',
    ],
  ],
  run: sendRefund,
})

async function sendRefund(
  context: Context,
  { originalId, ...options }: RefundOptions & { originalId: string | undefined },
): Promise<number> {
  const { idField, dryRun: isDryRun, wait: waitMs = null, amount: typedCents = null } = options
  if (options.plan !== undefined) context.forgoSecret()
  const account = await context.account()
  assertCanSend(account)
  const asksAmount = typedCents === null && !options.full && account.environment === 'production'
  if (asksAmount && !context.terminal.canAsk) throw amountRequired()
  const namedId = await refundOriginal(context, account, originalId)
  const refundReason = await typedOrPrompted(context, options.reason, '--reason', {
    question: t`Reason for the refund`,
    hint: t`Add \`--reason "ordered twice"\`, or see \`--help\` for examples`,
    parse: readText,
  })
  const target = await callbackUrl(context, account, options.callbackUrl)
  const payments = await context.payments()
  const owner = { ...account, baseUrl: account.url }
  const { known, charge, refundedBefore } = await payments.ledger.read((database) => ({
    known: knownOriginal(database, account, namedId),
    charge: refundedCharge(database, namedId, owner),
    refundedBefore: refundedCents(database, account, namedId),
  }))
  // An id that the ledger knows is sent as it is recorded, any other as typed.
  const originalTransactionId = known.id ?? namedId
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
  const plan = { externalId: null, payment: null, run: null, isIdMadeUp: false }
  // The limits are applied when the amount is known.
  const unlimited = { ...payments, account: { ...account, maxAmountCents: null, maxDayCents: null } }
  const preview = await previewPayment(unlimited, { ...plan, facts: typed, originalCents: null }, options)
  if (options.plan !== undefined && typedCents === null && known.amountCents === null) throw amountRequiredForPlan()
  const skipsQuery = options.skipQuery || options.plan !== undefined
  const { original, warnings } = skipsQuery
    ? {
        original: withoutQuery(originalTransactionId, known, typedCents, refundedBefore, context.now()),
        warnings: [],
      }
    : await lookUpOriginal(context, originalTransactionId, known, preview.refundedCents)
  const shownOriginal = [...customerRows(charge), ...originalRows(originalTransactionId, original, skipsQuery)] as const
  const chosenCents = asksAmount
    ? await askRefundAmount(context, shownOriginal, original?.leftCents ?? null)
    : typedCents
  const amountCents = chosenCents ?? original?.leftCents ?? null
  const facts = factsFor(amountCents, chosenCents === null && preview.refundedCents === 0)
  const originalCents = original?.amountCents ?? null
  const { accepted, settledEarlier } = await previewPayment(payments, { ...plan, facts, originalCents }, options)
  if (options.plan !== undefined) {
    const draft = { kind: 'refund', payments: [{ facts, externalId: null }], repeats: options } as const
    const { makePlan } = await import('./plan/makePlan.ts')
    return makePlan(context, payments, draft, options)
  }
  const shown = { rows: shownOriginal, sentTodayCents: preview.sentTodayCents, settledEarlier }
  const paidAtMs = original?.paidAtMs ?? known.paidAtMs
  return payRefund(context, payments, { facts, accepted, originalCents, charge, paidAtMs, warnings, shown }, options)
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
