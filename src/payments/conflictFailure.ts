import { knownSentMs } from '../ledger/derivePayment.ts'
import { type MoneyPayment, planCommand } from '../ledger/facts.ts'
import { loadPayment, type Payment, type PaymentRow } from '../ledger/payments.ts'
import type { ProcessHolder } from '../ledger/processes.ts'
import type { LedgerRecord } from '../ledger/records.ts'
import { refusedFailure } from '../ledger/refusedRecords.ts'
import { isOfOneCharge } from '../ledger/samePayment.ts'
import { stateText } from '../ledger/stateWords.ts'
import type { Activity } from '../ledger/team/sharedRecords.ts'
import { formatReais, plainAmount } from '../pix/amount.ts'
import { formatInstant, parseInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { commandArgument, shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { type Failure, NotReached, Refused, UsageError } from '../wire/errors.ts'
import { unknownOutcomeHint } from './attemptOutcomes.ts'
import type { SendConflict } from './decide.ts'
import { stateAsVerified } from './explanation.ts'
import { approvalFailure, type IntendedPayment, type LimitConflict, ruleFailure } from './paymentRules.ts'
import { planFailure } from './planApproval.ts'

/** The failure that reports a conflict. `intended` is the payment that was not sent. Reads the earlier payment, if there is one. */
export function conflictFailure(
  database: Database,
  account: Account,
  intended: Pick<IntendedPayment, 'facts' | 'externalId'>,
  conflict: SendConflict,
): Failure {
  switch (conflict.why) {
    case 'record-refused':
      return refusedFailure(database, conflict.refused)
    case 'unknown':
      return unknownOutcomeFailure(loadPayment(database, conflict.earlier.id), intended.externalId)
    case 'repeat':
      return repeatFailure(account, loadPayment(database, conflict.earlier.id), intended.externalId)
    case 'external-id':
      return usedExternalIdFailure(loadPayment(database, conflict.earlier.id))
    case 'chargeback':
      return chargebackFailure(conflict.originalTransactionId)
    case 'left':
      return overRefundFailure(intended.facts, conflict)
    case 'id-made-up':
    case 'payee-changed':
    case 'not-payee':
    case 'payee-owner':
    case 'payee-wait':
      return ruleFailure(conflict)
    case 'amount-unknown':
    case 'max-amount':
    case 'max-day':
      return limitFailure(account, conflict)
    case 'changed':
      return changedFailure(conflict.payment)
    case 'being-sent':
      return beingSentFailure(conflict.payment, conflict.holder)
    case 'not-as-shown':
      return notAsShownFailure(conflict.attempt)
    case 'too-old':
      return tooOldFailure(conflict.payment, conflict.firstSentMs)
    case 'approval':
    case 'approval-amount-unknown':
      return approvalFailure(conflict, planCommand(intended.facts, intended.externalId))
    case 'not-planned':
    case 'plan-used':
    case 'plan-ended':
      return planFailure(conflict)
  }
}

/** A payment in one line: its name, time, user, machine and state. */
export function describePayment({ id, givenId, facts, first, summary }: Payment): string {
  const shown = facts.kind === 'refund' ? (summary.idTransaction ?? id) : givenId
  const sent = formatInstant(summary.sentMs)
  const { denial } = summary
  if (denial === null)
    return t`Earlier: ${shown}, ${sent}, by ${first.user} on ${first.machine}, ${stateAsVerified(summary)}`
  return t`Earlier: ${shown}, ${sent}, by ${first.user} on ${first.machine}; ${denial.user} on ${denial.machine} settled it as ${stateText(denial.as)} at ${formatInstant(denial.madeMs)}`
}

/** What `--in-addition-to` takes for a payment. */
export function inAdditionToName({
  name,
  kind,
  id,
  idTransaction,
}: Pick<PaymentRow, 'name' | 'kind' | 'id' | 'idTransaction'>): string {
  return kind === 'transfer' ? name : (idTransaction ?? id)
}

/** The sentence that says who is working, and since when. */
export function holderSentence({ pid, user, machine, since, until, hasEnded }: ProcessHolder): string {
  const time = formatInstant(parseInstant(since) ?? 0)
  if (pid !== null) return t`Process ${pid}, started by ${user} on ${machine}, has been working on it since ${time}`
  const latest = formatInstant(parseInstant(until ?? '') ?? 0)
  return hasEnded
    ? t`The process of this machine that sent it at ${time} has ended; the request may be on its way until ${latest}`
    : t`It is being sent by ${user} on ${machine} since ${time}, until ${latest} at the latest`
}

/** What to do about a payment that is being sent: how long to wait, if that is known, and what to type then. */
export function waitHint(holder: ProcessHolder, command: string): string {
  const seconds = secondsLeft([holder])
  return seconds === null
    ? t`Wait for it to finish, then run \`${command}\``
    : t`Wait ${seconds} seconds, then run \`${command}\``
}

/** After how many seconds nothing of these processes is on its way any more; null if one of them lives. */
export function secondsLeft(holders: readonly ProcessHolder[]): number | null {
  let left = 1
  for (const { leftMs } of holders) {
    if (leftMs === null) return null
    left = Math.max(left, Math.ceil(leftMs / 1000))
  }
  return left
}

/**
 * A request that a process left behind cannot be told from one that is still on its way, until it may no longer be. `holders` send what would be
 * resumed with `command`. Throws NotReached, because what waits may be sent then; nothing if they are living processes of this machine.
 */
export function assertNothingOnItsWay(holders: readonly ProcessHolder[], name: string, command: string): void {
  const [last] = holders
    .filter(({ until }) => until !== null)
    .sort((one, other) => (other.leftMs ?? 0) - (one.leftMs ?? 0))
  if (last === undefined) return
  throw new NotReached(t`Requests of ${name} that may still be on their way: ${holders.length}`, {
    code: 'LEDGER_BUSY',
    details: [holderSentence(last), t`Nothing was sent from here`],
    hint: waitHint(last, command),
  })
}

/** The sentence that says who works on a batch on another machine of the team, and since when. */
export function workerSentence({ login, machine, sinceMs }: Pick<Activity, 'login' | 'machine' | 'sinceMs'>): string {
  return t`${login} on ${machine} has been working on it since ${formatInstant(sinceMs)}`
}

function unknownOutcomeFailure(earlier: Payment, externalId: string | null): UsageError {
  const { facts, givenId } = earlier
  const hint = unknownOutcomeHint(earlier)
  if (facts.kind === 'refund') {
    return new UsageError(
      t`The outcome of a refund of ${facts.originalTransactionId} is unknown, so no other refund of it is sent`,
      {
        code: 'REPEAT',
        details: [describePayment(earlier)],
        hint,
      },
    )
  }
  const message =
    givenId === externalId
      ? t`The outcome of the transfer \`${givenId}\` is unknown, so it is not sent again`
      : t`The outcome of the same transfer is unknown, so it is not sent under another id`
  return new UsageError(message, {
    code: 'REPEAT',
    details: [describePayment(earlier)],
    hint,
    externalId: givenId,
  })
}

function repeatFailure({ environment }: Account, earlier: Payment, externalId: string | null): UsageError {
  const { facts, givenId, id, summary } = earlier
  const addition = inAdditionToName({ name: givenId, kind: facts.kind, id, idTransaction: summary.idTransaction })
  const option = environment === 'production' ? `--in-addition-to ${shellWord(addition)}` : '--again'
  const message =
    facts.kind === 'refund'
      ? summary.denial === null
        ? t`The same amount of ${facts.originalTransactionId} was already refunded`
        : t`A refund of ${facts.originalTransactionId} was settled as ${stateText(summary.denial.as)}, and only a person says so`
      : isOfOneCharge(facts)
        ? t`A payment of the charge that this code names was already sent, and a charge is paid once`
        : t`The same payment was already sent`
  return new UsageError(message, {
    code: 'REPEAT',
    details: [describePayment(earlier)],
    hint:
      facts.kind === 'transfer' && givenId === externalId
        ? t`Run \`pixgate history show ${commandArgument(addition)}\` to see it; to pay it again, repeat the command with \`${option}\` and another \`--external-id\``
        : facts.kind === 'refund'
          ? t`Run \`pixgate history show ${commandArgument(addition)}\` to see it; to refund it again, repeat the command with \`${option}\``
          : t`Run \`pixgate history show ${commandArgument(addition)}\` to see it; to pay it again, repeat the command with \`${option}\``,
    externalId: facts.kind === 'transfer' ? givenId : undefined,
  })
}

function usedExternalIdFailure(earlier: Payment): UsageError {
  const { givenId, summary } = earlier
  const isUnknown = summary.state === 'unknown'
  return new UsageError(t`The external id \`${givenId}\` was already used, and each id is for one payment only`, {
    code: 'REPEAT',
    details: [describePayment(earlier)],
    hint: isUnknown
      ? unknownOutcomeHint(earlier)
      : t`Run \`pixgate history show ${commandArgument(givenId)}\` to see that payment; choose another \`--external-id\` for a new payment`,
    externalId: givenId,
  })
}

function chargebackFailure(original: string): UsageError {
  return new UsageError(t`A chargeback of the payment ${original} is known, so a refund could return the money twice`, {
    code: 'REPEAT',
    details: [t`Nothing was sent`],
    hint: t`Find out in the dashboard how the chargeback ended; to refund it all the same, repeat the command with \`--despite-chargeback\``,
  })
}

function overRefundFailure(
  facts: MoneyPayment,
  { originalCents, refundedCents, amountCents }: Extract<SendConflict, { why: 'left' }>,
): Refused {
  const original = facts.kind === 'refund' ? facts.originalTransactionId : ''
  const left = originalCents === null ? 0 : Math.max(0, originalCents - refundedCents)
  const refunded = originalCents === null ? null : formatReais(Math.min(refundedCents, originalCents))
  return new Refused(
    left === 0
      ? t`All of the payment ${original} was already refunded`
      : t`${formatReais(amountCents ?? originalCents ?? 0)} is more than the ${formatReais(left)} that is left of the payment ${original}`,
    {
      code: 'REFUND_NOT_ALLOWED',
      outcome: 'not-sent',
      details: [
        ...(originalCents === null || refunded === null
          ? []
          : [t`It was ${formatReais(originalCents)}, and ${refunded} was refunded`]),
        t`Nothing was sent`,
      ],
      hint:
        refundedCents === 0
          ? t`Use an amount of at most ${formatReais(left)}`
          : t`Run \`pixgate history show ${commandArgument(original)}\` to see when and by whom`,
    },
  )
}

function changedFailure({ givenId, id, facts, summary }: Payment): UsageError {
  const shown = facts.kind === 'transfer' ? givenId : id
  return new UsageError(t`The payment ${shown} is now ${stateText(summary.state)}, so nothing was sent`, {
    code: 'REPEAT',
    details: [t`It changed while the question was open, or before`],
    hint: t`Run \`pixgate history show ${commandArgument(shown)}\` to see what happened`,
    externalId: facts.kind === 'transfer' ? givenId : undefined,
  })
}

/** The failure of a payment that another process is sending; `nothing` says what did not happen. */
export function beingSentFailure(
  { givenId, id, facts }: Payment,
  holder: ProcessHolder,
  nothing = t`Nothing was sent from here`,
): UsageError {
  const shown = facts.kind === 'transfer' ? givenId : id
  const message = holder.hasEnded
    ? t`The request of ${shown} may still be on its way`
    : t`Another process is currently sending ${shown}`
  return new UsageError(message, {
    code: 'REPEAT',
    details: [holderSentence(holder), nothing],
    hint: waitHint(holder, `pixgate status ${commandArgument(shown)}`),
    externalId: facts.kind === 'transfer' ? givenId : undefined,
  })
}

function notAsShownFailure({ seq, user, machine, at }: LedgerRecord): UsageError {
  const time = formatInstant(parseInstant(at) ?? 0)
  return new UsageError(
    t`Record ${seq} of the ledger, written by ${user} on ${machine} at ${time}, would send something else than what was confirmed`,
    {
      code: 'RECORD_REFUSED',
      details: [t`Nothing was sent`],
      hint: t`Ask ${user} about it; no machine sends it`,
    },
  )
}

function tooOldFailure(payment: Payment, firstSentMs: number): UsageError {
  const { givenId, id, facts } = payment
  const shown = facts.kind === 'transfer' ? givenId : id
  const sentMs = knownSentMs(firstSentMs)
  const details = [
    sentMs === null
      ? t`When it was sent is not known, because the clock of a machine was wrong`
      : t`It may have been sent at ${formatInstant(sentMs)}`,
  ]
  if (facts.kind === 'refund') {
    return new UsageError(
      t`The refund ${shown} is not sent again, because it has no id by which the gateway could recognise it`,
      {
        details: [...details, t`Nothing was sent`],
        hint: unknownOutcomeHint(payment),
      },
    )
  }
  return new UsageError(
    sentMs === null
      ? t`The transfer ${shown} may have been sent more than 24 hours ago, and the gateway may have forgotten its id`
      : t`The transfer ${shown} was sent more than 24 hours ago, and the gateway may have forgotten its id`,
    {
      details: [...details, t`Nothing was sent`],
      hint: t`Look it up in the dashboard, then record what you found with \`pixgate history settle ${commandArgument(shown)}\``,
      externalId: givenId,
    },
  )
}

/** The failure of a payment, or of several together, that a limit of the profile does not allow. */
export function limitFailure({ confirmName }: Account, conflict: LimitConflict): UsageError {
  switch (conflict.why) {
    case 'amount-unknown':
      return overLimit(
        t`The profile ${confirmName} has limits, and the amount of this refund is not known`,
        t`Add \`--amount\` with the amount to refund`,
      )
    case 'max-amount': {
      const { amountCents, maxCents } = conflict
      return overLimit(
        t`${formatReais(amountCents)} is more than the ${formatReais(maxCents)} that the profile ${confirmName} allows for one payment`,
        t`Check the amount; to raise the limit, run \`pixgate profile edit ${confirmName} --max-amount ${plainAmount(amountCents)}\``,
      )
    }
    case 'max-day': {
      const { sentTodayCents, amountCents, maxCents } = conflict
      return overLimit(
        t`${formatReais(sentTodayCents)} was sent today; ${formatReais(amountCents)} more would exceed the ${formatReais(maxCents)} that the profile ${confirmName} allows per day`,
        t`Wait until midnight in São Paulo; to raise the limit, run \`pixgate profile edit ${confirmName} --max-day ${plainAmount(sentTodayCents + amountCents)}\``,
      )
    }
  }
}

/** A failure with code OVER_LIMIT. */
export function overLimit(message: string, hint: string): UsageError {
  return new UsageError(message, { code: 'OVER_LIMIT', details: [t`Nothing was sent`], hint })
}
