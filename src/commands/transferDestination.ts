import type { Context } from '../context.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { readAmount, withName } from '../optionParsers.ts'
import { formatReais } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { Malformed } from '../pix/malformed.ts'
import { AmbiguousKey, type KeyType, type PixKey, readPixKey } from '../pix/pixKey.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { activeAccount } from './history/paymentPages.ts'
import { requirePayee } from './payee/payeeLedger.ts'
import { typedOrPrompted } from './requiredValue.ts'

/** What is typed about where a transfer goes. */
interface TypedDestination {
  to?: string | undefined
  key?: string | undefined
  keyType?: KeyType | undefined
  owner?: string | undefined
  amount?: number | undefined
}

/** Where a transfer goes, and how much. */
type Destination = Pick<TransferPayment, 'documentValidation' | 'payee' | 'payeeDisplayName'> &
  PixKey & { amountCents: number }

/**
 * The key of a payee, or the key that was typed or prompted for, and the amount. A prompt rejects answers that would fail later. Throws UsageError.
 */
export async function readDestination(context: Context, options: TypedDestination): Promise<Destination> {
  if (options.to !== undefined) return payeeDestination(context, options.to, options.amount)
  const readPayable = (text: string, amountCents: number | undefined, name?: string, keyType = options.keyType) => {
    const read = readKey(context, text, keyType, name)
    if (read.keyType === 'paymentCode') assertPaymentCode(read.key, amountCents, name)
    return read
  }
  const keyText = await typedOrPrompted(context, options.key, '--key', {
    question: t`PIX key of the receiver`,
    hint: t`Add \`--key\` and the PIX key of the receiver, or see \`--help\` for examples`,
    parse(text) {
      if (!isAmbiguous(text, options.keyType)) readPayable(text, options.amount)
      return text
    },
  })
  const isAnswer = options.key === undefined
  const keyType =
    isAnswer && isAmbiguous(keyText, options.keyType) ? await chooseKeyType(context, keyText) : options.keyType
  const pixKey = readPayable(keyText, options.amount, '--key', keyType)
  const amountCents = await readAmountToSend(context, options.amount, (text, name) => {
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
function isAmbiguous(text: string, declared: KeyType | undefined): boolean {
  try {
    readPixKey(text, declared)
    return false
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    return error instanceof AmbiguousKey
  }
}

function chooseKeyType({ terminal }: Context, text: string): Promise<KeyType> {
  return terminal.choose<KeyType>(t`\`${text}\` is both a CPF and a mobile number. Which one is meant?`, [
    { value: 'document', name: t`the CPF` },
    { value: 'phoneNumber', name: t`the mobile number` },
  ])
}

/** Reads the key. Throws UsageError for a guessed phone number if no person reads the question. */
function readKey({ settings }: Context, text: string, declared: KeyType | undefined, name?: string): PixKey {
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
