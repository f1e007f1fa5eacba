import { Command } from 'commander'
import type { Context, Run } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import { askConsent } from '../money/consent.ts'
import { checkLoopback, type Payment, requestOf, send } from '../money/send.ts'
import { formatReais, parseAmount, reaisFromCents } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { checkKey, detectKeyType, KEY_TYPES, type KeyType } from '../pix/pixKey.ts'
import { parseTaxDocument } from '../pix/taxDocument.ts'
import { reading } from '../settings.ts'
import { labelled } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import { statusColour } from '../views/payment.ts'
import { statusOf } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import { callbackUrl } from './callbackUrl.ts'
import { showDryRun } from './dryRun.ts'
import { examples } from './examples.ts'
import { notBlank, oneOf, typedOrAsked } from './optionValues.ts'

interface TransferOptions {
  key?: string
  amount?: string
  value?: string
  keyType?: string
  externalId?: string
  owner?: string
  document?: string
  callbackUrl?: string
  dryRun?: boolean
}

/** `pixgate transfer`: sends money to a PIX key. */
export function transfer(run: Run): Command {
  return new Command('transfer')
    .summary('send a PIX transfer to a PIX key (cash-out)')
    .description('Send an instant PIX transfer to a PIX key; its result arrives as an event')
    .option('--key <key>', 'the destination PIX key, sent as typed')
    .option('--amount <amount>', 'in reais: 10, 10.50, 10,50 or 1.234,56 (alias --value)')
    .option('--value <amount>', 'the same as --amount')
    .option('--key-type <type>', `${KEY_TYPES.join(', ')} (default: detected)`)
    .option('--external-id <id>', 'your id, carried out only once (default: generated)')
    .option('--owner <document>', 'CPF or CNPJ that must own the key (alias --document)')
    .option('--document <document>', 'the same as --owner')
    .option('--callback-url <url>', 'receives the events of this transfer (default: of the profile)')
    .option('--dry-run', 'print the exact request, secrets redacted, and stop')
    .addHelpText(
      'after',
      examples(
        ['pixgate transfer --key maria@example.com --amount 150,00', 'asks before anything moves'],
        [
          'pixgate transfer --key 52998224725 --key-type document --owner 52998224725 --amount 10 --yes',
          'without a question, in a sandbox',
        ],
        [
          'pixgate transfer --key maria@example.com --amount 10 --external-id invoice-17 --dry-run',
          'see the exact request',
        ],
      ),
    )
    .action(run(sendTransfer))
}

async function sendTransfer(context: Context, options: TransferOptions): Promise<number> {
  const account = await context.account()
  checkLoopback(account)
  const key = (await typedOrAsked(context, options.key, '--key', t`PIX key of the receiver`)).trim()
  const amountText = await typedOrAsked(
    context,
    sameOption(options.amount, options.value),
    '--amount',
    t`Amount in reais`,
  )
  const amountCents = reading('--amount', () => parseAmount(amountText))
  const keyType = readKeyType(key, options.keyType)
  if (keyType === 'paymentCode') checkPaymentCode(key, amountCents)
  const owner = readOwner(options)
  const externalId = notBlank(options.externalId ?? context.newId(), '--external-id')
  const body = {
    value: reaisFromCents(amountCents),
    key,
    typeKey: keyType,
    callbackUrl: callbackUrl(account, options.callbackUrl),
    externalId,
    ...(owner === undefined ? {} : { documentValidation: owner }),
  }
  const payment: Payment = { kind: 'transfer', externalId, body }
  if (options.dryRun) return showDryRun(context, describeRequest(requestOf(account, payment)))

  const ownerText = owner === undefined ? t`not checked` : t`must be ${owner}`
  const rows = [
    [t`amount`, formatReais(amountCents)],
    [t`to`, key],
    [t`kind of key`, keyType],
    [t`owner`, ownerText],
    [t`external id`, externalId],
  ] as const
  await askConsent(context.terminal, account, rows, t`Send ${formatReais(amountCents)} to ${key}?`, context.settings)
  const accepted = await send(account, await context.gateway(), payment, context.settings.timeoutMs)

  const status = statusOf(accepted.fields)
  const pixgate = { profile: account.profile, environment: account.environment, outcome: 'accepted', warnings: [] }
  const { out } = context.terminal
  context.print.one({ ...accepted.fields, externalId, status, pixgate }, () =>
    labelled(
      [
        [t`id`, accepted.idTransaction],
        [t`status`, status ?? '—', statusColour(status, out)],
        [t`external id`, externalId],
      ],
      out,
    ),
  )
  context.terminal.note(t`Accepted is not paid yet: the event \`transfer.completed\` or \`transfer.failed\` decides`)
  return 0
}

function sameOption(amount: string | undefined, value: string | undefined): string | undefined {
  if (amount === undefined || value === undefined || amount === value) return amount ?? value
  throw new UsageError(t`\`--amount ${amount}\` and \`--value ${value}\` contradict each other`, {
    hint: t`Give one of them: they are the same option`,
  })
}

function readKeyType(key: string, typed: string | undefined): KeyType {
  if (typed === undefined) return reading('--key', () => detectKeyType(key))
  const keyType = oneOf(KEY_TYPES, typed, '--key-type')
  reading('--key', () => checkKey(key, keyType))
  return keyType
}

function checkPaymentCode(code: string, amountCents: number): void {
  const brCode = readBrCode(code)
  if (!brCode.valid) {
    throw new UsageError(t`\`--key\`: this payment code is broken`, {
      details: brCode.errors,
      hint: t`Copy the whole code again; \`pixgate qr decode\` shows what is in it`,
    })
  }
  if (brCode.amountCents !== null && brCode.amountCents !== 0 && brCode.amountCents !== amountCents) {
    throw new UsageError(
      t`\`--amount\` is ${formatReais(amountCents)}, but the payment code asks for ${formatReais(brCode.amountCents)}`,
      { hint: t`Pay what the code asks for, or ask the receiver for another code` },
    )
  }
}

function readOwner(options: TransferOptions): string | undefined {
  const { owner, document } = options
  if (owner !== undefined && document !== undefined && owner !== document) {
    throw new UsageError(t`\`--owner ${owner}\` and \`--document ${document}\` contradict each other`, {
      hint: t`Give one of them: they are the same option`,
    })
  }
  const typed = owner ?? document
  return typed === undefined ? undefined : reading('--owner', () => parseTaxDocument(typed).document)
}
