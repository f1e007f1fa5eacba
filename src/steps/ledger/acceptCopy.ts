import type { Context } from '../../context.ts'
import type { LedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { WitnessFolder } from '../../ledger/witness.ts'
import { withCopyOf } from '../../openLedgers.ts'
import { missingSentence } from '../../payments/currentLedger.ts'
import { t } from '../../text/translate.ts'
import type { ActiveAccount } from '../activeAccount.ts'
import { confirmWeakening } from '../profiles/hostConfirmation.ts'

/**
 * Accepts the copy of a shared ledger that is not stopped as it is, if this machine has lost its earlier copy and the database was restored meanwhile: what
 * only the lost copy had can no longer be handed over. In production it asks for the host of the database. Returns whether there was something to accept.
 * Throws UsageError, Cancelled.
 */
export async function acceptCopy(
  context: Context,
  account: ActiveAccount,
  address: LedgerAddress,
  confirmHost: string | undefined,
): Promise<boolean> {
  const witness = new WitnessFolder(context.configFolder(), context.dataFolder(), context.newId)
  return withCopyOf(context, address, async (copy) => {
    const seen = witness.read()
    const verdict = await copy.read((database) => witness.compare(database, account, seen))
    if (verdict.is !== 'older') return false
    context.terminal.warn(missingSentence(verdict.seen, verdict.end))
    if (account.environment === 'production') {
      const step = {
        url: address.url,
        consequence: t`What only the lost copy of this machine had is unknown to all and could be paid twice`,
        question: t`Type the host of the database to use it as it is`,
        nothingDone: t`Nothing was changed`,
      }
      context.terminal.warn(step.consequence)
      await confirmWeakening(context, step, confirmHost)
    }
    await copy.read((database) => witness.accept(database))
    return true
  })
}
