import type { CheckCause, CheckResult, ProvedCause, ReceiverReport } from '../../listener/receiverCheck.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { layOutCells, wrapWords } from '../../text/cellLayout.ts'
import { t, translated } from '../../text/translate.ts'
import type { WriterLanguage } from '../../wire/jsonWriters.ts'
import { answerTime } from './eventText.ts'
import { compareText, rawBodyText } from './signatureText.ts'

const STATUS_AT = 2
const TIME_ENDS_AT = 15
const SENT_AT = 17
const WRITERS: Readonly<Record<string, WriterLanguage>> = {
  java: 'Java',
  php: 'PHP',
  python: 'Python',
  javascript: 'JavaScript',
}

/** What a receiver did with each sample, what was expected, and each proved cause once with its fix. */
export function checkLines({ results, language }: ReceiverReport, { out, outIsTerminal, columns }: Terminal): string[] {
  const width = outIsTerminal ? columns : Number.POSITIVE_INFINITY
  const lines = results.flatMap(({ verdict, status, ms, sent, name }) => {
    const paint = { good: out.green, bad: out.red, 'not-proved': out.dim }[verdict]
    const cells = [
      { text: { good: '✓', bad: '✗', 'not-proved': '?' }[verdict], paint },
      { text: String(status ?? '—'), paint, at: STATUS_AT },
      { text: answerTime(ms), paint: out.dim, endsAt: TIME_ENDS_AT },
      { text: translated(sent), at: SENT_AT, isProse: true },
      { text: verdict === 'good' ? '' : expectationText({ verdict, name, status }), paint, isProse: true },
    ]
    return layOutCells(cells, width, STATUS_AT)
  })
  const found = new Map(
    results.flatMap((result) =>
      result.cause === null ? [] : [[CAUSES[result.cause](result), FIXES[result.cause](language, result)] as const],
    ),
  )
  const bad = results.filter(({ verdict }) => verdict === 'bad')
  const summary =
    bad.length === 0 ? out.green(t`The receiver is right`) : out.red(t`Wrong: ${bad.length} of ${results.length}`)
  const isUnexplained = bad.some(({ cause }) => cause === null)
  const texts = [...found].flatMap(([cause, fixes]) => [
    cause,
    ...fixes.flatMap((fix) => (fix === undefined ? [] : [`  ${fix}`])),
  ])
  if (isUnexplained) {
    texts.push(
      found.size === 0
        ? t`No cause is proved; the usual ones: another secret, or another signature than the hex of HMAC-SHA256 over the raw body`
        : t`No cause is proved for the others; the usual ones: another secret, or another signature than the hex of HMAC-SHA256 over the raw body`,
    )
  }
  return [...lines, '', summary, ...texts.map((text) => wrapWords(text, width))]
}

function expectationText({ verdict, name, status }: Pick<CheckResult, 'verdict' | 'name' | 'status'>): string {
  if (verdict === 'bad') return /^(?:unsigned|forged)/.test(name) ? t`expected 401` : t`expected 200 within 5 s`
  if (status === null) return t`not tried, there was no time left`
  if (name === 'unpaid') return t`not proved, because what the shop shows has changed`
  return t`not proved that it counts once; add \`--state-url\` with an address that shows what was credited`
}

const CAUSES: Readonly<Record<CheckCause, (proved: ProvedCause) => string>> = {
  'no-check': () => t`It accepts webhooks that anybody could send: the signature is not checked`,
  'unsigned-taken': () =>
    t`It checks a signature only if there is one, so it accepts unsigned webhooks that anybody could send`,
  reserialized: (proved) =>
    t`It accepts only what ${writerOf(proved) ?? ''} writes: the body is parsed and written again before it is verified`,
  trimmed: () => t`It refuses a body with a line break at its end: the body is trimmed before it is verified`,
  'other-encoding': () => t`It takes the signature only in the other encoding`,
  'secret-whitespace': () => t`Its secret ends with a line break`,
  'empty-secret': () => t`Its secret is not set, so anybody can sign webhooks that it accepts`,
  'wrong-construction': ({ formula }) =>
    t`It expects the signature \`${formula ?? ''}\`, not \`hmac-sha256(secret, body)\``,
  'case-sensitive': () => t`It compares hex digits with their case`,
  'beginning-only': () => t`It accepts a signature of which only the beginning is right`,
  slow: () => t`It answers after 5 s, when the service has given up and delivers again`,
  'not-200': () => t`It answers 2xx other than 200, so the service delivers again`,
  redirect: () => t`It redirects, and webhooks do not follow redirects`,
  crash: () => t`It fails with 5xx instead of answering`,
  'crash-on-forged': () => t`It fails with 5xx at a forged webhook instead of refusing it`,
  'unknown-payment': () => t`It answers 404 to a payment that it does not know`,
  'wrong-path': () => t`There is nothing at this path`,
  'no-answer': () => t`It does not answer`,
  'state-changed': () => t`The shop shows something else after the same bytes arrived again`,
  'credited-unpaid': () => t`The shop shows something else after a payment that was not paid, as if it had been`,
}

/** What is proved, in one sentence; null if nothing is. */
export function causeText(proved: ProvedCause): string | null {
  return proved.cause === null ? null : CAUSES[proved.cause](proved)
}

/** What to do about a cause in the receiver's language, if that is known; what is undefined is left out. */
const FIXES: Readonly<
  Record<CheckCause, (language: WriterLanguage | null, proved: ProvedCause) => (string | undefined)[]>
> = {
  'no-check': compareWithHex,
  'unsigned-taken': compareWithHex,
  reserialized: (language, proved) => [rawBodyText(language ?? writerOf(proved) ?? 'editor')],
  trimmed: (language) => [language === null ? t`Verify the bytes as they arrive` : rawBodyText(language)],
  'other-encoding': (language) => [
    t`The service sends lower-case hex unless \`--signature-encoding\` says otherwise; decode the header before comparing`,
    compareText(language),
  ],
  'secret-whitespace': () => [t`Trim the secret where it is read`],
  'empty-secret': () => [t`Set the variable that it reads, and let it refuse to start without a secret`],
  'wrong-construction': (language) => [
    t`Compute HMAC-SHA256 over the raw bytes of the body, with the secret's text as the key`,
    compareText(language),
  ],
  'case-sensitive': (language) => [compareText(language) ?? t`Decode both signatures to bytes before comparing them`],
  'beginning-only': (language) => [compareText(language) ?? t`Compare all 32 bytes of the signature, in constant time`],
  slow: () => [t`Store the event, answer 200, and do the work afterwards`],
  'not-200': () => [t`Answer 200`],
  redirect: () => [t`Use the address that it points to`],
  crash: () => [t`Look at its log for these samples`],
  'crash-on-forged': () => [t`Compare the lengths of the signatures before the texts, and answer 401`],
  'unknown-payment': () => [t`Answer 200, or name one that it knows: \`--set data.idTransaction=<id>\``],
  'wrong-path': () => [t`Check the path of the URL`],
  'no-answer': () => [t`Answer 200 within 5 s, also to what it does not know`],
  'state-changed': () => [t`Count an event once: store its id and status under a unique key before acting on it`],
  'credited-unpaid': () => [
    t`Credit only \`pix.received\` with the status \`PAID\`: EXPIRED and CANCELLED have the same event name`,
  ],
}

function compareWithHex(language: WriterLanguage | null): (string | undefined)[] {
  return [
    t`Compare \`X-Signature\` with the hex of HMAC-SHA256 over the raw body, and answer 401 if they differ or it is missing`,
    compareText(language),
  ]
}

function writerOf({ writer }: ProvedCause): WriterLanguage | undefined {
  return WRITERS[writer ?? '']
}
