import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import { findPayments, refundsOf } from '../ledger/payments.ts'
import { checkMoneyAllowed } from '../payments/allowed.ts'
import { resumeTransfer, transferToResume } from '../payments/resume.ts'
import { requestOf } from '../payments/send.ts'
import { readResumeSituation } from '../payments/situation.ts'
import { formatReais } from '../pix/amount.ts'
import { t } from '../text/words.ts'
import { checkListener } from './callbackUrl.ts'
import { showDryRun } from './dryRun.ts'
import { notBlank } from './optionValues.ts'
import { showTransfer, transferRows } from './transferText.ts'

/** The steps of `pixgate resume` and of `pixgate transfer --retry`. */
export async function resumeByExternalId(
  context: Context,
  typedId: string,
  { isDryRun, waitMs, includeUnknown }: { isDryRun: boolean; waitMs: number | null; includeUnknown: boolean },
): Promise<number> {
  const externalId = notBlank(typedId, '<external-id>')
  const account = await context.account()
  checkMoneyAllowed(account)
  const payments = await context.payments()
  const { ledger } = payments
  const payment = await ledger.read((database) =>
    transferToResume(findPayments(database, externalId), refundsOf(database, externalId), externalId, account),
  )
  const { facts, name } = payment
  const { body } = payment.summary.deciding.record
  if (isDryRun) return showDryRun(context, describeRequest(requestOf(account, facts, body ?? '')))
  if (waitMs !== null) await checkListener(context, account, facts.callbackUrl)
  const situation = await readResumeSituation(payments, payment)
  const question = {
    amountCents: facts.amountCents,
    rows: transferRows(facts, name, situation, { err: context.terminal.err }),
    text: t`Resume it? ${formatReais(facts.amountCents)} goes to ${facts.key} only if it was not paid yet`,
  }
  const resumed = await resumeTransfer(payments, payment, question, includeUnknown)
  const waits = waitMs !== null
  if (resumed.outcome === 'accepted') {
    showTransfer(context, account, resumed.accepted, { externalId: name, outcome: 'accepted', waits })
  } else {
    const { idTransaction, status, warnings } = resumed
    const answer = { fields: { idTransaction, status }, warnings }
    showTransfer(context, account, answer, { externalId: name, outcome: 'accepted-before', waits })
  }
  if (waitMs === null) return 0
  const { idTransaction } = resumed.outcome === 'accepted' ? resumed.accepted : resumed
  const { showFinalEvent } = await import('./finalEvent.ts')
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId: name }, waitMs)
}
