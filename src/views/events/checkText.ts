import type { CheckCause, CheckResult } from '../../listener/receiverCheck.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { layOutCells } from '../../text/cellLayout.ts'
import { t } from '../../text/translate.ts'
import { answerTime } from './eventText.ts'

const STATUS_AT = 2
const TIME_ENDS_AT = 15
const SENT_AT = 17
const WRITERS: Readonly<Record<string, string>> = {
  java: 'Java',
  php: 'PHP',
  python: 'Python',
  javascript: 'JavaScript',
}

/** What a receiver did with each sample, what was expected, and each proved cause once with its fix. */
export function checkLines(results: readonly CheckResult[], { out, outIsTerminal, columns }: Terminal): string[] {
  const width = outIsTerminal ? columns : Number.POSITIVE_INFINITY
  const lines = results.flatMap(({ verdict, status, ms, sent, name }) => {
    const paint = { good: out.green, bad: out.red, 'not-proved': out.dim }[verdict]
    const cells = [
      { text: { good: '✓', bad: '✗', 'not-proved': '?' }[verdict], paint },
      { text: String(status ?? '—'), paint, at: STATUS_AT },
      { text: answerTime(ms), paint: out.dim, endsAt: TIME_ENDS_AT },
      { text: sent, at: SENT_AT, isProse: true },
      { text: verdict === 'good' ? '' : expectationText(verdict, name), paint, isProse: true },
    ]
    return layOutCells(cells, width, STATUS_AT)
  })
  const found = new Map(
    results.flatMap(({ cause, writer }) => (cause === null ? [] : [[cause, causeTexts(cause, writer)] as const])),
  )
  const bad = results.filter(({ verdict }) => verdict === 'bad')
  const summary =
    bad.length === 0 ? out.green(t`The receiver is right`) : out.red(t`${bad.length} of ${results.length} are wrong`)
  const isUnexplained = bad.some(({ cause }) => cause === null)
  return [
    ...lines,
    '',
    summary,
    ...[...found.values()].flat(),
    ...(isUnexplained
      ? [
          t`No cause is proved for the others; the usual ones: another secret, or another signature than the hex of HMAC-SHA256 over the raw body`,
        ]
      : []),
  ]
}

function expectationText(verdict: CheckResult['verdict'], name: string): string {
  if (verdict === 'not-proved') {
    return name === 'repeated'
      ? t`not proved that it counts once; add \`--state-url\``
      : t`not tried, there was no time left`
  }
  return /^(?:unsigned|forged)/.test(name) ? t`expected 401` : t`expected 200 within 5 s`
}

/** What is proved, and what to do about it. */
export function causeTexts(cause: CheckCause, writer?: string): string[] {
  switch (cause) {
    case 'no-check':
      return [
        t`It accepts webhooks that anybody could send: the signature is not checked`,
        t`Compare \`X-Signature\` with the hex of HMAC-SHA256 over the raw body, and answer 401 if they differ`,
      ]
    case 'reserialized':
      return [
        t`It accepts only what ${WRITERS[writer ?? ''] ?? ''} writes: the body is parsed and written again before it is verified`,
        t`Verify the raw bytes of the body before anything parses them`,
      ]
    case 'trimmed':
      return [
        t`It refuses a body with a line break at its end: the body is trimmed before it is verified`,
        t`Verify the bytes as they arrive`,
      ]
    case 'other-encoding':
      return [
        t`It takes the signature only in the other encoding`,
        t`The service sends lower-case hex unless \`--signature-encoding\` says otherwise; decode the header before comparing`,
      ]
    case 'secret-whitespace':
      return [t`Its secret ends with a line break`, t`Trim the secret where it is read`]
    case 'case-sensitive':
      return [t`It compares hex digits with their case`, t`Decode both signatures to bytes before comparing them`]
    case 'beginning-only':
      return [
        t`It accepts a signature of which only the beginning is right`,
        t`Compare all 32 bytes of the signature, in constant time`,
      ]
    case 'slow':
      return [
        t`It answers after 5 s, when the service has given up and delivers again`,
        t`Store the event, answer 200, and do the work afterwards`,
      ]
    case 'not-200':
      return [t`It answers 2xx other than 200, so the service delivers again`, t`Answer 200`]
    case 'redirect':
      return [t`It redirects, and webhooks do not follow redirects`, t`Use the address that it points to`]
    case 'crash':
      return [t`It fails with 5xx instead of answering`, t`Look at its log for these samples`]
    case 'crash-on-forged':
      return [
        t`It fails with 5xx at a forged webhook instead of refusing it`,
        t`Compare the lengths of the signatures before the texts, and answer 401`,
      ]
    case 'unknown-payment':
      return [
        t`It answers 404 to a payment that it does not know`,
        t`Answer 200, or name one that it knows: \`--set data.idTransaction=<id>\``,
      ]
    case 'wrong-path':
      return [t`There is nothing at this path`, t`Check the path of the URL`]
    case 'no-answer':
      return [t`It does not answer`, t`Answer 200 within 5 s, also to what it does not know`]
    case 'state-changed':
      return [
        t`The shop shows something else after the same bytes arrived again`,
        t`Count an event once: store its id and status under a unique key before acting on it`,
      ]
  }
}
