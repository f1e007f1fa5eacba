import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bytesOf, readContent } from '../../../src/spreadsheet/fileContent.ts'
import { emptyWorld } from '../../world.ts'
import { HOSTILE_FORMS, LARGE_FORMS, sheet } from './hostileForms.ts'

/** Reads a workbook to its end. */
async function read(bytes: Uint8Array) {
  const interrupt = new AbortController().signal
  const content = await readContent(bytesOf(bytes), { name: 'w.xlsx', interrupt, isKnown: () => true })
  const records = []
  for await (const record of content.records()) records.push(record)
  return records
}

it.each(HOSTILE_FORMS.filter(([what]) => !LARGE_FORMS.includes(what)))(
  'a workbook with %s is refused with its name and the reason',
  async (_, make, reason) => {
    const failed = read(make())
    await expect(failed).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('`w.xlsx`') })
    await expect(failed).rejects.toThrow(reason)
  },
)

/** Sheets that look odd and are read in a short time. */
const HARMLESS: readonly [string, string, string[]][] = [
  [
    'a formula before a million spaces',
    `<row r="2"><c r="A2"><f>1</f><v>2</v>${' '.repeat(1_000_000)}</c></row>`,
    ['2'],
  ],
  ['an error after many spaces', `<row r="2"><c ${' '.repeat(10_000)}r="A2"><v>2</v></c></row>`, ['2']],
  ['a row without a number', '<row><c r="A2"><v>2</v></c></row>', ['2']],
  ['a comment of a megabyte', `<!--${'<row>'.repeat(200_000)}--><row r="2"><c r="A2"><v>2</v></c></row>`, ['2']],
  ['a value in the last row', '<row r="1048576"><c r="B1048576"><v>2</v></c></row>', ['', '2']],
  ['empty cells far to the right', '<row r="2"><c r="A2"><v>2</v></c><c r="XFD2" s="0"/></row>', ['2']],
  ['a date that no calendar has', '<row r="2"><c r="A2" t="d"><v>9e99</v></c></row>', ['9e99']],
]

it.each(HARMLESS)('%s is read', async (_, rows, cells) => {
  expect((await read(sheet(rows))).at(-1)).toMatchObject({ cells })
})

it('reading ends soon after an interrupt', async () => {
  const interrupt = new AbortController()
  const bytes = sheet(' '.repeat(20_000_000))
  const content = await readContent(bytesOf(bytes), { name: null, interrupt: interrupt.signal, isKnown: () => true })
  const records = content.records()
  await records.next()
  // The timer does not fire before the end unless reading lets other work go on.
  setTimeout(() => interrupt.abort(), 1)
  await expect(records.next()).rejects.toMatchObject({ exitCode: 130, message: 'Interrupted, nothing was sent' })
})

it('the command ends with exit 2, the file and the reason', async () => {
  const world = emptyWorld({
    PIXGATE_BASE_URL: 'http://127.0.0.1:1',
    PIXGATE_CLIENT_ID: 'a',
    PIXGATE_CLIENT_SECRET: 'b',
  })
  const path = join(world.home, 'payments.xlsx')
  writeFileSync(path, sheet(`<row r="2"><c ${'a '.repeat(2_000_000)}</row>`))
  const ran = await world.run(['batch', 'transfer', path, '--dry-run', '--callback-url', 'http://127.0.0.1:2/'])
  const reason = `error: The workbook \`${path}\` cannot be read: it has a tag of more than 16384 characters\n`
  expect(ran).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(reason) })
})
