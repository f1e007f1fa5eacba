import type { Context } from '../context.ts'
import type { ExternalFile } from '../reconcile/externalLine.ts'
import type { TableSpec } from '../reconcile/tableColumns.ts'
import { type NamedInput, readTableFile } from '../reconcile/tableFile.ts'
import { readMapping } from '../spreadsheet/header.ts'
import type { CellFault } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

const FAULTS_MAX = 1000

/** A file that another program wrote, and its bytes. */
export interface TableInput extends ExternalFile {
  bytes: Uint8Array
}

/**
 * Reads a list of ids from a file or, for `-`, stdin, and notes which columns were recognised. `map` is what was typed as `--map`. Throws
 * UsageError with all faults of the file.
 */
export async function readTableInput(
  context: Context,
  path: string,
  map: readonly string[],
  spec: TableSpec,
): Promise<TableInput> {
  const mapping = readMapping(map, spec)
  const bytes = await context.readInputBytes(path, 'idList')
  const { faults, remarks, ...file } = await readTableFile(namedInput(context, path, bytes), spec, mapping)
  for (const remark of remarks) context.terminal.warn(remark)
  assertNoFaults(faults, 'idList')
  noteColumns(context, file.recognised)
  return { ...file, bytes }
}

/** The bytes of a file with the name that was typed, for messages. */
export function namedInput({ runtime }: Context, path: string, bytes: Uint8Array): NamedInput {
  return { bytes, name: path === '-' ? null : path, interrupt: runtime.interrupt }
}

/** Throws UsageError with the faults of a file, if it has any. */
export function assertNoFaults(faults: readonly CellFault[], kind: 'idList' | 'statement'): void {
  if (faults.length === 0) return
  throw new UsageError(kind === 'statement' ? statementFaults(faults.length) : listFaults(faults.length), {
    faults: faults.slice(0, FAULTS_MAX),
    hint: t`Correct the listed cells, then run the command again`,
  })
}

/** Notes which columns were recognised by their names. */
export function noteColumns({ terminal }: Context, recognised: readonly string[]): void {
  if (recognised.length === 0) return
  terminal.note(t`Read as \`--map "${recognised.join(',')}"\`; give another \`--map\` if that is wrong`)
}

function statementFaults(count: number): string {
  return count === 1 ? t`The statement has a fault` : t`The statement has ${count} faults`
}

function listFaults(count: number): string {
  return count === 1
    ? t`The file has a fault, so no query was sent`
    : t`The file has ${count} faults, so no query was sent`
}
