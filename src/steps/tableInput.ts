import type { Context } from '../context.ts'
import type { NamedInput } from '../spreadsheet/fileContent.ts'
import { type CellFault, unlisted } from '../spreadsheet/tableRecords.ts'
import type { InputKind } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

const FAULTS_MAX = 1000

/** Reads a file that another program wrote, or stdin for `-`, with the name that was typed, for messages. Throws UsageError. */
export async function readNamedInput(context: Context, path: string, kind: InputKind): Promise<NamedInput> {
  const bytes = await context.readInputBytes(path, kind)
  return { bytes, name: path === '-' ? null : path, interrupt: context.runtime.interrupt }
}

/** Throws UsageError with the faults of a file, if it has any; `message` is the sentence for their number, `details` what else is to be said. */
export function assertNoFaults(
  faults: readonly CellFault[],
  message: (count: number) => string,
  details: readonly string[] = [],
): void {
  if (faults.length === 0) return
  const listed = faults.slice(0, FAULTS_MAX)
  throw new UsageError(message(faults.length), {
    details: [...details, ...unlisted(faults.length, listed.length)],
    faults: listed,
    hint: t`Correct the listed cells, then run the command again`,
  })
}
