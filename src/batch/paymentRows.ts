import type { MoneyPayment, TransferPayment } from '../ledger/facts.ts'
import type { Payee, SentKey } from '../ledger/payees.ts'
import { nameOf } from '../ledger/runs.ts'
import { isSameId } from '../ledger/samePayment.ts'
import { assertReais, formatReais, parseAmount, tryParseAmount } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { copiedCode } from '../pix/copiedCode.ts'
import { comparableKey, comparableKeysOf, destinationOf, formatKey } from '../pix/destination.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { keyTypeOfHeader, readKeyTypeWord } from '../pix/keyTypeWords.ts'
import { isSameName } from '../pix/payeeName.ts'
import {
  AmbiguousKey,
  assertPixKey,
  cpfOfOwner,
  type DeclaredKeyType,
  type KeyType,
  keyTypeOf,
  mayBePixKey,
  readPixKey,
} from '../pix/pixKey.ts'
import { fitsAny, HEADINGS, headingForms, isNoOwner, pairedDocument } from '../pix/tableWords.ts'
import { formatTaxDocument, isCnpj, isCpf, parseTaxDocument } from '../pix/taxDocument.ts'
import { secondOf, type TableSpec } from '../spreadsheet/tableHeader.ts'
import {
  assertOrdinarySpaces,
  assertTextCell,
  cellOf,
  type FileHeader,
  type RowCells,
} from '../spreadsheet/tableRecords.ts'
import { shellWord } from '../text/shellWord.ts'
import { currentLanguage, t } from '../text/translate.ts'
import { isHttpUrl, URL_CHARACTERS_MAX, withoutPassword } from '../wire/baseAddress.ts'

/** What a row of a file says, checked. */
export interface ReadRow {
  /** The payment that it asks for; its callback URL is empty if the row has none, so that the run's own is used. */
  facts: MoneyPayment
  /** The externalId of a transfer in the file; null if one is to be derived. */
  typedId: string | null
  /** Who paid the payment that is refunded, by the best name that is known; null if none is. */
  payer: string | null
  /** The name in the row of a refund if it is not the payer's; null if it is, or if one of the two is not known. */
  otherName: string | null
}

/** A table of payments, of which some fields are numbers that must stay text. */
export interface PaymentSpec extends TableSpec {
  amount: string
  texts: readonly string[]
}

/** The columns of a file of payments, by the names of the request. One that is not what it seems would pay another amount or somebody else. */
export const PAYMENT_TABLES: Readonly<Record<'transfer' | 'refund', PaymentSpec>> = {
  transfer: {
    fields: {
      key: ['key'],
      value: ['amount', 'amountToPay', 'netAmount'],
      typeKey: ['keyType'],
      externalId: [],
      documentValidation: ['owner'],
      callbackUrl: [],
      currency: ['currency'],
      name: ['name'],
      payee: ['payee'],
    },
    orElse: { documentValidation: 'document' },
    // Whatever names an owner is compared, so that none is dropped without a word.
    second: { documentValidation: (forms) => [...pairedDocument(forms), 'document'] },
    needed: [['key', 'payee'], ['value']],
    choice: 'sure',
    shownOnly: 'name',
    amount: 'value',
    texts: ['key', 'externalId', 'documentValidation', secondOf('documentValidation')],
    keepsRows: true,
    hints: {
      key: /^(?!.*(?:tipo|type|(?:^|[^a-z])tp)).*(?:chav|pix|key)/i,
      value: /valor|amount|quantia|montante|total/i,
      typeKey: /tipo|type/i,
      documentValidation: /documento?|cpf|cnpj/i,
      callbackUrl: /callback|webhook/i,
    },
    // Many are paid to the CPF or CNPJ itself.
    orIn: { key: 'documentValidation' },
  },
  refund: {
    fields: {
      originalTransactionId: ['originalPayment'],
      amount: ['amount', 'amountToReturn'],
      refundReason: ['reason'],
      callbackUrl: [],
      currency: ['currency'],
      name: ['name'],
    },
    orElse: { originalTransactionId: 'orderNumber' },
    second: { originalTransactionId: () => ['orderNumber'] },
    needed: [['originalTransactionId']],
    choice: 'sure',
    shownOnly: 'name',
    amount: 'amount',
    texts: ['originalTransactionId', secondOf('originalTransactionId')],
    keepsRows: true,
    hints: {
      originalTransactionId: /transa|transfer|original|e2e|\bid\b/i,
      amount: /valor|value|quantia|montante|total/i,
      refundReason: /motivo|reason|raz[aã]o/i,
      callbackUrl: /callback|webhook/i,
    },
  },
}

/**
 * Reads one row of a transfer file; undefined if it has faults, which the cells have noted. `found` is what the ledger knows of the payee that the row
 * names, null if it names none.
 */
export function readTransferRow(cells: RowCells, found: FoundPayee | null): ReadRow | undefined {
  const typedCents = cells.readOptional('value', (text) => parseAmount(text))
  const target = readTarget(cells, found, typedCents)
  const codeCents = target?.keyType === 'paymentCode' ? centsInCode(target.key) : null
  const amountCents = typedCents === null ? (codeCents ?? cells.read('value', (text) => parseAmount(text))) : typedCents
  const callbackUrl = readCallbackUrl(cells)
  const typedId = readTypedId(cells, 'externalId')
  cells.readOptional('currency', assertReais)
  if (cells.faults.length > 0 || target === undefined || amountCents === undefined) return undefined
  if (callbackUrl === undefined || typedId === undefined) return undefined
  return { facts: { kind: 'transfer', ...target, amountCents, callbackUrl }, typedId, payer: null, otherName: null }
}

/** The amount that a payment code asks for; null for any other text, and for a code that leaves it open. */
function centsInCode(key: string): number | null {
  return key.startsWith('000201') ? readBrCode(key).amountCents || null : null
}

/** The amount that a record states, by its column or else by its payment code; null if none can be read. */
export function statedCents(
  header: Pick<FileHeader, 'places'>,
  cells: readonly string[],
  spec: PaymentSpec,
): number | null {
  const amount = cellOf(header, cells, spec.amount)
  return amount === '' ? centsInCode(cellOf(header, cells, spec.needed[0]?.[0])) : tryParseAmount(amount)
}

type Target = Pick<TransferPayment, 'key' | 'keyType' | 'documentValidation' | 'payee' | 'payeeDisplayName'>

/** To where a row goes: to its key, or to that of its payee, whose owner is always checked. */
function readTarget(
  cells: RowCells,
  found: FoundPayee | null,
  typedCents: number | null | undefined,
): Target | undefined {
  const payee = rowPayee(cells, found)
  const declared = declaredType(cells)
  if (payee === null && cells.has('payee') && cells.raw('key').trim() === '') {
    cells.fault('payee', t`The row has neither a payee nor a key`)
    return undefined
  }
  const readCell = (text: string) => {
    const isKeyOfPayee = payee && comparableKeysOf(text).includes(comparableKey(payee.key, payee.keyType))
    if (isKeyOfPayee && destinationOf(text, payee.keyType).key === text) return payee
    const read = readKeyIn(cells, text, declared, 'documentValidation')
    if (read.keyType === 'paymentCode') assertPaymentCode(read.key, typedCents ?? null)
    return read
  }
  const read = payee === null ? cells.read('key', readCell) : cells.readOptional('key', readCell)
  const owner = readOwnerIn(cells, 'documentValidation', readOwner)
  if (payee === undefined || read === undefined || owner === undefined) return undefined
  if (payee === null) {
    return read === null ? undefined : { ...read, documentValidation: owner, payee: null, payeeDisplayName: null }
  }
  // The header says of which type the keys are that the file has, not those of its payees.
  const code = read?.keyType === 'paymentCode' ? read : null
  const isTyped = code === null && cells.raw('typeKey').trim() !== ''
  compareWithPayee(cells, payee, { sent: read, declared: isTyped ? declared : null, owner })
  const { documentValidation, name, displayName } = payee
  const { key, keyType } = code ?? payee
  return { key, keyType, documentValidation, payee: name, payeeDisplayName: displayName }
}

/** A key that is the CPF of the owner in its row, and is called a mobile number: it cannot be told which of the two was meant. */
function keyOfOwner(text: string, cells: RowCells, field: string): Malformed {
  const key = text.trim()
  const isFirst = cpfOfOwner(key, cells.raw(field)) !== undefined
  const owner = cells.columnOf(isFirst ? field : secondOf(field))
  const typed = cells.raw('typeKey').trim()
  return new Malformed(
    typed === ''
      ? t`\`${key}\` is the CPF in the column \`${owner}\`, but the key column is \`${cells.columnOf('key')}\``
      : t`\`${key}\` is the CPF in the column \`${owner}\`, but the column \`${cells.columnOf('typeKey')}\` says \`${typed}\``,
    t`Write \`+55${key}\` if the mobile number is meant, or \`CPF\` as its type`,
  )
}

/** The type of the key by the row or by the header of its column; null if neither names one. */
function declaredType(cells: RowCells): DeclaredKeyType | null {
  const ofColumn = keyTypeOfHeader(cells.columnOf('key'))
  const ofRow = cells.readOptional('typeKey', readKeyTypeWord)
  if (ofRow === null || ofRow === undefined || ofColumn === null) return ofRow ?? ofColumn
  const declared = narrowerType(ofRow, ofColumn)
  if (declared !== null) return declared
  const [typed, column] = [cells.raw('typeKey').trim(), cells.columnOf('key')]
  cells.fault(
    'typeKey',
    t`\`${typed}\` contradicts the name of the key column, which is \`${column}\`. Correct one of them`,
  )
  return ofRow
}

function assertPaymentCode(code: string, typedCents: number | null): void {
  const brCode = readBrCode(code)
  if (!brCode.valid) {
    throw new Malformed(t`The payment code is invalid: ${brCode.errors.join('; ')}`, t`Copy the whole code again`)
  }
  if (brCode.kind === 'recurrence') {
    throw new Malformed(
      t`The payment code only authorises recurring payments (Pix Automático), so it cannot be paid`,
      t`Ask the receiver for a code or a key of this one payment`,
    )
  }
  if (
    typedCents === null ||
    brCode.amountCents === null ||
    brCode.amountCents === 0 ||
    brCode.amountCents === typedCents
  )
    return
  throw new Malformed(
    t`The payment code asks for ${formatReais(brCode.amountCents)}, but the row pays ${formatReais(typedCents)}`,
    t`Pay what the code asks for, or ask the receiver for another code`,
  )
}

/** The received payment that a row names, with the names of who paid it, the best first, and whether the ledger knows it; or why none can be refunded. */
export type FoundOriginal = { id: string; payers: readonly string[]; isKnown: boolean } | { fault: string }

/** Looks up the received payment that a row names. */
export type FindOriginal = (typed: string, isOrderNumber: boolean) => Promise<FoundOriginal>

/** What a row of a refund file takes from the command line. */
interface RefundDefaults {
  /** The reason for refunds whose row has none. */
  reason: string | null
  /** True if a row without an amount returns all that is left of its payment. */
  isFull: boolean
  /** True if a person reads the question, in which a name that is not the payer's is shown. */
  isRead: boolean
}

/** Reads one row of a refund file; undefined if it has faults, which are in the cells. `find` looks up the payment that it returns. */
export async function readRefundRow(
  cells: RowCells,
  defaults: RefundDefaults,
  find: FindOriginal,
): Promise<ReadRow | undefined> {
  const original = await readOriginal(cells, find)
  const names = original && readPayer(cells, original.payers, defaults)
  const amountCents = cells.readOptional('amount', (text) => parseAmount(text))
  if (amountCents === null && !defaults.isFull) {
    cells.fault(
      'amount',
      t`The amount is empty. Write it, or add \`--full\` to refund all that is left of payments without an amount`,
    )
  }
  const refundReason = cells.readText('refundReason', (text) => {
    const reason = text === '' ? defaults.reason : text
    if (reason === null) throw new Malformed(t`The reason is empty`, t`Write why the payment is refunded`)
    assertTextCell(reason)
    return reason
  })
  const callbackUrl = readCallbackUrl(cells)
  cells.readOptional('currency', assertReais)
  if (cells.faults.length > 0 || original === undefined || names === undefined) return undefined
  if (amountCents === undefined || refundReason === undefined || callbackUrl === undefined) return undefined
  const facts = { kind: 'refund', originalTransactionId: original.id, amountCents, refundReason, callbackUrl } as const
  const isWhole = amountCents === null
  return { facts: { ...facts, isWhole, idField: 'originalTransactionId' }, typedId: null, ...names }
}

const ORIGINAL = 'originalTransactionId'
const SECOND_ORIGINAL = secondOf(ORIGINAL)

/** The payment that a row returns: by its id, else by its order number. If the row has both, the ledger must not know them as two payments. */
async function readOriginal(
  cells: RowCells,
  find: FindOriginal,
): Promise<Exclude<FoundOriginal, { fault: string }> | undefined> {
  const order = readTypedId(cells, SECOND_ORIGINAL)
  const isByOrder = typeof order === 'string' && cells.raw(ORIGINAL).trim() === ''
  const field = isByOrder ? SECOND_ORIGINAL : ORIGINAL
  const typedId = isByOrder ? order : readTypedId(cells, ORIGINAL)
  if (typedId === null) cells.fault(ORIGINAL, t`The id of the payment is empty`)
  if (!typedId) return undefined
  const isOrderNumber = fitsAny(headingForms(cells.columnOf(field)), HEADINGS.orderNumber.words)
  const found = await find(typedId, isOrderNumber)
  if ('fault' in found) {
    cells.fault(field, found.fault)
    return undefined
  }
  const ordered = isByOrder || !order ? undefined : await find(order, true)
  if (ordered !== undefined && 'id' in ordered && ordered.isKnown && !isSameId(ordered.id, found.id)) {
    const column = shellWord(cells.columnOf(SECOND_ORIGINAL))
    cells.fault(
      SECOND_ORIGINAL,
      t`\`${order ?? ''}\` is another payment, \`${ordered.id}\`. Correct one of the two cells, or add \`--ignore-column ${column}\` to compare no order numbers`,
    )
  }
  return found
}

/** Compares the name in a row with those of who paid its payment. */
function readPayer(
  cells: RowCells,
  payers: readonly string[],
  { isRead }: RefundDefaults,
): Pick<ReadRow, 'payer' | 'otherName'> {
  const [payer = null] = payers
  const name = nameOf(cells.raw('name'))
  if (payer === null || name === null || payers.some((each) => isSameName(each, name))) {
    return { payer, otherName: null }
  }
  if (!isRead) {
    const column = shellWord(cells.columnOf('name'))
    cells.fault(
      'name',
      t`\`${name}\` is not its payer, who is \`${payer}\`. Correct the row, or add \`--ignore-column ${column}\` to compare no names`,
    )
  }
  return { payer, otherName: name }
}

/** The callback URL of a row; empty if its cell is, undefined if it has a fault. */
function readCallbackUrl(cells: RowCells): string | undefined {
  const url = cells.readOptional('callbackUrl', (text) => {
    if (text.length > URL_CHARACTERS_MAX) {
      throw new Malformed(t`The URL is longer than the limit of ${URL_CHARACTERS_MAX} characters`, t`Shorten it`)
    }
    if (isHttpUrl(text)) return text
    throw new Malformed(
      t`\`${withoutPassword(text)}\` is not a URL`,
      t`Write the whole address, such as \`https://shop.example.com/pix\``,
    )
  })
  return url === null ? '' : url
}

/**
 * An id as it is in the file; null if the cell is empty. Spaces around it are a fault, because with and without them it is
 * another id, which would be paid once more.
 */
function readTypedId(cells: RowCells, field: string): string | null | undefined {
  return cells.readOptional(field, (text) => {
    if (cells.raw(field) !== text) throw new Malformed(t`\`${text}\` has white space around it`, t`Remove it`)
    assertOrdinarySpaces(text)
    return text
  })
}

const CPF_DIGITS = 11
const CNPJ_DIGITS = 14

/**
 * Reads a PIX key of a row, of which `field` is the owner. Without a declared type the owner decides, else its form. Throws Malformed for text that is not a key, for 11
 * bare digits that may be a phone number or may not, and, with the likely cause, for digits that a spreadsheet took for a
 * number.
 */
export function readKeyIn(
  cells: RowCells,
  text: string,
  declared: DeclaredKeyType | null,
  field: string,
): { key: string; keyType: KeyType } {
  const ofOwner = typeByOwner(text, cells, field)
  if (ofOwner !== null && declared === 'phoneNumber') throw keyOfOwner(text, cells, field)
  const [stuck] = copiedCode(text)?.stuck ?? []
  if (stuck !== undefined) throw new Malformed(stuck, t`Leave nothing but the code in the cell`)
  assertOrdinarySpaces(text)
  try {
    const { key, keyType, isGuessedPhone } = readPixKey(text, declared ?? ofOwner ?? undefined)
    if (isGuessedPhone) throw undeclaredPhone(key, cells)
    return { key, keyType }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    if (error instanceof AmbiguousKey) throw new Malformed(error.message, typeHint(cells))
    throw lostDigits(text) ?? wordBeside(text, cells) ?? error
  }
}

const WORD_BESIDE = /^(\p{L}[\p{L}./-]*(?: \p{L}[\p{L}./-]*)?)\s*[:=-]?\s+(\S.*)$|^(\p{L}+)[:=](\S.*)$/u

/** A key with a word before it: `CPF 529.982.247-25`, `Pix: ana@example.com`; undefined for any other text. */
function wordBeside(text: string, cells: RowCells): Malformed | undefined {
  const [, word, key, gluedWord = word, gluedKey = key] = WORD_BESIDE.exec(text) ?? []
  if (gluedWord === undefined || gluedKey === undefined || !mayBePixKey(gluedKey)) return undefined
  return new Malformed(
    t`\`${text}\` has words before the key`,
    keyTypeOfHeader(gluedWord) === null
      ? t`Write only \`${gluedKey}\``
      : t`Write only \`${gluedKey}\`, and \`${gluedWord}\` ${inTypeColumn(cells)}`,
  )
}

/** Where to write the type of a key: the file may have no column of types. */
function inTypeColumn(cells: RowCells): string {
  return cells.has('typeKey')
    ? t`in the column \`${cells.columnOf('typeKey')}\` of this row`
    : t`in a column \`Tipo de chave\``
}

function undeclaredPhone(key: string, cells: RowCells): AmbiguousKey {
  return new AmbiguousKey(
    t`\`${key}\` looks like a mobile number, but the file does not say that it is one`,
    typeHint(cells),
  )
}

function typeHint(cells: RowCells): string {
  return t`Write \`CPF\` or \`Celular\` ${inTypeColumn(cells)}, or, if all rows are mobile numbers, rename the key column to \`Celular\` and add \`--map key=Celular\``
}

/** The plain CPF or CNPJ that must own a key. Throws Malformed like {@link readKeyIn}. */
export function readOwner(text: string): string {
  const document = valueOrError(Malformed, () => parseTaxDocument(text))
  if (document instanceof Malformed) throw lostDigits(text) ?? document
  return document
}

/** The type of a key that is the CPF of the owner in its row; null for any other. */
function typeByOwner(key: string, cells: RowCells, field: string): 'document' | null {
  return cpfOfOwner(key, cells.raw(field)) ?? cpfOfOwner(key, cells.raw(secondOf(field))) ?? null
}

/**
 * The owner in a row: null if it has none, undefined if it has a fault. A document in each of two columns must be the same. `read` reads a cell that is
 * not empty.
 */
export function readOwnerIn(cells: RowCells, field: string, read: (text: string) => string): string | null | undefined {
  const readCell = (each: string) => {
    const text = cells.raw(each).trim()
    return text !== '' && isNoOwner(text) ? null : cells.readOptional(each, read)
  }
  const second = secondOf(field)
  const [owner, other] = [readCell(field), readCell(second)]
  if (owner === undefined || other === undefined) return undefined
  if (owner !== null && other !== null && owner !== other) {
    const [column, ignored] = [cells.columnOf(field), shellWord(cells.columnOf(second))]
    cells.fault(
      second,
      t`It is not the owner that the column \`${column}\` names. Leave one of them empty, or add \`--ignore-column ${ignored}\``,
    )
    return undefined
  }
  return owner ?? other
}

/**
 * Detects digits that a spreadsheet converted to a number: leading zeros lost, a phone number without its `+`, decimals
 * added. Nothing is repaired, because money must not be sent on a guess.
 */
function lostDigits(text: string): Malformed | undefined {
  const whole = /^(\d+)[.,]0+$/.exec(text)?.[1]
  if (whole !== undefined) {
    return new Malformed(t`\`${text}\` was converted to a number`, t`Format the column as text and type \`${whole}\``)
  }
  if (!/^\d{3,13}$/.test(text)) return undefined
  const cpf = text.padStart(CPF_DIGITS, '0')
  const cnpj = text.padStart(CNPJ_DIGITS, '0')
  const likely = [
    ...(text.length < CPF_DIGITS && isCpf(cpf) ? [t`the CPF \`${cpf}\` without its leading zeros`] : []),
    ...(isCnpj(cnpj) ? [t`the CNPJ \`${cnpj}\` without its leading zeros`] : []),
    ...(isKeyOf(`+${text}`, 'phoneNumber') ? [t`the mobile number \`+${text}\` without its \`+\``] : []),
  ]
  if (likely.length === 0) return undefined
  return new Malformed(
    t`\`${text}\` may be ${alternatives(likely)}`,
    t`Format the column as text and type the whole value: spreadsheets drop these characters from numbers`,
  )
}

function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'disjunction' }).format(words)
}

function isKeyOf(key: string, keyType: KeyType): boolean {
  return !(valueOrError(Malformed, () => assertPixKey(key, keyType)) instanceof Malformed)
}

/** The narrower of two declared types of one key; null if no key can be both. */
function narrowerType(one: DeclaredKeyType, other: DeclaredKeyType): DeclaredKeyType | null {
  if (one === other || keyTypeOf(one) === other) return one
  return one === keyTypeOf(other) ? other : null
}

/** What the ledger knows of the name of a payee in a row: the payee, or the name that is closest to it, if there is one. */
type FoundPayee = { payee: Payee } | { payee: null; close: string | undefined }

/** Looks up the payee with the name that a row has. */
export type FindPayee = (name: string) => Promise<FoundPayee>

/**
 * The payee that a row names; null if it names none, undefined if there is no such payee, which becomes a fault.
 */
function rowPayee(cells: RowCells, found: FoundPayee | null): Payee | null | undefined {
  if (found === null || found.payee !== null) return found?.payee ?? null
  const name = cells.raw('payee').trim()
  cells.fault(
    'payee',
    found.close === undefined
      ? t`There is no payee \`${name}\`. Add it with \`pixgate payee add\`, or, if the column only has names for people, use \`--map ${`name=${cells.columnOf('payee')}`}\``
      : t`There is no payee \`${name}\`. Did you mean \`${found.close}\`?`,
  )
  return undefined
}

/**
 * Notes what else a row says of where it goes, if that is not what its payee has: it cannot be told which of the two was meant. `sent` and
 * `owner` are what the cells hold, null for an empty one.
 */
function compareWithPayee(
  cells: RowCells,
  payee: Payee,
  { sent, declared, owner }: { sent: SentKey | null; declared: DeclaredKeyType | null; owner: string | null },
): void {
  const ownKey = formatKey(payee.key, payee.keyType)
  if (sent !== null && comparableKey(sent.key, sent.keyType) !== comparableKey(payee.key, payee.keyType)) {
    cells.fault(
      'key',
      t`\`${sent.key}\` is not the key of the payee \`${payee.name}\`, which is \`${ownKey}\`. Remove one of them`,
    )
  } else if (declared !== null && keyTypeOf(declared) !== payee.keyType) {
    cells.fault(
      'typeKey',
      t`The key of the payee \`${payee.name}\` is of the type ${payee.keyType}. Correct it, or leave it empty`,
    )
  }
  if (owner === null || owner === payee.documentValidation) return
  cells.fault(
    'documentValidation',
    payee.documentValidation === null
      ? t`The payee \`${payee.name}\` has no owner to check. Set it with \`pixgate payee edit --owner\`, or leave the cell empty`
      : t`The owner of the payee \`${payee.name}\` is \`${formatTaxDocument(payee.documentValidation)}\`. Correct it, or leave it empty`,
  )
}
