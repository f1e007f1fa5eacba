import { reaisFromCents } from '../../pix/amount.ts'
import { amountInWords } from '../../pix/amountWords.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { maskTaxDocument } from '../../pix/taxDocument.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import type { TransferIntent } from '../../timeline/records.ts'
import { nameOf, type Transaction } from '../../timeline/transactions.ts'
import { amountText, instantText } from '../../views/payment.ts'
import { maskKey } from '../../views/personalData.ts'
import { Refused, UsageError } from '../../wire/errors.ts'
import { readEventFacts } from '../../wire/eventFacts.ts'

/** What a supplier asks for: that a transfer was carried out, to whom, and who says so. */
export interface Receipt {
  transaction: Transaction<TransferIntent>
  /** When the money moved, as far as anybody says, else when that became known. */
  paidAtMs: number | null
  name: string | null
  taxId: string | null
  bank: string | null
  knownBy: 'event' | 'person' | 'answer'
  /** Who says so, as a sentence. */
  source: string
}

const COMPLETED: readonly string[] = ['COMPLETED', 'PAID_OUT', 'PAID']

/** The receipt of the one transfer among these that was carried out. Throws Refused where none was. */
export function receiptOf(found: readonly Transaction[], id: string): Receipt {
  const receipts = found.filter(isTransfer).flatMap((each) => receiptOfOne(each) ?? [])
  const [receipt, another] = receipts
  if (receipt !== undefined && another === undefined) return receipt
  if (another !== undefined) {
    throw new UsageError(t`${id} names ${receipts.length} transfers that were carried out`, {
      details: receipts.map(
        ({ transaction: { intent, atMs } }) =>
          t`${intent.id}  ${amountText(intent.amountCents)}  ${instantText(atMs)}  ${intent.baseUrl}`,
      ),
      hint: t`Name the one that you mean by the id at the beginning of its line`,
    })
  }
  throw noReceipt(found, id)
}

/** The receipt in JSON, with everything whole; the amount in reais. */
export function receiptDocument({ transaction, ...receipt }: Receipt): Document {
  const { intent, idTransaction } = transaction
  const { paidAtMs, name, taxId, bank, knownBy, source } = receipt
  return {
    idTransaction,
    externalId: intent.externalId,
    amount: reaisFromCents(intent.amountCents),
    amountInWords: amountInWords(intent.amountCents),
    paidAt: paidAtMs === null ? null : new Date(paidAtMs).toISOString(),
    receiver: { key: intent.key, typeKey: intent.typeKey, name, taxId, bank },
    pixgate: { profile: intent.profile, environment: intent.environment, baseUrl: intent.baseUrl, knownBy, source },
  }
}

/** The receipt as labels and values, a label of nothing for a new part; people's documents masked unless `unmask`. */
export function receiptRows({ transaction, ...receipt }: Receipt, unmask: boolean): [label: string, value: string][] {
  const { intent, idTransaction } = transaction
  const { name, taxId, bank, paidAtMs, source } = receipt
  const optional = (label: string, value: string | null): [string, string][] => (value === null ? [] : [[label, value]])
  return [
    [t`amount`, amountText(intent.amountCents)],
    ['', amountInWords(intent.amountCents)],
    [t`date`, instantText(paidAtMs)],
    ['', ''],
    ...optional(t`to`, name),
    [t`PIX key`, unmask ? intent.key : maskKey(intent.key, intent.typeKey)],
    ...optional(t`CPF/CNPJ`, taxId === null || unmask ? taxId : maskTaxDocument(taxId)),
    ...optional(t`bank`, bank),
    ['', ''],
    [t`from`, intent.profile ?? intent.clientId],
    [t`gateway`, intent.baseUrl],
    [t`id`, idTransaction ?? '—'],
    [t`external id`, nameOf(transaction)],
    ['', ''],
    ['', source],
  ]
}

/** The words above it: nobody must take the slip of a sandbox for money. */
export function receiptTitle({ transaction }: Receipt): string {
  return transaction.intent.environment === 'sandbox'
    ? t`PIX TRANSFER - SANDBOX, NO REAL MONEY`
    : t`PIX TRANSFER - RECEIPT`
}

function isTransfer(transaction: Transaction): transaction is Transaction<TransferIntent> {
  return transaction.intent.kind === 'transfer'
}

function receiptOfOne(transaction: Transaction<TransferIntent>): Receipt | undefined {
  const { event, finding, outcome, state } = transaction
  const nothing = { transaction, name: null, taxId: null, bank: null }
  if (state === 'paid' && event !== null) {
    const facts = readEventFacts(Buffer.from(event.bodyBase64, 'base64').toString('utf8'))
    const { name = null, taxId = null, bank = null } = facts ?? {}
    const arrivedAtMs = parseInstant(event.at) ?? null
    const paidAtMs = parseInstant(facts?.happenedAt ?? '') ?? arrivedAtMs
    const source = t`The gateway's event ${event.event ?? '—'} of ${instantText(arrivedAtMs)} says so`
    return { transaction, paidAtMs, name, taxId, bank, knownBy: 'event', source }
  }
  if (state === 'paid' && finding !== null) {
    const paidAtMs = parseInstant(finding.at) ?? null
    const source = t`${finding.user} on ${finding.machine} found it out by ${instantText(paidAtMs)}: ${finding.because}`
    return { ...nothing, paidAtMs, knownBy: 'person', source }
  }
  if (state !== 'accepted' || outcome === null || !COMPLETED.includes(outcome.status?.toUpperCase() ?? '')) {
    return undefined
  }
  const paidAtMs = parseInstant(outcome.at) ?? null
  const source = t`The gateway's answer ${outcome.status ?? ''} of ${instantText(paidAtMs)} says so`
  return { ...nothing, paidAtMs, knownBy: 'answer', source }
}

function noReceipt(found: readonly Transaction[], id: string): Refused {
  const transfer = found.findLast(isTransfer)
  if (transfer === undefined) {
    return new Refused(t`${id} names no transfer, and only transfers have a receipt`, {
      outcome: 'not-sent',
      hint: t`\`pixgate history show ${id}\` shows what it names`,
    })
  }
  return new Refused(t`Nobody says that the transfer ${id} was carried out: ${reasonOf(transfer)}`, {
    outcome: 'not-sent',
    hint:
      transfer.state === 'accepted' || transfer.state === 'unknown'
        ? t`\`pixgate history import <file>\` takes in its event, or say what you found with \`pixgate history settle ${id}\``
        : t`\`pixgate history show ${id}\` tells what became of it`,
  })
}

function reasonOf({ state, event, outcome }: Transaction): string {
  switch (state) {
    case 'accepted':
      return t`it was accepted, and its event has not arrived`
    case 'unknown':
      return t`its outcome is unknown`
    case 'returned':
      return t`the money came back`
    case 'not-sent':
      return t`it was never sent`
    case 'refused':
      return t`the gateway refused it (${outcome?.code ?? '—'})`
    default:
      return event === null ? t`a person found that it was not` : t`its event says ${event.status ?? '—'}`
  }
}
