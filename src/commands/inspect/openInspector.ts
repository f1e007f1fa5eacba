import type { Context } from '../../context.ts'
import { type EventFilter, FACETS } from '../../inspector/eventFilter.ts'
import { type InspectorRoutes, startInspectorServer } from '../../inspector/inspectorServer.ts'
import { LiveFeed } from '../../inspector/liveFeed.ts'
import { countEvents } from '../../ledger/events.ts'
import type { Delivery } from '../../listener/listenerServer.ts'
import { t } from '../../text/translate.ts'
import { writtenFor } from '../../text/writtenFor.ts'
import { causeTexts } from '../../views/events/signatureText.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import type { SignatureDiagnosis } from '../../wire/signatureDiagnosis.ts'
import { listenFailure } from '../foregroundServer.ts'
import { commandForEvent } from './eventCommand.ts'
import { InspectedEvents } from './inspectedEvents.ts'
import { paymentDetail, searchFromPage } from './inspectedPayments.ts'
import { controlFromPage, inspectedSandbox } from './inspectedSandbox.ts'
import { planReplay, sendReplay } from './replayFromPage.ts'

/** The page of the inspector while it is served. */
export interface Inspector {
  /** With the token. */
  url: string
  /** Shows a delivery to a listener of this process. */
  delivered(delivery: Delivery): void
  /** Shows what was found about the signature of a refused delivery. */
  diagnosed(delivery: Delivery, diagnosis: SignatureDiagnosis): void
  close(): Promise<void>
}

/** Serves the page on this machine's loopback address. Throws UsageError if it cannot listen on the port, which `option` names. */
export async function openInspector(
  context: Context,
  { port, option, unmask }: { port: number; option: '--port' | '--inspect'; unmask: boolean },
): Promise<Inspector> {
  const { terminal, runtime } = context
  const { secrets } = runtime
  const ledger = await context.ledger()
  const events = new InspectedEvents({ ledger, unmask, secrets }, await ledger.read(countEvents))
  const onDefect = (error: unknown) => terminal.alarm(t`The page of the inspector failed: ${reasonOf(error)}`)
  const feed = new LiveFeed({
    endSeq: () => events.endSeq(),
    changesAfter: (seq) => writtenFor('people', () => events.changesAfter(seq)),
    troubleOf(error) {
      if (!(error instanceof Failure)) onDefect(error)
      return error instanceof Failure ? error.message : t`The ledger cannot be read`
    },
  })
  const routes = routesOf(context, events, unmask)
  const server = await startInspectorServer({ port, routes, feed, secrets, onDefect }).catch((error: unknown) => {
    const hint = t`Choose another port: \`${option} 0\` picks a free one; or open the page that is already served there`
    throw listenFailure(error, { host: '127.0.0.1', port }, hint)
  })
  return {
    url: server.url,
    delivered(delivery) {
      feed.lookSoon()
      const remembered = writtenFor('people', () => events.remember(delivery))
      remembered.then((update) => update !== null && feed.publish(update), onDefect)
    },
    diagnosed(delivery, diagnosis) {
      const causes = writtenFor('people', () => causeTexts(diagnosis, delivery.body))
      const update = events.explain(delivery, causes.join('\n'))
      if (update !== null) feed.publish(update)
    },
    close: () => server.close(),
  }
}

function routesOf(context: Context, events: InspectedEvents, unmask: boolean): InspectorRoutes {
  return {
    questions: {
      events: (query) => events.page(query.has('before') ? Number(textIn(query, 'before')) : null, filterIn(query)),
      event: (query) => events.detail(textIn(query, 'key')),
      bytes: (query) => events.bytes(textIn(query, 'key')),
      curl: (query) => commandForEvent(context, events, textIn(query, 'key')),
      diff: (query) => events.diff(textIn(query, 'first'), textIn(query, 'second')),
      search: (query) => searchFromPage(context, textIn(query, 'words'), unmask),
      payment: (query) => paymentDetail(context, textIn(query, 'id'), unmask),
      sandbox: () => inspectedSandbox(context, unmask),
    },
    actions: {
      plan: (fields) => planReplay(context, events, fields, unmask),
      replay: (fields) => sendReplay(context, events, fields, unmask),
      control: (fields) => controlFromPage(context, fields),
    },
  }
}

function filterIn(query: URLSearchParams): EventFilter {
  return Object.fromEntries(FACETS.map((name) => [name, query.get(name) ?? undefined]))
}

function textIn(query: URLSearchParams, name: string): string {
  const text = query.get(name)
  if (text !== null) return text
  throw new UsageError(t`\`${name}\` is missing`, { hint: t`Open the page again` })
}

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
