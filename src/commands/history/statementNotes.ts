import type { Context } from '../../context.ts'
import { formatReais } from '../../pix/amount.ts'
import type { StatementFile, StatementLine } from '../../reconcile/externalLine.ts'
import { statedCents } from '../../reconcile/matchById.ts'
import { sidesOf } from '../../reconcile/paymentSides.ts'
import { STATEMENT_VERDICTS, type StatementMatch, suggestsPaid } from '../../reconcile/statement.ts'
import { t, translated } from '../../text/translate.ts'

const RANGES_MAX = 8
const GROUPS_MAX = 5
const NAMES_MAX = 8

/** Which lines were not compared because they hold no payment, a sentence each. */
export function skippedTexts({ balanceLines, otherLines }: StatementFile): string[] {
  return [
    ...(balanceLines.length === 0
      ? []
      : [t`Skipped lines that hold a balance: ${balanceLines.length} (${lineList(balanceLines)})`]),
    ...(otherLines.length === 0
      ? []
      : [t`Skipped lines that hold no payment: ${otherLines.length} (${lineList(otherLines)})`]),
  ]
}

/** Prints the count and the sums on both sides for each verdict. */
export function noteTotals({ terminal }: Context, matches: readonly StatementMatch[], isSigned: boolean): void {
  for (const verdict of STATEMENT_VERDICTS) {
    const members = matches.filter((each) => each.verdict === verdict)
    if (members.length === 0) continue
    const here = members.reduce((sum, { hereCents }) => sum + BigInt(shownCents(hereCents ?? 0, isSigned)), 0n)
    const there = members.reduce((sum, { line }) => sum + BigInt(line === null ? 0 : statedCents(line)), 0n)
    terminal.note(t`${translated(verdict)}: ${members.length}, ${formatReais(here)} here, ${formatReais(there)} there`)
  }
}

function shownCents(cents: number, isSigned: boolean): number {
  return isSigned ? cents : Math.abs(cents)
}

/** Prints what a person has to find out: which of several payments a line is, and what became of payments with an unknown outcome. */
export function noteOpenQuestions({ terminal }: Context, matches: readonly StatementMatch[]): void {
  const ambiguous = matches.filter(({ isAmbiguous }) => isAmbiguous)
  const groups = new Map<string, StatementMatch[]>()
  for (const match of ambiguous) {
    const group = groups.get(groupOf(match))
    if (group === undefined) groups.set(groupOf(match), [match])
    else group.push(match)
  }
  const unequal = [...groups.values()].filter((members) => members.some(({ verdict }) => verdict !== 'match'))
  const inOrder = ambiguous.length - unequal.flat().length
  if (inOrder > 0) {
    terminal.note(
      t`Lines that were matched in the order of the ledger, because several payments have their amount and day: ${inOrder}`,
    )
  }
  for (const members of unequal.slice(0, GROUPS_MAX)) terminal.warn(ambiguityText(members))
  if (unequal.length > GROUPS_MAX) {
    terminal.warn(
      t`Further amounts of which it is not known which payments belong to which lines: ${unequal.length - GROUPS_MAX}`,
    )
  }
  for (const { payment, line } of matches.filter(suggestsPaid)) {
    terminal.next(
      t`Check whether line ${line.line} of the statement is the payment ${payment.givenId}, whose outcome is unknown here, then record it with \`pixgate history settle ${payment.id}\``,
    )
  }
}

/** Equal for lines and payments of one amount on one day. */
function groupOf({ payment, line }: StatementMatch): string {
  return `${amountOf({ payment, line })} ${dayOf({ payment, line })}`
}

function amountOf({ payment, line }: Pick<StatementMatch, 'payment' | 'line'>): string {
  return formatReais(line?.amountCents ?? payment?.amountCents ?? 0)
}

function dayOf({ payment, line }: Pick<StatementMatch, 'payment' | 'line'>): string {
  const day = line?.day ?? (payment === null ? undefined : sidesOf({ payment, names: [] })[0].days[0]) ?? ''
  return day.split('-').toReversed().join('/')
}

function ambiguityText(members: readonly StatementMatch[]): string {
  const lines = members.flatMap(({ line }) => line?.line ?? [])
  const names = [...new Set(members.flatMap(({ payment }) => payment?.givenId ?? []))]
  const shown = names.slice(0, NAMES_MAX).join(', ') + (names.length > NAMES_MAX ? ', …' : '')
  const [first] = members
  if (first === undefined) return ''
  return t`It is not known which of the payments ${shown} of ${amountOf(first)} on ${dayOf(first)} are on the statement (${lineList(lines)})`
}

/** That no line has the text of an `--ignore`. */
export function unusedText(text: string): string {
  return t`\`--ignore ${text}\` matches no line of the statement`
}

/** The count, sum and numbers of the lines that were left out because of `--ignore` with this text; nothing if there are none. */
export function ignoredText(text: string, lines: readonly StatementLine[] = []): string[] {
  if (lines.length === 0) return []
  const sum = lines.reduce((all, line) => all + BigInt(statedCents(line)), 0n)
  const numbers = lineList(lines.map(({ line }) => line))
  return [t`Ignored because of \`--ignore ${text}\`: ${lines.length}, ${formatReais(sum)} (${numbers})`]
}

/** Numbers of lines for a person: `line 3`, `lines 1–5, 9`. */
function lineList(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const before = ranges.at(-1)
    if (before !== undefined && number <= before.last + 1) before.last = number
    else ranges.push({ first: number, last: number })
  }
  const texts = ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`))
  const shown = texts.slice(0, RANGES_MAX).join(', ') + (texts.length > RANGES_MAX ? ', …' : '')
  return numbers.length === 1 ? t`line ${shown}` : t`lines ${shown}`
}
