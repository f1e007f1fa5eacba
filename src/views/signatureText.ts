import { t } from '../text/words.ts'
import type { SignatureCause, SignatureDiagnosis } from '../wire/signatureDiagnosis.ts'
import { SIGNATURE_HEADER, type SignatureVerdict } from '../wire/signatureHeader.ts'

const EXCERPT_BYTES = 24
const BYTES_BEFORE = 8
const SERIALISERS_MAX = 3

/** What the header is, in one sentence. */
export function verdictText(verdict: SignatureVerdict, headerValues: readonly string[]): string {
  switch (verdict.reason) {
    case null:
      return t`Valid: these are the bytes that were signed`
    case 'missing':
      return t`Not valid: there is no \`${SIGNATURE_HEADER}\`, or an empty one`
    case 'malformed':
      return malformedText(headerValues)
    case 'mismatch':
      return t`Not valid: the signature does not fit these bytes`
  }
}

/** Why the signature does not fit and what to do about it; without a cause, what was ruled out. Whole sentences. */
export function causeTexts(diagnosis: SignatureDiagnosis, body: Buffer): string[] {
  if (diagnosis.cause === null) return ruledOutTexts(diagnosis)
  const { original } = diagnosis
  const difference = original === null ? [] : [differenceText(body, original)]
  return [...textsOfCause(diagnosis.cause, diagnosis, body), ...difference]
}

function malformedText([value = '', ...others]: readonly string[]): string {
  if (others.length > 0) {
    return t`Not valid: there are ${others.length + 1} \`${SIGNATURE_HEADER}\` headers, and exactly one is allowed`
  }
  if (value.trim() !== value) return t`Not valid: there is white space around the signature`
  return t`Not valid: this is no signature, which has 64 hex digits, 44 characters of Base64 or 43 of base64url; characters here: ${value.length}`
}

function textsOfCause(cause: SignatureCause, diagnosis: SignatureDiagnosis, body: Buffer): string[] {
  switch (cause) {
    case 'secret-whitespace':
      return [
        t`It fits them with white space around the secret`,
        t`Whoever signed has read a space or a line break with the secret: take it off there, for example with \`trim()\``,
      ]
    case 'other-profile':
      return [
        t`It fits them with the secret of the profile \`${diagnosis.profile ?? ''}\``,
        t`Verify with \`--profile ${diagnosis.profile ?? ''}\`, or let the right account send`,
      ]
    case 'trailing-newline':
      return [
        (diagnosis.original?.length ?? 0) < body.length
          ? t`What was signed has no line break at the end, or a shorter one`
          : t`What was signed has one line break more at the end`,
        t`Keep the body as it came: \`echo\` and editors change its end, \`printf '%s'\` and \`curl --data-binary\` do not`,
      ]
    case 'bom':
      return [
        t`What was signed differs in the byte order mark at the beginning, or in being UTF-8`,
        t`Save the body as UTF-8 without a byte order mark, best by writing the bytes as they came`,
      ]
    case 'crlf':
      return [
        t`What was signed has other line ends: CRLF became LF, or LF became CRLF`,
        t`Read and write the body as bytes: text modes, editors and git's \`autocrlf\` change line ends`,
      ]
    case 'latin1':
      return [
        t`What was signed has its accents in another character set: UTF-8 was taken for Latin-1, or Latin-1 for UTF-8`,
        t`Hand on the bytes as they came, or decode and encode them as UTF-8`,
      ]
    case 'reserialized':
      return [
        t`The JSON was read and written again: what was signed is written as by ${namesText(diagnosis.serialisers)}`,
        t`Verify the raw body before it is parsed: \`express.raw\`, \`request.get_data()\`, \`php://input\`, \`io.ReadAll\``,
      ]
  }
}

function ruledOutTexts({ tried, isJson, isCutShort }: SignatureDiagnosis): string[] {
  const texts = [t`Ruled out: ${tried.map(lookedForText).join('; ')}`]
  if (!isJson) texts.push(t`The body is not JSON, so it was not tried in other ways of writing JSON`)
  if (isCutShort) texts.push(t`The body is too large to try all ways of writing its JSON`)
  return [...texts, t`Compare the secret below with the sender's, and the body with what was sent`]
}

function lookedForText(cause: SignatureCause): string {
  switch (cause) {
    case 'secret-whitespace':
      return t`white space around the secret`
    case 'other-profile':
      return t`the secret of another profile`
    case 'trailing-newline':
      return t`a line break at the end`
    case 'bom':
      return t`a byte order mark`
    case 'crlf':
      return t`other line ends`
    case 'latin1':
      return t`another character set`
    case 'reserialized':
      return t`JSON that was written again`
  }
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, SERIALISERS_MAX)
  const more = names.length - shown.length
  return more > 0 ? t`${shown.join(', ')} and ${more} others` : shown.join(', ')
}

/** Where both begin to differ, with what stands there. */
function differenceText(given: Buffer, original: Buffer): string {
  const shorter = Math.min(given.length, original.length)
  let at = 0
  while (at < shorter && given[at] === original[at]) at++
  const place = t`They part at byte ${at + 1} of ${given.length}`
  return t`${place}: signed \`${excerpt(original, at)}\`, here \`${excerpt(given, at)}\``
}

function excerpt(bytes: Buffer, at: number): string {
  const from = Math.max(0, at - BYTES_BEFORE)
  const [before, behind] = [from > 0 ? '…' : '', from + EXCERPT_BYTES < bytes.length ? '…' : '']
  return before + bytes.toString('utf8', from, from + EXCERPT_BYTES) + behind
}
