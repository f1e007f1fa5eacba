import { describe, expect, it } from 'vitest'
import { readStatementFile } from '../../src/reconcile/statementFile.ts'
import { input } from './input.ts'

const HEAD = 'OFXHEADER:100\nDATA:OFXSGML\nCHARSET:1252\n\n'

function read(text: string) {
  return readStatementFile(input(Buffer.from(text)), new Map())
}

/** A file with these entries, each with what is not `<DTPOSTED>20261121<TRNAMT>-10.00`. */
function ofx(entries: readonly string[], head = ''): string {
  return `${HEAD}<OFX><STMTRS>${head}<BANKTRANLIST>\n${entries.map((entry) => `<STMTTRN>${entry}</STMTTRN>\n`).join('')}</BANKTRANLIST></STMTRS></OFX>`
}

async function faultsOf(entry: string): Promise<string[]> {
  const { faults } = await read(ofx([entry]))
  return faults.map(({ line, column, message }) => `${line} ${column}: ${message}`)
}

it('refuses the bill of a credit card', async () => {
  const bill = ofx(['<DTPOSTED>20261121<TRNAMT>-10.00']).replaceAll('STMTRS>', 'CCSTMTRS>')
  await expect(read(bill)).rejects.toThrow('The file holds the bill of a credit card')
})

it('reads amounts as banks write them', async () => {
  const texts = ['-10.50', '-10,50', '            -10.50', '-0000010.50', '-1.010,50', '+10.50', '10', '.50', '-,50']
  const { lines, faults } = await read(ofx(texts.map((text) => `<DTPOSTED>20261121<TRNAMT>${text}`)))
  expect(faults).toEqual([])
  expect(lines.map(({ amountCents, direction }) => `${amountCents} ${direction}`)).toEqual([
    '1050 debit',
    '1050 debit',
    '1050 debit',
    '1050 debit',
    '101050 debit',
    '1050 credit',
    '1000 credit',
    '50 credit',
    '50 debit',
  ])
})

it('takes the type of an entry only in a file without signs', async () => {
  const entry = (type: string, amount: string) => `<TRNTYPE>${type}<DTPOSTED>20261121<TRNAMT>${amount}`
  const directions = async (entries: readonly string[]) =>
    (await read(ofx(entries))).lines.map(({ direction }) => direction)
  expect(await directions([entry('DEBIT', '1.00'), entry('CREDIT', '2.00'), entry('OTHER', '3.00')])).toEqual([
    'debit',
    'credit',
    'credit',
  ])
  expect(await directions([entry('DEBIT', '1.00'), entry('CREDIT', '-2.00')])).toEqual(['credit', 'debit'])
})

it('reads the day in São Paulo, and midnight as a day without a zone', async () => {
  const days = [
    ['20261121', '2026-11-21'],
    ['20261121000000[0:GMT]', '2026-11-21'],
    ['20261121100000[-03:EST]', '2026-11-21'],
    ['20261122013000[0:GMT]', '2026-11-21'],
    ['20261122013000.000[-3:BRT]', '2026-11-22'],
    ['20261121233000', '2026-11-21'],
  ]
  const { lines, faults } = await read(ofx(days.map(([text]) => `<DTPOSTED>${text}<TRNAMT>-1`)))
  expect([faults, lines.map(({ day }) => day)]).toEqual([[], days.map(([, day]) => day)])
})

it('names the faults of an entry', async () => {
  expect(await faultsOf('<DTPOSTED>20260231<TRNAMT>-1')).toEqual([
    '6 DTPOSTED: `20260231` is not a day. Write it like `20261121`',
  ])
  expect(await faultsOf('<DTPOSTED>20261121<TRNAMT>R$ x')).toEqual([expect.stringMatching(/^6 TRNAMT: `R\$ x` is not/)])
  expect(await faultsOf('<DTPOSTED>20261121')).toEqual([expect.stringMatching(/^6 TRNAMT: The amount is empty/)])
  expect(await faultsOf('<DTPOSTED>20261121<TRNAMT>-1<TRNAMT>-2')).toEqual([
    '6 TRNAMT: The transaction has it more than once',
  ])
  expect(await faultsOf('<DTPOSTED>20261121<TRNAMT>-1<CURRENCY><CURRATE>5<CURSYM>USD</CURRENCY>')).toEqual([
    '6 CURSYM: The transaction is in USD, not in reais',
  ])
  expect(await faultsOf('<DTPOSTED>20261121<TRNAMT>-1<ORIGCURRENCY><CURRATE>5<CURSYM>USD</ORIGCURRENCY>')).toEqual([])
})

it('refuses what is no statement in reais', async () => {
  await expect(read(ofx(['<DTPOSTED>20261121<TRNAMT>-1'], '<CURDEF>USD'))).rejects.toMatchObject({
    message: 'The statement is in USD, not in reais',
  })
  await expect(read(ofx([]))).rejects.toMatchObject({ message: 'The OFX file has no transactions' })
  const map = new Map([['amount', 'Valor']])
  await expect(readStatementFile(input(Buffer.from(ofx([]))), map)).rejects.toMatchObject({ exitCode: 2 })
})

it('reads no amount of a file that is cut off, wherever that is', async () => {
  const entry = (amount: string) => `<TRNTYPE>DEBIT<DTPOSTED>20261121<TRNAMT>${amount}<FITID>7`
  const whole = `${ofx([entry('-64.20'), entry('-430.00')])}\n`
  expect((await read(whole)).lines).toHaveLength(2)
  for (let end = HEAD.length; end < whole.length - 1; end += 1) {
    await expect(read(whole.slice(0, end)), `cut at ${end}`).rejects.toMatchObject({ exitCode: 2 })
  }
  await expect(read(whole.slice(0, whole.indexOf('64.20') + 1))).rejects.toMatchObject({
    message: 'The OFX file is cut off at line 6: it does not end with `</OFX>`',
  })
})

it('leaves out amounts of zero, and says where they are', async () => {
  const { lines, otherLines } = await read(ofx(['<DTPOSTED>20261121<TRNAMT>0.00', '<DTPOSTED>20261121<TRNAMT>-1']))
  expect([lines.length, otherLines]).toEqual([1, [6]])
})

describe('a hostile file', () => {
  it('hides no entry behind what a payer wrote', async () => {
    const memo = (text: string) => `<DTPOSTED>20261121<TRNAMT>-1<MEMO>${text}`
    const { lines } = await read(
      ofx([memo('<!-- look'), memo('at <![CDATA[ this'), memo('<? and that -->'), memo('end')]),
    )
    expect(lines).toHaveLength(4)
    const xml =
      '<?xml version="1.0"?><OFX><STMTTRN><DTPOSTED>20261121<TRNAMT>-1<MEMO><![CDATA[</STMTTRN><STMTTRN>]]></STMTTRN></OFX>'
    expect((await read(xml)).lines).toMatchObject([{ description: '</STMTTRN><STMTTRN>' }])
  })

  it('expands no entities of its own', async () => {
    const head = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    const { lines } = await read(
      `${head}<OFX><STMTTRN><DTPOSTED>20261121<TRNAMT>-1<MEMO>&b; &amp; &#65;</STMTTRN></OFX>`.replace(
        head,
        `<?xml version="1.0"?>`,
      ),
    )
    expect(lines).toMatchObject([{ description: '&b; & A' }])
  })

  it('takes neither long nor much memory', async () => {
    const entry = '<DTPOSTED>20261121<TRNAMT>-1'
    // A reader whose time grows with the square of the length does not end before the time limit of a test.
    const long = await read(ofx([`${entry}<MEMO>${'x'.repeat(8_000_000)}`]))
    expect(long.lines[0]?.description).toHaveLength(500)
    for (const junk of ['<', '<a ', '<a<', '<!--', '</', '\n', '&#', '<STMTTRN ']) {
      const text = `${HEAD}<OFX>${junk.repeat(2_000_000)}<STMTTRN>${entry}</STMTTRN></OFX>`
      await read(text).catch((error) => expect(error).toMatchObject({ exitCode: 2 }))
    }
    await expect(read(HEAD + '<STMTTRN>'.repeat(200_001))).rejects.toMatchObject({
      message: 'The statement has more than 200000 lines',
    })
  })
})
