import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** What a target was sent. */
export interface Posted {
  target: string
  headers: [name: string, value: string][]
  body: string
}

/** A developer's server that notes what it is sent and answers with these statuses in turn, then always with the last one. */
export interface WebhookTarget {
  url: string
  posted: readonly Posted[]
  /** From now on. */
  answer(...statuses: number[]): void
  /** Once more it leaves a request without an answer, the first whose path or query holds this. Returns when it is there. */
  hang(part?: string): Promise<void>
}

/** A target that is gone when the test is; `body` is what it answers with. */
export async function webhookTarget({ body = '' } = {}): Promise<WebhookTarget> {
  const target = await startWebhookTarget(body)
  onTestFinished(target.close)
  return target
}

function isSigned(signature: string | string[] | undefined, body: Buffer): boolean {
  return String(signature).toLowerCase() === createHmac('sha256', 'local-secret').update(body).digest('hex')
}

/** A target that is to be closed. It takes samples of `webhook check` as a right receiver does. */
export async function startWebhookTarget(body = ''): Promise<WebhookTarget & { close(): void }> {
  const posted: Posted[] = []
  let statuses = [200]
  let hanging: { part: string; isThere(): void } | undefined
  const server = createServer(async (request, response) => {
    const received = await buffer(request)
    const { rawHeaders, url = '' } = request
    const headers = rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
    )
    posted.push({ target: url, headers, body: received.toString('utf8') })
    if (hanging !== undefined && url.includes(hanging.part)) {
      hanging.isThere()
      hanging = undefined
      return
    }
    if (request.headers['x-pixgate-check'] !== undefined) {
      response.writeHead(isSigned(request.headers['x-signature'], received) ? 200 : 401).end()
      return
    }
    const status = statuses.length > 1 ? statuses.shift() : statuses[0]
    response.writeHead(status ?? 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    posted,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
    answer: (...next) => {
      statuses = next
    },
    hang: (part = '') =>
      new Promise((isThere) => {
        hanging = { part, isThere }
      }),
  }
}

/** The values of the signature headers that were sent. */
export function signaturesOf({ headers }: Posted): string[] {
  return headers.filter(([name]) => name.toLowerCase() === 'x-signature').map(([, value]) => value)
}

/** What the signature of this body must be, by code that is not the program's. */
export function hmac(body: string, secret = 'local-secret', encoding: 'hex' | 'base64' = 'hex'): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest(encoding)
}
