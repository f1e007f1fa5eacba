import { withDirections } from '../../src/reconcile/statement.ts'
import { readStatementFile } from '../../src/reconcile/statementFile.ts'
import type { StatementFile } from '../../src/reconcile/tableFile.ts'
import { BANK_FILES, type BankFile, RIGHT } from './bankFiles.ts'
import { input } from './input.ts'

/** Reads a statement, with the directions that are compared. */
export async function read(bytes: Uint8Array): Promise<StatementFile> {
  const file = await readStatementFile(input(bytes), new Map())
  return { ...file, lines: withDirections(file.lines) }
}

/** The day and the signed amount of each line, the oldest first. */
export function movements({ lines }: StatementFile): string[] {
  return lines
    .map(
      ({ day, amountCents, direction }) =>
        `${day} ${direction === null ? '?' : ''}${direction === 'debit' ? -amountCents : amountCents}`,
    )
    .sort()
}

/** What every bank's file says. */
export const RIGHT_MOVEMENTS = RIGHT.map(({ day, cents }) => `${day} ${cents}`)

/** The files that are text with cells. */
export const TABLES = BANK_FILES.filter(
  (file): file is BankFile & { content: string } => typeof file.content === 'string' && file.format !== 'OFX',
)
