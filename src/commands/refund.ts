import { Command } from 'commander'
import type { Context, Run } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import { askConsent } from '../money/consent.ts'
import { checkRefundable, type RefundablePayment } from '../money/refundable.ts'
import { checkLoopback, type Payment, requestOf, send } from '../money/send.ts'
import { centsFromJson, formatReais, parseAmount, reaisFromCents } from '../pix/amount.ts'
import { reading } from '../settings.ts'
import { type LabelledRow, labelled } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import { amountText, instantText, statusColour } from '../views/payment.ts'
import { statusOf } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import type { RefundBody } from '../wire/requests.ts'
import { callbackUrl } from './callbackUrl.ts'
import { showDryRun } from './dryRun.ts'
import { examples } from './examples.ts'
import { notBlank, oneOf, typedOrAsked } from './optionValues.ts'

interface RefundOptions {
  reason?: string
  amount?: string
  full?: boolean
  callbackUrl?: string
  idField: string
  skipQuery?: boolean
  dryRun?: boolean
}

const ID_FIELDS = ['originalTransactionId', 'idTransaction', 'both'] as const

/** `pixgate refund`: returns all or part of a payment that was received. */
export function refund(run: Run): Command {
  return new Command('refund')
    .summary('return all or part of a received payment')
    .description('Return all or part of a PIX payment that was received, within 30 days')
    .argument('<original-id>', 'idTransaction of the payment')
    .option('--reason <text>', 'why it is returned')
    .option('--amount <amount>', 'in reais: 10, 10.50, 10,50 or 1.234,56 (default: all)')
    .option('--full', 'return all of it, said explicitly')
    .option('--callback-url <url>', 'receives the events of this refund (default: of the profile)')
    .option('--id-field <name>', `how the original is named: ${ID_FIELDS.join(', ')}`, ID_FIELDS[0])
    .option('--skip-query', 'do not ask for the payment before')
    .option('--dry-run', 'print the exact request, secrets redacted, and stop')
    .addHelpText(
      'after',
      examples(
        [
          'pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason "ordered twice"',
          'all of it, asks before anything moves',
        ],
        [
          'pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason damaged --amount 12,50 --yes',
          'part of it, without a question, in a sandbox',
        ],
        ['pixgate refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason damaged --dry-run', 'see the exact request'],
      ),
    )
    .action(run(sendRefund))
}

async function sendRefund(context: Context, typedId: string, options: RefundOptions): Promise<number> {
  const originalTransactionId = notBlank(typedId, '<original-id>')
  const account = await context.account()
  checkLoopback(account)
  const idField = oneOf(ID_FIELDS, options.idField, '--id-field')
  const amountCents = readAmount(options)
  const refundReason = await typedOrAsked(context, options.reason, '--reason', t`Reason for the refund`)
  const body: RefundBody = {
    ...(idField === 'idTransaction' ? {} : { originalTransactionId }),
    ...(idField === 'originalTransactionId' ? {} : { idTransaction: originalTransactionId }),
    refundReason,
    callbackUrl: callbackUrl(account, options.callbackUrl),
    ...(amountCents === null ? {} : { amount: reaisFromCents(amountCents) }),
  }
  const payment: Payment = { kind: 'refund', originalTransactionId, body }
  if (options.dryRun) return showDryRun(context, describeRequest(requestOf(account, payment)))

  const gateway = await context.gateway()
  const original = options.skipQuery
    ? null
    : checkRefundable(
        originalTransactionId,
        (await gateway.consult(originalTransactionId)).fields,
        amountCents,
        context.now(),
      )
  if (original !== null && original.paidAtMs === null) {
    context.terminal.warn(t`The gateway does not say when it was paid, so the 30 days were not checked`)
  }
  const sumCents = amountCents ?? original?.amountCents ?? null
  const rows = summaryRows(originalTransactionId, original, sumCents, refundReason)
  const question =
    sumCents === null ? t`Return all of ${originalTransactionId}?` : t`Return ${formatReais(sumCents)} to the payer?`
  await askConsent(context.terminal, account, rows, question, context.settings)
  const accepted = await send(account, gateway, payment, context.settings.timeoutMs)

  const status = statusOf(accepted.fields)
  const pixgate = { profile: account.profile, environment: account.environment, outcome: 'accepted', warnings: [] }
  const { out } = context.terminal
  context.print.one({ ...accepted.fields, status, pixgate }, () =>
    labelled(
      [
        [t`id`, accepted.idTransaction],
        [t`status`, status ?? '—', statusColour(status, out)],
        [t`amount`, amountText(centsFromJson(accepted.fields.amount) ?? sumCents)],
      ],
      out,
    ),
  )
  context.terminal.note(t`Accepted is not returned yet: the event \`refund.status\` decides`)
  return 0
}

function readAmount(options: RefundOptions): number | null {
  const { amount } = options
  if (amount === undefined) return null
  if (options.full === true) {
    throw new UsageError(t`\`--full\` and \`--amount ${amount}\` contradict each other`, { hint: t`Give one of them` })
  }
  return reading('--amount', () => parseAmount(amount))
}

function summaryRows(
  originalTransactionId: string,
  original: RefundablePayment | null,
  sumCents: number | null,
  refundReason: string,
): LabelledRow[] {
  const rows: LabelledRow[] = [
    [t`return`, amountText(sumCents)],
    [t`of payment`, originalTransactionId],
  ]
  if (original !== null) {
    rows.push([t`paid`, amountText(original.amountCents)], [t`paid at`, instantText(original.paidAtMs)])
    if (original.daysLeft !== null) rows.push([t`days left`, String(original.daysLeft)])
  }
  rows.push([t`reason`, refundReason])
  return rows
}
