import { expect, it } from 'vitest'
import { refundQuestion } from '../../src/views/payments/paymentQuestion.ts'

const NOW = Date.parse('2026-11-23T12:00:00-03:00')
const PAID = Date.parse('2026-11-22T14:02:33-03:00')
const NOBODY = { personName: null, typedName: null, orderNumber: null }
const MARIA = { ...NOBODY, typedName: 'Maria Aparecida da Silva', orderNumber: '1005' }

it.each([
  [2500, MARIA, PAID, 'Refund R$ 25,00 to Maria Aparecida da Silva, order 1005, paid yesterday 14:02?'],
  [
    2500,
    { ...MARIA, personName: 'Jonas da Silva' },
    PAID,
    'Refund R$ 25,00 to Jonas da Silva, order 1005, paid yesterday 14:02?',
  ],
  [500, { ...NOBODY, orderNumber: '1005' }, null, 'Refund R$ 5,00 to the payer, order 1005?'],
  [null, NOBODY, null, 'Refund the whole payment to the payer?'],
  [100, { ...NOBODY, personName: 'Eve\u001b[2J\u202e' }, null, 'Refund R$ 1,00 to Eve\\u{1b}[2J\\u{202e}?'],
] as const)('asks about %s cents', (cents, charge, paidAtMs, question) => {
  expect(refundQuestion(cents, charge, paidAtMs, NOW)).toBe(question)
})
