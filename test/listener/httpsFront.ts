import { readFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { createServer, request } from 'node:https'
import { onTestFinished } from 'vitest'
import type { Certificates } from '../gateway/certificates.ts'
import { portOf } from './sshServer.ts'

/** The public side of a tunnel: TLS here, plain HTTP to a port of loopback behind. */
export interface HttpsFront {
  url: string
  /** Posts a body through it; gives the status of the answer. */
  post(body: Buffer, headers: Record<string, string>): Promise<number>
}

/** Starts a front until the test ends. If nothing listens behind it, it answers 502 like any tunnel's. */
export async function startHttpsFront({ right, caPath }: Certificates, port: number): Promise<HttpsFront> {
  const server = createServer(right, (arrived, answer) => {
    const { method, url: path, rawHeaders: headers } = arrived
    const passed = requestHttp({ host: '127.0.0.1', port, method, path, headers, agent: false })
    passed.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 0, response.headers)
      response.pipe(answer)
    })
    passed.on('error', () => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end('no tunnel here')
    })
    arrived.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const ca = readFileSync(caPath)
  const url = `https://127.0.0.1:${portOf(server)}`
  return {
    url,
    post: (body, headers) =>
      new Promise((resolve, reject) => {
        const call = request(url, { method: 'POST', headers, ca, agent: false })
        call.on('response', (response) => resolve(response.resume().statusCode ?? 0))
        call.on('error', reject)
        call.end(body)
      }),
  }
}
