import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { here } from '../inProcess.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld } from '../world.ts'

/** A request as a receiver sees it. */
export interface Arrived {
  body: string
  signature: string
  marker: string | undefined
}

/** An answer, or its status alone; null ends the connection without one. */
export type Answer = number | null | { status: number; body?: string; headers?: Record<string, string> }

/** The genuine signature. */
export const hex = (body: string, secret = 'local-secret') => createHmac('sha256', secret).update(body).digest('hex')
/** What a right receiver answers. */
export const given = (isRight: boolean): Answer => (isRight ? 200 : 401)
/** Judges by the signature, as a right receiver does. */
export const right = ({ body, signature }: Arrived): Answer => given(signature.toLowerCase() === hex(body))
/** The status that an event reports. */
export const statusIn = (body: string): unknown => JSON.parse(body).data?.status

/** A receiver that answers what this decides; null ends the connection. The URL, and what has arrived. */
export async function receiver(
  decide: (arrived: Arrived) => Answer | Promise<Answer>,
): Promise<{ url: string; all: Arrived[] }> {
  const all: Arrived[] = []
  const answer = (response: ServerResponse, given: Answer) => {
    if (given === null) return response.destroy()
    const { status, body = '', headers = undefined } = typeof given === 'number' ? { status: given } : given
    return response.writeHead(status, headers ?? (status === 302 ? { Location: '/x' } : {})).end(body)
  }
  const url = await localServer(async (request, response) => {
    const body = (await buffer(request)).toString('utf8')
    const { 'x-signature': signature = '', 'x-pixgate-check': marker } = request.headers
    const arrived = { body, signature: String(signature), marker: marker?.toString() }
    all.push(arrived)
    answer(response, await decide(arrived))
  })
  return { url: `${url}/hook`, all }
}

/** What `webhook check` finds at this URL: its exit code, and all proved causes by the names of the samples. */
export async function check(url: string, ...words: string[]) {
  const { exit, stdout, stderr } = await here(emptyWorld())(['webhook', 'check', url, '-o', 'json', ...words])
  expect(stderr).toBe('')
  const { verdict, checks } = JSON.parse(stdout)
  const bad: { name: string; cause: string | null }[] = checks.filter(
    (each: { verdict: string }) => each.verdict === 'bad',
  )
  return {
    exit,
    verdict,
    checks,
    bad: bad.map(({ name }) => name),
    causes: [...new Set(bad.map(({ cause }) => cause))],
  }
}
