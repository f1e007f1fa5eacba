import type { CheckResult, ProvedCause, ReceiverReport } from '../../listener/receiverCheck.ts'
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
      result.cause === null ? [] : [[causeText(result), fixTexts(result, language)] as const],
    ),
  )
  const bad = results.filter(({ verdict }) => verdict === 'bad')
  const summary =
    bad.length === 0 ? out.green(t`The receiver is right`) : out.red(t`Wrong: ${bad.length} of ${results.length}`)
  const isUnexplained = bad.some(({ cause }) => cause === null)
  const texts = [...found].flatMap(([cause, fixes]) => [cause ?? '', ...fixes.map((fix) => `  ${fix}`)])
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

/** What is proved, in one sentence; null if nothing is. */
export function causeText({ cause, writer, formula }: ProvedCause): string | null {
  switch (cause) {
    case null:
      return null
    case 'no-check':
      return t`It accepts webhooks that anybody could send: the signature is not checked`
    case 'unsigned-taken':
      return t`It checks a signature only if there is one, so it accepts unsigned webhooks that anybody could send`
    case 'reserialized':
      return t`It accepts only what ${WRITERS[writer ?? ''] ?? ''} writes: the body is parsed and written again before it is verified`
    case 'trimmed':
      return t`It refuses a body with a line break at its end: the body is trimmed before it is verified`
    case 'other-encoding':
      return t`It takes the signature only in the other encoding`
    case 'secret-whitespace':
      return t`Its secret ends with a line break`
    case 'empty-secret':
      return t`Its secret is not set, so anybody can sign webhooks that it accepts`
    case 'wrong-construction':
      return t`It expects the signature \`${formula ?? ''}\`, not \`hmac-sha256(secret, body)\``
    case 'case-sensitive':
      return t`It compares hex digits with their case`
    case 'beginning-only':
      return t`It accepts a signature of which only the beginning is right`
    case 'slow':
      return t`It answers after 5 s, when the service has given up and delivers again`
    case 'not-200':
      return t`It answers 2xx other than 200, so the service delivers again`
    case 'redirect':
      return t`It redirects, and webhooks do not follow redirects`
    case 'crash':
      return t`It fails with 5xx instead of answering`
    case 'crash-on-forged':
      return t`It fails with 5xx at a forged webhook instead of refusing it`
    case 'unknown-payment':
      return t`It answers 404 to a payment that it does not know`
    case 'wrong-path':
      return t`There is nothing at this path`
    case 'no-answer':
      return t`It does not answer`
    case 'state-changed':
      return t`The shop shows something else after the same bytes arrived again`
    case 'credited-unpaid':
      return t`The shop shows something else after a payment that was not paid, as if it had been`
  }
}

/** What to do about a proved cause, in the receiver's language if that is known. */
function fixTexts({ cause, writer }: ProvedCause, language: WriterLanguage | null): string[] {
  const comparison = language === null ? undefined : compareText(language)
  switch (cause) {
    case null:
      return []
    case 'no-check':
    case 'unsigned-taken':
      return [
        t`Compare \`X-Signature\` with the hex of HMAC-SHA256 over the raw body, and answer 401 if they differ or it is missing`,
        ...(comparison === undefined ? [] : [comparison]),
      ]
    case 'reserialized':
      return [rawBodyText(language ?? WRITERS[writer ?? ''] ?? 'editor')]
    case 'trimmed':
      return [language === null ? t`Verify the bytes as they arrive` : rawBodyText(language)]
    case 'other-encoding':
      return [
        t`The service sends lower-case hex unless \`--signature-encoding\` says otherwise; decode the header before comparing`,
        ...(comparison === undefined ? [] : [comparison]),
      ]
    case 'secret-whitespace':
      return [t`Trim the secret where it is read`]
    case 'empty-secret':
      return [t`Set the variable that it reads, and let it refuse to start without a secret`]
    case 'wrong-construction':
      return [
        t`Compute HMAC-SHA256 over the raw bytes of the body, with the secret's text as the key`,
        ...(comparison === undefined ? [] : [comparison]),
      ]
    case 'case-sensitive':
      return [comparison ?? t`Decode both signatures to bytes before comparing them`]
    case 'beginning-only':
      return [comparison ?? t`Compare all 32 bytes of the signature, in constant time`]
    case 'slow':
      return [t`Store the event, answer 200, and do the work afterwards`]
    case 'not-200':
      return [t`Answer 200`]
    case 'redirect':
      return [t`Use the address that it points to`]
    case 'crash':
      return [t`Look at its log for these samples`]
    case 'crash-on-forged':
      return [t`Compare the lengths of the signatures before the texts, and answer 401`]
    case 'unknown-payment':
      return [t`Answer 200, or name one that it knows: \`--set data.idTransaction=<id>\``]
    case 'wrong-path':
      return [t`Check the path of the URL`]
    case 'no-answer':
      return [t`Answer 200 within 5 s, also to what it does not know`]
    case 'state-changed':
      return [t`Count an event once: store its id and status under a unique key before acting on it`]
    case 'credited-unpaid':
      return [t`Credit only \`pix.received\` with the status \`PAID\`: EXPIRED and CANCELLED have the same event name`]
  }
}
