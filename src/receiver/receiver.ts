import { createServer, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type AnswerFields, readObject } from '../wire/answers.ts'
import type { Secret } from '../wire/secret.ts'
import { judgeSignature, SIGNATURE_HEADER, type SignatureVerdict } from '../wire/signature.ts'

/** A webhook as it arrived, judged over its exact bytes. */
export interface Delivery {
  verdict: SignatureVerdict
  /** The body as JSON; undefined where it is none. */
  payload: AnswerFields | undefined
}

/** A receiver that listens. */
export interface RunningReceiver {
  readonly url: string
  close(): Promise<void>
}

const HEADERS_TIMEOUT_MS = 5_000

/**
 * Starts a webhook receiver on a free loopback port. Genuine webhooks are answered 200, all others 401; `onDelivery` is
 * told of each after its answer.
 */
export async function startReceiver(
  clientSecret: Secret,
  onDelivery: (delivery: Delivery) => void,
): Promise<RunningReceiver> {
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 500 },
    async (request, response) => {
      const body = await buffer(request).catch(() => undefined)
      if (body === undefined) return
      const verdict = judgeSignature(body, signaturesOf(request), clientSecret.reveal())
      response.writeHead(verdict.valid ? 200 : 401).end()
      onDelivery({ verdict, payload: readObject(body.toString('utf8')) })
    },
  )
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function signaturesOf(request: IncomingMessage): string[] {
  return request.headersDistinct[SIGNATURE_HEADER.toLowerCase()] ?? []
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
