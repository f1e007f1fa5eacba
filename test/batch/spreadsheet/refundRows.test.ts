import { describe, expect, it } from 'vitest'
import { faultsOf, rowsOf } from './csvFiles.ts'

const HEADER = 'originalTransactionId,amount,refundReason,callbackUrl\n'
const ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

describe('a row of a refund file', () => {
  it.each([
    [
      `${ID},"12,50",damaged,`,
      { originalTransactionId: ID, amountCents: 1250, refundReason: 'damaged', callbackUrl: '' },
    ],
    [
      `paid-1,1,"two\nlines",http://127.0.0.1:4242/`,
      { refundReason: 'two\nlines', callbackUrl: 'http://127.0.0.1:4242/' },
    ],
    [`paid-1,1,1E5,`, { refundReason: '1E5' }],
  ])('%j is read as %j', async (line, expected) => {
    expect(await rowsOf(HEADER + line, 'refund')).toMatchObject([expected])
  })

  it.each([
    [',1,x,', ['2 originalTransactionId: The id of the payment is empty']],
    [`${ID},0,x,`, ['2 amount: The amount is zero. Type at least `0.01`']],
    [
      `${ID},#VALOR!,x,`,
      ['2 amount: `#VALOR!` is a spreadsheet error. Correct the cell in the spreadsheet and save the file again'],
    ],
    [`${ID},1,,`, ['2 refundReason: The reason is empty. Write why the payment is refunded']],
    [`${ID},1,a\u202eb,`, ['2 refundReason: `a\\u{202e}b` has an invisible character in it. Type the cell again']],
    [
      `${ID},1,=A1,`,
      ['2 refundReason: `=A1` is a formula. Replace it with its value: paste the column as "values only"'],
    ],
    [` ${ID},1,x,`, [`2 originalTransactionId: \`${ID}\` has white space around it. Remove it`]],
    [
      `${ID},"9,35E+11",x,`,
      [
        '2 amount: `9,35E+11` was shortened by the spreadsheet, so its digits are lost. Format the column as text and type all the digits again',
      ],
    ],
    [
      `${ID},1,x,ftp://a/`,
      ['2 callbackUrl: `ftp://a/` is not a URL. Write the whole address, such as `https://shop.example.com/pix`'],
    ],
  ])('%j is a fault', async (line, faults) => {
    expect(await faultsOf(HEADER + line, 'refund')).toEqual(faults)
  })

  it('needs an amount unless all that is left is to be returned', async () => {
    const text = `${HEADER}${ID}, ,x,\n${ID},"12,50",x,\n`
    expect(await faultsOf(text, 'refund')).toEqual([
      '2 amount: The amount is empty. Write it, or add `--full` to refund all that is left of payments without an amount',
    ])
    const rows = await rowsOf(text, 'refund', { isFull: true })
    expect(rows.map(({ amountCents }) => amountCents)).toEqual([null, 1250])
  })

  it('takes the reason of the run if the row has none', async () => {
    const text = `originalTransactionId,amount\n${ID},1`
    expect(await rowsOf(text, 'refund', { refundReason: 'ordered twice' })).toMatchObject([
      { refundReason: 'ordered twice' },
    ])
    expect(await faultsOf(text, 'refund')).toEqual([
      '2 refundReason: The reason is empty. Write why the payment is refunded',
    ])
  })
})
