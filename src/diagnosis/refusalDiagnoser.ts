import { createHash, createHmac } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { readPackagedFile } from '../packagedFile.ts'
import { type SignatureEncoding, signBody } from '../wire/signature.ts'
import type { ThreadAnswer } from './diagnosisWorker.ts'
import type { Mismatch, SignatureDiagnosis } from './signatureDiagnosis.ts'

type OnFound = (diagnosis: SignatureDiagnosis) => void

/** Of those that arrive while one is diagnosed, this many wait; all further ones are dropped. */
const WAITING_MAX = 4
/** How long the thread rests after a diagnosis, as a multiple of what that took: a flood costs a fortieth of one processor. */
const REST = 39
const HEAP_MIB_MAX = 128

/**
 * Looks for the causes of refused signatures in a thread of its own, one at a time. Most of a flood is dropped, because anyone who reaches a
 * listener can send forged webhooks, and genuine ones must not wait for what these cost.
 */
export class RefusalDiagnoser {
  readonly #onTrouble: (error: unknown) => void
  readonly #waiting: { mismatch: Mismatch; onFound: OnFound }[] = []
  #worker: Worker | undefined
  #isBusy = false
  #isClosed = false
  #rest: NodeJS.Timeout | undefined

  /** `onTrouble` gets the reason if the thread fails; then nothing is diagnosed any more. */
  constructor(onTrouble: (error: unknown) => void) {
    this.#onTrouble = onTrouble
  }

  /** Calls back with what was found, or not at all if this one is dropped. True if it begins at once. */
  put(mismatch: Mismatch, onFound: OnFound): boolean {
    if (this.#isClosed || this.#waiting.length >= WAITING_MAX) return false
    const isNext = !this.#isBusy
    this.#waiting.push({ mismatch, onFound })
    this.#next()
    return isNext
  }

  /** Ends the thread; what waits is dropped. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#rest)
    await this.#worker?.terminate()
  }

  #next(): void {
    if (this.#isBusy || this.#isClosed) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#isBusy = true
    const worker = this.#open()
    worker.once('message', ({ diagnosis, ms }: ThreadAnswer) => {
      const { original } = diagnosis
      next.onFound({ ...diagnosis, original: original === null ? null : Buffer.from(original) })
      this.#rest = setTimeout(() => {
        this.#isBusy = false
        this.#next()
      }, ms * REST).unref()
    })
    worker.postMessage(next.mismatch)
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(readPackagedFile('dist/diagnosisWorker.js'), {
      eval: true,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
    })
    worker.unref()
    worker.on('error', (error) => {
      this.#isClosed = true
      this.#onTrouble(error)
    })
    this.#worker = worker
    return worker
  }
}

/** A signature that only a receiver with one certain mistake accepts. */
export interface WrongSignature {
  cause: 'other-encoding' | 'upper-case' | 'prefixed' | 'secret-whitespace' | 'empty-secret' | 'wrong-construction'
  /** How it is computed, for `wrong-construction`. */
  formula?: string
  value: string
}

/** The signatures of a body that wrong receivers expect, each for one mistake. */
export function wrongSignatures(body: Buffer, secret: string, encoding: SignatureEncoding): WrongSignature[] {
  const hmac = (key: string | Buffer, content: string | Buffer, algorithm = 'sha256') =>
    createHmac(algorithm, key).update(content).digest('hex')
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
    'hmac-sha1(secret, body)': hmac(secret, body, 'sha1'),
    'hmac-sha512(secret, body)': hmac(secret, body, 'sha512'),
  }
  return [
    { cause: 'other-encoding', value: signBody(body, secret, encoding === 'hex' ? 'base64' : 'hex') },
    { cause: 'upper-case', value: hmac(secret, body).toUpperCase() },
    { cause: 'prefixed', value: `sha256=${signBody(body, secret, encoding)}` },
    { cause: 'secret-whitespace', value: signBody(body, `${secret}\n`, encoding) },
    { cause: 'empty-secret', value: hmac('', body) },
    { cause: 'empty-secret', value: hmac('undefined', body) },
    ...Object.entries(constructions).map(
      ([formula, value]) => ({ cause: 'wrong-construction', formula, value }) as const,
    ),
  ]
}
