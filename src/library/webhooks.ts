import { judgeSignature, secretFingerprint, signBody } from '../wire/signature.ts'
import { diagnoseSignature } from '../wire/signatureDiagnosis.ts'

/** Whether a signature is right for these bytes, and if not, why not: the document of `pixgate webhook verify`. */
export interface WebhookVerdict {
  readonly valid: boolean
  readonly encoding: 'hex' | 'base64' | null
  readonly reason: 'missing' | 'malformed' | 'mismatch' | null
  /** Why the signature does not match, if that can be proved. Looked for when it is first read. */
  readonly cause: string | null
  /** How a `wrong-construction` was computed: `sha256(body + secret)`; undefined for any other cause. */
  readonly construction: string | undefined
  /** Who writes JSON like the body that was signed, the likeliest one first; undefined unless it was `reserialized`. */
  readonly serializer: string | undefined
  readonly serializers: readonly string[] | undefined
  /** The causes that were looked for. */
  readonly tried: readonly string[]
  readonly secret: { readonly source: 'argument'; readonly length: number; readonly sha256Prefix: string }
}

type Diagnosis = Pick<WebhookVerdict, 'cause' | 'tried' | 'construction' | 'serializers'>

const NOT_DIAGNOSED: Diagnosis = { cause: null, tried: [], construction: undefined, serializers: undefined }

/** The value of the header `X-Signature` for these exact bytes. Throws RangeError if the secret is empty. */
export function signWebhook(body: string | Uint8Array, secret: string, encoding: 'hex' | 'base64' = 'hex'): string {
  return signBody(bytesOf(body), secret, encoding)
}

/**
 * Judges the value of the header `X-Signature` against the exact bytes of a webhook: hex or Base64, with or without
 * `sha256=`, compared in constant time. An absent header is `missing`; several are `malformed`. Throws RangeError if the
 * secret is empty, and TypeError if the body was parsed already.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  signature: string | readonly string[] | null | undefined,
  secret: string,
): WebhookVerdict {
  if (secret === '') throw new RangeError('the client secret is empty')
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
      return diagnosis().serializers?.[0]
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
  const { cause, tried, construction, serialisers } = found
  return {
    cause,
    tried,
    construction: construction ?? undefined,
    serializers: serialisers.length === 0 ? undefined : serialisers,
  }
}

function bytesOf(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  throw new TypeError('pass the raw bytes of the body, not the parsed JSON: a signature covers the exact bytes')
}
