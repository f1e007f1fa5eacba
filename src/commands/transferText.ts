import type { Context } from '../context.ts'
import { sentTodayCents } from '../money/limits.ts'
import type { Accepted } from '../money/pay.ts'
import { formatReais } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import { type LabelledRow, labelled } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import type { TransferIntent } from '../timeline/records.ts'
import { isOf, mayHaveMoved, type Transaction } from '../timeline/transactions.ts'
import { instantText, statusColour } from '../views/payment.ts'
import { type AnswerFields, statusOf } from '../wire/answers.ts'
import type { Outcome } from '../wire/errors.ts'

/** What a person checks before a transfer leaves: the destination exactly as it is sent, and what went there before. */
export function transferRows(
  intent: TransferIntent,
  earlier: readonly Transaction[],
  account: Account,
  nowMs: number,
): LabelledRow[] {
  const toKey = earlier.filter(
    (each) =>
      each.intent.kind === 'transfer' && each.intent.key === intent.key && isOf(each, account) && mayHaveMoved(each),
  )
  const last = toKey.at(-1)
  const owner = intent.documentValidation
  return [
    [t`to`, intent.key],
    [t`kind of key`, intent.typeKey],
    [t`owner`, owner === null ? t`not checked` : t`must be ${owner}`],
    [t`external id`, intent.externalId],
    [
      t`paid before`,
      last === undefined ? t`never to this key` : t`${toKey.length} times, last ${instantText(last.atMs)}`,
    ],
    [t`sent today`, formatReais(sentTodayCents(earlier, account, nowMs))],
  ]
}

/** Prints what became of a transfer. */
export function showTransfer(
  context: Context,
  account: Account,
  answer: Pick<Accepted, 'fields'>,
  externalId: string,
  outcome: Outcome,
): void {
  const status = statusOf(answer.fields)
  const pixgate = { profile: account.profile, environment: account.environment, outcome, warnings: [] }
  const document: AnswerFields = { ...answer.fields, externalId, status, pixgate }
  const { out } = context.terminal
  context.print.one(document, () =>
    labelled(
      [
        [t`id`, String(answer.fields.idTransaction ?? '—')],
        [t`status`, status ?? '—', statusColour(status, out)],
        [t`external id`, externalId],
      ],
      out,
    ),
  )
  context.terminal.note(t`Accepted is not paid yet: the event \`transfer.completed\` or \`transfer.failed\` decides`)
}
