import { t } from '../text/translate.ts'
import { NotFound } from '../wire/errors.ts'

/** The failure of a run that the ledger does not have. */
export function unknownRun(name: string): NotFound {
  return new NotFound(t`No run \`${name}\` is recorded`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate batch list\` to list the runs`,
  })
}
