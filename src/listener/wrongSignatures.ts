import { createHash, createHmac } from 'node:crypto'
import { signBody } from '../wire/signature.ts'
import type { SignatureEncoding } from '../wire/signatureHeader.ts'

/** A signature that only a receiver with one certain mistake accepts. */
export interface WrongSignature {
  cause: 'other-encoding' | 'secret-whitespace' | 'empty-secret' | 'wrong-construction'
  /** How it is computed, for `wrong-construction`. */
  formula?: string
  value: string
}

/** The signatures of a body that wrong receivers expect, each for one mistake. */
export function wrongSignatures(body: Buffer, secret: string, encoding: SignatureEncoding): WrongSignature[] {
  const hmac = (key: string | Buffer, content: string | Buffer) =>
    createHmac('sha256', key).update(content).digest('hex')
  const hash = (...parts: (string | Buffer)[]) => {
    const sum = createHash('sha256')
    for (const part of parts) sum.update(part)
    return sum.digest('hex')
  }
  const constructions = {
    'hmac-sha256(body, secret)': hmac(body, secret),
    'sha256(secret + body)': hash(secret, body),
    'sha256(body + secret)': hash(body, secret),
    'sha256(body)': hash(body),
    'hmac-sha256(secret, "")': hmac(secret, ''),
    'hmac-sha256(secret, "[object Object]")': hmac(secret, '[object Object]'),
    'hmac-sha256(secret, hex(body))': hmac(secret, body.toString('hex')),
    'hmac-sha256(secret, base64(body))': hmac(secret, body.toString('base64')),
  }
  return [
    { cause: 'other-encoding', value: signBody(body, secret, encoding === 'hex' ? 'base64' : 'hex') },
    { cause: 'secret-whitespace', value: signBody(body, `${secret}\n`, encoding) },
    { cause: 'empty-secret', value: hmac('', body) },
    { cause: 'empty-secret', value: hmac('undefined', body) },
    ...Object.entries(constructions).map(
      ([formula, value]) => ({ cause: 'wrong-construction', formula, value }) as const,
    ),
  ]
}
