import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { faultOfNewProof, type ProofFault } from '../../ledger/eventProof.ts'
import { eventNumber, findEvents, nameOfEvent, possibleEvents } from '../../ledger/events.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { FINDINGS, type Finding, findingFromEvent } from '../../ledger/paymentState.ts'
import { loadPayment, type Payment } from '../../ledger/payments.ts'
import {
  concludeEndedSenders,
  type PaymentsBeingSent,
  paymentsBeingSent,
  type SenderProcess,
} from '../../ledger/processes.ts'
import type { EventRecord, LedgerRecord } from '../../ledger/records.ts'
import { stateText } from '../../ledger/stateWords.ts'
import type { Writer } from '../../ledger/writer.ts'
import { readText } from '../../optionParsers.ts'
import { beingSentFailure, inAdditionToName } from '../../payments/conflictFailure.ts'
import { askFindingConsent, assertCanSend } from '../../payments/consent.ts'
import { otherSender } from '../../payments/decide.ts'
import { knownBy, recentPayments, unverifiedEvent } from '../../payments/explanation.ts'
import { parseInstant, REPEAT_DAYS } from '../../pix/calendar.ts'
import { destinationText } from '../../pix/destination.ts'
import { type ActiveAccount, activeAccount } from '../../steps/activeAccount.ts'
import { verifyWithSecret } from '../../steps/integrityCheck.ts'
import { pickRecent, resolveId } from '../../steps/namedPayment.ts'
import { typedOrPrompted } from '../../steps/requiredValue.ts'
import type { Database } from '../../storage/sqlite.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t, translated } from '../../text/translate.ts'
import { paymentDocument } from '../../views/payments/paymentFields.ts'
import { amountText, instantText } from '../../views/valueText.ts'
import { NotFound, Refused, UsageError } from '../../wire/errors.ts'

const OPTIONS = defineOptions(
  { flags: '--as <finding>', description: `what you found: ${FINDINGS.join(', ')}`, choices: FINDINGS },
  { flags: '--because <text>', description: 'how you know', parse: readText },
  {
    flags: '--event <n>',
    description: "number of the event that proves that it was paid; it is this payment's own then",
    parse: readText,
  },
)

const COMMAND = 'pixgate history settle'

type SettleOptions = OptionsOf<typeof OPTIONS>

export const historySettle = defineCommand({
  arguments: [
    {
      name: '<id>',
      description:
        'external id, request number, idTransaction, id of the payment or the beginning of one of these UUIDs; without it, pick from a list',
      parse: readText,
      completes: 'ids',
      isPicked: true,
    },
  ],
  options: OPTIONS,
  examples: [
    ['pixgate history settle invoice-17 --as paid --because "receiver confirmed by phone"', 'it is not sent again'],
    [
      'pixgate history settle invoice-17 --as paid --event 153 --because "same receiver and day"',
      'the event proves it, so that it has a receipt',
    ],
    [
      'pixgate history settle invoice-18 --as not-paid --because "not in the dashboard"',
      'it counts as a repeat until `--in-addition-to` names it',
    ],
  ],
  run: settle,
})

async function settle(
  context: Context,
  { id, ...options }: SettleOptions & { id: string | undefined },
): Promise<number> {
  const account = await activeAccount(context)
  assertCanSend(account)
  const ledger = await context.ledger()
  const { folder } = ledger.environment
  // An id that names nothing, or several payments, is reported before anything is asked.
  const sending = await paymentsBeingSent(ledger)
  const known = await paymentToSettle(context, id, account, sending)
  const holder = sending.get(known.id)
  if (holder !== undefined) throw beingSentFailure(known, holder, t`Nothing was recorded`)
  if (options.as === undefined && !context.terminal.canAsk) {
    throw new UsageError(t`\`--as\` is missing`, {
      hint: t`Find out what happened to it, then add \`--as\` with ${FINDINGS.join(', ')} and \`--because\` with how you know`,
    })
  }
  const choices = FINDINGS.map((each) => ({ value: each, name: stateText(each) }))
  const finding = options.as ?? (await context.terminal.choose(t`What did you find?`, choices))
  if (options.event !== undefined) await verifyWithSecret(context)
  const proof = options.event === undefined ? null : await provingEvent(ledger, known, finding, options.event)
  const because = await typedOrPrompted(context, options.because, '--because', {
    question: t`How do you know?`,
    hint: t`Add \`--because\` with how you know it, in quotes`,
    parse: readText,
  })
  if (proof === null) assertNotDisproved(known, finding)
  if (finding !== 'paid') await tellOfPayment(context, ledger, known)
  const { yes, confirm } = context.settings
  await askFindingConsent(
    { account, terminal: context.terminal, yes, confirm },
    {
      amountCents: known.amountCents,
      name: known.givenId,
      rows: questionRows(known, finding, proof, context.terminal.err),
    },
  )
  const sender = await ledger.sender()
  const after = await ledger.write((writer) => {
    concludeEndedSenders(writer, sender, folder)
    const payment = loadPayment(writer.database, known.id)
    assertNotBeingSent(writer, sender, folder, payment)
    if (proof === null) assertNotDisproved(payment, finding)
    else assertProves(writer.database, payment, proof)
    const event = proof === null ? {} : { event: proof.id }
    writer.append({ type: 'finding', payment: payment.id, as: finding, because, ...event })
    return loadPayment(writer.database, payment.id)
  })
  warn(context, finding, after)
  context.print.one(paymentDocument(after), () =>
    labelledLines(
      [
        [t`name`, after.givenId],
        [t`payment`, after.id],
        [t`state`, stateText(after.summary.state)],
        [t`known by`, translated(knownBy(after.summary.deciding))],
      ],
      context.terminal.out,
    ),
  )
  return 0
}

function warn({ terminal }: Context, finding: Finding, { summary, facts, givenId, id }: Payment): void {
  if (summary.denial !== null && facts.kind !== 'qr' && summary.countedCents > 0) {
    const shown = inAdditionToName({ name: givenId, kind: facts.kind, id, idTransaction: summary.idTransaction })
    terminal.warn(
      t`For ${REPEAT_DAYS} days the same payment still counts as a repeat of ${shown}, and its amount stays in the sum of the day`,
    )
  }
  if (summary.state !== finding) {
    terminal.warn(t`A gateway event contradicts this and takes precedence: it stays ${stateText(summary.state)}`)
  }
}

/** What is known of the payment, from the gateway, events and people, beside what was found now. */
function questionRows(
  { id, facts, givenId, summary, owner }: Payment,
  finding: Finding,
  proof: ProvingEvent | null,
  err: Terminal['err'],
): LabelledRow[] {
  const { deciding } = summary
  const { answer, event, finding: earlier } = deciding
  return [
    [t`payment`, t`${translated(facts.kind)} ${givenId}`],
    ...(facts.kind === 'transfer' ? [[t`to`, destinationText(facts.key, facts.keyType)] as const] : []),
    [t`id`, summary.idTransaction ?? id],
    [t`sent`, t`${instantText(summary.sentMs)} to ${owner.baseUrl}`],
    ...(answer === null ? [] : [[t`answered`, answer.code ?? answer.status ?? '—'] as const]),
    ...(event === null ? [] : [[t`event`, t`${event.status ?? '—'} (event ${nameOfEvent(event)})`] as const]),
    ...(earlier === null
      ? []
      : [
          [
            t`found`,
            t`${stateText(earlier.as)} by ${earlier.user} at ${instantText(earlier.madeMs)}: ${earlier.because}`,
          ] as const,
        ]),
    [t`state`, stateText(summary.state)],
    [t`you found`, stateText(finding), finding === 'paid' ? err.bold : err.red.bold],
    ...(proof === null ? [] : [[t`proved by`, eventText(proof)] as const]),
  ]
}

type ProvingEvent = LedgerRecord<EventRecord>

/** What tells an event from others: its number and name, and whom it names as paid. */
function eventText(event: ProvingEvent): string {
  const { idTransaction, name } = event
  const said = [
    event.status,
    amountText(event.amountCents),
    name,
    idTransaction,
    instantText(parseInstant(event.at) ?? null),
  ]
  return t`event ${nameOfEvent(event)}: ${said.filter((each) => each !== null).join(', ')}`
}

/** The event that a person names as the proof of a payment. Throws NotFound and UsageError; Refused for one that proves nothing of it. */
async function provingEvent(ledger: Ledger, payment: Payment, finding: Finding, name: string): Promise<ProvingEvent> {
  if (finding !== 'paid') {
    throw new UsageError(t`\`--event\` proves that a payment was made, so it needs \`--as paid\``, {
      details: [t`Nothing was recorded`],
      hint: t`Omit \`--event\``,
    })
  }
  const found = await ledger.read((database) => findEvents(database, name))
  const numbered = found.filter(({ record }) => eventNumber(record) !== null)
  const [only, another] = numbered
  if (only === undefined) {
    throw new NotFound(t`No event \`${name}\` is recorded`, {
      outcome: 'not-sent',
      hint: t`Run \`pixgate webhook events\` to list the numbers and ids of recorded events`,
    })
  }
  if (another !== undefined) {
    throw new UsageError(t`${name} names ${numbered.length} events, and one is the proof`, {
      details: numbered.map(({ record }) => eventText(record)),
      hint: t`Name one of them by its number`,
    })
  }
  await ledger.read((database) => assertProves(database, payment, only.record))
  return only.record
}

/** Throws Refused if an event does not prove that a payment was made. */
function assertProves(database: Database, payment: Payment, event: ProvingEvent): void {
  const fault = faultOfNewProof(database, event, payment)
  if (fault === null) return
  const number = nameOfEvent(event)
  if (fault === 'unverified') throw unverifiedEvent(faultSentence(fault, payment, event))
  throw new Refused(faultSentence(fault, payment, event), {
    outcome: 'not-sent',
    details: [t`Nothing was recorded`],
    hint: t`Run \`pixgate webhook events show ${number}\` to see the event, and \`pixgate history show ${payment.id}\` to see the payment`,
  })
}

function faultSentence(fault: ProofFault, { givenId, facts }: Payment, event: ProvingEvent): string {
  const number = nameOfEvent(event)
  switch (fault) {
    case 'unsigned':
      return t`Event ${number} has no signature, so it proves nothing`
    case 'unverified':
      return t`Event ${number} is not verified here, so it proves nothing`
    case 'other-payment':
      return t`Event ${number} is about another payment than ${givenId}`
    case 'not-paid':
      return t`Event ${number} says ${event.status ?? '—'}, which does not prove that ${givenId} was paid`
    case 'amount':
      if (facts.amountCents === null)
        return t`Event ${number} is about ${amountText(event.amountCents)}, which is not all of ${givenId}`
      return t`Event ${number} is about ${amountText(event.amountCents)}, but ${givenId} is ${amountText(facts.amountCents)}`
  }
}

/** Names the events by which the payment may have been made, though no id says that they are about it. */
async function tellOfPayment({ terminal }: Context, ledger: Ledger, payment: Payment): Promise<void> {
  const possible = await ledger.read((database) => possibleEvents(database, payment))
  const paid = possible.filter((event) => findingFromEvent(event) === 'paid')
  for (const event of paid) {
    terminal.warn(t`This may be its payment, although no id says so: ${eventText(event)}`)
  }
  const [first] = paid
  if (first === undefined) return
  const name = nameOfEvent(first)
  terminal.next(
    t`Run \`pixgate webhook events show ${name}\` to see it; if it is about this payment, record it with \`pixgate history settle ${payment.id} --as paid --event ${name}\``,
  )
}

/** Throws Refused if a signed event says something else than a person found; money that came back is no contradiction of its payment. */
function assertNotDisproved({ givenId, summary }: Payment, finding: Finding): void {
  const { attempts } = summary
  const isOpen = attempts.some(({ state }) => state === 'unknown' || state === 'accepted')
  const evidence = attempts.map((each) => each.evidence).filter((each) => each !== null)
  const paid = evidence.find((each) => findingFromEvent(each) === 'paid')
  const last = isOpen ? undefined : attempts.at(-1)?.evidence
  const ended = last?.isVerified === true && findingFromEvent(last) !== 'paid' ? last : undefined
  const proof = finding === 'not-paid' ? (paid ?? ended) : ended
  if (proof === undefined || findingFromEvent(proof) === finding) return
  const number = nameOfEvent(proof)
  const message =
    proof === paid
      ? t`Event ${number}, which the gateway signed, says that ${givenId} was paid`
      : t`Event ${number}, which the gateway signed, says ${proof.status ?? '—'} of ${givenId}, and what a person found does not replace it`
  throw new Refused(message, {
    outcome: 'not-sent',
    details: [t`Nothing was recorded`],
    hint: t`Run \`pixgate webhook events show ${number}\` to see the event`,
  })
}

/** Throws UsageError while another process is sending the payment, because its answer is about to be recorded. */
function assertNotBeingSent(writer: Writer, sender: SenderProcess, folder: string, payment: Payment): void {
  const holder = otherSender(writer, sender, folder, payment)
  if (holder !== undefined) throw beingSentFailure(payment, holder, t`Nothing was recorded`)
}

/** A finding is about exactly one payment of the account. Throws NotFound and UsageError; Cancelled. */
async function paymentToSettle(
  context: Context,
  typed: string | undefined,
  account: ActiveAccount,
  beingSent: PaymentsBeingSent,
): Promise<Payment> {
  const question = {
    command: COMMAND,
    argument: '<id>',
    question: t`Which payment?`,
    nothing: t`No payment of this account has an unknown outcome`,
  }
  const named =
    typed === undefined
      ? await pickRecent(context, question, (database) =>
          recentPayments(database, account, { state: 'unknown', beingSent }),
        )
      : (await resolveId(context, typed, { command: COMMAND, account, rank: ({ is }) => (is === 'payment' ? 0 : 1) }))
          ?.named
  if (named?.is === 'payment') return named.payment
  const id = typed ?? ''
  throw new NotFound(t`No payment of ${account.url} and ${account.clientId} in this ledger has the id ${id}`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history find --all ${commandArgument(id)}\` to search the payments of all accounts, and select the right one with \`--profile\``,
  })
}
