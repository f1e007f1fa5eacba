import type { Payee } from '../../ledger/payees.ts'
import { readTaxDocument, readText, withName } from '../../optionParsers.ts'
import { KEY_TYPES, type KeyType, readPixKey } from '../../pix/pixKey.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import { parseDisplayName, parsePayeeName } from './payeeValues.ts'

/** The options that `add` and `edit` share. */
export const PAYEE_OPTIONS = defineOptions(
  { flags: '--key <key>', description: 'PIX key, see `pixgate help keys`', parse: readText },
  {
    flags: '--key-type <type>',
    description: 'type of the key (default: detected)',
    choices: KEY_TYPES.filter((type) => type !== 'paymentCode'),
  },
  {
    flags: '--owner <document>',
    description: 'CPF or CNPJ that must own the key; it is always sent',
    parse: readTaxDocument,
  },
  {
    flags: '--display-name <name>',
    description: 'the name that people see in lists and receipts',
    parse: readDisplayName,
  },
)

export type PayeeOptions = OptionsOf<typeof PAYEE_OPTIONS>

/** The name of a payee. Throws UsageError. */
export function readPayeeName(typed: string, option = '<name>'): string {
  const text = readText(typed, option)
  return withName(option, () => parsePayeeName(text))
}

/** Reads the key of a payee. Throws UsageError, also for one that may be a phone number or a mistyped CPF. */
export function readPayeeKey(typed: string, declared: KeyType | undefined): Pick<Payee, 'key' | 'keyType'> {
  const { key, keyType, isGuessedPhone } = withName('--key', () => readPixKey(typed, declared))
  if (keyType === 'paymentCode') {
    throw new UsageError(t`\`--key\`: a payment code pays one bill, so it is no payee`, {
      hint: t`Pay it with \`pixgate transfer --key\`, or use the PIX key of the receiver`,
    })
  }
  if (isGuessedPhone) {
    throw new UsageError(t`\`--key\`: \`${key}\` could be a mobile number or a mistyped CPF`, {
      hint: t`Add \`--key-type phoneNumber\` if it is a mobile number, or correct the CPF`,
    })
  }
  return { key, keyType }
}

function readDisplayName(typed: string, option?: string): string {
  const text = readText(typed, option)
  return withName(option, () => parseDisplayName(text))
}
