import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { readAmount, readTaxDocument, readText, withName } from '../optionParsers.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import { assertCanSend } from '../payments/consent.ts'
import { dryRun } from '../payments/dryRun.ts'
import { pay } from '../payments/pay.ts'
import { previewPayment } from '../payments/preview.ts'
import { formatReais } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { KEY_TYPES, type KeyType, type PixKey, readPixKey } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { CALLBACK_URL_OPTION, callbackUrl, checkListener } from './callbackUrl.ts'
import { defineCommand, defineOptions, type OptionsOf } from './command.ts'
import { DRY_RUN_OPTION, showDryRun } from './dryRun.ts'
import { showFinalEvent } from './finalEvent.ts'
import { typedOrPrompted } from './requiredValue.ts'
import {
  findPaymentOfReceiver,
  readExternalId,
  resumeByExternalId,
  showTransfer,
  transferRows,
} from './transferSteps.ts'
import { TRANSFER_WAIT, waitOption } from './waitOptions.ts'

/** The options that describe a new transfer, which `--retry` excludes. */
const NEW_TRANSFER_OPTIONS = [
  '--key',
  '--amount',
  '--value',
  '--key-type',
  '--external-id',
  '--owner',
  '--document',
  '--callback-url',
  '--again',
  '--in-addition-to',
]

const OPTIONS = defineOptions(
  {
    flags: '--key <key>',
    description: 'PIX key of the receiver; a CPF, CNPJ or phone number may include punctuation',
    parse: readText,
  },
  {
    flags: '--amount <amount>',
    description: 'amount in reais: 10, 10.50, 10,50 or 1.234,56 (alias --value)',
    parse: readAmountText,
  },
  { flags: '--value <amount>', description: 'alias of --amount', aliasOf: '--amount', parse: readAmountText },
  { flags: '--key-type <type>', description: `${KEY_TYPES.join(', ')} (default: detected)`, choices: KEY_TYPES },
  {
    flags: '--external-id <id>',
    description: 'your id for this transfer; the gateway carries out each id only once (default: generated)',
    parse: readText,
  },
  {
    flags: '--owner <document>',
    description: 'CPF or CNPJ that must own the key (alias --document)',
    parse: readTaxDocument,
  },
  { flags: '--document <document>', description: 'alias of --owner', aliasOf: '--owner', parse: readTaxDocument },
  CALLBACK_URL_OPTION,
  { flags: '--again', description: 'allow a repeat of an earlier payment, in a sandbox' },
  {
    flags: '--in-addition-to <external-id>',
    description: 'allow a repeat of this earlier payment (repeatable)',
    repeatable: true,
  },
  {
    flags: '--retry <external-id>',
    description: 'send a transfer with an unknown outcome again, like pixgate resume',
    parse: readExternalId,
    conflicts: {
      options: NEW_TRANSFER_OPTIONS,
      message: (other) => t`\`--retry\` sends exactly what was sent before, so it cannot be combined with \`${other}\``,
      hint: (other) => t`Omit \`${other}\` to continue the earlier transfer, or omit \`--retry\` to make a new one`,
    },
  },
  { flags: '--include-unknown', description: 'with --retry: even if it was sent more than 24 hours ago' },
  waitOption('wait for the event that reports the result', TRANSFER_WAIT),
  DRY_RUN_OPTION,
)

type TransferOptions = OptionsOf<typeof OPTIONS>

export const transfer = defineCommand({
  options: OPTIONS,
  examples: [
    ['pixgate transfer --key maria@example.com --amount 150,00', 'asks before it sends'],
    [
      'pixgate transfer --key 529.982.247-25 --owner 529.982.247-25 --amount 10 --yes',
      'send without asking, in a sandbox',
    ],
    [
      'pixgate transfer --key maria@example.com --amount 10 --callback-url listen --wait=5m --yes',
      'while `pixgate webhook listen` runs, in a sandbox: exit 0 when it is paid',
    ],
    [
      'pixgate transfer --key maria@example.com --amount 10 --external-id invoice-17 --dry-run',
      'show the exact request',
    ],
  ],
  run: sendTransfer,
})

async function sendTransfer(context: Context, options: TransferOptions): Promise<number> {
  const { dryRun: isDryRun, wait: waitMs = null, owner = null } = options
  if (options.retry !== undefined) {
    const { includeUnknown } = options
    return resumeByExternalId(context, options.retry, { isDryRun, waitMs, includeUnknown })
  }
  const account = await context.account()
  assertCanSend(account)
  const { key, keyType, isGuessedPhone, amountCents } = await readDestination(context, options)
  const target = await callbackUrl(context, account, options.callbackUrl)
  const externalId = options.externalId ?? (await newExternalId(context, account))
  const facts: TransferPayment = {
    kind: 'transfer',
    key,
    keyType,
    amountCents,
    documentValidation: owner,
    callbackUrl: target,
  }
  if (waitMs !== null && !isDryRun) await checkListener(context, account, target)

  const payments = await context.payments()
  const planned = { facts, externalId, payment: null, run: null, originalCents: null }
  const preview = await previewPayment(payments, planned, options)
  const received = await findPaymentOfReceiver(payments, facts)
  const destination = keyType === 'paymentCode' ? t`this payment code` : key
  const question = {
    amountCents,
    rows: transferRows(facts, externalId, preview, { err: payments.terminal.err, isGuessedPhone, received }),
    text: t`Send ${formatReais(amountCents)} to ${destination}?`,
  }
  const { accepted: acceptedRepeats } = preview
  const proposal = {
    action: 'pay',
    facts,
    externalId,
    rowId: externalId,
    place: null,
    accepted: acceptedRepeats,
    originalCents: null,
  } as const
  if (isDryRun) return showDryRun(context, describeRequest(await dryRun(payments, proposal, facts, question)))
  const accepted = await pay(payments, proposal, question)
  showTransfer(context, account, accepted, { amountCents, externalId, outcome: 'accepted', waits: waitMs !== null })
  if (!accepted.isRecorded) return UNRECORDED_EXIT
  if (waitMs === null) return 0
  const { idTransaction } = accepted
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId }, waitMs)
}

/** Asks for the invoice number in production, because a meaningful id prevents a second payment. */
async function newExternalId({ settings, terminal, newId }: Context, account: Account): Promise<string> {
  const isScripted = settings.yes || settings.confirm !== undefined
  if (account.environment === 'sandbox' || isScripted || !terminal.canAsk) return newId()
  return readText(await terminal.askText(t`Invoice number (used as the external id)`), '--external-id')
}

/** The key and the amount, typed or prompted for. A prompt rejects answers that would fail later. Throws UsageError. */
async function readDestination(context: Context, options: TransferOptions): Promise<PixKey & { amountCents: number }> {
  const readPayable = (text: string, amountCents: number | undefined) => {
    const read = readKey(context, text, options.keyType)
    if (read.keyType === 'paymentCode') assertPaymentCode(read.key, amountCents)
    return read
  }
  const keyText = await typedOrPrompted(context, options.key, '--key', {
    question: t`PIX key of the receiver`,
    hint: t`Add \`--key\` and the PIX key of the receiver, or see \`--help\` for examples`,
    parse(text) {
      readPayable(text, options.amount)
      return text
    },
  })
  const pixKey = readPayable(keyText, options.amount)
  const amountCents = await typedOrPrompted(context, options.amount, '--amount', {
    question: t`Amount in reais`,
    hint: t`Add \`--amount 10,50\`, or see \`--help\` for examples`,
    parse(text, name) {
      const cents = readAmount(text, name)
      readPayable(keyText, cents)
      return cents
    },
  })
  return { ...pixKey, amountCents }
}

function readAmountText(typed: string, name: string): number {
  return readAmount(readText(typed, name), name)
}

/** Reads the key. Throws UsageError for a guessed phone number if no person reads the question. */
function readKey({ settings }: Context, text: string, declared: KeyType | undefined): PixKey {
  const found = withName('--key', () => readPixKey(text, declared))
  if (!found.isGuessedPhone || !(settings.yes || settings.confirm !== undefined)) return found
  throw new UsageError(t`\`--key\`: \`${found.key}\` could be a mobile number or a mistyped CPF`, {
    hint: t`Add \`--key-type phoneNumber\` if it is a mobile number, or correct the CPF`,
  })
}

/** Throws UsageError for an invalid code or one for another amount. `amountCents` is undefined if it is not known yet. */
function assertPaymentCode(code: string, amountCents: number | undefined): void {
  const brCode = readBrCode(code)
  if (!brCode.valid) {
    throw new UsageError(t`\`--key\`: the payment code is invalid`, {
      details: brCode.errors,
      hint: t`Copy the whole code again, or inspect it with \`pixgate qr decode -\``,
    })
  }
  if (amountCents === undefined || brCode.amountCents === null || brCode.amountCents === 0) return
  if (brCode.amountCents !== amountCents) {
    throw new UsageError(
      t`\`--amount\` is ${formatReais(amountCents)}, but the payment code is for ${formatReais(brCode.amountCents)}`,
      { hint: t`Pay the amount of the code, or ask the receiver for another code` },
    )
  }
}
