import { defineCommand, defineOptions, type OptionsOf } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import type { RefundPayment } from '../ledger/facts.ts'
import { readAmount, readText } from '../optionParsers.ts'
import { previewPayment } from '../payments/preview.ts'
import { singlePayment } from '../payments/proposal.ts'
import { formatReais } from '../pix/amount.ts'
import { CALLBACK_URL_OPTION, callbackUrl } from '../steps/callbackUrl.ts'
import { amountRequiredForPlan, DEFAULT_WAIT, PLAN_OPTIONS, waitOption } from '../steps/optionSets.ts'
import { refundedOriginal } from '../steps/refundedOriginal.ts'
import { promptFor, typedOrPrompted } from '../steps/requiredValue.ts'
import { DRY_RUN_OPTION, sendingAccount } from '../steps/sendPayments.ts'
import { originalOfLedger, queryOriginal, readOriginal, refundedRows, sendRefund } from '../steps/sendRefund.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { REFUND_ID_FIELDS } from '../wire/requestFormat.ts'

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
    parse: readText,
    repeatable: true,
  },
  waitOption('wait for the event with the result', DEFAULT_WAIT),
  DRY_RUN_OPTION,
  ...PLAN_OPTIONS,
)

type RefundOptions = OptionsOf<typeof OPTIONS>

export const refund = defineCommand({
  sendsPayments: true,
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
  usualOptions: ['--reason', '--amount', '--full', '--wait', '--dry-run'],
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
  run: runRefund,
})

async function runRefund(
  context: Context,
  { originalId, ...options }: RefundOptions & { originalId: string | undefined },
): Promise<number> {
  const { idField, amount: typedCents = null } = options
  const account = await sendingAccount(context, options)
  const isPicked = originalId === undefined
  const asksAmount = typedCents === null && !options.full && (isPicked || account.environment === 'production')
  if (asksAmount && !isPicked && !context.terminal.canAsk) throw amountRequired()
  const namedId = await refundedOriginal(context, account, originalId)
  const refundReason = await typedOrPrompted(context, options.reason, '--reason', {
    question: t`Reason for the refund`,
    hint: t`Add \`--reason "ordered twice"\`, or see \`--help\` for examples`,
    parse: readText,
  })
  const target = await callbackUrl(context, account, options.callbackUrl)
  const payments = await context.payments()
  const read = await readOriginal(payments, namedId)
  const { known, refundedBefore } = read
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
  const isWhole = typedCents === null && (refundedBefore === 0 || refundedBefore === Number.POSITIVE_INFINITY)
  const typed = factsFor(typedCents, isWhole)
  // The limits are applied when the amount is known.
  const unlimited = { ...payments, account: { ...account, maxAmountCents: null, maxDayCents: null } }
  const preview = await previewPayment(unlimited, singlePayment({ facts: typed, externalId: null }), options)
  if (options.plan !== undefined && typedCents === null && known.amountCents === null) throw amountRequiredForPlan()
  const skipsQuery = options.skipQuery || account.clientSecret.isEmpty
  const refunded = skipsQuery
    ? originalOfLedger(originalTransactionId, read, context.now())
    : await queryOriginal(context, originalTransactionId, { ...read, refundedBefore: preview.refundedCents })
  const { original } = refunded
  if (skipsQuery && typedCents === null && refundedBefore !== 0 && known.amountCents === null) {
    throw new UsageError(
      t`${formatReais(refundedBefore)} of this payment was already refunded, so \`--skip-query\` needs an amount`,
      { hint: t`Add \`--amount\`, or omit \`--skip-query\` to look up what is left` },
    )
  }
  const chosenCents = asksAmount
    ? await askRefundAmount(context, refundedRows(originalTransactionId, refunded), original?.leftCents ?? null)
    : typedCents
  const amountCents = chosenCents ?? original?.leftCents ?? null
  const facts = factsFor(amountCents, chosenCents === null && preview.refundedCents === 0)
  return sendRefund(context, payments, facts, refunded, options)
}

/** The error for a refund in production that does not say how much, where no one can be asked for the amount. */
function amountRequired(): UsageError {
  return new UsageError(t`In production \`--amount\` or \`--full\` is required`, {
    hint: t`Add \`--amount\`, or \`--full\` to refund all that is left`,
  })
}

/**
 * Shows the payment and asks how much of it to refund, in cents; null is all that is left. `leftCents` is null if what is left is unknown.
 * Throws Cancelled.
 */
async function askRefundAmount(
  { terminal }: Context,
  original: readonly LabelledRow[],
  leftCents: number | null,
): Promise<number | null> {
  terminal.say(labelledLines(original, terminal.err, terminal.errColumns).join('\n'))
  const isAll = await terminal.choose(t`How much should be refunded?`, [
    { value: true, name: leftCents === null ? t`all that is left` : t`all that is left, ${formatReais(leftCents)}` },
    { value: false, name: t`a part of it` },
  ])
  return isAll ? null : promptFor(terminal, t`Amount to refund`, (typed) => amountWithin(typed, leftCents))
}

/** An amount that is at most what is left. Throws UsageError. */
function amountWithin(typed: string, leftCents: number | null): number {
  const amountCents = readAmount(typed)
  if (leftCents === null || amountCents <= leftCents) return amountCents
  throw new UsageError(t`Only ${formatReais(leftCents)} is left of this payment`, {
    hint: t`Type that amount or a smaller one`,
  })
}
