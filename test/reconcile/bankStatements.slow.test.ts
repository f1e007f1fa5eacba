import { expect, it } from 'vitest'
import { BANK_FILES, bytesOfBank } from './bankFiles.ts'
import { movements, RIGHT_MOVEMENTS, read, TABLES } from './movements.ts'

it.each(TABLES.map((file) => [`${file.bank} ${file.format} ${file.note.en}`, file] as const))(
  'loses nothing of %s without a word, wherever it is cut off',
  async (_, file) => {
    const text = file.content.replace(/^\ufeff/, '')
    const rows = text.split('\r\n').filter((line) => line.trim() !== '')
    const first = rows.findIndex((line) => /(?:64|430)[.,]\d\d/.test(line) && /2\d(?:[/-]11| nov)|1126|^;/.test(line))
    // One row alone has no others that it could be compared with.
    for (let end = text.indexOf(rows[first + 1] ?? ''); end < text.length; end += 1) {
      const part = text.slice(0, end)
      // Nothing in a file tells that only the sign behind its last amount is missing.
      if (text[end] === '-' && /\d,\d\d$/.test(part)) continue
      const said = await read(Buffer.from(part)).catch((error: { exitCode?: number }) => error)
      if (!('lines' in said)) {
        expect([end, said.exitCode]).toEqual([end, 2])
        continue
      }
      // Nor is a sum or balance below the lines that is cut off one of them.
      if (said.faults.length > 0 || /\n;(?:;;t|S)[^\r\n]*$/.test(part)) continue
      const found = movements(said).map((each) => each.replace('?', ''))
      expect([end, found.filter((each) => !RIGHT_MOVEMENTS.includes(each))]).toEqual([end, []])
      // A line that has begun is read, continues one, or is one of those that are named.
      const begun = part.split('\r\n').filter((line) => /[^\s;,"]/.test(line) && !/^;[RDF]/.test(line)).length
      const named = said.balanceLines.length + said.otherLines.length + (said.recognised.length > 0 ? 1 : 0)
      expect([end, found.length + named]).toEqual([end, begun])
    }
  },
)

it('reads no OFX file that is cut off', async () => {
  for (const file of BANK_FILES.filter(({ format }) => format === 'OFX')) {
    const bytes = bytesOfBank(file)
    for (let end = 1; end < Buffer.from(bytes).toString('latin1').trimEnd().length; end += 1) {
      await expect(read(bytes.subarray(0, end)), `${file.bank} at ${end}`).rejects.toMatchObject({ exitCode: 2 })
    }
  }
})
