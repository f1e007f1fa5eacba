import type { Actions, LiveTrouble, LiveUpdate, Questions } from '../pageData.ts'
import { fill, texts } from './dom.ts'

const HEADERS = { 'X-Pixgate-Token': location.pathname.slice(1) }
const RECONNECT_MS = 1_000

/** Asks the server. Throws an Error with a sentence for the person. */
export async function fetchData<Name extends keyof Questions>(
  name: Name,
  query: Readonly<Record<string, string>> = {},
): Promise<Questions[Name]> {
  return answered(fetch(`/api/${name}?${new URLSearchParams(query)}`, { headers: HEADERS }))
}

/** Asks the server to carry out an action. Throws an Error with a sentence for the person. */
export async function postAction<Name extends keyof Actions>(name: Name, fields: object): Promise<Actions[Name]> {
  const headers = { ...HEADERS, 'Content-Type': 'application/json' }
  return answered(fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(fields) }))
}

async function answered<Answer>(sent: Promise<Response>): Promise<Answer> {
  let response: Response
  try {
    response = await sent
  } catch {
    throw new Error(texts.disconnected)
  }
  if (response.ok) return response.json()
  const isJson = response.headers.get('content-type') === 'application/json'
  if (!isJson) throw new Error(fill(texts.failed, { status: response.status }))
  const { error } = await response.json()
  throw new Error([error.message, error.details, error.hint].filter((part) => part !== '').join('. '))
}

/** Follows the server forever. `onState` receives whether it can be reached, before the first message after a change. */
export async function followFeed(
  onMessage: (message: LiveUpdate | LiveTrouble) => void,
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
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  onMessage: (message: LiveUpdate | LiveTrouble) => void,
): Promise<void> {
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
