import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { SignatureDiagnosis } from '../diagnosis/signatureDiagnosis.ts'
import { type InspectorRoutes, LiveFeed, startInspectorServer } from '../inspector/inspectorServer.ts'
import { type ComparedLine, diffLines } from '../inspector/lineDiff.ts'
import type {
  EventBytes,
  EventCommand,
  EventDetail,
  EventDiff,
  EventPage,
  ForwardLine,
  LabelledText,
  LiveUpdate,
  PaymentDetail,
  ReplayPreview,
  SandboxAction,
  SandboxTransaction,
  SandboxView,
  SearchResult,
} from '../inspector/pageData.ts'
import { type EventFilter, FACETS, isMatch } from '../inspector/pageTexts.ts'
import { chainEnd } from '../ledger/chain.ts'
import { bodyDigest } from '../ledger/derivedTables.ts'
import {
  countEvents,
  type EventWithForwards,
  eventNumber,
  eventsChangedAfter,
  eventsNumbered,
  findEvents,
  queryEvents,
  searchEvents,
} from '../ledger/events.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  ALL_PAYMENTS,
  lastPaymentSeq,
  listPayments,
  type PaymentFilter,
  positionOfNewest,
} from '../ledger/paymentList.ts'
import { findPayments, loadPayment, type Payment, refundSumsOf } from '../ledger/payments.ts'
import { editBody, readBodyEdit } from '../listener/bodyEdits.ts'
import type { Delivery } from '../listener/listenerServer.ts'
import { isConnectionHeader, openConnectionPoolTo, postBytes, withoutLogin } from '../listener/webhookPost.ts'
import { readDuration } from '../optionParsers.ts'
import { centsFromJson } from '../pix/amount.ts'
import type { Signer } from '../profiles/signer.ts'
import { FAULT_KINDS } from '../sandbox/faults.ts'
import type { Database } from '../storage/sqlite.ts'
import { cellText } from '../terminal/printer.ts'
import { safeText } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { writtenFor } from '../text/writtenFor.ts'
import { curlCommand } from '../views/events/deliveryText.ts'
import { bodyLines } from '../views/events/eventText.ts'
import {
  addressText,
  eventDetail,
  eventLine,
  forwardLine,
  headerTexts,
  type InspectedEvent,
  labelledTexts,
  PLAIN_STYLE,
  recordedEvent,
  unrecordedEvent,
} from '../views/events/inspectedEvent.ts'
import { causeTexts } from '../views/events/signatureText.ts'
import { paymentLine } from '../views/payments/paymentFields.ts'
import { paymentRows } from '../views/payments/paymentText.ts'
import { amountText, instantText, maskKey, maskText, statusTone } from '../views/valueText.ts'
import { type AnswerFields, objectsIn } from '../wire/answers.ts'
import { Cancelled, Failure, NotFound, Refused, UsageError } from '../wire/errors.ts'
import { isSecretHeader, redact, type Secret } from '../wire/secret.ts'
import { callSandbox, sandboxAddress } from './callSandbox.ts'
import { listenFailure } from './foregroundServer.ts'
import { parseSearchTerms, paymentFilter } from './historyFilters.ts'
import {
  assertOwnEvents,
  chooseTargets,
  omittedHeaders,
  openDeliveryResults,
  prepareRedelivery,
  recordedBody,
} from './webhooks/redelivery.ts'
import { askToSign, defaultTarget, type PreparedWebhook, readTarget } from './webhooks/sendWebhooks.ts'

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
      preview: (fields) => previewReplay(context, events, fields, unmask),
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

/** What events are read from, and how they are shown. */
interface EventSource {
  ledger: Ledger
  unmask: boolean
  /** Never shown. */
  secrets: readonly Secret[]
}

const PAGE_EVENTS = 200
/** The most events that one question of the page looks at. */
const SEARCHED_EVENTS = 2_000
const IN_MEMORY_MAX = 1_000
/** Anyone who reaches the listener can send deliveries that are rejected. */
const IN_MEMORY_BYTES_MAX = 16 * 1024 * 1024

/** The events of the ledger, and the last deliveries to a listener of this process that are not in it. */
class InspectedEvents {
  readonly #source: EventSource
  /** Oldest first. */
  readonly #inMemory: InspectedEvent[] = []
  #inMemoryBytes = 0
  #remembered = 0
  /** The number of the newest event of the ledger, as far as it is known here. */
  #newest: number

  constructor(source: EventSource, newest: number) {
    this.#source = source
    this.#newest = newest
  }

  /** The newest events before a number, or of all if that is null. Few may match a filter, so that a search ends early enough. */
  async page(before: number | null, filter: EventFilter): Promise<EventPage> {
    const page: EventPage = { events: [], before, recorded: this.#newest }
    for (let searched = 0; searched < SEARCHED_EVENTS; searched += PAGE_EVENTS) {
      const { events, before: next, recorded } = await this.#part(page.before)
      page.events.push(...events.filter(({ facets }) => isMatch(facets, filter)))
      page.before = next
      page.recorded = recorded
      if (next === null || page.events.length >= PAGE_EVENTS) break
    }
    return page
  }

  /** A part that is so small that reading it delays nothing else. */
  async #part(before: number | null): Promise<EventPage> {
    const query = { sinceMs: null, failed: false, scope: null, last: PAGE_EVENTS, beforeN: before ?? undefined }
    const { found, count } = await this.#source.ledger.read((database) => ({
      found: queryEvents(database, query),
      count: countEvents(database),
    }))
    this.#newest = count
    const oldest = found[0]?.record.n ?? 0
    const isLast = oldest <= 1
    const between = this.#inMemory.filter(
      ({ order: [n] }) => (before === null || n < before) && (isLast || n >= oldest),
    )
    const events = [...found.map(recordedEvent), ...between].sort(newestFirst).map(eventLine)
    return { events, before: isLast ? null : oldest, recorded: count }
  }

  /** Everything about a delivery. Throws NotFound. */
  async detail(key: string): Promise<EventDetail> {
    const event = await this.named(key)
    const { body } = event.shown
    return { ...eventDetail(event, this.#source.unmask), bytes: body.length, sha256: bodyDigest(body) }
  }

  /** The exact bytes of a body. Throws NotFound, and Refused if they hold a secret of this process. */
  async bytes(key: string): Promise<EventBytes> {
    const { shown, isRecorded } = await this.named(key)
    const { body } = shown
    const text = body.toString('latin1')
    if (redact(text, this.#source.secrets) === text) return { base64: body.toString('base64') }
    throw new Refused(t`The body contains a client secret, so its bytes are not shown`, {
      hint: isRecorded
        ? t`Run \`pixgate webhook events show ${key} --raw\` to write them to a file`
        : t`Look at it on this page: it is only in the listener's memory`,
    })
  }

  /** Compares two deliveries in everything, also in what is masked. Throws NotFound. */
  async diff(firstKey: string, secondKey: string): Promise<EventDiff> {
    const [first, second] = [await this.named(firstKey), await this.named(secondKey)]
    return {
      first: eventLine(first),
      second: eventLine(second),
      isSameBody: first.shown.body.equals(second.shown.body),
      headers: diffLines(this.#headerLines(first), this.#headerLines(second)),
      body: diffLines(this.#bodyLines(first), this.#bodyLines(second)),
    }
  }

  /** The number of the ledger's last record. */
  endSeq(): Promise<number> {
    return this.#source.ledger.read((database) => chainEnd(database).seq)
  }

  /** What has changed after a record, and the number of the last one. */
  changesAfter(seq: number): Promise<{ endSeq: number; update: LiveUpdate | null }> {
    return this.#source.ledger.read((database) => {
      const endSeq = chainEnd(database).seq
      const numbers = eventsChangedAfter(database, seq, PAGE_EVENTS + 1)
      if (numbers.length === 0) return { endSeq, update: null }
      const isMore = numbers.length > PAGE_EVENTS
      const found = isMore ? [] : eventsNumbered(database, numbers)
      const events = found.map((event) => eventLine(recordedEvent(event)))
      this.#newest = countEvents(database)
      return { endSeq, update: { events, isMore, recorded: this.#newest } }
    })
  }

  /**
   * Keeps a delivery in memory that is not in the ledger: one that was rejected, or whose exact bytes had arrived before. Returns what
   * open pages are to be told; null if it is in the ledger.
   */
  async remember(delivery: Delivery): Promise<LiveUpdate | null> {
    const { n, record, duplicate, receivedAtMs } = delivery
    this.#newest = Math.max(this.#newest, n ?? 0)
    if (record !== null && (!duplicate || (await this.#arrivedAt(record)) === new Date(receivedAtMs).toISOString()))
      return null
    this.#remembered += 1
    const event = unrecordedEvent(delivery, [this.#newest, this.#remembered])
    this.#inMemory.push(event)
    this.#inMemoryBytes += bytesOf(event)
    while (this.#inMemory.length > IN_MEMORY_MAX || this.#inMemoryBytes > IN_MEMORY_BYTES_MAX) {
      const oldest = this.#inMemory.shift()
      if (oldest === undefined) break
      this.#inMemoryBytes -= bytesOf(oldest)
    }
    return { events: [eventLine(event)], isMore: false, recorded: this.#newest }
  }

  /** Adds what was found about a refused delivery; what open pages are to be told, null if it is no longer in memory. */
  explain(delivery: Delivery, advice: string): LiveUpdate | null {
    const index = this.#inMemory.findLastIndex(({ shown }) => shown.body === delivery.body)
    const event = this.#inMemory[index]
    if (event === undefined) return null
    this.#inMemory[index] = { ...event, advice }
    return { events: [eventLine(event)], isMore: false, recorded: this.#newest }
  }

  /** The recorded event with a number, or the id of its record. Throws NotFound. */
  async recorded(key: string): Promise<EventWithForwards> {
    const found = await this.#source.ledger.read((database) =>
      findEvents(database, key).find(({ record }) => [`${eventNumber(record)}`, record.id].includes(key)),
    )
    if (found !== undefined) return found
    throw new NotFound(t`The event ${key} no longer exists`, {
      outcome: 'not-sent',
      hint: t`Run \`pixgate webhook events\` to list the recorded events`,
    })
  }

  /** A delivery of the same bytes at another time is not recorded again. */
  async #arrivedAt(record: string): Promise<string> {
    return (await this.recorded(record)).record.at
  }

  /** A delivery, recorded or in memory. Throws NotFound. */
  async named(key: string): Promise<InspectedEvent> {
    return this.#inMemory.find((each) => each.key === key) ?? recordedEvent(await this.recorded(key))
  }

  #headerLines({ shown }: InspectedEvent): ComparedLine[] {
    const { unmask } = this.#source
    return headerTexts(shown, unmask).map(([name, value], index) => ({
      text: JSON.stringify(shown.headers[index]),
      shown: `${name}: ${value}`,
    }))
  }

  #bodyLines({ shown: { body } }: InspectedEvent): ComparedLine[] {
    const { unmask } = this.#source
    const exact = bodyLines(body, { style: PLAIN_STYLE, unmask: true })
    return bodyLines(body, { style: PLAIN_STYLE, unmask }).map((line, index) => ({
      text: exact[index] ?? '',
      shown: line,
    }))
  }
}

/** The size of those parts of a delivery that its sender controls. */
function bytesOf({ shown: { body, path, headers } }: InspectedEvent): number {
  return body.length + path.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
}

function newestFirst({ order: [one, oneInMemory] }: InspectedEvent, { order: [other, otherInMemory] }: InspectedEvent) {
  return other - one || otherInMemory - oneInMemory
}

const FOUND_MAX = 100
const EVENTS_READ_MAX = 50_000

/**
 * The newest payments and events that words find, of all accounts; without words, the newest payments. Throws UsageError for words that
 * cannot be searched for.
 */
async function searchFromPage(context: Context, typed: string, unmask: boolean): Promise<SearchResult> {
  const ledger = await context.ledger()
  const words = typed.trim() === '' ? undefined : parseSearchTerms([typed], context.now())
  const filter = words === undefined ? ALL_PAYMENTS : paymentFilter({}, words)
  const payments = await ledger.read((database) => newestPayments(database, filter))
  const numbers =
    words === undefined
      ? []
      : await searchEvents(
          ledger,
          { ...words, sinceMs: words.period?.sinceMs ?? null, beforeMs: words.period?.beforeMs ?? null },
          { limit: FOUND_MAX, readMax: EVENTS_READ_MAX },
        )
  const events = await ledger.read((database) => eventsNumbered(database, numbers))
  const isCut = payments.length === FOUND_MAX || events.length === FOUND_MAX
  return {
    payments: payments.map((payment) => paymentLine(payment, unmask)),
    events: events.map((event) => eventLine(recordedEvent(event))),
    note: isCut ? t`Only the newest ${FOUND_MAX} are shown; more words narrow the search` : '',
  }
}

/** Everything that is known of the payment with an id. Throws NotFound. */
async function paymentDetail(context: Context, id: string, unmask: boolean): Promise<PaymentDetail> {
  const ledger = await context.ledger()
  return ledger.read((database) => {
    const [payment] = findPayments(database, id)
    if (payment === undefined) throw noPayment(id)
    const nowMs = ledger.environment.now()
    const { facts, records } = paymentRows(payment, refundSumsOf(database, payment), PLAIN_STYLE, unmask, nowMs)
    return { facts: labelledTexts(facts), records: labelledTexts(records) }
  })
}

function noPayment(id: string): NotFound {
  return new NotFound(t`No recorded payment has the id ${id}`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history --all\` to list the payments`,
  })
}

function newestPayments(database: Database, filter: PaymentFilter): Payment[] {
  const last = lastPaymentSeq(database)
  const after = positionOfNewest(database, filter, last, FOUND_MAX)
  const listed = listPayments(database, filter, after, last, FOUND_MAX)
  return listed.map(({ id }) => loadPayment(database, id)).reverse()
}

const SHOWN_MAX = 50

/** The controls that make sense for a transaction, by its type and status. */
const ACTIONS: Readonly<Record<string, readonly SandboxAction[]>> = {
  'payment PENDING': ['pay', 'expire', 'cancel'],
  'payment PAID': ['chargeback', 'deliver'],
  'payment EXPIRED': ['pay-late', 'deliver'],
  'payment CANCELLED': ['pay-late', 'deliver'],
  'payment REFUNDED': ['deliver'],
  'refund PROCESSING': ['fail'],
  'refund COMPLETED': ['deliver'],
  'refund FAILED': ['deliver'],
  'transfer PROCESSING': ['cancel', 'fail'],
  'transfer COMPLETED': ['return', 'deliver'],
  'transfer FAILED': ['deliver'],
}

/** The sandbox of this command line, or why there is none to show. */
async function inspectedSandbox(context: Context, unmask: boolean): Promise<SandboxView> {
  const nothing = {
    url: '',
    facts: [],
    transactions: [],
    deliveries: [],
    faults: [],
    faultKinds: FAULT_KINDS,
  }
  try {
    nothing.url = safeText((await sandboxAddress(context)).url)
    const state = await callSandbox(context, 'state', {})
    const transactions = [state.payments, state.refunds, state.transfers].flatMap(objectsIn)
    return {
      ...nothing,
      isRunning: true,
      reason: '',
      hint: '',
      facts: [
        [t`balance`, amountText(centsFromJson(state.balance) ?? null)],
        [t`clock`, timeText(state.now)],
        [t`transactions`, String(transactions.length)],
      ],
      transactions: transactions
        .sort(byCreation)
        .slice(0, SHOWN_MAX)
        .map((each) => transactionView(each, unmask)),
      deliveries: objectsIn(state.deliveries).slice(-SHOWN_MAX).reverse().map(deliveryText),
      faults: objectsIn(state.faults).map(faultText),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...nothing, isRunning: false, reason: safeText(error.message), hint: safeText(error.hint) }
  }
}

/** Carries out a control of the page: an action on the transaction `id`, `fault`, `clear-fault`, `advance` or `reset`. Throws like `callSandbox`. */
async function controlFromPage(context: Context, fields: AnswerFields): Promise<object> {
  const { action, id, kind, times, on, n, duration } = fields
  const onTransaction = Object.values(ACTIONS)
    .flat()
    .find((name) => name === action)
  if (action === 'reset') await callSandbox(context, 'reset', {})
  else if (action === 'fault') {
    await callSandbox(context, 'fault', {
      kind: cellText(kind),
      times: Number(times),
      async: fields.async === true,
      on: cellText(on) || undefined,
    })
  } else if (action === 'clear-fault') await callSandbox(context, 'clear-faults', { n: Number(n) })
  else if (action === 'advance') {
    await callSandbox(context, 'advance', { ms: readDuration(cellText(duration), t`duration`) })
  } else if (onTransaction === 'pay-late') {
    await callSandbox(context, 'pay', { id: cellText(id), late: true })
  } else if (onTransaction !== undefined) {
    await callSandbox(context, onTransaction, { id: cellText(id) })
  } else throw new UsageError(t`There is no control \`${cellText(action)}\``, { hint: t`Open the page again` })
  return {}
}

function transactionView(one: AnswerFields, unmask: boolean): SandboxTransaction {
  const type = cellText(one.type)
  const status = cellText(one.status)
  return {
    id: safeText(cellText(one.idTransaction)),
    kind: safeText(type),
    status: safeText(status),
    tone: statusTone(status),
    amount: amountText(centsFromJson(one.amount ?? one.value) ?? null),
    about: safeText(aboutText(one, unmask)),
    actions: [...(ACTIONS[`${type} ${status}`] ?? [])],
  }
}

function aboutText({ requestNumber, refundReason, key, typeKey }: AnswerFields, unmask: boolean): string {
  if (key !== undefined) return unmask ? cellText(key) : maskKey(cellText(key), cellText(typeKey))
  const text = cellText(requestNumber ?? refundReason)
  return unmask ? text : maskText(text)
}

function deliveryText({ event, idTransaction, outcome, attempts, status, error }: AnswerFields): LabelledText {
  const end = [status, error].map(cellText).filter((part) => part !== '')
  const attemptsText = t`${cellText(outcome)}, attempts: ${cellText(attempts)}`
  return [safeText(`${cellText(event)} ${cellText(idTransaction)}`), [attemptsText, ...end.map(safeText)].join(', ')]
}

function faultText({ kind, on, times, async: isAsync }: AnswerFields): LabelledText {
  const parts = [
    on === null ? t`on whatever comes next` : t`on ${cellText(on)}`,
    t`times: ${cellText(times)}`,
    ...(isAsync === true ? [t`after it was accepted`] : []),
  ]
  return [safeText(cellText(kind)), safeText(parts.join(', '))]
}

function byCreation(one: AnswerFields, other: AnswerFields): number {
  return Date.parse(cellText(other.createdAt)) - Date.parse(cellText(one.createdAt))
}

function timeText(at: unknown): string {
  const ms = Date.parse(cellText(at))
  return instantText(Number.isNaN(ms) ? null : ms)
}

/** A replay that is ready to be sent. */
interface PreparedReplay {
  webhook: PreparedWebhook
  /** Why this target was chosen. */
  why: string
  /** Undefined for a replay of the exact bytes. */
  signer: Signer | undefined
  /** A digest of the request and its target. */
  digest: string
  /** The recorded headers that are not sent. */
  omitted: readonly string[]
}

const ANSWER_CHARACTERS_MAX = 500

/** What a replay would send, and what a person must type before. Throws UsageError for what `webhook replay` rejects. */
async function previewReplay(
  context: Context,
  events: InspectedEvents,
  fields: AnswerFields,
  unmask: boolean,
): Promise<ReplayPreview> {
  const { webhook, why, signer, digest, omitted } = await prepare(context, events, fields)
  const { warning, question } = signer === undefined ? { warning: '', question: '' } : await consentFor(signer, webhook)
  return {
    facts: labelledTexts([
      [t`event`, t`${webhook.n === null ? '' : `#${webhook.n} `}${webhook.event ?? '—'}`],
      [t`to`, addressText(webhook.url.href)],
      [t`because`, why],
      [t`signature`, signer === undefined ? t`unchanged` : t`re-signed with the secret of ${signer.source}`],
      [t`bytes`, String(webhook.body.length)],
      ...(omitted.length === 0 ? [] : [[t`not sent`, t`${omitted.join(', ')}: credentials are not recorded`] as const]),
    ]),
    body: bodyLines(webhook.body, { style: PLAIN_STYLE, unmask }),
    warning,
    question,
    digest,
  }
}

/**
 * Sends what a preview showed and records what becomes of it. Throws Refused if it would now be something else, Cancelled if what was typed
 * is not what the question asks for, and what `previewReplay` throws.
 */
async function sendReplay(
  context: Context,
  events: InspectedEvents,
  fields: AnswerFields,
  unmask: boolean,
): Promise<ForwardLine> {
  const { webhook, signer, digest } = await prepare(context, events, fields)
  if (digest !== fields.digest) {
    throw new Refused(t`The request has changed since it was shown; nothing was sent`, {
      hint: t`Look at it again before you send it`,
    })
  }
  if (signer !== undefined) await consentFor(signer, webhook, textField(fields, 'typed'))
  const { url, body, headers } = webhook
  const connections = openConnectionPoolTo(url, context.runtime.env)
  const signal = context.runtime.interrupt
  const limits = { timeoutMs: context.settings.timeoutMs, charactersMax: ANSWER_CHARACTERS_MAX, signal }
  const result = await postBytes(connections, url, body, headers, limits).finally(() => connections.close())
  // The result of an edited event says nothing about the event itself.
  if (signer === undefined) {
    const results = await openDeliveryResults(context)
    results.note(webhook, result)
    await results.settled()
  }
  const { status, ms, error } = result
  const at = new Date(context.now()).toISOString()
  return forwardLine(
    { at, url: withoutLogin(url), status, ms, body: result.body, error: error?.message ?? null },
    unmask,
  )
}

async function prepare(context: Context, events: InspectedEvents, fields: AnswerFields): Promise<PreparedReplay> {
  const event = await events.recorded(textField(fields, 'key'))
  const [to, edits, replacement] = [textField(fields, 'to'), textField(fields, 'edits'), textField(fields, 'body')]
  const typed = to.trim() === '' ? undefined : readTarget(to.trim(), '--to')
  const isEdited = fields.isEdited === true
  const lines = isEdited ? edits.split(/\r?\n/).filter((line) => line.trim() !== '') : []
  const hasBody = isEdited && replacement !== ''
  if (isEdited && lines.length === 0 && !hasBody) {
    throw new UsageError(t`No value is set`, { hint: t`Write a path and a value, such as \`data.amount=10.50\`` })
  }
  const body = editBody(hasBody ? Buffer.from(replacement) : recordedBody(event), lines.map(readBodyEdit))
  const signer = isEdited ? await context.signer() : undefined
  if (signer !== undefined) assertOwnEvents([event], signer)
  const [target] = await chooseTargets(context, [event], typed)
  if (target === undefined) throw new Error('an event has no target')
  const webhook = prepareRedelivery(event, body, target, signer)
  const sent = JSON.stringify([webhook.record, target.url.href, webhook.headers, body.toString('base64')])
  const digest = createHash('sha256').update(sent).digest('hex')
  return { webhook, why: target.why, signer, digest, omitted: omittedHeaders([event]) }
}

/**
 * Asks as `webhook replay` does, with what was typed on the page as the answer; an answer in advance does not count. Without one it only
 * tells what is asked. Throws like `askToSign`.
 */
async function consentFor(
  signer: Signer,
  { url, body }: PreparedWebhook,
  typed?: string,
): Promise<Pick<ReplayPreview, 'warning' | 'question'>> {
  const lines: string[] = []
  let question = ''
  const terminal = {
    canAsk: true,
    err: PLAIN_STYLE,
    errColumns: Number.POSITIVE_INFINITY,
    say: (text: string) => void lines.push(text),
    note: (line: string) => void lines.push(line),
    async askText(asked: string) {
      question = asked
      return typed ?? ''
    },
  }
  const settings = { yes: false, confirm: undefined }
  try {
    await askToSign({ terminal, settings }, signer, [body], [[t`to`, addressText(url.href)]])
  } catch (error) {
    if (!(error instanceof Cancelled) || typed !== undefined || question === '') throw error
  }
  return { warning: lines.join('\n'), question }
}

function textField(fields: AnswerFields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/**
 * The curl command that sends a delivery as `webhook replay` would, without credentials. Throws NotFound, Refused if the body holds a
 * secret of this process, and UsageError if no target is known.
 */
async function commandForEvent(context: Context, events: InspectedEvents, key: string): Promise<EventCommand> {
  const { isRecorded, shown } = await events.named(key)
  const body = Buffer.from((await events.bytes(key)).base64, 'base64')
  if (isRecorded) {
    const event = await events.recorded(key)
    const [target] = await chooseTargets(context, [event], undefined)
    if (target === undefined) throw new Error('an event has no target')
    return commandFor(prepareRedelivery(event, body, target, undefined), omittedHeaders([event]))
  }
  const { secrets } = context.runtime
  const hasCredential = ([name, value]: readonly [string, string]) =>
    isSecretHeader(name) || redact(value, secrets) !== value
  const { url } = await defaultTarget(context, await context.signer())
  const headers = shown.headers.filter((header) => !hasCredential(header))
  return commandFor(
    { url, headers, body },
    shown.headers.filter(hasCredential).map(([name]) => name),
  )
}

function commandFor(
  { url, headers, body }: Parameters<typeof curlCommand>[0],
  omitted: readonly string[],
): EventCommand {
  return {
    command: curlCommand({ url, headers: headers.filter(([name]) => !isConnectionHeader(name)), body }),
    note: omitted.length === 0 ? '' : t`It does not send ${omitted.join(', ')}: credentials are not copied`,
  }
}
