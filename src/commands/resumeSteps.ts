import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import { checkMoneyAllowed } from '../money/allowed.ts'
import { comparedWith } from '../money/comparedWith.ts'
import { findTransfer, resumeTransfer } from '../money/resume.ts'
import { requestOf } from '../money/send.ts'
import { formatReais } from '../pix/amount.ts'
import { t } from '../text/words.ts'
import { foldTransactions } from '../timeline/transactions.ts'
import { readObject, textField } from '../wire/answers.ts'
import { showDryRun } from './dryRun.ts'
import { notBlank } from './optionValues.ts'
import { showTransfer, transferRows } from './transferText.ts'

/** The steps of `pixgate resume` and of `pixgate transfer --retry`. */
export async function resumeByExternalId(
  context: Context,
  typedId: string,
  { isDryRun, waitMs }: { isDryRun: boolean; waitMs: number | null },
): Promise<number> {
  const externalId = notBlank(typedId, '<external-id>')
  const account = await context.account()
  checkMoneyAllowed(account)
  const timeline = await context.timeline()
  const named = foldTransactions(await timeline.readUndamaged({ names: [externalId] }))
  const transaction = findTransfer(named, externalId, account)
  const { intent } = transaction
  if (isDryRun) return showDryRun(context, describeRequest(requestOf(account, intent)))
  if (waitMs !== null) {
    const { checkListener } = await import('./listener.ts')
    await checkListener(context, account, callbackUrlIn(intent.body))
  }
  const earlier = foldTransactions(await timeline.readUndamaged(comparedWith(intent, context.now())))
  const resumed = await resumeTransfer(await context.money(), transaction, {
    amountCents: intent.amountCents,
    rows: transferRows(intent, earlier, account, { nowMs: context.now(), err: context.terminal.err }),
    text: t`Settle it? ${formatReais(intent.amountCents)} goes to ${intent.key} only if it has not gone yet`,
  })
  const waits = waitMs !== null
  if (resumed.outcome === 'accepted') {
    showTransfer(context, account, resumed.accepted, { externalId, outcome: 'accepted', waits })
  } else {
    const { idTransaction, status, warnings } = resumed
    const answer = { fields: { idTransaction, status }, warnings }
    showTransfer(context, account, answer, { externalId, outcome: 'accepted-before', waits })
  }
  if (waitMs === null) return 0
  const { idTransaction } = resumed.outcome === 'accepted' ? resumed.accepted : resumed
  const { showFinalEvent } = await import('./finalEvent.ts')
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId }, waitMs)
}

function callbackUrlIn(body: string): string {
  return textField(readObject(body) ?? {}, 'callbackUrl') ?? ''
}
