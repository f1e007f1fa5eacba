import { expect, it } from 'vitest'
import { readExpectations } from '../../src/reconcile/expectationList.ts'
import { input } from './input.ts'

it('expects only final statuses of the results of a batch, and names rows that have no id', async () => {
  const text = [
    'line,amount,externalId,idTransaction,outcome,status,sentAt',
    '2,10.00,x-1,id-1,accepted,PAID_OUT,',
    '3,10.00,x-2,,not-sent,PROCESSING,',
    '4,10.00,,,not-sent,,',
  ].join('\n')
  const row = { amountCents: 1000, direction: null, isJudged: true }
  expect(await readExpectations(input(Buffer.from(text)), null)).toEqual({
    unused: [],
    faults: [],
    remarks: [],
    withoutId: [4],
    expectations: [
      { ...row, idTransaction: 'id-1', status: 'PAID_OUT', isLocal: false, outcome: 'accepted' },
      { ...row, idTransaction: 'x-2', status: null, isLocal: true, outcome: 'not-sent' },
    ],
  })
})
