import { MonthLedger } from './monthLedger.ts'

export const URL = 'http://127.0.0.1:1'
export const OWNER = { profile: 'prod', environment: 'production', baseUrl: URL, clientId: 'local' } as const

/** A September, as a person would tell it. What is worked out from it by hand is below. */
export function september(): MonthLedger {
  const ledger = new MonthLedger(OWNER)
  const paidCharge = (created: string, amount: number, paidAt: string, arrives = paidAt) => {
    const { idTransaction } = ledger.charge(created, amount * 100)
    ledger.chargeEvent(arrives, idTransaction, 'PAID', amount, paidAt)
    return idTransaction
  }
  const paidTransfer = (sent: string, amount: number, arrives: string) => {
    const { idTransaction } = ledger.transfer(sent, amount * 100, 'accepted')
    ledger.transferEvent(arrives, idTransaction, 'PAID_OUT', amount)
    return idTransaction
  }
  // Around the first midnight: 100 and 10 belong to August, 200 and 500 to September.
  paidCharge('31/08/2026 23:50:00', 100, '31/08/2026 23:59:59', '01/09/2026 00:00:03')
  const first = paidCharge('31/08/2026 23:50:00', 200, '01/09/2026 00:00:00')
  paidTransfer('31/08/2026 23:59:59', 10, '01/09/2026 00:00:05')
  paidTransfer('01/09/2026 00:00:01', 500, '01/09/2026 00:00:02')
  // Around the last midnight: 25 and 11 belong to September, 40 to October.
  paidCharge('30/09/2026 22:00:00', 25, '30/09/2026 22:30:00')
  paidCharge('30/09/2026 23:58:00', 40, '01/10/2026 00:00:00')
  paidTransfer('30/09/2026 23:59:59', 11, '01/10/2026 00:00:04')
  // Created long before it was paid.
  paidCharge('05/08/2026 12:00:00', 45, '18/09/2026 12:00:00')
  // One that expired, and one that nobody has paid yet.
  const expired = ledger.charge('10/09/2026 10:00:00', 7000)
  ledger.chargeEvent('11/09/2026 00:00:00', expired.idTransaction, 'EXPIRED', 70, null)
  ledger.charge('17/09/2026 10:00:00', 5500)
  // Refunded in two parts: the charge is REFUNDED then, and 300 have left once.
  const parts = paidCharge('10/09/2026 10:00:00', 300, '10/09/2026 10:05:00')
  const part = ledger.refund('12/09/2026 09:00:00', parts, 10_000)
  ledger.refundEvent('12/09/2026 09:01:00', part.idTransaction, parts, 'COMPLETED', 100)
  const rest = ledger.refund('13/09/2026 09:00:00', parts, 20_000)
  ledger.refundEvent('13/09/2026 09:01:00', rest.idTransaction, parts, 'COMPLETED', 200)
  ledger.chargeEvent('13/09/2026 09:01:01', parts, 'REFUNDED', 300, '10/09/2026 10:05:00')
  // Refunded in the dashboard: its event has the date of the payment, and arrives when it was refunded.
  const dashboard = paidCharge('14/09/2026 10:00:00', 80, '14/09/2026 10:05:00')
  ledger.chargeEvent('20/09/2026 15:00:00', dashboard, 'REFUNDED', 80, '14/09/2026 10:05:00')
  // Charged back.
  const disputed = paidCharge('15/09/2026 10:00:00', 60, '15/09/2026 10:05:00')
  ledger.event('25/09/2026 08:00:00', 'payment', {
    idTransaction: disputed,
    typeTransaction: 'PIX',
    statusTransaction: 'CHARGEBACK',
    value: 60,
    paymentDate: '15/09/2026 10:05:00',
  })
  // A refund whose answer was lost, one that failed, and a whole one of an amount that nobody knows.
  const kept = paidCharge('16/09/2026 10:00:00', 90, '16/09/2026 10:05:00')
  ledger.refund('16/09/2026 11:00:00', kept, 3000, 'unknown')
  const failed = ledger.refund('02/09/2026 09:00:00', first, 5000)
  ledger.refundEvent('02/09/2026 09:01:00', failed.idTransaction, first, 'FAILED', 50)
  const whole = ledger.refund('21/09/2026 09:00:00', 'an-original-of-another-shop', null)
  ledger.refundEvent('21/09/2026 09:01:00', whole.idTransaction, 'an-original-of-another-shop', 'COMPLETED', null)
  // Known from queries alone, with and without the time.
  const queried = ledger.charge('19/09/2026 10:00:00', 3500)
  ledger.query('19/09/2026 13:00:00', queried.idTransaction, 'PAID', 3500, '19/09/2026 12:00:00')
  const undated = ledger.charge('19/09/2026 10:00:00', 3300)
  ledger.query('19/09/2026 13:00:00', undated.idTransaction, 'PAID', 3300, null)
  // Transfers that came back: in the month, after it, and one of August.
  const back = paidTransfer('08/09/2026 10:00:00', 120, '08/09/2026 10:00:05')
  ledger.transferEvent('09/09/2026 10:00:00', back, 'RETURNED', 120)
  const backLater = paidTransfer('29/09/2026 10:00:00', 130, '29/09/2026 10:00:05')
  ledger.transferEvent('02/10/2026 10:00:00', backLater, 'RETURNED', 130)
  const backFromAugust = paidTransfer('30/08/2026 10:00:00', 140, '30/08/2026 10:00:05')
  ledger.transferEvent('03/09/2026 10:00:00', backFromAugust, 'RETURNED', 140)
  // Unknown, unknown until a person found out in October, accepted only, refused, failed, and one of August that is unknown.
  ledger.transfer('28/09/2026 10:00:00', 1500, 'unknown')
  const settled = ledger.transfer('27/09/2026 10:00:00', 1600, 'unknown')
  ledger.find('05/10/2026 10:00:00', settled.payment, 'paid')
  ledger.transfer('26/09/2026 10:00:00', 1900, 'accepted')
  ledger.transfer('26/09/2026 10:00:00', 1700, 'refused', { code: 'NO_FUNDS' })
  const error = ledger.transfer('26/09/2026 10:00:00', 1800, 'accepted')
  ledger.transferEvent('26/09/2026 10:00:05', error.idTransaction, 'ERROR', 18)
  ledger.transfer('28/08/2026 10:00:00', 2200, 'unknown')
  // Another ledger had sent it before.
  const before = ledger.transfer('26/09/2026 11:00:00', 2100, 'accepted-before')
  ledger.transferEvent('26/09/2026 11:00:05', before.idTransaction, 'PAID_OUT', 21)
  // Another account, and another environment.
  for (const differences of [{ clientId: 'other' }, { environment: 'sandbox' as const }]) {
    const { idTransaction } = ledger.transfer('15/09/2026 10:00:00', 100_000, 'accepted', {}, differences)
    ledger.transferEvent('15/09/2026 10:00:05', idTransaction, 'PAID_OUT', 1000, differences)
  }
  // Of payments that were not created here: a charge, told twice, its refund, told by two events, and a transfer.
  const paidAt = '2026-09-22T12:00:00Z'
  const other = { idTransaction: 'other-1', status: 'PAID', amount: 400, paidAt }
  ledger.event('22/09/2026 09:00:01', 'pix.received', other)
  ledger.event('22/09/2026 09:00:07', 'pix.received', { paidAt, amount: 400, status: 'PAID', idTransaction: 'other-1' })
  ledger.refundEvent('23/09/2026 09:00:00', 'other-refund', 'other-1', 'COMPLETED', 400)
  ledger.chargeEvent('23/09/2026 09:00:01', 'other-1', 'REFUNDED', 400, '22/09/2026 09:00:00')
  ledger.transferEvent('24/09/2026 09:00:00', 'other-transfer', 'PAID_OUT', 77)
  return ledger
}

/** By hand: 200 + 25 + 45 + 300 + 80 + 60 + 90 + 35 received; 100 + 200 + 80 and an unknown amount refunded; 500 + 11 + 120 + 130 + 16 + 21 sent. */
export const SUMS = [
  { kind: 'received', payments: 8, cents: 83_500, unknownAmounts: 0 },
  { kind: 'refunded', payments: 4, cents: -38_000, unknownAmounts: 1 },
  { kind: 'charged-back', payments: 1, cents: -6000, unknownAmounts: 0 },
  { kind: 'sent', payments: 6, cents: -79_800, unknownAmounts: 0 },
  { kind: 'returned', payments: 2, cents: 26_000, unknownAmounts: 0 },
]
export const NET = -14_300
export const NET_BY_DAY: readonly (readonly [day: string, reais: number])[] = [
  ['2026-09-01', -300],
  ['2026-09-03', 140],
  ['2026-09-08', -120],
  ['2026-09-09', 120],
  ['2026-09-10', 300],
  ['2026-09-12', -100],
  ['2026-09-13', -200],
  ['2026-09-14', 80],
  ['2026-09-15', 60],
  ['2026-09-16', 90],
  ['2026-09-18', 45],
  ['2026-09-19', 35],
  ['2026-09-20', -80],
  ['2026-09-21', 0],
  ['2026-09-25', -60],
  ['2026-09-26', -21],
  ['2026-09-27', -16],
  ['2026-09-29', -130],
  ['2026-09-30', 14],
]
export const APART = [
  ['transfers-unknown', 1, 1500],
  ['refunds-unknown', 1, 3000],
  ['transfers-open', 1, 1900],
  ['charges-open', 1, 5500],
  ['undated', 1, 3300],
  ['open-before', 1, 2200],
  ['elsewhere-received', 1, 40_000],
  ['elsewhere-refunded', 1, 40_000],
  ['elsewhere-sent', 1, 7700],
  ['charges-without-money', 1, 7000],
  ['transfers-without-money', 2, 3500],
  ['refunds-without-money', 1, 5000],
]
