import type { SecretChange, SignatureCause, SignatureDiagnosis, Wrapping } from '../../diagnosis/signatureDiagnosis.ts'
import type { SigningSecret } from '../../profiles/signer.ts'
import {
  BOOLEAN,
  COUNT,
  constant,
  describe,
  enumOf,
  INSTANT,
  type JsonSchema,
  list,
  mayBeMissing,
  objectOf,
  orNull,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { viewOf } from '../../terminal/fields.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { wrapWords } from '../../text/cellLayout.ts'
import { t } from '../../text/translate.ts'
import type { NamedWriter, WriterLanguage } from '../../wire/jsonWriters.ts'
import {
  SIGNATURE_ENCODINGS,
  SIGNATURE_HEADER,
  type SignatureVerdict,
  secretFingerprint,
} from '../../wire/signature.ts'
import { codeText, RAW_BODY } from './receiverCode.ts'

const EXCERPT_BYTES = 24
const BYTES_BEFORE = 8
/** Of more languages only the names are shown. */
const FIXES_MAX = 2

/** The verdict on the header, as a sentence; null if the signature matches. */
const VERDICTS: Record<NonNullable<SignatureVerdict['reason']>, (headerValues: readonly string[]) => string> = {
  missing: () => t`Not valid: the \`${SIGNATURE_HEADER}\` header is missing or empty`,
  malformed: malformedText,
  mismatch: () => t`Not valid: the signature does not match these bytes`,
}

/** Why the signature does not match and what to do; without a cause, exactly what was tried. */
export function causeTexts(diagnosis: SignatureDiagnosis, body: Buffer): string[] {
  if (diagnosis.cause === null) return triedTexts(diagnosis)
  const { original } = diagnosis
  const difference = original === null ? [] : [differenceText(body, original)]
  return [...CAUSES[diagnosis.cause](diagnosis, body), ...difference]
}

/** The same in short, for a list of webhooks: one sentence if the cause is proved, else where to look. */
export function findingTexts(diagnosis: SignatureDiagnosis, body: Buffer): string[] {
  const { cause, tried, isCutShort } = diagnosis
  if (cause !== null) return causeTexts(diagnosis, body)
  if (tried.length === 0) return []
  return [
    isCutShort
      ? t`The body is too large to try every cause; \`pixgate webhook verify --last-refused\` says what was tried`
      : t`No cause was found with this listener's secret; \`pixgate webhook verify --last-refused\` says what was tried`,
  ]
}

function malformedText([value = '', ...others]: readonly string[]): string {
  if (others.length > 0) {
    return t`Not valid: there are ${others.length + 1} \`${SIGNATURE_HEADER}\` headers, and exactly one is allowed`
  }
  if (value.trim() !== value) return t`Not valid: the signature has leading or trailing white space`
  return value.length === 1
    ? t`Not valid: expected 64 hex digits, 44 characters of Base64 or 43 of base64url, but the value has 1 character`
    : t`Not valid: expected 64 hex digits, 44 characters of Base64 or 43 of base64url, but the value has ${value.length} characters`
}

const CAUSES: Readonly<Record<SignatureCause, (diagnosis: SignatureDiagnosis, body: Buffer) => string[]>> = {
  'empty-body': (_, body) => [
    body.length === 0
      ? t`The body is empty, so it was read before: a stream can be read only once`
      : t`The signature is that of an empty body: the sender signed before it had the body`,
    t`Keep the raw bytes where the body is read first, and verify these`,
  ],
  'secret-whitespace': () => [
    t`The signature matches if the secret has surrounding white space`,
    t`The sender read a space or line break as part of the secret: remove it there, for example with \`trim()\``,
  ],
  'secret-changed': ({ secretChange }) => (secretChange === null ? [] : SECRET_CHANGES[secretChange]()),
  wrapped: ({ wrapping }) => (wrapping === null ? [] : WRAPPINGS[wrapping]()),
  'signature-cut': () => [
    t`The signature is cut off: it is the beginning of the right one`,
    t`Take the whole header, 64 hex digits: a log, a column of a database or a copy from a narrow terminal has shortened it`,
  ],
  'other-profile': (diagnosis) => [
    t`The signature matches the secret of the profile \`${diagnosis.profile ?? ''}\``,
    t`Verify with \`--profile ${diagnosis.profile ?? ''}\`, or send from the right account`,
  ],
  'trailing-newline': (diagnosis, body) => [
    (diagnosis.original?.length ?? 0) < body.length
      ? t`The signed body has no line break at the end, or a shorter one`
      : t`The signed body has an additional line break at the end`,
    t`Keep the body unchanged: \`echo\` and editors change its end, \`printf '%s'\` and \`curl --data-binary\` do not`,
  ],
  bom: () => [
    t`The signed body differs in its byte order mark or is encoded in UTF-8`,
    t`Save the body as UTF-8 without a byte order mark, or write the received bytes unchanged`,
  ],
  crlf: () => [
    t`The signed body has other line endings: CRLF became LF, or LF became CRLF`,
    t`Read and write the body as bytes: text modes, editors and git's \`autocrlf\` change line endings`,
  ],
  latin1: () => [
    t`The signed body uses another character set: UTF-8 was read as Latin-1, or Latin-1 as UTF-8`,
    t`Pass on the received bytes unchanged, or decode and encode them as UTF-8`,
  ],
  reserialized: ({ writers }) => rewrittenTexts(writers),
  'wrong-construction': (diagnosis) => [
    t`The signature is \`${diagnosis.construction ?? ''}\`, not \`hmac-sha256(secret, body)\``,
    t`Compute HMAC-SHA256 over the raw bytes of the body, with the secret's text as the key, and write it as hex`,
  ],
}

function rewrittenTexts(writers: readonly NamedWriter[]): string[] {
  const languages = [...new Set(writers.map(({ language }) => language))]
  const isKnown = languages.length > 0 && languages.length <= FIXES_MAX
  const names = isKnown ? writers.map(({ name }) => name) : languages.map(languageText)
  const headline =
    names.length === 0
      ? t`The JSON was parsed and written again before it was verified`
      : t`The JSON was parsed and written again, as ${listText(names)} writes it`
  return [
    headline,
    ...(isKnown
      ? languages.flatMap((language) => codeText(RAW_BODY, language) ?? [])
      : [t`Verify the raw bytes of the body before anything parses them`]),
  ]
}

function languageText(language: WriterLanguage): string {
  if (language === 'database') return t`a JSON column`
  return language === 'editor' ? t`a formatter` : language
}

function triedTexts({ tried, isJson, isCutShort, formsTried, triesClientId }: SignatureDiagnosis): string[] {
  if (tried.length === 0) return []
  const parts = tried.map((cause) => TRIED[cause](formsTried))
  if (triesClientId) parts.push(t`the client id as the key`)
  const texts = [t`No cause was found; tried: ${parts.join('; ')}`]
  if (!isJson) texts.push(t`The body is not JSON, so other JSON formats were not tried`)
  if (isCutShort) texts.push(t`The body is too large to try all of this`)
  return texts
}

const SECRET_CHANGES: Readonly<Record<SecretChange, () => string[]>> = {
  quotes: () => [
    t`The signature matches if the secret has quotes around it, or none`,
    t`One side has read the quotes of an env file as a part of the secret: remove them there`,
  ],
  'line-break': () => [
    t`The signature matches if the secret has a written \`\\n\` at its end, or none`,
    t`One side has kept the two characters of an escape as a part of the secret: remove them there`,
  ],
  'byte-order-mark': () => [
    t`The signature matches if the secret has a byte order mark at its beginning, or none`,
    t`One side has read the secret from a file with a byte order mark: save it without one`,
  ],
  base64: () => [
    t`The signature matches if the key is the secret in Base64`,
    t`The secret was encoded to be stored or passed on, as Kubernetes does: decode it where it is read`,
  ],
  'percent-signs': () => [
    t`The signature matches if the secret is written with percent signs, or without them`,
    t`One side has taken the secret from a URL: decode it there, once`,
  ],
}

const WRAPPINGS: Readonly<Record<Wrapping, () => string[]>> = {
  'json-string': () => [
    t`The body was put into a JSON string once more`,
    t`Verify what is inside: something before the receiver has written it as a text, such as \`JSON.stringify\` of a string`,
  ],
  base64: () => [
    t`The body is the Base64 of what was signed`,
    t`Decode it before it is verified: a gateway before a function does that and says \`isBase64Encoded\``,
  ],
  buffer: () => [
    t`The body is a Buffer that was written as JSON`,
    t`Verify the Buffer itself, before \`JSON.stringify\``,
  ],
}

const TRIED: Readonly<Record<SignatureCause, (formsTried: number) => string>> = {
  'empty-body': () => t`an empty body`,
  'secret-whitespace': () => t`a space, tab or line break around the secret`,
  'secret-changed': () =>
    t`the secret in quotes, with a written \`\\n\`, a byte order mark, in Base64, with percent signs`,
  wrapped: () => t`a JSON string, a Buffer or Base64 around the body`,
  'signature-cut': () => t`the beginning of the right signature`,
  'other-profile': () => t`the secrets of the other profiles`,
  'trailing-newline': () => t`line breaks added or removed at the end`,
  bom: () => t`a byte order mark added or removed, UTF-16`,
  crlf: () => t`LF, CRLF or CR as line endings`,
  latin1: () => t`UTF-8 read or written as Latin-1 or Windows-1252`,
  reserialized: (formsTried) =>
    formsTried === 1 ? t`1 way to write this JSON` : t`${formsTried} ways to write this JSON`,
  'wrong-construction': () =>
    t`plain hashes and HMACs of the body, its \`data\`, its values, its hex and its Base64, in hex or Base64, with the secret before, behind, as the key or as the message`,
}

function listText(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : t`${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`
}

function differenceText(given: Buffer, original: Buffer): string {
  const shorter = Math.min(given.length, original.length)
  let at = 0
  while (at < shorter && given[at] === original[at]) at++
  const place = t`The first difference is at byte ${at + 1} of ${given.length}`
  return t`${place}: signed \`${excerpt(original, at)}\`, here \`${excerpt(given, at)}\``
}

function excerpt(bytes: Buffer, at: number): string {
  const from = Math.max(0, at - BYTES_BEFORE)
  const [before, behind] = [from > 0 ? '…' : '', from + EXCERPT_BYTES < bytes.length ? '…' : '']
  return before + bytes.toString('utf8', from, from + EXCERPT_BYTES) + behind
}

/** All that is said about one signature. */
export interface SignatureFinding {
  verdict: SignatureVerdict
  /** The secret that matches; the current one if none does. */
  used: SigningSecret
  isPrevious: boolean
  /** Undefined if no cause was looked for. */
  diagnosis: SignatureDiagnosis | undefined
  /** Other profiles whose secrets were not tried. */
  unread: string[]
  recovered: string | undefined
}

const HEX_8: JsonSchema<string> = { type: 'string', pattern: '^[0-9a-f]{8}$' }
const SECRET = objectOf({ source: TEXT, length: COUNT, sha256Prefix: HEX_8 })

/** The same as JSON, with what is said about the bytes. */
export const VERIFICATION = viewOf<SignatureFinding & { warnings: string[] }>()({
  valid: [BOOLEAN, ({ verdict }) => verdict.valid],
  encoding: [orNull(enumOf(...SIGNATURE_ENCODINGS)), ({ verdict }) => verdict.encoding],
  reason: [orNull(enumOf('missing', 'malformed', 'mismatch')), ({ verdict }) => verdict.reason],
  cause: [
    describe('Why it does not match, if that was proved', orNull(TEXT)),
    ({ diagnosis }) => diagnosis?.cause ?? null,
  ],
  tried: [list(TEXT), ({ diagnosis }) => diagnosis?.tried ?? []],
  secret: [SECRET, ({ used }) => ({ source: used.source, ...secretFingerprint(used.secret.reveal()) })],
  serializers: [mayBeMissing(list(TEXT)), ({ diagnosis }) => ifAny(diagnosis?.writers.map(({ name }) => name))],
  serializer: [
    mayBeMissing(TEXT),
    ({ diagnosis }) => (diagnosis?.writers.length === 1 ? diagnosis.writers[0]?.name : undefined),
  ],
  construction: [mayBeMissing(TEXT), ({ diagnosis }) => diagnosis?.construction ?? undefined],
  profile: [mayBeMissing(TEXT), ({ diagnosis }) => diagnosis?.profile ?? undefined],
  recovered: [mayBeMissing(TEXT), ({ recovered }) => recovered],
  profilesNotTried: [mayBeMissing(list(TEXT)), ({ unread }) => ifAny(unread)],
  warnings: [mayBeMissing(list(TEXT)), ({ warnings }) => ifAny(warnings)],
})

/** What was found about a webhook that a listener refused, as a line of JSON. */
export const DIAGNOSIS_LINE = viewOf<SignatureDiagnosis & { receivedAtMs: number }>()({
  type: [constant('diagnosis'), () => 'diagnosis' as const],
  receivedAt: [INSTANT, ({ receivedAtMs }) => new Date(receivedAtMs).toISOString()],
  cause: [orNull(TEXT), ({ cause }) => cause],
  tried: [list(TEXT), ({ tried }) => tried],
  construction: [mayBeMissing(TEXT), ({ construction }) => construction ?? undefined],
  serializers: [mayBeMissing(list(TEXT)), ({ writers }) => ifAny(writers.map(({ name }) => name))],
})

function ifAny<Item>(items: Item[] = []): Item[] | undefined {
  return items.length === 0 ? undefined : items
}

/** What a check of a signature found, for people. */
export function verificationLines(
  terminal: Terminal,
  finding: SignatureFinding,
  { body, signatures }: { body: Buffer; signatures: readonly string[] },
): string[] {
  const { verdict, diagnosis, used, isPrevious, unread, recovered } = finding
  const { out } = terminal
  const { reason } = verdict
  const headline = reason === null ? t`Valid: the signature matches these bytes` : VERDICTS[reason](signatures)
  const texts = diagnosis === undefined ? [] : causeTexts(diagnosis, body)
  if (diagnosis?.cause === null && diagnosis.tried.length > 0) {
    texts.push(t`Compare the secret below with the sender's, and the body with the one that was sent`)
  }
  if (isPrevious) texts.push(t`The signature matches the previous secret, not the current one`)
  if (diagnosis?.cause === null && unread.length > 0) {
    texts.push(
      t`The secrets of these profiles were not tried, because they are not stored in plain text: ${unread.join(', ')}`,
    )
  }
  const { length, sha256Prefix } = secretFingerprint(used.secret.reveal())
  const rows: LabelledRow[] = [
    ...(verdict.encoding === null ? [] : [[t`encoding`, verdict.encoding] satisfies LabelledRow]),
    [t`secret`, used.source],
    [t`length`, length === 1 ? t`1 character` : t`${length} characters`],
    [t`SHA-256`, t`begins ${sha256Prefix}`],
    ...(recovered === undefined ? [] : [[t`recovered`, recovered] satisfies LabelledRow]),
  ]
  const colour = verdict.valid ? out.green : out.red
  const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  return [colour.bold(headline), ...texts].map((text) => wrapWords(text, columns)).concat(labelledLines(rows, out))
}
