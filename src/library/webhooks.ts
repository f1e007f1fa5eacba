import { diagnoseSignature } from '../diagnosis/signatureDiagnosis.ts'
import { judgeSignature, secretFingerprint, signBody } from '../wire/signature.ts'

/** Why a signature does not match. */
export type WebhookCause =
  | 'empty-body'
  | 'secret-whitespace'
  | 'secret-changed'
  | 'other-profile'
  | 'trailing-newline'
  | 'bom'
  | 'crlf'
  | 'latin1'
  | 'wrapped'
  | 'wrong-construction'
  | 'reserialized'
  | 'signature-cut'

/** Whether a signature is right for these bytes, and if not, why not: the document of `pixgate webhook verify`. */
export interface WebhookVerdict {
  readonly valid: boolean
  readonly encoding: 'hex' | 'base64' | null
  readonly reason: 'missing' | 'malformed' | 'mismatch' | null
  /** Why the signature does not match, if that can be proved. Looked for when it is first read. */
  readonly cause: WebhookCause | null
  /** How a `wrong-construction` was computed: `sha256(body + secret)`; undefined for any other cause. */
  readonly construction: string | undefined
  /** Who parsed the JSON and wrote this body; undefined unless it was `reserialized` and only one writes it so. */
  readonly serializer: string | undefined
  /** All who may have written it; undefined unless it was `reserialized`. */
  readonly serializers: readonly string[] | undefined
  /** The causes that were looked for. */
  readonly tried: readonly string[]
  readonly secret: { readonly source: 'argument'; readonly length: number; readonly sha256Prefix: string }
}

type Diagnosis = Pick<WebhookVerdict, 'cause' | 'tried' | 'construction' | 'serializers'>

const NOT_DIAGNOSED: Diagnosis = { cause: null, tried: [], construction: undefined, serializers: undefined }

/** The value of the header `X-Signature` for these exact bytes. Throws RangeError or TypeError if the secret is missing. */
export function signWebhook(body: string | Uint8Array, secret: string, encoding: 'hex' | 'base64' = 'hex'): string {
  assertSecret(secret)
  return signBody(bytesOf(body), secret, encoding)
}

/**
 * Judges the value of the header `X-Signature` against the exact bytes of a webhook: hex or Base64, with or without
 * `sha256=`, compared in constant time. An absent header is `missing`; several are `malformed`. Throws RangeError or
 * TypeError if the secret is missing, and TypeError if the body was parsed already.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  signature: string | readonly string[] | null | undefined,
  secret: string,
): WebhookVerdict {
  assertSecret(secret)
  const bytes = bytesOf(body)
  const values = typeof signature === 'string' ? [signature] : (signature ?? [])
  const { valid, encoding, reason } = judgeSignature(bytes, values, secret)
  let known: Diagnosis | undefined
  // Looking for a cause takes much longer than judging, so a server that reads `valid` only never pays for it.
  const diagnosis = () => {
    known ??= valid || values.length !== 1 ? NOT_DIAGNOSED : diagnose(bytes, values[0] ?? '', secret)
    return known
  }
  return {
    valid,
    encoding,
    reason,
    get cause() {
      return diagnosis().cause
    },
    get construction() {
      return diagnosis().construction
    },
    get serializer() {
      const { serializers } = diagnosis()
      return serializers?.length === 1 ? serializers[0] : undefined
    },
    get serializers() {
      return diagnosis().serializers
    },
    get tried() {
      return diagnosis().tried
    },
    secret: { source: 'argument', ...secretFingerprint(secret) },
  }
}

function diagnose(body: Buffer, signature: string, secret: string): Diagnosis {
  const found = diagnoseSignature({ body, signature, secrets: [secret], others: [] })
  const { cause, tried, construction, writers } = found
  return {
    cause,
    tried,
    construction: construction ?? undefined,
    serializers: writers.length === 0 ? undefined : writers.map(({ name }) => name),
  }
}

/** The variable that a program reads it from may not be set, or be empty. */
function assertSecret(secret: unknown): void {
  if (secret === '') throw new RangeError('the secret is missing')
  if (typeof secret !== 'string') throw new TypeError('the secret is missing')
}

function bytesOf(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  throw new TypeError('pass the raw bytes of the body, not the parsed JSON: a signature covers the exact bytes')
}
