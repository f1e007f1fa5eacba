import type { Context } from '../../context.ts'
import { findRun, type Run } from '../../ledger/runs.ts'
import { t } from '../../text/words.ts'
import { NotFound } from '../../wire/errors.ts'

/** An accepted run; undefined if this machine knows none of that name. */
export async function runNamed(context: Context, name: string): Promise<Run | undefined> {
  const ledger = await context.ledger()
  return ledger.read((database) => findRun(database, name))
}

/** The failure of a run that this machine does not know. */
export function unknownRun(name: string): NotFound {
  return new NotFound(t`No run ${name} was sent from this machine`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate batch list\` to list the runs`,
  })
}
