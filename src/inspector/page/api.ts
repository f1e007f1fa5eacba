import { t } from '../../text/translate.ts'
import type { LiveMessage } from '../eventRow.ts'
import type { InspectorApi } from '../openInspector.ts'

type Questions = InspectorApi['questions']
type Actions = InspectorApi['actions']

/** What the server answers to a question. */
export type Answer<Name extends keyof Questions> = Awaited<ReturnType<Questions[Name]>>
/** What it answers to an action. */
export type Result<Name extends keyof Actions> = Awaited<ReturnType<Actions[Name]>>

const HEADERS = { 'X-Pixgate-Token': location.pathname.slice(1) }
const RECONNECT_MS = 1_000

/** Asks the server. Throws an Error with a sentence for the person. */
export function fetchData<Name extends keyof Questions>(
  name: Name,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer<Name>> {
  return answered(fetch(`/api/${name}?${new URLSearchParams(query)}`, { headers: HEADERS }))
}

/** Asks the server to carry out an action. Throws an Error with a sentence for the person. */
export function postAction<Name extends keyof Actions>(name: Name, fields: object): Promise<Result<Name>> {
  const headers = { ...HEADERS, 'Content-Type': 'application/json' }
  return answered(fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(fields) }))
}

/** What is said while the server does not answer. */
export function unreachableText(): string {
  return t`pixgate is not reachable; is it still running?`
}

async function answered<Value>(sent: Promise<Response>): Promise<Value> {
  let response: Response
  try {
    response = await sent
  } catch {
    throw new Error(unreachableText())
  }
  if (response.ok) return response.json()
  const isJson = response.headers.get('content-type') === 'application/json'
  if (!isJson) throw new Error(t`pixgate answered ${response.status}; see its terminal for details`)
  const { error } = await response.json()
  throw new Error([error.message, error.details, error.hint].filter((part) => part !== '').join('. '))
}

/** Follows the server forever. `onState` receives whether it can be reached, before the first message after a change. */
export async function followFeed(
  onMessage: (message: LiveMessage) => void,
  onState: (isConnected: boolean) => void,
): Promise<never> {
  for (;;) {
    try {
      const response = await fetch('/api/stream', { headers: HEADERS })
      if (response.ok && response.body !== null) {
        onState(true)
        await readStream(response.body, onMessage)
      }
    } catch (error) {
      // The server has ended, or the network of this machine was changed.
      if (!(error instanceof TypeError)) throw error
    }
    onState(false)
    await new Promise((resolve) => window.setTimeout(resolve, RECONNECT_MS))
  }
}

async function readStream(body: ReadableStream<Uint8Array>, onMessage: (message: LiveMessage) => void): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) if (message.startsWith('data: ')) onMessage(JSON.parse(message.slice(6)))
  }
}
