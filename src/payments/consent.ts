import { formatReais, parseAmount } from '../pix/amount.ts'
import { amountInWords } from '../pix/amountWords.ts'
import { Malformed } from '../pix/malformed.ts'
import type { Account } from '../profiles/account.ts'
import { type LabelledRow, labelled, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import { Cancelled, UsageError } from '../wire/errors.ts'
import type { PaymentContext } from './paymentContext.ts'

/** What the labels of a summary take, with the space behind them. */
const LABEL_COLUMNS = 14

/** Who has to agree, and how: in a sandbox by yes or no, in production by this name or an amount. */
export type Agreeing = Pick<Account, 'confirmName' | 'environment'>

/** How the user has answered in advance. */
export type GivenAnswer = Pick<PaymentContext, 'yes' | 'confirm'>

/** What a person is asked before money moves. */
export interface Question {
  /** Null where the amount is not known: all that the gateway finds. */
  amountCents: number | null
  /** What stands under environment, address and amount. */
  rows: readonly LabelledRow[]
  /** The question of a sandbox, answered by yes or no. */
  text: string
}

/**
 * Shows what is about to happen and asks. In a sandbox `y` or `--yes` answers; in production a person types the amount, a
 * script names the profile with `--confirm`. Throws Cancelled where a person declines, UsageError with code
 * CONFIRMATION_REQUIRED where nobody can be asked or the answer in advance is not enough.
 */
export async function askConsent(context: PaymentContext, question: Question): Promise<void> {
  const { account, terminal } = context
  const summary = labelled(
    [...accountRows(account, terminal.err), ...amountRows(question.amountCents, terminal), ...question.rows],
    terminal.err,
  )
  if (isAnswered(account, context, t`Nothing was sent`)) {
    for (const line of summary) terminal.note(line)
    return
  }
  if (!terminal.canAsk) throw nobodyToAsk(account)
  terminal.say(summary.join('\n'))
  if (account.environment === 'production') {
    await askAmount(context, question.amountCents)
    return
  }
  if (await terminal.confirm(question.text)) return
  throw new Cancelled(t`Declined, nothing was sent`, { hint: t`Run the command again when you are ready` })
}

/**
 * True where the question is answered by an option. `nothingDone` says what has not happened. Throws UsageError with code
 * CONFIRMATION_REQUIRED for an answer that names another account, or that is not enough.
 */
export function isAnswered(
  { confirmName: name, environment }: Agreeing,
  { yes, confirm }: GivenAnswer,
  nothingDone: string,
): boolean {
  if (confirm !== undefined) {
    if (confirm === name) return true
    throw new UsageError(t`\`--confirm ${confirm}\` does not name what is used here, which is ${name}`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [nothingDone],
      hint: t`Check that you mean ${name}, then write \`--confirm ${name}\``,
    })
  }
  if (!yes) return false
  if (environment === 'sandbox') return true
  throw new UsageError(t`\`--yes\` is not enough in production`, {
    code: 'CONFIRMATION_REQUIRED',
    details: [nothingDone],
    hint: t`Add \`--confirm ${name}\` in a script, or omit \`--yes\` in a terminal to type the amount`,
  })
}

async function askAmount({ terminal }: PaymentContext, amountCents: number | null): Promise<void> {
  const typed =
    amountCents === null
      ? await terminal.askText(t`This is real money. Type \`all\` to return all of it`)
      : await terminal.askText(t`This is real money. Type the amount to send it`)
  if (amountCents === null ? typed.trim() === 'all' : typedCents(typed) === amountCents) return
  throw new Cancelled(t`The typed amount is another one, nothing was sent`, {
    hint: t`Check what you want to send, then run the command again`,
  })
}

/** The amount that was typed, in cents; null where it is none. */
export function typedCents(typed: string): number | null {
  try {
    return parseAmount(typed)
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

function nobodyToAsk(account: Account): UsageError {
  const hint =
    account.environment === 'sandbox'
      ? t`Add \`--yes\` if this is what you want, or \`--dry-run\` to see what would be sent`
      : t`Add \`--confirm ${account.confirmName}\` if this is what you want, or \`--dry-run\` to see what would be sent`
  return new UsageError(t`Money would move, and nobody can be asked`, {
    code: 'CONFIRMATION_REQUIRED',
    details: [t`Nothing was sent`],
    hint,
  })
}

function accountRows(account: Account, err: Terminal['err']): LabelledRow[] {
  return [environmentRow(account, err), [t`address`, account.url]]
}

/** Whose environment it is; production stands out. */
export function environmentRow(
  { environment, profile }: Pick<Account, 'environment' | 'profile'>,
  err: Terminal['err'],
): LabelledRow {
  const source = profile === null ? t`credentials from the environment` : t`profile ${profile}`
  return [t`environment`, t`${environment}, ${source}`, environment === 'production' ? err.red.bold : err]
}

function amountRows(amountCents: number | null, terminal: Terminal): LabelledRow[] {
  if (amountCents === null) return [[t`amount`, t`all that is left`, terminal.err.bold]]
  return knownAmountRows(amountCents, terminal)
}

/** An amount in figures and in words. */
export function knownAmountRows(
  amountCents: number,
  { err, columns }: Pick<Terminal, 'err' | 'columns'>,
): LabelledRow[] {
  return [
    [t`amount`, formatReais(amountCents), err.bold],
    ...brokenAtSpaces(amountInWords(amountCents), columns - LABEL_COLUMNS).map(
      (line, index): LabelledRow => [index === 0 ? t`in words` : '', line],
    ),
  ]
}

/** A number broken inside a word is not read; one word stands on a line at least. */
function brokenAtSpaces(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}
