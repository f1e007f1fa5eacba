import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accepted, flag, object, type ReadBy, readJson, string, wholeNumber } from '../schemas/jsonReader.ts'
import { unlessSystem } from '../wire/errors.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { redact, type Secret } from '../wire/secret.ts'
import { isHeaderList, redactHeaders, redactTarget } from '../wire/signature.ts'
import type { Delivery } from './listenerServer.ts'

const KEPT = object({
  /** RFC 3339. */
  receivedAt: string,
  reason: string,
  target: string,
  headers: accepted(isHeaderList),
  /** Base64. */
  body: string,
  /** How long the body was; longer than what is kept if that was cut. */
  bodyBytes: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  /** True if a secret was replaced in the body, so that these are not the bytes that arrived. */
  isRedacted: flag,
})

type RefusedWebhook = Omit<ReadBy<typeof KEPT>, 'body'> & { body: Buffer }
type RefusedDelivery = Pick<Delivery, 'reason' | 'target' | 'headers' | 'body' | 'receivedAtMs'>

const KEPT_MAX = 50
/** What is kept of a body. */
export const REFUSED_BYTES_MAX = 64 * 1024
/** Anyone who reaches the listener can make it write this file, so it is written rarely. */
const WRITE_PAUSE_MS = 1_000
const FILE_MODE = 0o600
const MARK = '[redacted]'
const FILE_NAME = 'refused-webhooks.json'
const REASONS: readonly Delivery['reason'][] = ['missing', 'malformed', 'mismatch', 'not-json']

/** True for a webhook that was refused because of its signature or its body, not because of its path or method. */
export function isRefusedWebhook({ reason }: Pick<Delivery, 'reason'>): boolean {
  return REASONS.includes(reason)
}

/** Why a refused webhook is not kept as it arrived. */
export type KeptLoss = 'cut' | 'redacted'

/** What a refused webhook with this body loses when it is kept; null if all of it is. */
export function keptLoss(body: Buffer, secrets: readonly Secret[]): KeptLoss | null {
  if (withoutSecrets(body.subarray(0, REFUSED_BYTES_MAX), secrets) !== null) return 'redacted'
  return body.length > REFUSED_BYTES_MAX ? 'cut' : null
}

/** Keeps the last refused webhooks in a private file of the data folder, without secrets. Keeping one never delays an answer. */
export class RefusedWebhooks {
  readonly #folder: string
  readonly #secrets: readonly Secret[]
  readonly #newId: () => string
  readonly #onTrouble: (error: unknown) => void
  #newest: { delivery: RefusedDelivery; bodyBytes: number }[] = []
  #writing: Promise<void> | undefined
  readonly #closing = new AbortController()

  /** `secrets` are not stored. `onTrouble` gets the reason if the file cannot be written. */
  constructor(
    { folder, secrets, newId }: { folder: string; secrets: readonly Secret[]; newId(): string },
    onTrouble: (error: unknown) => void,
  ) {
    this.#folder = folder
    this.#secrets = secrets
    this.#newId = newId
    this.#onTrouble = onTrouble
  }

  keep(delivery: RefusedDelivery): void {
    const { body } = delivery
    // A copy, because a part of a buffer would keep all of it in memory.
    const kept = body.length > REFUSED_BYTES_MAX ? Buffer.from(body.subarray(0, REFUSED_BYTES_MAX)) : body
    this.#newest.push({ delivery: { ...delivery, body: kept }, bodyBytes: body.length })
    if (this.#newest.length > KEPT_MAX) this.#newest.shift()
    this.#writing ??= this.#writeAll()
  }

  /** Resolves when all are written. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#newest.length > 0) {
      await sleep(WRITE_PAUSE_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined)
      const newest = this.#newest
      this.#newest = []
      await this.#write(newest.map((each) => keptForm(each, this.#secrets))).catch(this.#onTrouble)
    }
    this.#writing = undefined
  }

  async #write(newest: readonly RefusedWebhook[]): Promise<void> {
    // In a flood none of those that were written before is kept, and reading them would keep genuine webhooks waiting.
    const older = newest.length < KEPT_MAX ? readRefusedWebhooks(this.#folder).reverse() : []
    const all = [...older, ...newest].slice(-KEPT_MAX)
    const path = pathIn(this.#folder)
    const draft = `${path}.${this.#newId()}`
    try {
      const lines = all.map((each) => JSON.stringify({ ...each, body: each.body.toString('base64') }))
      await writeFile(draft, `${lines.join('\n')}\n`, { mode: FILE_MODE })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
}

/** The refused webhooks that are kept, newest first; what cannot be read is left out. Throws the system's error unless none was kept. */
export function readRefusedWebhooks(folder: string): RefusedWebhook[] {
  const kept = unlessSystem('ENOENT', () => readFileSync(pathIn(folder), 'utf8')) ?? ''
  const lines = kept.split('\n').reverse()
  return lines.flatMap((line) => refusedWebhook(parseJson(line)))
}

function refusedWebhook(kept: unknown): RefusedWebhook[] {
  const { value } = readJson(KEPT, kept)
  return value === undefined ? [] : [{ ...value, body: Buffer.from(value.body, 'base64') }]
}

function keptForm(
  { delivery, bodyBytes }: { delivery: RefusedDelivery; bodyBytes: number },
  secrets: readonly Secret[],
): RefusedWebhook {
  const { reason, target, headers, body, receivedAtMs } = delivery
  const redacted = withoutSecrets(body, secrets)
  return {
    receivedAt: new Date(receivedAtMs).toISOString(),
    reason: reason ?? '',
    target: redactTarget(target, secrets),
    headers: redactHeaders(headers, secrets),
    body: redacted ?? body,
    bodyBytes,
    isRedacted: redacted !== null,
  }
}

/** A body with its secrets replaced; null if it has none. */
function withoutSecrets(body: Buffer, secrets: readonly Secret[]): Buffer | null {
  // One character per byte, so that bytes that are not UTF-8 stay as they are.
  const text = body.toString('latin1')
  const redacted = redact(text, secrets, MARK)
  return redacted === text ? null : Buffer.from(redacted, 'latin1')
}

function pathIn(folder: string): string {
  return join(folder, FILE_NAME)
}
