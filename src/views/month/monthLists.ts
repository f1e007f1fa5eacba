import type { DatedMovement, OpenPayment, PaymentDetails } from '../../ledger/monthBook.ts'
import type { Movement, MovementKind } from '../../ledger/movements.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import { safeText } from '../../text/safeText.ts'
import { t, translated } from '../../text/translate.ts'
import { onePage, type ReportColumn, type ReportTable, type ReportValue } from '../report/report.ts'
import { signedCents } from './monthSums.ts'

/** The movements that make the net. */
export function movementTable(movements: readonly DatedMovement[], netCents: number): ReportTable {
  const columns: ReportColumn[] = [
    { title: t`Time (São Paulo)`, kind: 'time', width: 22 },
    { title: t`Kind`, kind: 'id', width: 19 },
    { title: t`Amount (R$)`, kind: 'amount', width: 15 },
    ...detailColumns(),
    { title: t`Known by`, kind: 'text', width: 18 },
    { title: t`Note`, kind: 'text', width: 24 },
  ]
  return {
    title: t`Movements`,
    notes: [t`Every movement in the net; what left is below zero`],
    columns,
    isList: true,
    pages: onePage(
      movements.map((each) => ({ cells: [...movementCells(each), knownByText(each.knownBy), noteOf(each)] })),
    ),
    totals: () => [[null, t`Net`, netCents]],
  }
}

/** Movements of which only events tell. */
export function elsewhereTable(movements: readonly DatedMovement[]): ReportTable {
  return {
    title: t`Not created here`,
    notes: [
      t`Events tell of these movements, but this ledger did not create the payments, so they are not in the net. Only events that arrived here are listed`,
    ],
    columns: [
      { title: t`Time (São Paulo)`, kind: 'time', width: 22 },
      { title: t`Kind`, kind: 'id', width: 19 },
      { title: t`Amount (R$)`, kind: 'amount', width: 15 },
      ...detailColumns(),
    ],
    isList: true,
    pages: onePage(movements.map((each) => ({ cells: movementCells(each) }))),
  }
}

/** Payments that are not in the net, because nothing tells whether or when their money moved. */
export function openTable(open: readonly OpenPayment[]): ReportTable {
  return {
    title: t`Open and unknown`,
    notes: [
      t`Created in this month and not in the net, because it is not known whether their money moved, or on which day`,
    ],
    columns: [
      { title: t`Created at (São Paulo)`, kind: 'time', width: 22 },
      { title: t`Kind`, kind: 'text', width: 12 },
      { title: t`State`, kind: 'text', width: 12 },
      { title: t`Amount (R$)`, kind: 'amount', width: 15 },
      ...detailColumns(),
      { title: t`Meaning`, kind: 'text', width: 34 },
    ],
    isList: true,
    pages: onePage(
      open.map((each) => ({
        cells: [
          each.createdMs,
          paymentKindText(each),
          translated(each.state),
          each.amountCents,
          ...detailCells(each),
          openMeaning(each),
        ],
      })),
    ),
  }
}

function movementCells(movement: DatedMovement): ReportValue[] {
  const { atMs, kind, amountCents } = movement
  const amount = amountCents === null ? null : signedCents(kind, amountCents)
  return [atMs, movementText(kind), amount, ...detailCells(movement)]
}

function detailColumns(): ReportColumn[] {
  return [
    { title: t`Name`, kind: 'text', width: 26 },
    { title: t`CPF/CNPJ`, kind: 'id', width: 19 },
    { title: t`PIX key, or refunded payment`, kind: 'id', width: 39 },
    { title: t`Your reference`, kind: 'id', width: 39 },
    { title: t`Transaction id`, kind: 'id', width: 39 },
    { title: t`Reason for the refund`, kind: 'text', width: 22 },
  ]
}

function detailCells({ name, taxId, target, reference, idTransaction, reason }: PaymentDetails): ReportValue[] {
  const taxDocument = taxId === null ? null : formatTaxDocument(taxId)
  return [name, taxDocument, target, reference, idTransaction, reason].map((each) =>
    each === null ? null : safeText(each),
  )
}

function movementText(kind: MovementKind): string {
  switch (kind) {
    case 'received':
      return t`charge received`
    case 'refunded':
      return t`refund`
    case 'charged-back':
      return t`chargeback`
    case 'sent':
      return t`transfer sent`
    case 'returned':
      return t`transfer returned`
  }
}

function knownByText(knownBy: Movement['knownBy']): string {
  switch (knownBy) {
    case 'event':
      return t`event`
    case 'gateway':
      return t`gateway's answer`
    case 'person':
      return t`a person`
  }
}

function noteOf({ kind, isElsewhere, amountCents, otherRequestedCents, plannedBy }: DatedMovement): string {
  const notes = [
    ...(otherRequestedCents === null ? [] : [t`${formatReais(otherRequestedCents)} had been requested`]),
    ...(amountCents === null ? [t`amount not known`] : []),
    ...(isElsewhere && kind === 'sent' ? [t`first sent with another ledger`] : []),
    ...(isElsewhere && kind === 'refunded' ? [t`refunded elsewhere`] : []),
    ...(plannedBy === null ? [] : [t`requested by ${plannedBy.requestedBy}, approved by ${plannedBy.approvedBy}`]),
  ]
  return notes.join('; ')
}

function paymentKindText({ kind }: OpenPayment): string {
  switch (kind) {
    case 'qr':
      return t`charge`
    case 'transfer':
      return t`transfer`
    case 'refund':
      return t`refund`
  }
}

function openMeaning({ undated, kind, state }: OpenPayment): string {
  if (undated !== null) return t`${movementText(undated)}; it is not known on which day`
  if (state === 'unknown') return t`Whether it was carried out is unknown`
  if (state === 'refused') return t`The gateway holds another request with its external id, so it may have been paid`
  return kind === 'qr' ? t`Not paid yet` : t`Accepted; no event says yet whether it was paid`
}
