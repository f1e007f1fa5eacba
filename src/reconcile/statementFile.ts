import type { NamedInput } from '../spreadsheet/fileContent.ts'
import type { Mapping } from '../spreadsheet/header.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { StatementFile } from './externalLine.ts'
import { isOfx, readOfx } from './ofx.ts'
import { readStatementTable } from './statementTable.ts'

/** Reads a statement as CSV, workbook or OFX. `typed` names columns, as `--map` does. Throws UsageError for what is none of them. */
export async function readStatementFile(input: NamedInput, typed: Mapping): Promise<StatementFile> {
  if (!isOfx(input.bytes)) return readStatementTable(input, typed)
  if (typed.size === 0) return readOfx(input.bytes)
  throw new UsageError(t`\`--map\` names columns, but the statement is an OFX file, which has none`, {
    hint: t`Omit \`--map\``,
  })
}
