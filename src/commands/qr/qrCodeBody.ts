import { centsFromJson, parseAmount, reaisFromCents } from '../../pix/amount.ts'
import { dueDateFromText } from '../../pix/calendar.ts'
import { parseTaxDocument } from '../../pix/taxDocument.ts'
import type { Account } from '../../profiles/account.ts'
import { parseOption } from '../../settings.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { isHttpUrl, URL_CHARACTERS_MAX } from '../../wire/address.ts'
import { type AnswerFields, isObject } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'
import type { QrCodeBody } from '../../wire/requests.ts'
import { CALLBACK_URL_OPTION, callbackUrl } from '../callbackUrl.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import { requireText } from '../optionValues.ts'

/** The options of `qr create` that make up the request body. */
export const QR_BODY_OPTIONS = defineOptions(
  { flags: '--amount <amount>', description: 'amount in reais: 10, 10.50, 10,50 or 1.234,56' },
  { flags: '--request-number <id>', description: 'order id in your system (default: generated)' },
  { flags: '--due-date <date>', description: 'YYYY-MM-DD, a date-time, today or +3d (default +1d)' },
  CALLBACK_URL_OPTION,
  { flags: '--shipping-amount <amount>', description: 'shipping amount in reais' },
  { flags: '--checkout-user <name>', description: 'checkout user, for identification' },
  { flags: '--payer-name <name>', description: 'name of the payer' },
  { flags: '--payer-tax-id <document>', description: 'CPF or CNPJ of the payer' },
  { flags: '--payer-email <address>', description: 'e-mail address of the payer' },
  { flags: '--split-username <name>', description: 'partner who receives a share' },
  { flags: '--split-percentage <number>', description: 'share of the partner, above 0 and at most 100' },
)

type QrBodyOptions = OptionsOf<typeof QR_BODY_OPTIONS>

const DEFAULT_DUE_DATE = '+1d'
/** The limit of SMTP. */
const EMAIL_CHARACTERS_MAX = 254

/**
 * Builds the body of a cash-in request from options, then the fields of a file, then defaults. Unknown fields of the file are
 * kept. Throws a UsageError that names the option or field.
 */
export function qrCodeBody(
  options: QrBodyOptions,
  file: AnswerFields,
  account: Account,
  dependencies: { nowMs: number; newId: () => string },
): { body: QrCodeBody; amountCents: number } {
  const client = clientOf(options, file)
  const split = splitOf(options, file)
  const amountCents = requiredAmount(options.amount, file)
  const shippingCents = optionalAmount(options.shippingAmount, file)
  const usernameCheckout = textOf(options.checkoutUser, '--checkout-user', file, 'usernameCheckout')
  const dueDate = textOf(options.dueDate, '--due-date', file, 'dueDate') ?? DEFAULT_DUE_DATE
  const body = {
    ...file,
    requestNumber: textOf(options.requestNumber, '--request-number', file, 'requestNumber') ?? dependencies.newId(),
    dueDate: parseOption(sourceName(options.dueDate, '--due-date', 'dueDate'), () =>
      dueDateFromText(dueDate, dependencies.nowMs),
    ),
    amount: reaisFromCents(amountCents),
    ...(shippingCents === undefined ? {} : { shippingAmount: reaisFromCents(shippingCents) }),
    ...(usernameCheckout === undefined ? {} : { usernameCheckout }),
    callbackUrl: callbackUrlOf(options, file, account),
    ...(client === undefined ? {} : { client }),
    ...(split === undefined ? {} : { split }),
  }
  return { body, amountCents }
}

function requiredAmount(typed: string | undefined, file: AnswerFields): number {
  if (typed !== undefined) return parseOption('--amount', () => parseAmount(typed))
  if (file.amount === undefined) {
    throw new UsageError(t`\`--amount\` is missing`, {
      hint: t`Add \`--amount 10,50\`, or see \`--help\` for examples`,
    })
  }
  const cents = centsFromJson(file.amount)
  if (cents !== undefined && cents > 0) return cents
  throw badFileField('amount', t`a JSON number above 0 with at most two decimals`)
}

function optionalAmount(typed: string | undefined, file: AnswerFields): number | undefined {
  if (typed !== undefined) return parseOption('--shipping-amount', () => parseAmount(typed, { zeroAllowed: true }))
  if (file.shippingAmount === undefined) return undefined
  const cents = centsFromJson(file.shippingAmount)
  if (cents !== undefined) return cents
  throw badFileField('shippingAmount', t`a JSON number with at most two decimals`)
}

function clientOf(options: QrBodyOptions, file: AnswerFields): QrCodeBody['client'] {
  const inFile = objectOf(file, 'client')
  const taxId = textOf(options.payerTaxId, '--payer-tax-id', inFile, 'client.taxId')
  const email = textOf(options.payerEmail, '--payer-email', inFile, 'client.email')
  const name = textOf(options.payerName, '--payer-name', inFile, 'client.name')
  if (email !== undefined && !isEmailAddress(email)) {
    const source = sourceName(options.payerEmail, '--payer-email', 'client.email')
    throw new UsageError(t`\`${source}\`: \`${email}\` is not an e-mail address`, {
      hint: t`Write it like \`maria@example.com\``,
    })
  }
  const taxIdSource = sourceName(options.payerTaxId, '--payer-tax-id', 'client.taxId')
  if (taxId === undefined && email === undefined && name === undefined) return undefined
  return {
    ...inFile,
    ...(name === undefined ? {} : { name }),
    ...(taxId === undefined ? {} : { taxId: parseOption(taxIdSource, () => parseTaxDocument(taxId).document) }),
    ...(email === undefined ? {} : { email }),
  }
}

function splitOf(options: QrBodyOptions, file: AnswerFields): QrCodeBody['split'] {
  const inFile = objectOf(file, 'split')
  const username = textOf(options.splitUsername, '--split-username', inFile, 'split.username')
  const typed = options.splitPercentage
  const percentage = typed === undefined ? inFile.percentageSplit : readPercentage(typed)
  if (username === undefined && percentage === undefined) return undefined
  if (username === undefined || percentage === undefined) {
    throw new UsageError(t`\`--split-username\` and \`--split-percentage\` must be used together`, {
      hint: t`Add both, for example \`--split-username partner --split-percentage 10\``,
    })
  }
  if (typeof percentage !== 'number' || !(percentage > 0 && percentage <= 100)) {
    if (typed === undefined) throw badFileField('split.percentageSplit', t`a JSON number above 0 and at most 100`)
    throw new UsageError(t`\`--split-percentage\` must be a number above 0 and at most 100, not \`${typed}\``, {
      hint: t`Write it like \`--split-percentage 12.5\``,
    })
  }
  return { ...inFile, username, percentageSplit: percentage }
}

/** Checks the length first, because the pattern is slow for long text. */
function isEmailAddress(text: string): boolean {
  return text.length <= EMAIL_CHARACTERS_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}

function readPercentage(typed: string): number {
  return /^\d{1,3}(?:[.,]\d{1,4})?$/.test(typed.trim()) ? Number(typed.trim().replace(',', '.')) : Number.NaN
}

function callbackUrlOf(options: QrBodyOptions, file: AnswerFields, account: Account): string {
  const url = textOf(options.callbackUrl, '--callback-url', file, 'callbackUrl')
  if (url === undefined || options.callbackUrl !== undefined) return callbackUrl(account, url)
  if (isHttpUrl(url)) return url
  throw badFileField(
    'callbackUrl',
    t`a URL such as https://shop.example.com/pix, of at most ${URL_CHARACTERS_MAX} characters`,
  )
}

/** The text of an option, else of a field in the file. `path` names the field; `file` is the object that contains it. */
function textOf(typed: string | undefined, option: string, file: AnswerFields, path: string): string | undefined {
  if (typed !== undefined) return requireText(typed, option)
  const value = file[path.split('.').at(-1) ?? path]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.trim() !== '' && !hasControlCharacter(value)) return value
  throw badFileField(path, t`a JSON string that is not blank and has no control characters`)
}

/** What to name in an error: the option, if it was typed, else the field of the file. */
function sourceName(typed: string | undefined, option: string, path: string): string {
  return typed === undefined ? path : option
}

function objectOf(file: AnswerFields, name: string): AnswerFields {
  const value = file[name]
  if (value === undefined) return {}
  if (isObject(value)) return value
  throw badFileField(name, t`a JSON object`)
}

function badFileField(name: string, expected: string): UsageError {
  return new UsageError(t`The field \`${name}\` of the request body must be ${expected}`, {
    hint: t`Correct the file, or set the value with an option`,
  })
}
