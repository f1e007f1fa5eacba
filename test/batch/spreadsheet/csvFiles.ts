import {
  type BatchFile,
  type BatchFileOptions,
  type BatchKind,
  judgeBatchFile,
  readBatchFile,
  type ValidRow,
} from '../../../src/batch/batchFile.ts'
import type { Encoding } from '../../../src/spreadsheet/fileContent.ts'

/** Bytes of a text, made without the code under test. */
export function encoded(text: string, encoding: Encoding, options: { mark?: boolean } = {}): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-8-bom') return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1')
  const little = Buffer.from(options.mark === false ? text : `\ufeff${text}`, 'utf16le')
  return encoding === 'utf-16le' ? little : little.swap16()
}

/** The faults of a file as `line column: message`. */
export async function faultsOf(
  text: string | Buffer,
  kind: BatchKind = 'transfer',
  options: BatchFileOptions = {},
): Promise<string[]> {
  const file = await readBatchFile(Buffer.from(text), kind, { reference: 'folha', ...options })
  const { faults } = await judgeBatchFile(file)
  return faults.map(({ line, column, message }) => `${line} ${column}: ${message}`)
}

/** All rows of a file that has no faults. */
export async function rowsOf(
  text: string | Buffer,
  kind: BatchKind = 'transfer',
  options: BatchFileOptions = {},
): Promise<(ValidRow & ValidRow['facts'])[]> {
  return rowsIn(await readBatchFile(Buffer.from(text), kind, { reference: 'folha', ...options }))
}

/** All rows of a file that has no faults, each with the facts of its payment. */
export async function rowsIn(file: BatchFile): Promise<(ValidRow & ValidRow['facts'])[]> {
  const rows: ValidRow[] = []
  const { faults } = await judgeBatchFile(file, (row) => {
    rows.push(row)
  })
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
  return rows.map((row) => ({ ...row, ...row.facts }))
}

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** The parts of a text or of bytes, cut at the given sizes in turn. */
export async function* cut<Whole extends { length: number; subarray(start: number, end: number): Whole }>(
  whole: Whole,
  sizes: readonly number[],
): AsyncGenerator<Whole> {
  for (let start = 0, turn = 0; start < whole.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    yield whole.subarray(start, start + size)
    start += size
  }
}
