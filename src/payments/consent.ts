import { formatReais } from '../pix/amount.ts'
import { amountInWords } from '../pix/amountWords.ts'
import type { Account } from '../profiles/account.ts'
import type { Signer } from '../profiles/signer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { askToType, mustBeAmount, mustBeWord } from '../terminal/typedConfirmation.ts'
import { t, translated } from '../text/translate.ts'
import { Cancelled, UsageError } from '../wire/errors.ts'
import type { PaymentContext } from './paymentContext.ts'

/** Who confirms, and how: yes or no in a sandbox, this name or an amount in production. */
type ConfirmedBy = Pick<Account, 'confirmName' | 'environment'>

type ShownAccount = Pick<Account, 'environment' | 'profile' | 'url'>

type AdvanceAnswer = Pick<PaymentContext, 'yes' | 'confirm'>

declare const given: unique symbol

/** That a person, or an answer in advance, agreed to a question. Only {@link askConsent} gives one, so nothing can be paid without a question. */
export interface Consent {
  readonly [given]: true
}

// The only place where a consent is made.
const CONSENT = {} as Consent

/** What a person is asked before money moves. */
export interface Question {
  /** Null if the amount is unknown: all that is left. */
  amountCents: number | null
  /** The rows below environment, address and amount. */
  rows: readonly LabelledRow[]
  /** The question of a sandbox, answered by yes or no. */
  text: string
}

/**
 * Shows what is about to happen and asks. In a sandbox `y` or `--yes` answers; in production a person types the amount, a
 * script names the profile with `--confirm`. Throws Cancelled if a person declines, UsageError with code
 * CONFIRMATION_REQUIRED if there is no terminal to ask on or the answer in advance is not enough.
 */
export async function askConsent(context: PaymentContext, question: Question): Promise<Consent> {
  const { account, terminal } = context
  const { confirmName, environment } = account
  const isSandbox = environment === 'sandbox'
  await askToAgree(context, account, {
    lines: questionLines(context, question, 'err'),
    nothingDone: t`Nothing was sent`,
    unasked: t`This would move money, and there is no terminal to ask on`,
    hint: isSandbox
      ? t`Add \`--yes\` if this is what you want, or \`--dry-run\` to see what would be sent`
      : t`Add \`--confirm ${confirmName}\` if this is what you want, or \`--dry-run\` to see what would be sent`,
    ask: () =>
      isSandbox
        ? askYes(terminal, question.text, t`Declined; nothing was sent`)
        : askAmount(context, question.amountCents),
  })
  return CONSENT
}

/** What a person must agree to before it is done. */
interface Agreement {
  /** What is shown first. */
  lines: readonly string[]
  /** What has not happened, as a sentence. */
  nothingDone: string
  /** The message, further details and the hint of the failure without a terminal. */
  unasked: string
  details?: readonly string[]
  hint: string
  /** Throws Cancelled unless the answer agrees. */
  ask: () => Promise<void>
}

/**
 * Shows what is about to happen and asks, unless an option has answered. Throws UsageError with code CONFIRMATION_REQUIRED without a terminal, and like
 * {@link isAnswered}; Cancelled if a person declines.
 */
export async function askToAgree(
  context: AdvanceAnswer & { terminal: Pick<Terminal, 'canAsk' | 'note' | 'say'> },
  by: ConfirmedBy,
  { lines, nothingDone, unasked, details = [], hint, ask }: Agreement,
): Promise<void> {
  const { terminal } = context
  if (isAnswered(by, context, nothingDone)) {
    for (const line of lines) terminal.note(line)
    return
  }
  if (!terminal.canAsk) {
    throw new UsageError(unasked, { code: 'CONFIRMATION_REQUIRED', details: [...details, nothingDone], hint })
  }
  terminal.say(lines.join('\n'))
  await ask()
}

/** Asks a person to say yes. Throws Cancelled with this message otherwise. */
export async function askYes(terminal: Pick<Terminal, 'confirm'>, question: string, declined: string): Promise<void> {
  if (await terminal.confirm(question)) return
  throw new Cancelled(declined, { hint: t`Run the command again when you are ready` })
}

/** Where a question is shown: beside what a command prints, or as what a dry run prints. */
export type QuestionStream = 'err' | 'out'

/**
 * For a dry run, the lines that {@link askConsent} would show. It asks nothing, so it needs no answer in advance; but throws UsageError for a
 * `--confirm` that names another account.
 */
export function dryRunLines(context: PaymentContext, question: Question): (stream: QuestionStream) => string[] {
  assertConfirmsThis(context.account, context, t`Nothing was sent`)
  return (stream) => questionLines(context, question, stream)
}

function questionLines(
  { account, terminal }: { account: ShownAccount; terminal: PaymentContext['terminal'] },
  { amountCents, rows }: Pick<Question, 'amountCents' | 'rows'>,
  stream: QuestionStream,
): string[] {
  const style = terminal[stream]
  return labelledLines(
    [...questionAccountRows(account, style), ...amountRows(amountCents, style), ...rows],
    style,
    stream === 'out' ? terminal.textColumns : terminal.errColumns,
  )
}

/**
 * True if an option answers the question. `nothingDone` says what has not happened. Throws UsageError with code
 * CONFIRMATION_REQUIRED for an answer that names another account, or that is not enough.
 */
export function isAnswered(by: ConfirmedBy, answer: AdvanceAnswer, nothingDone: string): boolean {
  const { confirmName: name, environment } = by
  assertConfirmsThis(by, answer, nothingDone)
  if (answer.confirm !== undefined) return true
  if (!answer.yes) return false
  if (environment === 'sandbox') return true
  throw new UsageError(t`\`--yes\` is not enough in production`, {
    code: 'CONFIRMATION_REQUIRED',
    details: [nothingDone],
    hint: t`Use \`--confirm ${name}\` in a script; on a terminal, omit \`--yes\` and type the amount`,
  })
}

function assertConfirmsThis({ confirmName: name }: ConfirmedBy, { confirm }: AdvanceAnswer, nothingDone: string): void {
  if (confirm === undefined || confirm === name) return
  throw new UsageError(t`\`--confirm ${confirm}\` does not match ${name}, which is used here`, {
    code: 'CONFIRMATION_REQUIRED',
    details: [nothingDone],
    hint: t`Use \`--confirm ${name}\` if you mean ${name}`,
  })
}

async function askAmount({ terminal }: PaymentContext, amountCents: number | null): Promise<void> {
  const isAll = amountCents === null
  await askToType(terminal, {
    question: isAll
      ? t`This is real money. Type \`all\` to refund all of it`
      : t`This is real money. Type the amount to send it`,
    faultOf: isAll ? mustBeWord('all') : mustBeAmount(amountCents),
    mismatch: t`The typed amount does not match; nothing was sent`,
    hint: t`Check the amount, then run the command again`,
  })
}

/** The environment, the profile and the address of an account, above what is asked. */
export function questionAccountRows(account: ShownAccount, err: Terminal['err']): LabelledRow[] {
  return [environmentRow(account, err), [t`address`, account.url]]
}

function environmentRow(
  { environment, profile }: Pick<Account, 'environment' | 'profile'>,
  err: Terminal['err'],
): LabelledRow {
  const source = profile === null ? t`credentials from the environment` : t`profile ${profile}`
  return [t`environment`, t`${translated(environment)}, ${source}`, environment === 'production' ? err.red.bold : err]
}

function amountRows(amountCents: number | null, err: Terminal['err']): LabelledRow[] {
  if (amountCents === null) return [[t`amount`, t`all that is left`, err.bold]]
  return knownAmountRows(amountCents, err)
}

function knownAmountRows(amountCents: number, err: Terminal['err']): LabelledRow[] {
  return [
    [t`amount`, formatReais(amountCents), err.bold],
    [t`in words`, amountInWords(amountCents)],
  ]
}

/** Throws UsageError for a read-only profile. */
export function assertCanSend({ readOnly, confirmName }: Pick<Account, 'readOnly' | 'confirmName'>): void {
  if (readOnly)
    throw readOnlyFailure(t`The profile ${confirmName} is read-only: nothing that moves money is sent with it`)
}

/** Its hint never says how to pay with it: it may be that of a person who only looks up and checks. */
function readOnlyFailure(message: string): UsageError {
  return new UsageError(message, {
    hint: t`Use another profile with \`--profile\`, or ask a person who may pay to do it`,
  })
}

/** What signing works with. */
export interface SigningContext extends AdvanceAnswer {
  signer: Signer
  terminal: Pick<Terminal, 'askText' | 'canAsk' | 'err' | 'errColumns' | 'note' | 'say'>
}

interface SigningQuestion {
  /** What the event says was paid; null if it names no amount. */
  amountCents: number | null
  /** The rows below environment, address and amount. */
  rows: readonly LabelledRow[]
}

/** Typed if there is no amount to type. */
const WORD = 'sign'

/**
 * Asks before a webhook is signed with the secret of production: it is a signed payment that never happened. A person types
 * the event's amount, or `sign` if it has none; a script names the profile with `--confirm`. In a sandbox nothing is
 * asked. Throws UsageError for a read-only profile, and with code CONFIRMATION_REQUIRED if there is no terminal to ask on or
 * the answer in advance is not enough; Cancelled if a person declines.
 */
export async function askSigningConsent(context: SigningContext, question: SigningQuestion): Promise<void> {
  const { signer, terminal } = context
  const { confirmName, environment } = signer
  const { amountCents } = question
  assertCanSign(signer)
  const nothingDone = t`Nothing was signed`
  if (environment === 'sandbox') {
    assertConfirmsThis(signer, context, nothingDone)
    return
  }
  await askToAgree(context, signer, {
    lines: labelledLines(rowsOf(signer, question, terminal.err), terminal.err, terminal.errColumns),
    nothingDone,
    unasked: t`This signs with a production secret, and there is no terminal to ask on`,
    details: [t`It would be a signed payment that never happened`],
    hint: t`Add \`--confirm ${confirmName}\` if this is what you want, or use a sandbox with \`--profile local\``,
    ask: () =>
      askToType(terminal, {
        question:
          amountCents === null
            ? t`It will count as genuine. Type \`${WORD}\` to sign it`
            : t`It will count as genuine. Type the amount to sign it`,
        faultOf: amountCents === null ? mustBeWord(WORD) : mustBeAmount(amountCents),
        mismatch: t`The typed text does not match; nothing was signed`,
        hint: t`Check what is signed, then run the command again`,
      }),
  })
}

/** Throws UsageError for a read-only profile. */
function assertCanSign({ readOnly, confirmName }: Pick<Signer, 'readOnly' | 'confirmName'>): void {
  if (readOnly) throw readOnlyFailure(t`The profile ${confirmName} is read-only: nothing is signed with it`)
}

function rowsOf(signer: Signer, { amountCents, rows }: SigningQuestion, err: Terminal['err']): LabelledRow[] {
  return [
    environmentRow(signer, err),
    ...(signer.baseUrl === null ? [] : [[t`address`, signer.baseUrl] as const]),
    [t`meaning`, t`a signed payment that never happened`, err.red.bold],
    ...(amountCents === null ? [] : knownAmountRows(amountCents, err)),
    ...rows,
  ]
}

interface FindingContext extends Pick<PaymentContext, 'terminal' | 'yes' | 'confirm'> {
  account: Pick<Account, 'confirmName' | 'environment' | 'profile' | 'url'>
}

interface FindingQuestion {
  /** Null if the amount is unknown. */
  amountCents: number | null
  /** What is known of the payment so far, and what the person found. */
  rows: readonly LabelledRow[]
  /** Typed if the amount is unknown. */
  name: string
}

/**
 * Shows what is known and what a person found, and asks before that is recorded, because rules about money follow from it. In production a
 * person types the amount, a script names the profile with `--confirm`; in a sandbox nothing is asked. Throws Cancelled if a person declines,
 * UsageError with code CONFIRMATION_REQUIRED without a terminal.
 */
export async function askFindingConsent(context: FindingContext, question: FindingQuestion): Promise<void> {
  const { account, terminal } = context
  const { amountCents, name } = question
  const lines = questionLines(context, question, 'err')
  const nothingDone = t`Nothing was recorded`
  if (account.environment === 'sandbox') {
    assertConfirmsThis(account, context, nothingDone)
    for (const line of lines) terminal.note(line)
    return
  }
  await askToAgree(context, account, {
    lines,
    nothingDone,
    unasked: t`This changes what is known of a payment in production, and there is no terminal to ask on`,
    hint: t`Add \`--confirm ${account.confirmName}\` if you have looked it up`,
    ask: () =>
      askToType(terminal, {
        question:
          amountCents === null
            ? t`Type \`${name}\` to record what you found`
            : t`Type the amount to record what you found`,
        faultOf: amountCents === null ? mustBeWord(name) : mustBeAmount(amountCents),
        mismatch: t`The typed text does not match; nothing was recorded`,
        hint: t`Check which payment it is, then run the command again`,
      }),
  })
}
