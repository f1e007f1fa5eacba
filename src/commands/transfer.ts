import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import type { TransferPayment } from '../ledger/records.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import { assertCanSend } from '../payments/consent.ts'
import { dryRun } from '../payments/dryRun.ts'
import { pay } from '../payments/pay.ts'
import { previewPayment } from '../payments/preview.ts'
import { formatReais, parseAmount } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { KEY_TYPES, type KeyType, type PixKey, readPixKey } from '../pix/pixKey.ts'
import { parseTaxDocument } from '../pix/taxDocument.ts'
import type { Account } from '../profiles/account.ts'
import { parseOption } from '../settings.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { readRepeatOptions } from './batch/runOptions.ts'
import { CALLBACK_URL_OPTION, callbackUrl, checkListener, typedCallbackUrl } from './callbackUrl.ts'
import { defineCommand, defineOptions, type OptionsOf } from './command.ts'
import { showDryRun } from './dryRun.ts'
import { showFinalEvent } from './finalEvent.ts'
import {
  assertNotCsv,
  parseAliasedOption,
  parseChoice,
  parseWaitMs,
  requireText,
  TRANSFER_WAIT,
  typedOrPrompted,
} from './optionValues.ts'
import { findPaymentOfReceiver, resumeByExternalId, showTransfer, transferRows } from './transferSteps.ts'

/** The options that describe a new transfer, which \`--retry` excludes. */
const NEW_TRANSFER_OPTIONS: readonly (readonly [name: keyof TransferOptions, option: string])[] = [
  ['key', '--key'],
  ['amount', '--amount'],
  ['value', '--value'],
  ['keyType', '--key-type'],
  ['externalId', '--external-id'],
  ['owner', '--owner'],
  ['document', '--document'],
  ['callbackUrl', '--callback-url'],
  ['again', '--again'],
  ['inAdditionTo', '--in-addition-to'],
]

const OPTIONS = defineOptions(
  {
    flags: '--key <key>',
    description: 'PIX key of the receiver; a CPF, CNPJ or phone number may include punctuation',
  },
  { flags: '--amount <amount>', description: 'amount in reais: 10, 10.50, 10,50 or 1.234,56 (alias --value)' },
  { flags: '--value <amount>', description: 'alias of --amount' },
  { flags: '--key-type <type>', description: `${KEY_TYPES.join(', ')} (default: detected)`, completes: KEY_TYPES },
  {
    flags: '--external-id <id>',
    description: 'your id for this transfer; the gateway carries out each id only once (default: generated)',
  },
  { flags: '--owner <document>', description: 'CPF or CNPJ that must own the key (alias --document)' },
  { flags: '--document <document>', description: 'alias of --owner' },
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
  },
  { flags: '--include-unknown', description: 'with --retry: even if it was sent more than 24 hours ago' },
  { flags: '--wait [duration]', description: `wait for the event that reports the result (default ${TRANSFER_WAIT})` },
  { flags: '--dry-run', description: 'apply every rule, print the exact request, secrets redacted, and send nothing' },
)

type TransferOptions = OptionsOf<typeof OPTIONS>

export const transfer = defineCommand({
  description: 'Send a PIX transfer to a PIX key; a webhook event reports its result',
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
  assertNotCsv(context)
  const waitMs = parseWaitMs(options.wait, TRANSFER_WAIT)
  if (options.retry !== undefined) {
    assertOnlyRetryOptions(options)
    return resumeByExternalId(context, options.retry, {
      isDryRun: options.dryRun === true,
      waitMs,
      includeUnknown: options.includeUnknown === true,
    })
  }
  const account = await context.account()
  assertCanSend(account)
  const { key, keyType, isGuessedPhone, amountCents } = await readDestination(context, options)
  const owner = readOwner(options)
  const target = callbackUrl(account, await typedCallbackUrl(context, account, options.callbackUrl))
  const externalId = requireText(await externalIdOf(context, options.externalId, account), '--external-id')
  const facts: TransferPayment = {
    kind: 'transfer',
    key,
    keyType,
    amountCents,
    documentValidation: owner ?? null,
    callbackUrl: target,
  }
  const isDryRun = options.dryRun === true
  if (waitMs !== null && !isDryRun) await checkListener(context, account, target)

  const payments = await context.payments()
  const repeats = readRepeatOptions(options)
  const planned = { facts, externalId, payment: null, run: null, originalCents: null }
  const preview = await previewPayment(payments, planned, repeats)
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

/** Rejects options that `--retry` would ignore, because a retry sends the earlier bytes again. Throws UsageError. */
function assertOnlyRetryOptions(options: TransferOptions): void {
  const [, option] = NEW_TRANSFER_OPTIONS.find(([name]) => options[name] !== undefined) ?? []
  if (option === undefined) return
  throw new UsageError(t`\`--retry\` sends exactly what was sent before, so it cannot be combined with \`${option}\``, {
    hint: t`Omit \`${option}\` to continue the earlier transfer, or omit \`--retry\` to make a new one`,
  })
}

/** Asks for the invoice number in production, because a meaningful id prevents a second payment. */
async function externalIdOf(context: Context, typed: string | undefined, account: Account): Promise<string> {
  if (typed !== undefined) return typed
  const { settings, terminal } = context
  const isScripted = settings.yes || settings.confirm !== undefined
  if (account.environment === 'sandbox' || isScripted || !terminal.canAsk) return context.newId()
  return terminal.askText(t`Invoice number (used as the external id)`)
}

/** The key and the amount, typed or prompted for. A prompt rejects answers that would fail later. Throws UsageError. */
async function readDestination(context: Context, options: TransferOptions): Promise<PixKey & { amountCents: number }> {
  const { option, typed } = parseAliasedOption(['--amount', options.amount], ['--value', options.value])
  const declared = options.keyType === undefined ? undefined : parseChoice(KEY_TYPES, options.keyType, '--key-type')
  const readAmount = (text: string) => parseOption(option, () => parseAmount(requireText(text, option)))
  const typedCents = typed === undefined ? null : readAmount(typed)
  const readPayable = (text: string, amountCents: number | null) => {
    const read = readKey(context, text, declared)
    if (read.keyType === 'paymentCode') assertPaymentCode(read.key, amountCents)
    return read
  }
  const keyText = await typedOrPrompted(context, options.key, '--key', {
    question: t`PIX key of the receiver`,
    hint: t`Add \`--key\` and the PIX key of the receiver, or see \`--help\` for examples`,
    check: (text) => readPayable(text, typedCents),
  })
  const pixKey = readPayable(keyText, typedCents)
  const amountText = await typedOrPrompted(context, typed, option, {
    question: t`Amount in reais`,
    hint: t`Add \`--amount 10,50\`, or see \`--help\` for examples`,
    check: (text) => readPayable(keyText, readAmount(text)),
  })
  return { ...pixKey, amountCents: readAmount(amountText) }
}

/** Reads the key. Throws UsageError for a guessed phone number if no person reads the question. */
function readKey({ settings }: Context, text: string, declared: KeyType | undefined): PixKey {
  const found = parseOption('--key', () => readPixKey(text, declared))
  if (!found.isGuessedPhone || !(settings.yes || settings.confirm !== undefined)) return found
  throw new UsageError(t`\`--key\`: \`${found.key}\` could be a mobile number or a mistyped CPF`, {
    hint: t`Add \`--key-type phoneNumber\` if it is a mobile number, or correct the CPF`,
  })
}

/** Throws UsageError for an invalid code or one for another amount. `amountCents` is null if it is not known yet. */
function assertPaymentCode(code: string, amountCents: number | null): void {
  const brCode = readBrCode(code)
  if (!brCode.valid) {
    throw new UsageError(t`\`--key\`: the payment code is invalid`, {
      details: brCode.errors,
      hint: t`Copy the whole code again, or inspect it with \`pixgate qr decode -\``,
    })
  }
  if (amountCents === null || brCode.amountCents === null || brCode.amountCents === 0) return
  if (brCode.amountCents !== amountCents) {
    throw new UsageError(
      t`\`--amount\` is ${formatReais(amountCents)}, but the payment code is for ${formatReais(brCode.amountCents)}`,
      { hint: t`Pay the amount of the code, or ask the receiver for another code` },
    )
  }
}

function readOwner(options: TransferOptions): string | undefined {
  const { option, typed } = parseAliasedOption(['--owner', options.owner], ['--document', options.document])
  return typed === undefined
    ? undefined
    : parseOption(option, () => parseTaxDocument(requireText(typed, option)).document)
}
