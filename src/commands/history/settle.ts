import type { Context } from '../../context.ts'
import { paymentDocument } from '../../ledger/paymentDocument.ts'
import { findPayments, isOfAccount, loadPayment, type Payment } from '../../ledger/payments.ts'
import { concludeEndedSenders, livingProcess, type SenderProcess } from '../../ledger/processes.ts'
import { FINDINGS, type Finding } from '../../ledger/records.ts'
import type { Writer } from '../../ledger/writer.ts'
import { holderSentence } from '../../payments/conflictFailure.ts'
import type { Account } from '../../profiles/account.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { amountText, instantText } from '../../views/valueText.ts'
import { NotFound, UsageError } from '../../wire/errors.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { assertNotCsv, parseChoice, requireText, typedOrPrompted } from '../optionValues.ts'

const OPTIONS = defineOptions(
  { flags: '--as <finding>', description: `what you found: ${FINDINGS.join(', ')}`, completes: FINDINGS },
  { flags: '--because <text>', description: 'how you know' },
)

type SettleOptions = OptionsOf<typeof OPTIONS>

export const historySettle = defineCommand({
  description:
    'Record what you found out about a payment, in the dashboard or from the receiver. `not-paid` allows the same payment to be sent again',
  arguments: [
    {
      name: '<id>',
      description: 'external id, request number, idTransaction, or the id of the payment',
      completes: 'ids',
    },
  ],
  options: OPTIONS,
  examples: [
    ['pixgate history settle invoice-17 --as paid --because "receiver confirmed by phone"', 'it is not sent again'],
    ['pixgate history settle invoice-18 --as not-paid --because "not in the dashboard"', 'it may be sent again'],
  ],
  run: settle,
})

async function settle(context: Context, { id: typedId, ...options }: SettleOptions & { id: string }): Promise<number> {
  assertNotCsv(context)
  const id = requireText(typedId, '<id>')
  const typedFinding = options.as === undefined ? undefined : parseChoice(FINDINGS, options.as, '--as')
  const account = await context.namedAccount()
  const ledger = await context.ledger()
  const { folder } = ledger.environment
  // An id that names nothing, or several payments, is reported before anything is asked.
  await ledger.read((database) => onlyPayment(id, findPayments(database, id), account))
  const finding =
    typedFinding ??
    parseChoice(
      FINDINGS,
      await typedOrPrompted(context, undefined, '--as', {
        question: t`What did you find? (${FINDINGS.join(', ')})`,
        hint: t`Find out what happened to it, then add \`--as\` with ${FINDINGS.join(', ')} and \`--because\` with how you know`,
        check: (text) => void parseChoice(FINDINGS, text, '--as'),
      }),
      '--as',
    )
  const because = await typedOrPrompted(context, options.because, '--because', {
    question: t`How do you know?`,
    hint: t`Add \`--because\` with how you know it, in quotes`,
  })
  const sender = await ledger.sender()
  const { before, after } = await ledger.write((writer) => {
    concludeEndedSenders(writer, sender, folder)
    const payment = onlyPayment(id, findPayments(writer.database, id), account)
    assertNotBeingSent(writer, sender, folder, payment)
    writer.append({ type: 'finding', payment: payment.id, as: finding, because })
    return { before: payment, after: loadPayment(writer.database, payment.id) }
  })
  warn(context, finding, before, after)
  context.print.one(paymentDocument(after), () =>
    labelledLines(
      [
        [t`name`, after.name],
        [t`payment`, after.id],
        [t`state`, after.summary.state],
        [t`status`, after.summary.status ?? '—'],
      ],
      context.terminal.out,
    ),
  )
  return 0
}

function warn({ terminal }: Context, finding: Finding, before: Payment, after: Payment): void {
  const { state, deciding } = before.summary
  if (finding === 'not-paid' && state === 'accepted') {
    terminal.warn(t`The gateway had accepted it; from now on the same payment may be sent again`)
  }
  if (finding === 'not-paid' && state === 'paid' && deciding.event !== null) {
    terminal.warn(t`Event ${deciding.event.n} says that it was paid; from now on the same payment may be sent again`)
  }
  if (after.summary.state !== finding) {
    terminal.warn(t`A gateway event contradicts this and takes precedence: it stays ${after.summary.state}`)
  }
}

/** Throws UsageError while another process is sending the payment, because its answer is about to be recorded. */
function assertNotBeingSent(
  { database }: Writer,
  { open, id: own }: SenderProcess,
  folder: string,
  { name, summary }: Payment,
): void {
  for (const { sender } of summary.attempts) {
    const holder = sender === null || sender === own ? undefined : livingProcess(database, open, folder, sender)
    if (holder === undefined) continue
    throw new UsageError(t`Another process is currently sending ${name}`, {
      details: [holderSentence(holder), t`Nothing was recorded`],
      hint: t`Wait for it to finish, then run \`pixgate status ${commandArgument(name)}\``,
    })
  }
}

/** A finding is about exactly one payment. Throws NotFound and UsageError. */
function onlyPayment(id: string, found: readonly Payment[], account: Account | undefined): Payment {
  const own = account === undefined ? found : found.filter((each) => isOfAccount(each, account))
  const [only, another] = own
  if (only !== undefined && another === undefined) return only
  if (only === undefined) {
    throw new NotFound(t`No payment on this machine has the id ${id}`, {
      outcome: 'not-sent',
      hint: t`Run \`pixgate history --all\` to list the payments`,
    })
  }
  throw new UsageError(t`${id} names ${own.length} payments`, {
    details: own.map(
      (each) =>
        t`${each.id}  ${each.facts.kind}  ${amountText(each.amountCents)}  ${instantText(each.summary.sentMs)}  ${each.summary.state}  ${each.owner.environment}, ${each.owner.baseUrl}`,
    ),
    hint: t`Use the id at the beginning of a line, like \`pixgate history settle ${only.id}\``,
  })
}
