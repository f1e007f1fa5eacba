import type { Context } from '../../context.ts'
import { labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import { FINDINGS } from '../../timeline/records.ts'
import { foldTransactions, isOf, mayHaveMoved, nameOf, type Transaction } from '../../timeline/transactions.ts'
import { statusOfTransaction, transactionDocument } from '../../timeline/transactionView.ts'
import { amountText, instantText } from '../../views/payment.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { oneOf, refuseCsv, typedOrAsked } from '../optionValues.ts'
import { findNamed } from './named.ts'

/** `pixgate history settle`: records what a person found out. */
export const historySettle = defineCommand({
  description: 'Record what you found out, in the dashboard or from the receiver, about a payment that is in doubt',
  arguments: [
    { name: '<id>', description: 'external id, idTransaction, or the id that the hint named', completes: 'ids' },
  ],
  options: [
    { flags: '--as <finding>', description: `what you found: ${FINDINGS.join(', ')}`, completes: FINDINGS },
    { flags: '--because <text>', description: 'how you know' },
  ],
  examples: [
    ['pixgate history settle invoice-17 --as paid --because "receiver confirmed by phone"', 'it is not sent again'],
    ['pixgate history settle invoice-18 --as not-paid --because "not in the dashboard"', 'it may be sent again'],
  ],
  run: settle,
})

async function settle(
  context: Context,
  { id, ...options }: { as?: string; because?: string } & { id: string },
): Promise<number> {
  refuseCsv(context)
  const finding = oneOf(
    FINDINGS,
    await typedOrAsked(context, options.as, '--as', { question: t`What did you find?`, example: 'paid' }),
    '--as',
  )
  const because = await typedOrAsked(context, options.because, '--because', {
    question: t`How do you know?`,
    example: '"seen in the dashboard"',
  })
  const timeline = await context.timeline()
  const account = await context.namedAccount()
  const transactions = foldTransactions(await timeline.readUndamaged({ names: [id] }))
  const own = account === undefined ? transactions : transactions.filter((each) => isOf(each, account))
  const transaction = onlyOne(id, findNamed(own, id))
  if (finding === 'not-paid' && transaction.state === 'accepted') {
    context.terminal.warn(t`The gateway had accepted it; from now on the same payment may be sent again`)
  }
  if (finding === 'not-paid' && transaction.state === 'paid' && transaction.event !== null) {
    context.terminal.warn(
      t`The event ${transaction.event.n} says that it was carried out; from now on the same payment may be sent again`,
    )
  }
  await timeline.append({ type: 'finding', of: transaction.intent.id, as: finding, because })
  const records = await timeline.read({ names: [transaction.intent.id] })
  const after = foldTransactions(records).find(({ intent }) => intent.id === transaction.intent.id)
  const settled = after ?? transaction
  if (settled.state !== finding) {
    context.terminal.warn(t`An event of the gateway says something else, and counts: it stays ${settled.state}`)
  }
  context.print.one(transactionDocument(settled), () =>
    labelled(
      [
        [t`name`, nameOf(settled)],
        [t`state`, settled.state],
        [t`status`, statusOfTransaction(settled) ?? '—'],
      ],
      context.terminal.out,
    ),
  )
  return 0
}

/** Of several with one id, all of one account, the one in doubt is meant, else the one that may have moved money. Throws UsageError. */
function onlyOne(id: string, found: readonly Transaction[]): Transaction {
  const accounts = new Set(found.map(({ intent }) => `${intent.baseUrl} ${intent.clientId}`))
  if (accounts.size > 1) throw severalAccounts(id, found)
  for (const candidates of [found.filter(({ state }) => state === 'unknown'), found.filter(mayHaveMoved), found]) {
    const [candidate, another] = candidates
    if (candidate !== undefined && another === undefined) return candidate
  }
  throw new UsageError(t`${id} names ${found.length} transactions`, {
    details: found.map(
      ({ intent, state, atMs }) =>
        t`${intent.id}  ${intent.kind}  ${amountText(intent.amountCents)}  ${instantText(atMs)}  ${state}`,
    ),
    hint: t`Name the one that you mean by the id at the beginning of its line`,
  })
}

function severalAccounts(id: string, found: readonly Transaction[]): UsageError {
  return new UsageError(t`${id} names transactions of several accounts`, {
    details: found.map(({ intent, state }) => t`${intent.baseUrl}, client id ${intent.clientId}: ${state}`),
    hint: t`Name the account that you mean with \`--profile\` or \`--base-url\``,
  })
}
