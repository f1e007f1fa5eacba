import { readAmount, readAmountOrZero, readTaxDocument, readText, withName } from '../../optionParsers.ts'
import { centsFromJson, reaisFromCents } from '../../pix/amount.ts'
import { dueDateFromText } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { isHttpUrl, URL_CHARACTERS_MAX } from '../../wire/address.ts'
import { type AnswerFields, isObject } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'
import type { QrCodeBody } from '../../wire/requests.ts'
import { accountCallbackUrl, CALLBACK_URL_OPTION } from '../callbackUrl.ts'
import { defineOptions, type OptionsOf } from '../command.ts'

/** The options of `qr create` that make up the request body. */
export const QR_BODY_OPTIONS = defineOptions(
  { flags: '--amount <amount>', description: 'amount in reais: 10, 10.50, 10,50 or 1.234,56', parse: readAmount },
  { flags: '--request-number <id>', description: 'order id in your system (default: generated)', parse: readText },
  {
    flags: '--due-date <date>',
    description: 'YYYY-MM-DD, a date-time, today or +3d (default +1d)',
    parse: (typed, name, nowMs) => readDueDate(readText(typed, name), name, nowMs),
  },
  CALLBACK_URL_OPTION,
  { flags: '--shipping-amount <amount>', description: 'shipping amount in reais', parse: readAmountOrZero },
  { flags: '--checkout-user <name>', description: 'checkout user, for identification', parse: readText },
  { flags: '--payer-name <name>', description: 'name of the payer', parse: readText },
  { flags: '--payer-tax-id <document>', description: 'CPF or CNPJ of the payer', parse: readTaxDocument },
  {
    flags: '--payer-email <address>',
    description: 'e-mail address of the payer',
    parse: (typed, name) => readEmailAddress(readText(typed, name), name),
  },
  { flags: '--split-username <name>', description: 'partner who receives a share', parse: readText },
  {
    flags: '--split-percentage <number>',
    description: 'share of the partner, above 0 and at most 100',
    parse: readPercentage,
  },
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
  const amountCents = options.amount ?? amountIn(file)
  const shippingCents = options.shippingAmount ?? shippingIn(file)
  const usernameCheckout = options.checkoutUser ?? textIn(file, 'usernameCheckout')
  const body = {
    ...file,
    requestNumber: options.requestNumber ?? textIn(file, 'requestNumber') ?? dependencies.newId(),
    dueDate: options.dueDate ?? readDueDate(textIn(file, 'dueDate') ?? DEFAULT_DUE_DATE, 'dueDate', dependencies.nowMs),
    amount: reaisFromCents(amountCents),
    ...(shippingCents === undefined ? {} : { shippingAmount: reaisFromCents(shippingCents) }),
    ...(usernameCheckout === undefined ? {} : { usernameCheckout }),
    callbackUrl: options.callbackUrl ?? callbackUrlIn(file) ?? accountCallbackUrl(account),
    ...(client === undefined ? {} : { client }),
    ...(split === undefined ? {} : { split }),
  }
  return { body, amountCents }
}

function amountIn(file: AnswerFields): number {
  if (file.amount === undefined) {
    throw new UsageError(t`\`--amount\` is missing`, {
      hint: t`Add \`--amount 10,50\`, or see \`--help\` for examples`,
    })
  }
  const cents = centsFromJson(file.amount)
  if (cents !== undefined && cents > 0) return cents
  throw badFileField('amount', t`a JSON number above 0 with at most two decimals`)
}

function shippingIn(file: AnswerFields): number | undefined {
  if (file.shippingAmount === undefined) return undefined
  const cents = centsFromJson(file.shippingAmount)
  if (cents !== undefined) return cents
  throw badFileField('shippingAmount', t`a JSON number with at most two decimals`)
}

function clientOf({ payerTaxId, payerEmail, payerName }: QrBodyOptions, file: AnswerFields): QrCodeBody['client'] {
  const inFile = objectOf(file, 'client')
  const taxId = payerTaxId ?? textIn(inFile, 'client.taxId', readTaxDocument)
  const email = payerEmail ?? textIn(inFile, 'client.email', readEmailAddress)
  const name = payerName ?? textIn(inFile, 'client.name')
  if (taxId === undefined && email === undefined && name === undefined) return undefined
  return {
    ...inFile,
    ...(name === undefined ? {} : { name }),
    ...(taxId === undefined ? {} : { taxId }),
    ...(email === undefined ? {} : { email }),
  }
}

function splitOf({ splitUsername, splitPercentage }: QrBodyOptions, file: AnswerFields): QrCodeBody['split'] {
  const inFile = objectOf(file, 'split')
  const username = splitUsername ?? textIn(inFile, 'split.username')
  const percentage = splitPercentage ?? inFile.percentageSplit
  if (username === undefined && percentage === undefined) return undefined
  if (username === undefined || percentage === undefined) {
    throw new UsageError(t`\`--split-username\` and \`--split-percentage\` must be used together`, {
      hint: t`Add both, for example \`--split-username partner --split-percentage 10\``,
    })
  }
  if (isPercentage(percentage)) return { ...inFile, username, percentageSplit: percentage }
  throw badFileField('split.percentageSplit', t`a JSON number above 0 and at most 100`)
}

function readDueDate(typed: string, name: string, nowMs: number): string {
  return withName(name, () => dueDateFromText(typed, nowMs))
}

/** Checks the length first, because the pattern is slow for long text. */
function readEmailAddress(typed: string, name: string): string {
  if (typed.length <= EMAIL_CHARACTERS_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)) return typed
  throw new UsageError(t`\`${name}\`: \`${typed}\` is not an e-mail address`, {
    hint: t`Write it like \`maria@example.com\``,
  })
}

function readPercentage(typed: string, name: string): number {
  const isNumber = /^\d{1,3}(?:[.,]\d{1,4})?$/.test(typed.trim())
  const percentage = Number(typed.trim().replace(',', '.'))
  if (isNumber && isPercentage(percentage)) return percentage
  throw new UsageError(t`\`${name}\` must be a number above 0 and at most 100, not \`${typed}\``, {
    hint: t`Write it like \`${name} 12.5\``,
  })
}

function isPercentage(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 100
}

function callbackUrlIn(file: AnswerFields): string | undefined {
  const url = textIn(file, 'callbackUrl')
  if (url === undefined || isHttpUrl(url)) return url
  throw badFileField(
    'callbackUrl',
    t`a URL such as https://shop.example.com/pix, of at most ${URL_CHARACTERS_MAX} characters`,
  )
}

/** The text in a field of the file; undefined without it. `path` names the field; `file` is the object that contains it. */
function textIn(file: AnswerFields, path: string, parse = (text: string, _path: string) => text): string | undefined {
  const value = file[path.split('.').at(-1) ?? path]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.trim() !== '' && !hasControlCharacter(value)) return parse(value, path)
  throw badFileField(path, t`a JSON string that is not blank and has no control characters`)
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
