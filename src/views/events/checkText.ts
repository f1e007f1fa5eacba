import type { CheckResult, NotProved, ReceiverReport } from '../../listener/receiverCheck.ts'
import { ADDRESS, describe, enumOf, HTTP_STATUS, list, MILLISECONDS, orNull, TEXT } from '../../schemas/jsonSchema.ts'
import { viewOf } from '../../terminal/fields.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { layOutCells, wrapWords } from '../../text/cellLayout.ts'
import { t, translated } from '../../text/translate.ts'
import { answerTime } from './eventText.ts'
import { causeText, fixTexts } from './receiverCauses.ts'

const STATUS_AT = 2
const TIME_ENDS_AT = 15
const SENT_AT = 17

/** Where the shop shows what was credited; null if that was not given. */
interface CheckedShop {
  stateUrl: string | null
  /** Shows each sample, not one line for all that were answered alike. */
  isWhole: boolean
}

const CHECK = viewOf<CheckResult>()({
  name: [TEXT, ({ name }) => name],
  sent: [TEXT, ({ sent }) => sent],
  status: [orNull(HTTP_STATUS), ({ status }) => status],
  ms: [orNull(MILLISECONDS), ({ ms }) => ms],
  verdict: [enumOf('good', 'bad', 'not-proved'), ({ verdict }) => verdict],
  cause: [describe('A sentence; null if none is proved', orNull(TEXT)), causeText],
})

/** What a receiver did with each sample, as JSON. */
export const RECEIVER_REPORT = viewOf<ReceiverReport & { url: string }>()({
  url: [ADDRESS, ({ url }) => url],
  verdict: [enumOf('good', 'bad', 'incomplete'), ({ verdict }) => verdict],
  checks: [list(CHECK.schema), ({ results }) => results.map(CHECK.documentOf)],
})

/** What a receiver did with the samples, what was expected, and each proved cause once with its fix. */
export function checkLines(
  { results, language, verdict }: ReceiverReport,
  { stateUrl, isWhole }: CheckedShop,
  { out, outIsTerminal, columns }: Terminal,
): string[] {
  const width = outIsTerminal ? columns : Number.POSITIVE_INFINITY
  const lines = groupsOf(results, isWhole).flatMap((group) => {
    const [first] = group
    const paint = { good: out.green, bad: out.red, 'not-proved': out.dim }[first.verdict]
    const ms = group.reduce<number | null>(
      (most, each) => (each.ms === null ? most : Math.max(most ?? 0, each.ms)),
      null,
    )
    const cells = [
      { text: { good: '✓', bad: '✗', 'not-proved': '?' }[first.verdict], paint },
      { text: String(first.status ?? '—'), paint, at: STATUS_AT },
      { text: answerTime(ms), paint: out.dim, endsAt: TIME_ENDS_AT },
      { text: groupText(group), at: SENT_AT, isProse: true },
      { text: expectationText(first), paint, isProse: true },
    ]
    return layOutCells(cells, width, STATUS_AT)
  })
  const bad = results.filter(({ verdict: each }) => each === 'bad')
  const open = results.filter(({ verdict: each }) => each === 'not-proved')
  const notProved = [...new Set(open.map(openText))].join('; ')
  const nothingWrong =
    open.length === 0
      ? out.green(t`The receiver is right`)
      : (verdict === 'incomplete' ? out.yellow : out.green)(t`Nothing wrong was found; not proved: ${notProved}`)
  const summary = bad.length === 0 ? nothingWrong : out.red(t`Wrong: ${bad.length} of ${results.length}`)
  const texts = [...causeLines(results, language), ...nextLines(results, stateUrl)]
  return [...lines, '', ...[summary, ...texts].map((text) => wrapWords(text, width))]
}

/** Each proved cause once, followed by what to do about it, which is not said twice. */
function causeLines(results: readonly CheckResult[], language: ReceiverReport['language']): string[] {
  const found = new Map(results.map((result) => [causeText(result), fixTexts(result, language)] as const))
  const said = new Set<string>()
  const lines = [...found].flatMap(([cause, fixes]) => {
    const fresh = fixes.filter((fix) => !said.has(fix))
    for (const fix of fresh) said.add(fix)
    return cause === null ? [] : [cause, ...fresh.map((fix) => `  ${fix}`)]
  })
  if (!results.some(({ verdict, cause }) => verdict === 'bad' && cause === null)) return lines
  const isOneTaken = results.some(({ name, status }) => status === 200 && !isForgery(name))
  if (isOneTaken)
    return [...lines, t`No cause is proved for the others; the secret is right, because it takes other webhooks`]
  return [
    ...lines,
    t`No cause is proved; the usual ones: another secret, or another signature than the hex of HMAC-SHA256 over the raw body`,
  ]
}

/** What to give so that what is not proved can be. */
function nextLines(results: readonly CheckResult[], stateUrl: string | null): string[] {
  const has = (reason: NotProved) => results.some(({ open }) => open === reason)
  const lines: string[] = []
  if (has('no-state')) {
    lines.push(t`Give \`--state-url\`, an address of your shop that shows what was credited`)
  }
  if (has('state-unchanged')) {
    lines.push(
      t`The genuine payment changed nothing at ${stateUrl ?? ''}: name two payments that the shop knows and that are not paid, \`--order <idTransaction>\` twice, and their amount, \`--set data.amount=…\``,
    )
  }
  if (has('needs-orders')) {
    lines.push(
      t`Name two payments of the same amount that the shop knows and that are not paid: \`--order <idTransaction>\` twice`,
    )
  }
  return lines
}

type Group = [CheckResult, ...CheckResult[]]

/** The samples that were answered alike, in the order of the first ones; those that prove how it credits stay alone. */
function groupsOf(results: readonly CheckResult[], isWhole: boolean): Group[] {
  const groups = new Map<string, Group>()
  for (const result of results) {
    const { name, verdict, status, open } = result
    const isAlone = isWhole || PROOFS[name] !== undefined
    const key = isAlone ? name : [isForgery(name), verdict, status, open].join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [result])
    else group.push(result)
  }
  return [...groups.values()]
}

function groupText(group: Group): string {
  const [first] = group
  if (group.length === 1) return translated(first.sent)
  if (isForgery(first.name)) return t`${group.length} forged webhooks`
  return group.every(({ name }) => /^[a-z.]+\/[A-Z_]+$/.test(name))
    ? t`${group.length} events`
    : t`${group.length} genuine webhooks`
}

function isForgery(name: string): boolean {
  return /^(?:unsigned|forged)/.test(name)
}

function expectationText({ verdict, name, open, cause }: CheckResult): string {
  if (verdict === 'bad') {
    if (cause === 'credited-unpaid') return t`expected no credit`
    if (cause === 'state-changed' || cause === 'credited-at-once') return t`expected one credit`
    return isForgery(name) ? t`expected 401` : t`expected 200 within 5 s`
  }
  return open === null ? '' : REASONS[open]()
}

const REASONS: Readonly<Record<NotProved, () => string>> = {
  'no-state': () => t`not proved without \`--state-url\``,
  'state-unchanged': () => t`not proved: the genuine payment changed nothing`,
  'needs-orders': () => t`not proved: the shop does not know this payment`,
  'state-unclear': () => t`not proved: what the shop shows has changed in another way`,
  'state-unreadable': () => t`not proved: what the shop shows could not be read`,
  'not-tried': () => t`not tried`,
  'refused-all': () => t`not proved: genuine ones are refused, too`,
  'no-refusal': () => t`expected 401`,
}

const PROOFS: Readonly<Record<string, () => string>> = {
  repeated: () => t`that a repetition is not credited again`,
  'at-once': () => t`that several at once are credited once`,
  unpaid: () => t`that only what was paid is credited`,
}

/** What is not proved by a sample, as a part of a sentence. */
function openText({ name, sent, open }: CheckResult): string {
  const proof = PROOFS[name]?.()
  if (proof !== undefined) return proof
  return isForgery(name) && open !== 'not-tried' ? t`that forged ones are refused` : translated(sent)
}
