import type { CheckCause, ProvedCause } from '../../listener/receiverCheck.ts'
import { t } from '../../text/translate.ts'
import type { WriterLanguage } from '../../wire/jsonWriters.ts'
import { ANSWER_CAUSES, ANSWER_FIXES } from './answerText.ts'
import { COMPARISONS, CSRF, codeText, RAW_BODY, UNIQUE_KEYS } from './receiverCode.ts'

const WRITERS: Readonly<Record<string, WriterLanguage>> = {
  java: 'Java',
  php: 'PHP',
  python: 'Python',
  javascript: 'JavaScript',
}

const CAUSES: Readonly<Record<CheckCause, (proved: ProvedCause) => string>> = {
  ...ANSWER_CAUSES,
  'no-check': () => t`It accepts webhooks that anybody could send: the signature is not checked`,
  'refuses-with-200': () => t`It refuses forged webhooks, but answers 2xx`,
  'unsigned-taken': () =>
    t`It checks a signature only if there is one, so it accepts unsigned webhooks that anybody could send`,
  reserialized: (proved) =>
    t`It accepts only what ${writerOf(proved) ?? ''} writes: the body is parsed and written again before it is verified`,
  trimmed: () => t`It refuses a body with a line break at its end: the body is trimmed before it is verified`,
  latin1: () =>
    t`It takes only bodies without letters beyond ASCII: the text is decoded in another character set, such as Latin-1`,
  'repeated-key': () => t`It refuses a body in which \`idTransaction\` occurs twice`,
  'other-encoding': () => t`It takes the signature only in the other encoding`,
  'upper-case': () => t`It takes the signature only in upper-case hex`,
  prefixed: () => t`It takes the signature only with \`sha256=\` before it`,
  'secret-whitespace': () => t`Its secret ends with a line break`,
  'empty-secret': () => t`Its secret is not set, so anybody can sign webhooks that it accepts`,
  'wrong-construction': ({ formula }) =>
    t`It expects the signature \`${formula ?? ''}\`, not \`hmac-sha256(secret, body)\``,
  'beginning-only': () => t`It accepts a signature of which only the beginning is right`,
  'crash-on-forged': () => t`It fails with 5xx at a forged webhook instead of refusing it`,
  'unknown-payment': () => t`It answers 404 to a payment that it does not know`,
  'other-events': () =>
    t`It refuses events or states that it does not act on, although it takes the signature of others`,
  'refuses-repetition': () =>
    t`It refuses a repetition of what it has taken, so the service delivers it again and again`,
  'state-changed': () => t`The shop shows something else after the same bytes arrived again`,
  'credited-at-once': () => t`It credits a payment more than once if its webhooks arrive at the same time`,
  'credited-unpaid': () => t`The shop shows something else after a payment that was not paid, as if it had been`,
}

/** What is proved, in one sentence; null if nothing is. */
export function causeText(proved: ProvedCause): string | null {
  const { cause } = proved
  return cause === null ? null : CAUSES[cause](proved)
}

const FIXES: Readonly<
  Record<CheckCause, (language: WriterLanguage | null, proved: ProvedCause) => (string | undefined)[]>
> = {
  ...ANSWER_FIXES,
  csrf: (language) => [codeText(CSRF, language) ?? ANSWER_FIXES.csrf()].flat(),
  'no-check': compareWithHex,
  'unsigned-taken': compareWithHex,
  reserialized: (language, proved) => [codeText(RAW_BODY, language ?? writerOf(proved) ?? 'editor')],
  trimmed: (language) => [codeText(RAW_BODY, language) ?? t`Verify the bytes as they arrive`],
  'other-encoding': (language) => [
    t`The service sends lower-case hex unless \`--signature-encoding\` says otherwise; decode the header before comparing`,
    codeText(COMPARISONS, language),
  ],
  'secret-whitespace': () => [t`Trim the secret where it is read`],
  'empty-secret': () => [t`Set the variable that it reads, and let it refuse to start without a secret`],
  'wrong-construction': (language) => [
    t`Compute HMAC-SHA256 over the raw bytes of the body, with the secret's text as the key`,
    codeText(COMPARISONS, language),
  ],
  'refuses-with-200': () => [t`Answer 401`],
  latin1: (language) => [codeText(RAW_BODY, language) ?? t`Verify the bytes as they arrive`],
  'repeated-key': () => [t`Let the last of them count, or the first`],
  'upper-case': (language) => [
    codeText(COMPARISONS, language) ?? t`Decode both signatures to bytes before comparing them`,
  ],
  prefixed: (language) => [t`Compare with the hex alone`, codeText(COMPARISONS, language)],
  'beginning-only': (language) => [
    codeText(COMPARISONS, language) ?? t`Compare all 32 bytes of the signature, in constant time`,
  ],
  'other-events': () => [t`Answer 200 to every genuine webhook: it only says that it has arrived`],
  'refuses-repetition': () => [t`Answer 200 to a repetition, too`],
  'crash-on-forged': () => [t`Compare the lengths of the signatures before the texts, and answer 401`],
  'unknown-payment': () => [t`Answer 200, or name one that it knows: \`--order <idTransaction>\``],
  'state-changed': () => [t`Count an event once: store its id and status under a unique key before acting on it`],
  'credited-at-once': (language) => [
    t`Write the event's id under a unique key in the transaction that credits, and take a conflict for a repetition`,
    codeText(UNIQUE_KEYS, language),
  ],
  'credited-unpaid': () => [
    t`Credit only \`pix.received\` with the status \`PAID\`: EXPIRED and CANCELLED have the same event name`,
  ],
}

function compareWithHex(language: WriterLanguage | null): (string | undefined)[] {
  return [
    t`Compare \`X-Signature\` with the hex of HMAC-SHA256 over the raw body, and answer 401 if they differ or it is missing`,
    codeText(COMPARISONS, language),
  ]
}

function writerOf({ writer }: ProvedCause): WriterLanguage | undefined {
  return WRITERS[writer ?? '']
}

/** What to do about a proved cause, in the receiver's language if that is known. */
export function fixTexts(proved: ProvedCause, language: WriterLanguage | null): string[] {
  const { cause } = proved
  return cause === null ? [] : FIXES[cause](language, proved).filter((fix) => fix !== undefined)
}
