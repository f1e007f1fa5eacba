import { defineCommand, defineOptions, type OptionsOf } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { readAmount, readKeyType, readTaxDocument, readText, withName } from '../optionParsers.ts'
import { formatReais } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { copiedCode } from '../pix/copiedCode.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import {
  AmbiguousKey,
  type DeclaredKeyType,
  KEY_TYPES,
  type KeyType,
  type PixKey,
  readPixKey,
  typeWithOwner,
} from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { activeAccount } from '../steps/activeAccount.ts'
import { CALLBACK_URL_OPTION, callbackUrl } from '../steps/callbackUrl.ts'
import { PLAN_OPTIONS, TRANSFER_WAIT, waitOption } from '../steps/optionSets.ts'
import { readPayeeName, requirePayee } from '../steps/payeeBook.ts'
import { promptFor, typedOrPrompted } from '../steps/requiredValue.ts'
import { DRY_RUN_OPTION, sendingAccount } from '../steps/sendPayments.ts'
import { readExternalId, sendTransfer } from '../steps/sendTransfer.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** The options that describe a new transfer, which `--retry` excludes. */
const NEW_TRANSFER = defineOptions(
  {
    flags: '--key <key>',
    description: 'PIX key of the receiver, see `pixgate help keys`',
    // A code that was broken into lines is whole without them.
    parse: (typed, name) => (copiedIn(typed, name) === undefined ? readText(typed, name) : typed),
  },
  {
    flags: '--to <name>',
    description: 'payee, in place of a key and its owner',
    parse: readPayeeName,
    completes: 'payees',
    conflicts: {
      options: ['--key', '--key-type', '--owner', '--document'],
      message: (other) =>
        t`\`--to\` names a payee, which has its own key and owner, so it cannot be combined with \`${other}\``,
      hint: (other) => t`Omit \`${other}\`; \`pixgate payee edit --help\` shows how to change a payee`,
    },
  },
  {
    flags: '--amount <amount>',
    description: 'amount in reais, such as 1.234,56 (alias --value)',
    parse: readAmountText,
  },
  { flags: '--value <amount>', description: 'alias of --amount', aliasOf: '--amount', parse: readAmountText },
  {
    flags: '--key-type <type>',
    description: `${KEY_TYPES.join(', ')} (default: detected)`,
    parse: readKeyType,
    completes: KEY_TYPES,
  },
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
    parse: readText,
    repeatable: true,
  },
)

const OPTIONS = defineOptions(
  ...NEW_TRANSFER,
  {
    flags: '--retry <external-id>',
    description: 'send a transfer with an unknown outcome again, like pixgate resume',
    parse: readExternalId,
    conflicts: {
      options: NEW_TRANSFER.map(({ flags }) => flags.replace(/ .*/, '')),
      message: (other) => t`\`--retry\` sends exactly what was sent before, so it cannot be combined with \`${other}\``,
      hint: (other) => t`Omit \`${other}\` to continue the earlier transfer, or omit \`--retry\` to make a new one`,
    },
  },
  { flags: '--include-unknown', description: 'with --retry: also if it was sent over 24 hours ago' },
  waitOption('wait for the event with the result', TRANSFER_WAIT),
  DRY_RUN_OPTION,
  ...PLAN_OPTIONS,
)

type TransferOptions = OptionsOf<typeof OPTIONS>

export const transfer = defineCommand({
  sendsPayments: true,
  options: OPTIONS,
  usualOptions: ['--key', '--to', '--amount', '--external-id', '--owner', '--wait', '--dry-run'],
  examples: [
    ['pixgate transfer --key maria@example.com --amount 150,00', 'asks before it sends'],
    ['pixgate transfer --to maria --amount 150,00', 'a payee, see `pixgate payee add --help`'],
    [
      'pixgate transfer --key 529.982.247-25 --owner 529.982.247-25 --amount 10 --yes',
      'send without asking, in a sandbox',
    ],
    ['pixgate transfer --to maria --amount 10 --external-id invoice-17 --dry-run', 'show the exact request'],
  ],
  run: runTransfer,
})

async function runTransfer(context: Context, options: TransferOptions): Promise<number> {
  if (options.retry !== undefined) {
    const [{ resumeTarget }, { resumePayment }] = await Promise.all([
      import('../steps/namedPayment.ts'),
      import('../steps/resumePayment.ts'),
    ])
    const target = await resumeTarget(context, 'pixgate transfer --retry', options.retry)
    if ('run' in target) throw runIsNotRetried(target.run.record.run)
    return resumePayment(context, target.id, options)
  }
  const account = await sendingAccount(context, options)
  const target = await callbackUrl(context, account, options.callbackUrl)
  const { isGuessedPhone, ...destination } = await readDestination(context, options)
  const typedId = options.externalId ?? (await askExternalId(context, account))
  const [externalId, isIdMadeUp] = typedId === undefined ? [context.newId(), true] : [typedId, false]
  const facts: TransferPayment = {
    kind: 'transfer',
    ...destination,
    callbackUrl: target,
  }
  const payments = await context.payments()
  return sendTransfer(context, payments, { facts, externalId, isGuessedPhone, isIdMadeUp }, options)
}

function runIsNotRetried(run: string): UsageError {
  return new UsageError(t`\`${run}\` is a batch, and \`--retry\` is for one transfer`, {
    hint: t`Run \`pixgate resume ${run}\` to continue it`,
  })
}

/** Asks for the invoice number in production, because a meaningful id prevents a second payment. */
async function askExternalId({ settings, terminal }: Context, account: Account): Promise<string | undefined> {
  const isScripted = settings.yes || settings.confirm !== undefined
  if (account.environment === 'sandbox' || isScripted || !terminal.canAsk) return undefined
  return promptFor(terminal, t`Invoice number (used as the external id)`, readText)
}

function readAmountText(typed: string, name: string): number {
  return readAmount(readText(typed, name), name)
}

function copiedIn(text: string, name?: string) {
  return withName(name, () => copiedCode(text))
}

interface TypedDestination {
  to?: string | undefined
  key?: string | undefined
  keyType?: DeclaredKeyType | undefined
  owner?: string | undefined
  amount?: number | undefined
}

type Destination = Pick<TransferPayment, 'documentValidation' | 'payee' | 'payeeDisplayName'> &
  PixKey & { amountCents: number }

/**
 * The key of a payee, or the key that was typed or prompted for, and the amount. A prompt rejects answers that would fail later. Throws UsageError.
 */
async function readDestination(context: Context, options: TypedDestination): Promise<Destination> {
  if (options.to !== undefined) return payeeDestination(context, options.to, options.amount)
  const declared = (text: string) => withName('--key', () => typeWithOwner(text, options.keyType, options.owner))
  const readPayable = (text: string, amountCents: number | undefined, name?: string, keyType = declared(text)) => {
    const code = copiedIn(text, name)?.code
    const read = readKey(context, code ?? text, keyType, name)
    if (read.keyType === 'paymentCode') assertPaymentCode(read.key, amountCents, name)
    return read
  }
  const keyText = await typedOrPrompted(context, options.key, '--key', {
    question: t`PIX key of the receiver`,
    hint: t`Add \`--key\` and the PIX key of the receiver, or see \`--help\` for examples`,
    parse(text) {
      if (!isAmbiguous(text, declared(text))) readPayable(text, options.amount)
      return text
    },
  })
  const isAnswer = options.key === undefined
  const keyType =
    isAnswer && isAmbiguous(keyText, declared(keyText)) ? await chooseKeyType(context, keyText) : declared(keyText)
  const pixKey = readPayable(keyText, options.amount, '--key', keyType)
  for (const each of copiedIn(keyText)?.stuck ?? []) context.terminal.warn(each)
  const ofCode = pixKey.keyType === 'paymentCode' ? readBrCode(pixKey.key).amountCents : null
  const amountCents = await readAmountToSend(context, options.amount ?? (ofCode || undefined), (text, name) => {
    const cents = readAmount(text, name)
    readPayable(keyText, cents, undefined, keyType)
    return cents
  })
  return { ...pixKey, amountCents, documentValidation: options.owner ?? null, payee: null, payeeDisplayName: null }
}

/** A payee is paid to its own key, and its owner is always checked. */
async function payeeDestination(context: Context, to: string, typedCents: number | undefined): Promise<Destination> {
  const payee = await requirePayee(context, await activeAccount(context), to)
  const { key, keyType, documentValidation, name, displayName } = payee
  const amountCents = await readAmountToSend(context, typedCents, readAmount)
  return {
    key,
    keyType,
    isGuessedPhone: false,
    amountCents,
    documentValidation,
    payee: name,
    payeeDisplayName: displayName,
  }
}

function readAmountToSend(
  context: Context,
  typedCents: number | undefined,
  parse: (text: string, name?: string) => number,
): Promise<number> {
  return typedOrPrompted(context, typedCents, '--amount', {
    question: t`Amount in reais`,
    hint: t`Add \`--amount 10,50\`, or see \`--help\` for examples`,
    parse,
  })
}

/** True for 11 digits that are both a CPF and a mobile number. */
function isAmbiguous(text: string, declared: DeclaredKeyType | undefined): boolean {
  return valueOrError(Malformed, () => readPixKey(text, declared)) instanceof AmbiguousKey
}

function chooseKeyType({ terminal }: Context, text: string): Promise<KeyType> {
  return terminal.choose<KeyType>(t`\`${text}\` is both a CPF and a mobile number. Which one is meant?`, [
    { value: 'document', name: t`the CPF` },
    { value: 'phoneNumber', name: t`the mobile number` },
  ])
}

/** Reads the key. Throws UsageError for a guessed phone number if no person reads the question. */
function readKey({ settings }: Context, text: string, declared: DeclaredKeyType | undefined, name?: string): PixKey {
  const found = withName(name, () => readPixKey(text, declared))
  if (!found.isGuessedPhone || !(settings.yes || settings.confirm !== undefined)) return found
  throw new UsageError(t`\`--key\`: \`${found.key}\` could be a mobile number or a mistyped CPF`, {
    hint: t`Add \`--key-type phoneNumber\` if it is a mobile number, or correct the CPF`,
  })
}

/** Throws UsageError for an invalid code or one for another amount. `amountCents` is undefined if it is not known yet. */
function assertPaymentCode(code: string, amountCents: number | undefined, name?: string): void {
  const brCode = readBrCode(code)
  if (!brCode.valid) {
    const message = name === undefined ? t`The payment code is invalid` : t`\`${name}\`: the payment code is invalid`
    throw new UsageError(message, {
      details: brCode.errors,
      hint: t`Copy the whole code again, or inspect it with \`pixgate qr decode -\``,
    })
  }
  if (brCode.kind === 'recurrence') {
    throw new UsageError(
      t`The payment code only authorises recurring payments (Pix Automático), so it cannot be paid`,
      {
        hint: t`Ask the receiver for a code or a key of this one payment`,
      },
    )
  }
  if (amountCents === undefined || brCode.amountCents === null || brCode.amountCents === 0) return
  if (brCode.amountCents !== amountCents) {
    throw new UsageError(
      t`\`--amount\` is ${formatReais(amountCents)}, but the payment code is for ${formatReais(brCode.amountCents)}`,
      { hint: t`Pay the amount of the code, or ask the receiver for another code` },
    )
  }
}
