import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { hasOwnClock } from '../../gateway/connections.ts'
import { postFailure } from '../../gateway/gatewayErrors.ts'
import { createQrCodeRequest, describeRequest } from '../../gateway/requests.ts'
import { waitForPayment } from '../../gateway/waitForPayment.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { findPayments, isOfAccount } from '../../ledger/payments.ts'
import type { AttemptRecord } from '../../ledger/records.ts'
import { stateFromStatus } from '../../ledger/statusMeaning.ts'
import { readAmount, readAmountOrZero, readTaxDocument, readText, withName } from '../../optionParsers.ts'
import { firstAnswer, recordAnswer, UNRECORDED_EXIT, unrecordedFailure } from '../../payments/attemptOutcomes.ts'
import { ownerOf } from '../../payments/paymentContext.ts'
import { centsFromJson, formatReais, reaisFromCents } from '../../pix/amount.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { dueDateFromText, formatInstant, isRelativeDueDate, parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { ADDRESS_VARIABLE } from '../../profiles/profile.ts'
import type { EventStatus } from '../../schemas/webhookBodies.ts'
import { accountOptions } from '../../settings.ts'
import { accountCallbackUrl, CALLBACK_URL_OPTION, typedCallbackUrl } from '../../steps/callbackUrl.ts'
import { DEFAULT_WAIT, INTERVAL_OPTION, waitOption } from '../../steps/optionSets.ts'
import { promptFor } from '../../steps/requiredValue.ts'
import { answerRow, requestingAccount, showDryRun } from '../../steps/sendPayments.ts'
import { drawForTerminal, noteDrawing, type TerminalDrawing } from '../../steps/terminalDrawing.ts'
import { writeWholeFile } from '../../storage/wholeFile.ts'
import { assertOutputPath } from '../../terminal/outputFile.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { hasControlCharacter, safeText } from '../../text/safeText.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { stateRow } from '../../views/payments/paymentCells.ts'
import { amountText, instantText } from '../../views/valueText.ts'
import { type AnswerFields, isObject, readObject, readPaymentStatus, statusOf, textField } from '../../wire/answers.ts'
import { isHttpUrl, URL_CHARACTERS_MAX } from '../../wire/baseAddress.ts'
import { Cancelled, FailedAfterAcceptance, Failure, UsageError } from '../../wire/errors.ts'
import type { QrCodeBody } from '../../wire/requestFormat.ts'

const QR_BODY_OPTIONS = defineOptions(
  { flags: '--amount <amount>', description: 'amount in reais: 10, 10.50, 10,50 or 1.234,56', parse: readAmount },
  { flags: '--request-number <id>', description: 'order id in your system (default: generated)', parse: readText },
  {
    flags: '--due-date <date>',
    description: 'a day, today, +3d or a date-time (default +1d)',
    parse: readDueDate,
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
 * kept, and a due date that counts from today is as it was typed. Throws a UsageError that names the option or field.
 */
function qrCodeBody(
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

/** A day that counts from today stays as it is typed, until it is known by which clock. */
function readDueDate(typed: string, name: string, nowMs: number): string {
  const wire = withName(name, () => dueDateFromText(readText(typed, name), nowMs))
  return isRelativeDueDate(typed) ? typed : wire
}

/** The due date of the request. One that counts from today asks a sandbox on this machine for its time. */
async function dueDateOf(context: Context, account: Account, typed: string): Promise<string> {
  const isAsked = isRelativeDueDate(typed) && hasOwnClock(account)
  const gatewayMs = isAsked ? await (await context.gateway()).serverTimeMs() : null
  return dueDateFromText(typed, gatewayMs ?? context.now())
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

const OPTIONS = defineOptions(
  ...QR_BODY_OPTIONS,
  { flags: '--from <file>', description: 'JSON request body, - for stdin; options come first', parse: readText },
  { flags: '--png <file>', description: 'write the image that the gateway returns', parse: readText },
  { flags: '--qr', description: 'draw the code into a file or pipe, too' },
  { flags: '--no-qr', description: 'do not draw the code' },
  { flags: '--again', description: 'allow a request number that was used before' },
  waitOption('wait until it is paid, expired or cancelled', DEFAULT_WAIT),
  INTERVAL_OPTION,
  { flags: '--dry-run', description: 'print the exact request, and send nothing' },
)

type CreateOptions = OptionsOf<typeof OPTIONS>

export const qrCreate = defineCommand({
  sendsPayments: true,
  options: OPTIONS,
  usualOptions: ['--amount', '--request-number', '--due-date', '--payer-name', '--png', '--no-qr', '--wait'],
  examples: [
    ['pixgate qr create --amount 10,50', 'a code that can be paid until tomorrow'],
    [
      'pixgate qr create --amount 10,50 --request-number order-17 --wait',
      'wait for the payment: exit 0 when it is paid',
    ],
    ['pixgate qr create --from order.json --png code.png -o json', 'for a script'],
  ],
  run: create,
})

async function create(context: Context, options: CreateOptions): Promise<number> {
  const { settings, terminal, print } = context
  const account = await requestingAccount(context, options)
  const { wait: waitMs = null, interval: intervalMs } = options
  const file = options.from === undefined ? {} : await readBody(context, options.from)
  const isAsked = options.amount === undefined && file.amount === undefined && terminal.canAsk
  const amount = isAsked ? await promptFor(terminal, t`Amount in reais`, readAmount) : options.amount
  const callbackUrl = await typedCallbackUrl(context, account, options.callbackUrl)
  const typed = { ...options, amount, callbackUrl }
  const { body: undated, amountCents } = qrCodeBody(typed, file, account, {
    nowMs: context.now(),
    newId: context.newId,
  })
  if (options.png !== undefined && options.dryRun !== true) await assertOutputPath('--png', options.png)
  const body = { ...undated, dueDate: await dueDateOf(context, account, undated.dueDate) }
  const request = createQrCodeRequest(account, body)
  if (options.dryRun) return showDryRun(context, describeRequest(request))
  // Created before anything is recorded, so that a request that cannot be sent leaves no record.
  const gateway = await context.gateway()
  const ledger = await context.ledger()
  if (!options.again) await assertRequestNumberUnused(ledger, account, body.requestNumber)
  const sender = await ledger.sender()
  const record = await ledger.write((writer) =>
    writer.append<AttemptRecord>({
      type: 'attempt',
      payment: writer.newId(),
      number: 1,
      owner: ownerOf(account),
      facts: {
        kind: 'qr',
        requestNumber: body.requestNumber,
        amountCents,
        payer: payerText(body),
        payerName: body.client?.name ?? null,
      },
      externalId: null,
      body: null,
      place: null,
      rowId: null,
      sender: sender.id,
    }),
  )
  const end = await gateway.post(request)
  const failure = postFailure(account, { kind: 'qr', requestNumber: body.requestNumber }, end, settings.timeoutMs)
  const answered = { attempt: record, answer: firstAnswer(record, end) }
  const { unrecorded, warnings: recording } = await recordAnswer(await context.payments(), answered)
  if (failure !== undefined) throw unrecorded === null ? failure : unrecordedFailure(failure, unrecorded)
  if (end.outcome !== 'accepted') throw new Error('a POST that was not accepted has a failure')
  const { fields, idTransaction } = end
  const code = textField(fields, 'paymentCode')
  const warnings = [...recording, ...codeWarnings(code, amountCents)]
  if (options.png !== undefined) warnings.push(...(await writePng(options.png, textField(fields, 'paymentCodeBase64'))))
  const pixgate = { profile: account.profile, environment: account.environment, outcome: 'accepted', warnings }
  const document = { ...fields, requestNumber: body.requestNumber, status: statusOf(fields) ?? 'PENDING', pixgate }
  const drawing = await drawingOf(context, options, code)
  const below = [
    safeText(code ?? ''),
    '',
    ...labelledLines(createdRows(idTransaction, amountCents, fields, body.requestNumber), terminal.out),
  ]
  const write = waitMs === null ? print.one : print.item
  write(document, () => [...(drawing.lines ?? []), ...below])
  noteDrawing(context, drawing, below)
  for (const warning of warnings) terminal.warn(warning)
  if (waitMs !== null) {
    return wait(context, idTransaction, waitMs, intervalMs).catch((error: unknown) => {
      throw error instanceof Failure ? failedAfterwards(error, idTransaction, body.requestNumber) : error
    })
  }
  // A number that is used again names both charges, and one that was not recorded is not found here.
  const isNamed = options.requestNumber !== undefined && !options.again && unrecorded === null
  const name = commandArgument(isNamed ? body.requestNumber : idTransaction)
  const words = accountOptions(settings) + name
  terminal.next(t`Run \`pixgate status ${words}\` to look it up`)
  if (account.isLoopback && account.environment === 'sandbox') {
    // With a profile typed, the sandbox commands do not go by the variable that this code was created with.
    const isVariable = settings.profile !== undefined && Boolean(context.runtime.env[ADDRESS_VARIABLE])
    const address = settings.baseUrl ?? (isVariable ? account.url : undefined)
    const payWords = accountOptions({ ...settings, baseUrl: address }) + name
    terminal.next(t`Pay it in the sandbox with \`pixgate sandbox pay ${payWords}\``)
  }
  return unrecorded === null ? 0 : UNRECORDED_EXIT
}

/** Rejects a request number that was used before: a second code for one order could be paid twice. */
async function assertRequestNumberUnused(ledger: Ledger, account: Account, requestNumber: string): Promise<void> {
  const found = await ledger.read((database) => findPayments(database, requestNumber))
  const earlier = found.findLast(
    (each) =>
      each.facts.kind === 'qr' &&
      each.givenId === requestNumber &&
      isOfAccount(each, account) &&
      // It exists at the gateway or may, also if it expired since.
      each.summary.state !== 'refused' &&
      each.summary.state !== 'not-sent',
  )
  if (earlier === undefined) return
  throw new UsageError(t`The request number \`${requestNumber}\` was already used by this account`, {
    code: 'REPEAT',
    details: [t`At ${formatInstant(earlier.summary.sentMs)}, for ${amountText(earlier.amountCents)}`],
    hint: t`Choose another \`--request-number\`, or add \`--again\` to create a second code for the same order`,
  })
}

/** What the request says about the payer, for search; null if nothing. */
function payerText({ client, usernameCheckout }: QrCodeBody): string | null {
  const parts = [client?.name, client?.taxId, client?.email, usernameCheckout].filter((part) => part !== undefined)
  return parts.length === 0 ? null : parts.join(' ')
}

async function readBody(context: Context, path: string): Promise<AnswerFields> {
  const fields = readObject(await context.readInput(path, 'requestBody'))
  if (fields !== undefined) return fields
  throw new UsageError(t`\`--from ${path}\` does not contain a JSON object`, {
    hint: t`Write the request body as JSON, for example {"amount": 10.5, "requestNumber": "order-17"}`,
  })
}

/** The drawing that is printed; nothing if none was requested. */
async function drawingOf(context: Context, options: CreateOptions, code: string | null): Promise<TerminalDrawing> {
  const showsDrawing = options.qr ?? context.terminal.outIsTerminal
  if (!showsDrawing || code === null || context.print.format !== 'text') return { lines: null, whyNot: null }
  return drawForTerminal(context, code)
}

function createdRows(
  idTransaction: string,
  amountCents: number,
  fields: AnswerFields,
  requestNumber: string,
): LabelledRow[] {
  const expiresAt = textField(fields, 'expiresAt')
  const expiresAtMs = expiresAt === null ? undefined : parseInstant(expiresAt)
  return [
    [t`id`, idTransaction],
    ...answerRow(fields),
    [t`amount`, formatReais(amountCents)],
    [t`expires`, expiresAtMs === undefined ? (expiresAt ?? '—') : instantText(expiresAtMs)],
    [t`request`, requestNumber],
  ]
}

/** What the end of a wait means for a script: that the payment was received, that it ended unpaid, or neither. */
const STATUS_EXIT_CODES: Readonly<Record<EventStatus<'pix.received'>, 0 | 1 | 8>> = {
  PENDING: 8,
  PAID: 0,
  EXPIRED: 1,
  CANCELLED: 1,
  REFUNDED: 0,
}
const EXIT_CODES: ReadonlyMap<string, number> = new Map(Object.entries(STATUS_EXIT_CODES))

async function wait(context: Context, idTransaction: string, waitMs: number, intervalMs: number): Promise<number> {
  const { terminal, print } = context
  const account = await context.account()
  terminal.note(t`Waiting for the payment; Ctrl-C stops waiting and does not cancel the code`)
  const { fields } = await waitForPayment(await context.gateway(), idTransaction, {
    waitMs,
    intervalMs,
    interrupt: context.runtime.interrupt,
    now: context.now,
    onTrouble: (message) => terminal.note(message),
  })
  const { status, amountCents, paidAtMs } = readPaymentStatus(fields)
  const pixgate = { profile: account.profile, environment: account.environment, knownBy: 'gateway', warnings: [] }
  print.item({ idTransaction, ...fields, status, pixgate }, () =>
    labelledLines(
      [
        stateRow(stateFromStatus('qr', status), terminal.out),
        [t`amount`, amountText(amountCents)],
        [t`paid at`, instantText(paidAtMs)],
      ],
      terminal.out,
    ),
  )
  return EXIT_CODES.get(status?.toUpperCase() ?? '') ?? 8
}

/** Reports that the code exists although the wait failed: creating it again could charge the payer twice. */
function failedAfterwards(cause: Failure, idTransaction: string, requestNumber: string): FailedAfterAcceptance {
  const message =
    cause instanceof Cancelled
      ? t`Interrupted while waiting; the code \`${idTransaction}\` was created with the request number \`${requestNumber}\``
      : t`The code \`${idTransaction}\` was created with the request number \`${requestNumber}\`, but the wait for its payment failed`
  return new FailedAfterAcceptance(message, cause, {
    httpStatus: cause.httpStatus ?? undefined,
    details: cause instanceof Cancelled ? [] : [t`${cause.message}`],
    hint: t`Continue waiting with \`pixgate status --wait ${commandArgument(idTransaction)}\``,
  })
}

/** Shown to payers, by a web server for example, so it is not private. */
const IMAGE_MODE = 0o666
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Warnings about the code that the gateway returned for this amount; empty if it is valid. */
function codeWarnings(code: string | null, amountCents: number): string[] {
  if (code === null) return [t`The gateway returned no payment code, so this charge cannot be paid`]
  const brCode = readBrCode(code)
  if (!brCode.valid) return [t`The returned code is not a valid BR Code; do not show it to a payer`]
  if (brCode.amountCents === null || brCode.amountCents === amountCents) return []
  return [
    t`The returned code is for ${formatReais(brCode.amountCents)}, not ${formatReais(amountCents)}; do not show it to a payer`,
  ]
}

/** Writes the image that the gateway returned. Returns warnings instead of throwing, because the charge already exists. */
async function writePng(path: string, base64: string | null): Promise<string[]> {
  const image = Buffer.from((base64 ?? '').replace(/^data:image\/png;base64,/, ''), 'base64')
  if (!image.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
    return [t`The gateway returned no PNG image, so ${path} was not written; draw the code with \`pixgate qr draw\``]
  }
  try {
    await writeWholeFile(path, image, IMAGE_MODE)
    return []
  } catch (error) {
    return [t`The image could not be written to ${path}: ${codeOf(error)}`]
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
