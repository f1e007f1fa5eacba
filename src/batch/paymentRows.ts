import type { MoneyPayment } from '../ledger/facts.ts'
import { formatReais, parseAmount } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { Malformed } from '../pix/malformed.ts'
import { comparableKey, type DeclaredKeyType, type KeyType } from '../pix/pixKey.ts'
import { assertOrdinarySpaces, assertTextCell, type RowCells } from '../spreadsheet/rowCells.ts'
import { t } from '../text/translate.ts'
import { isHttpUrl, URL_CHARACTERS_MAX, withoutPassword } from '../wire/address.ts'
import { keyTypeOfHeader, narrowerType, readKey, readKeyTypeWord, readOwner } from './keyCells.ts'
import { REFUND_HEADINGS, TRANSFER_HEADINGS } from './knownHeadings.ts'
import { compareWithPayee, type FoundPayee, rowPayee } from './rowPayee.ts'

/** What a row of a transfer file says, checked; `key` and `callbackUrl` exactly as they are to be sent. */
export interface TransferFacts {
  kind: 'transfer'
  key: string
  keyType: KeyType
  amountCents: number
  /** The plain CPF or CNPJ that must own the key; null if that is not checked. */
  documentValidation: string | null
  /** Null if the row has none, so that the run's own is used. */
  callbackUrl: string | null
  /** The externalId in the file; null if one is to be derived. */
  typedId: string | null
  /** Whose key it is, and the name that people see; null if the row names no payee. */
  payee: string | null
  payeeDisplayName: string | null
}

/** The columns of a transfer file, by the names of the request. */
export const TRANSFER_FIELDS = {
  all: ['key', 'value', 'typeKey', 'externalId', 'documentValidation', 'callbackUrl', 'name', 'payee'],
  required: ['key', 'value'],
  insteadOf: { key: 'payee' },
  amount: 'value',
  shownOnly: ['name'],
  headings: TRANSFER_HEADINGS,
  /** The fields whose digits are no number. */
  texts: ['key', 'externalId', 'documentValidation'],
  otherNames: {
    key: /chave|pix/i,
    value: /valor|amount|quantia|montante|total/i,
    typeKey: /tipo/i,
    documentValidation: /documento?|cpf|cnpj/i,
    callbackUrl: /callback|webhook/i,
  },
}

/**
 * Reads one row of a transfer file; undefined if it has faults, which the cells have noted. `found` is what the ledger knows of the payee that the row
 * names, null if it names none.
 */
export function readTransferRow(cells: RowCells, found: FoundPayee | null): TransferFacts | undefined {
  const amountCents = cells.read('value', (text) => parseAmount(text))
  const target = readTarget(cells, found, amountCents)
  const callbackUrl = readCallbackUrl(cells)
  const typedId = readTypedId(cells, 'externalId')
  if (cells.faults.length > 0 || target === undefined || amountCents === undefined) return undefined
  if (callbackUrl === undefined || typedId === undefined) return undefined
  return { kind: 'transfer', ...target, amountCents, callbackUrl, typedId }
}

type Target = Pick<TransferFacts, 'key' | 'keyType' | 'documentValidation' | 'payee' | 'payeeDisplayName'>

/** To where a row goes: to its key, or to that of its payee, whose owner is always checked. */
function readTarget(cells: RowCells, found: FoundPayee | null, amountCents: number | undefined): Target | undefined {
  const payee = rowPayee(cells, found)
  const declared = declaredType(cells)
  if (payee === null && cells.has('payee') && cells.raw('key').trim() === '') {
    cells.fault('payee', t`The row has neither a payee nor a key`)
    return undefined
  }
  const readCell = (text: string) => {
    if (payee && comparableKey(text) === comparableKey(payee.key)) return payee
    const read = readKey(text, declared)
    if (read.keyType === 'paymentCode' && amountCents !== undefined) assertPaymentCode(read.key, amountCents)
    return read
  }
  const read = payee === null ? cells.read('key', readCell) : cells.readOptional('key', readCell)
  const owner = cells.readOptional('documentValidation', readOwner)
  if (payee === undefined || read === undefined || owner === undefined) return undefined
  if (payee === null) {
    return read === null ? undefined : { ...read, documentValidation: owner, payee: null, payeeDisplayName: null }
  }
  // The header says of which type the keys are that the file has, not those of its payees.
  const isTyped = cells.raw('typeKey').trim() !== ''
  compareWithPayee(cells, payee, { key: read?.key ?? null, declared: isTyped ? declared : null, owner })
  const { key, keyType, documentValidation, name, displayName } = payee
  return { key, keyType, documentValidation, payee: name, payeeDisplayName: displayName }
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

function assertPaymentCode(code: string, amountCents: number): void {
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
  if (brCode.amountCents === null || brCode.amountCents === 0 || brCode.amountCents === amountCents) return
  throw new Malformed(
    t`The payment code asks for ${formatReais(brCode.amountCents)}, but the row pays ${formatReais(amountCents)}`,
    t`Pay what the code asks for, or ask the receiver for another code`,
  )
}

/** What a row of a refund file says, checked. */
export interface RefundFacts {
  kind: 'refund'
  originalTransactionId: string
  /** Null for all that is left of the payment. */
  amountCents: number | null
  refundReason: string
  /** Null if the row has none, so that the run's own is used. */
  callbackUrl: string | null
}

/** The columns of a refund file, by the names of the request. */
export const REFUND_FIELDS = {
  all: ['originalTransactionId', 'amount', 'refundReason', 'callbackUrl', 'name'],
  required: ['originalTransactionId'],
  amount: 'amount',
  shownOnly: ['name'],
  headings: REFUND_HEADINGS,
  texts: ['originalTransactionId'],
  otherNames: {
    originalTransactionId: /transa|transfer|original|e2e|\bid\b/i,
    amount: /valor|value|quantia|montante|total/i,
    refundReason: /motivo|reason|raz[aã]o/i,
    callbackUrl: /callback|webhook/i,
  },
}

/** What a row of a refund file takes from the command line. */
export interface RefundDefaults {
  /** The reason for refunds whose row has none. */
  reason: string | null
  /** True if a row without an amount returns all that is left of its payment. */
  isFull: boolean
}

/** Reads one row of a refund file; undefined if it has faults, which are in the cells. */
export function readRefundRow(cells: RowCells, defaults: RefundDefaults): RefundFacts | undefined {
  const originalTransactionId = readTypedId(cells, 'originalTransactionId')
  if (originalTransactionId === null) cells.fault('originalTransactionId', t`The id of the payment is empty`)
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
  if (cells.faults.length > 0 || originalTransactionId === undefined || originalTransactionId === null) return undefined
  if (amountCents === undefined || refundReason === undefined || callbackUrl === undefined) return undefined
  return { kind: 'refund', originalTransactionId, amountCents, refundReason, callbackUrl }
}

/** The payment that a row asks for. `callbackUrl` gives the URL of a row that names none. */
export function moneyPayment(checked: TransferFacts | RefundFacts, callbackUrl: () => string): MoneyPayment {
  const url = checked.callbackUrl ?? callbackUrl()
  if (checked.kind === 'transfer') {
    const { kind, key, keyType, amountCents, documentValidation, payee, payeeDisplayName } = checked
    return { kind, key, keyType, amountCents, documentValidation, callbackUrl: url, payee, payeeDisplayName }
  }
  const { kind, originalTransactionId, amountCents, refundReason } = checked
  const isWhole = amountCents === null
  const idField = 'originalTransactionId'
  return { kind, originalTransactionId, amountCents, refundReason, callbackUrl: url, isWhole, idField }
}

/** The callback URL of a row; null if the cell is empty, undefined if it has a fault. */
function readCallbackUrl(cells: RowCells): string | null | undefined {
  return cells.readOptional('callbackUrl', (text) => {
    if (text.length > URL_CHARACTERS_MAX) {
      throw new Malformed(t`The URL is longer than the limit of ${URL_CHARACTERS_MAX} characters`, t`Shorten it`)
    }
    if (isHttpUrl(text)) return text
    throw new Malformed(
      t`\`${withoutPassword(text)}\` is not a URL`,
      t`Write the whole address, such as \`https://shop.example.com/pix\``,
    )
  })
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
