import { describe, expect, it } from 'vitest'
import { mayBeSameName, nameWords, statedName } from '../../src/reconcile/partyName.ts'
import type { StatementFile } from '../../src/reconcile/tableFile.ts'
import { windows1252Text } from '../../src/text/windows1252.ts'
import { BANK_FILES, bytesOfBank, RIGHT } from './bankFiles.ts'
import { movements, RIGHT_MOVEMENTS, read, TABLES } from './movements.ts'

const OTHERS = ['Ana Souza', 'Oficina Modelo Ltda', 'Carlos Nunes']

/** Whose a line may be, of everybody in these tests. */
function namesOf({ lines }: StatementFile, day: string): string[] | null {
  const line = lines.find((each) => each.day === day)
  const stated = line && statedName(line.description, line.name)
  if (!stated) return null
  return [...RIGHT.flatMap(({ name }) => name ?? []), ...OTHERS].filter((name) =>
    mayBeSameName(stated, nameWords(name)),
  )
}

describe.each(BANK_FILES.map((file) => [`${file.bank} ${file.format} ${file.note.en}`, file] as const))(
  '%s',
  (_, file) => {
    it('says what moved, when, and to whom', async () => {
      const said = await read(bytesOfBank(file))
      expect(said.faults).toEqual([])
      expect(movements(said)).toEqual(RIGHT_MOVEMENTS)
      for (const { day, name } of RIGHT) {
        if (name !== null) expect([day, namesOf(said, day)]).toEqual([day, file.hasNames ? [name] : null])
      }
      const unread = said.remarks.filter((remark) => /not read|Not read/.test(remark))
      expect(unread).toEqual(file.remark === undefined ? [] : [expect.stringMatching(file.remark)])
    })
  },
)

describe.each(TABLES.map((file) => [`${file.bank} ${file.format} ${file.note.en}`, file] as const))(
  'variants of %s',
  (_, file) => {
    const text = file.content.replace(/^\ufeff/, '')

    it('in any encoding and with any line ends', async () => {
      for (const bytes of [
        Buffer.from(text),
        Buffer.from(`\ufeff${text}`),
        ...(/[^\0-\xff]/.test(text) ? [] : [Buffer.from(text, 'latin1')]),
        Buffer.from(`\ufeff${text}`, 'utf16le'),
        Buffer.from(text.replaceAll('\r\n', '\n')),
        // As it becomes if UTF-8 is taken for Windows-1252, and saved.
        Buffer.from(windows1252Text(Buffer.from(text))),
        Buffer.from(text.replace(/(?:\r\n)+$/, '')),
      ]) {
        expect(movements(await read(bytes))).toEqual(RIGHT_MOVEMENTS)
      }
    })

    it('with another separator, and quotes', async () => {
      const separator = text.includes(';') ? ';' : ','
      for (const other of [';', ',', '\t'].filter((each) => each !== separator)) {
        const lines = rowsOf(text, separator).map((cells) =>
          cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(other),
        )
        expect(movements(await read(Buffer.from(`${lines.join('\n')}\n`)))).toEqual(RIGHT_MOVEMENTS)
      }
    })

    it('with quotes around whole lines', async () => {
      const separator = text.includes(';') ? ';' : ','
      const lines = text
        .split('\r\n')
        .map((line) => (line.includes(separator) ? `"${line.replaceAll('"', '""')}"` : line))
      expect(movements(await read(Buffer.from(lines.join('\r\n'))))).toEqual(RIGHT_MOVEMENTS)
    })

    it('with notes above and below, and its columns in another order', async () => {
      const separator = text.includes(';') ? ';' : ','
      const noted = `Empresa: Oficina Modelo\n\nEmitido em 30/11/2026 10:00\n${text}\n\nOuvidoria 0800 000 0000\nTotal de lançamentos: 3\n`
      expect(movements(await read(Buffer.from(noted)))).toEqual(RIGHT_MOVEMENTS)
      // Without a header a row begins with its day, and a title is in the first cell.
      const rows = rowsOf(text, separator)
      const width = Math.max(...rows.map((cells) => cells.length))
      const isPlain = rows.every((cells) => cells.length === width) && !/^Ita\u00fa|^Bradesco/.test(file.bank)
      if (!isPlain) return
      for (let turn = 1; turn < width; turn += 1) {
        const turned = rows.map((cells) => [...cells.slice(turn), ...cells.slice(0, turn)])
        const lines = turned.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator))
        expect([turn, movements(await read(Buffer.from(`${lines.join('\n')}\n`)))]).toEqual([turn, RIGHT_MOVEMENTS])
      }
    })
  },
)

/** The cells of each line. */
function rowsOf(text: string, separator: string): string[][] {
  const cell = new RegExp(`"((?:[^"]|"")*)"|([^${separator}]*)`, 'y')
  return text
    .split('\r\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells: string[] = []
      for (let at = 0; at <= line.length; at = cell.lastIndex + 1) {
        cell.lastIndex = at
        const [, quoted, plain = ''] = cell.exec(line) ?? []
        cells.push(quoted?.replaceAll('""', '"') ?? plain)
      }
      return cells
    })
}
