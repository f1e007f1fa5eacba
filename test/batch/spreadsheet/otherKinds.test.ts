import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readBatchFile } from '../../../src/batch/batchFile.ts'

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

/** What people give in place of a table, and how it is named. */
const KINDS: readonly (readonly [content: string | Uint8Array, name: string])[] = [
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an old Excel workbook (.xls), or one with a password'],
  [Buffer.from('1f8b0800', 'hex'), 'a gzip archive'],
  ['%PDF-1.7\n', 'a PDF'],
  ['<html><body><table><tr><td>Chave</td></tr></table>', 'a web page (HTML)'],
  ['\r\n<!DOCTYPE HTML>\n<html>', 'a web page (HTML)'],
  ['<meta charset="utf-8"><table>', 'a web page (HTML)'],
  [utf16('<table border=1>'), 'a web page (HTML)'],
  [
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="x">',
    'an XML spreadsheet of Excel 2003',
  ],
  ['<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03">', 'XML'],
  ['OFXHEADER:100\nDATA:OFXSGML\n\n<OFX>', 'an OFX statement'],
  ['[{"key":"ana@example.com"}]', 'JSON'],
  [Buffer.alloc(165), 'a run of zero bytes'],
  ['{\\rtf1\\ansi}', 'a text document (RTF)'],
  [`341${'0000'}0${' '.repeat(9)}2${'0'.repeat(222)}\r\n341${'0001'}1${' '.repeat(232)}\r\n`, 'CNAB 240'],
  ['!Type:Bank\nD21/11/2026\nT-10,00\n^\n', 'QIF'],
  [':20:EXTRATO\n:25:1/2\n:61:2611211121D10,00NTRF\n', 'MT940'],
  [`01REMESSA01COBRANCA${' '.repeat(381)}\r\n`, 'CNAB 400'],
  [
    zipSync({
      mimetype: [Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
      'content.xml': Buffer.from('<x/>'),
    }),
    'an OpenDocument spreadsheet (.ods)',
  ],
  [`0750REMESSA${' '.repeat(739)}\r\n1${'0'.repeat(749)}\r\n`, 'text of fixed places, like CNAB'],
  [zipSync({ 'Index/Document.iwa': Buffer.from('x') }), 'a Numbers spreadsheet (.numbers)'],
  [
    zipSync({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      '_rels/.rels': Buffer.from(
        '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.bin"/></Relationships>',
      ),
      'xl/workbook.bin': Buffer.from([0x83, 1, 0]),
    }),
    'a binary workbook of Excel (.xlsb)',
  ],
]

it.each(KINDS)('names what is no table: %# %s', async (content, name) => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  await expect(readBatchFile(bytes, 'transfer')).rejects.toMatchObject({
    message: `The file is ${name}, not a table that is read`,
    exitCode: 2,
  })
})

it('names lines whose columns only blanks part', async () => {
  const text = 'NOME               CHAVE                VALOR\nRita Moraes        rita@example.com     31,00\n'
  await expect(readBatchFile(Buffer.from(text), 'transfer')).rejects.toThrow(
    'The columns of the text are parted by blanks only, as for a printer, so it is not certain where each begins',
  )
})
