import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { SignatureDiagnosis } from '../diagnosis/signatureDiagnosis.ts'
import { chainEnd } from '../ledger/chain.ts'
import { bodyDigest } from '../ledger/derivedTables.ts'
import {
  countEvents,
  type EventWithForwards,
  eventNumber,
  eventsChangedAfter,
  eventsNumbered,
  findEvents,
  nameOfEvent,
  queryEvents,
  searchEvents,
} from '../ledger/events.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { lastPaymentSeq, listPayments, type PaymentFilter, positionOfNewest } from '../ledger/paymentList.ts'
import { findPayments, loadPayment, type Payment, refundSumsOf, withSender } from '../ledger/payments.ts'
import { paymentsBeingSent } from '../ledger/processes.ts'
import type { ForwardRecord, LedgerRecord } from '../ledger/records.ts'
import type { Delivery } from '../listener/listenerServer.ts'
import { type KeptLoss, keptLoss } from '../listener/refusedWebhooks.ts'
import { isConnectionHeader, openConnectionPoolTo, postBytes, withoutLogin } from '../listener/webhookPost.ts'
import type { Signer } from '../profiles/signer.ts'
import { FAULT_KINDS } from '../sandbox/faults.ts'
import {
  accepted,
  anyObject,
  object,
  orNull,
  type ReadBy,
  type Reader,
  readJson,
  string,
} from '../schemas/jsonReader.ts'
import { isHistoryStep } from '../schemas/sandboxAnswers.ts'
import { callSandbox, isControl, sandboxAddress } from '../steps/callSandbox.ts'
import { listenFailure } from '../steps/foregroundServer.ts'
import { parseSearchTerms, paymentFilter } from '../steps/historyFilters.ts'
import { openDeliveryResults, prepareReplay } from '../steps/webhooks/redelivery.ts'
import { askToSign, defaultTarget, type PreparedWebhook, readTarget } from '../steps/webhooks/sendWebhooks.ts'
import type { Database } from '../storage/sqlite.ts'
import { cellText } from '../terminal/printer.ts'
import { type LabelledRow, styleFor } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { adviceFor, curlCommand, shownDelivery } from '../views/events/deliveryText.ts'
import { eventRows, recordRows } from '../views/events/eventPage.ts'
import { answerTime, bodyLines } from '../views/events/eventText.ts'
import { type ShownEvent, shownEvent } from '../views/events/shownEvent.ts'
import { findingTexts } from '../views/events/signatureText.ts'
import { FAILURE } from '../views/failureView.ts'
import { paymentDocument, shownDocument } from '../views/payments/paymentFields.ts'
import { paymentRows } from '../views/payments/paymentText.ts'
import { instantText, maskText } from '../views/valueText.ts'
import { type AnswerFields, objectsIn } from '../wire/answers.ts'
import { withoutPassword } from '../wire/baseAddress.ts'
import { Cancelled, Failure, NotFound, Refused, UsageError } from '../wire/errors.ts'
import { isSecretHeader, redact, type Secret, withoutSecretParameters } from '../wire/secret.ts'
import { type EventFilter, type EventRow, isInMemory, isMatch, type LiveUpdate, newestFirst } from './eventRow.ts'
import { LiveFeed, startInspectorServer } from './inspectorServer.ts'

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
    changesAfter: (seq) => events.changesAfter(seq),
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
      events.remember(delivery).then((update) => update !== null && feed.publish(update), onDefect)
    },
    diagnosed(delivery, diagnosis) {
      const update = events.explain(delivery, diagnosis)
      if (update !== null) feed.publish(update)
    },
    close: () => server.close(),
  }
}

/** What the server answers the page, by the names of its questions and actions. */
export type InspectorApi = ReturnType<typeof routesOf>

function routesOf(context: Context, events: InspectedEvents, unmask: boolean) {
  return {
    questions: {
      events: (query: URLSearchParams) =>
        events.page(query.has('before') ? Number(textIn(query, 'before')) : null, new Map(query)),
      event: (query: URLSearchParams) => events.detail(textIn(query, 'key')),
      bytes: (query: URLSearchParams) => events.bytes(textIn(query, 'key')),
      curl: (query: URLSearchParams) => commandForEvent(context, events, textIn(query, 'key')),
      search: (query: URLSearchParams) => searchFromPage(context, textIn(query, 'words'), unmask),
      payment: (query: URLSearchParams) => paymentDetail(context, textIn(query, 'id'), unmask),
      sandbox: () => sandboxState(context, unmask),
      transaction: (query: URLSearchParams) => sandboxHistory(context, textIn(query, 'id')),
    },
    actions: {
      preview: (json: unknown) => previewReplay(context, events, fromPage(REPLAY, json), unmask),
      replay: (json: unknown) => sendReplay(context, events, fromPage(SHOWN_REPLAY, json), unmask),
      control: (json: unknown) => controlFromPage(context, fromPage(CONTROL, json)),
    },
  }
}

/** What to send again, and where; null for the body as it arrived. */
const REPLAY_MEMBERS = { key: string, to: string, body: orNull(string) }
const REPLAY = object(REPLAY_MEMBERS)
/** The same, after it was shown: the digest of what was shown, and what the person typed. */
const SHOWN_REPLAY = object({ ...REPLAY_MEMBERS, digest: string, typed: string })
/** A control of the sandbox, with values that the sandbox checks. */
const CONTROL = object({ name: accepted(isControl), values: anyObject })

type Replay = ReadBy<typeof REPLAY>

function fromPage<Value>(reader: Reader<Value>, json: unknown): Value {
  const { value, faults } = readJson(reader, json)
  if (value !== undefined) return value
  throw notFromThisPage(faults[0]?.path.join('.') ?? '')
}

function textIn(query: URLSearchParams, name: string): string {
  const text = query.get(name)
  if (text !== null) return text
  throw notFromThisPage(name)
}

function notFromThisPage(name: string): UsageError {
  return new UsageError(t`\`${name}\` is missing or not valid`, { hint: t`Open the page again` })
}

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** No colours: the page has its own. */
const PLAIN_STYLE = styleFor(false, { forbidden: true, env: {} })

interface EventSource {
  ledger: Ledger
  unmask: boolean
  /** Never shown. */
  secrets: readonly Secret[]
}

/** A delivery that the page shows, recorded or only in memory. */
interface InspectedEvent extends Pick<EventRow, 'key' | 'order' | 'isProduction'> {
  shown: ShownEvent
  forwards: readonly LedgerRecord<ForwardRecord>[]
  /** Further facts about it, in the current language. */
  facts: () => readonly LabelledRow[]
  /** What to do about it. */
  advice: () => readonly string[]
}

function recordedEvent({ record, forwards }: EventWithForwards): InspectedEvent {
  return {
    key: nameOfEvent(record),
    order: [record.n, 0],
    isProduction: record.owner.environment === 'production',
    shown: shownEvent(record),
    forwards,
    facts: () => recordRows(record),
    advice: () => [],
  }
}

function unrecordedEvent(delivery: Delivery, order: EventRow['order'], loss: KeptLoss | null): InspectedEvent {
  const { record, n, httpStatus, answeredMs, receivedAtMs, target } = delivery
  return {
    key: `m${order[1]}`,
    order,
    isProduction: false,
    shown: shownDelivery(delivery),
    forwards: [],
    facts: () => [
      [t`arrived`, t`${instantText(receivedAtMs)} at ${withoutSecretParameters(target)}`],
      [t`answered`, t`${httpStatus} after ${answerTime(answeredMs)}`],
    ],
    advice() {
      const advice = adviceFor(delivery, loss)
      if (advice !== null) return [advice]
      if (record === null) return []
      return [t`The same bytes had arrived before as event ${n ?? record}, so they are not recorded again`]
    },
  }
}

function eventRow({ key, order, isProduction, shown, forwards }: InspectedEvent): EventRow {
  const { isRecorded, event, valid, reason, duplicate, receivedAt, facts } = shown
  const last = forwards.at(-1)
  return {
    key,
    order,
    isProduction,
    isRecorded,
    event,
    valid,
    reason,
    duplicate,
    receivedAt,
    facts: facts && {
      event: facts.event,
      status: facts.status,
      amountCents: facts.amountCents,
      idTransaction: facts.idTransaction,
    },
    forward: last === undefined ? null : { status: last.status, ms: last.ms, error: last.error },
  }
}

/** A URL without credentials. */
function addressText(url: string): string {
  return withoutSecretParameters(withoutPassword(url))
}

/** The result of a forward or a replay, personal data masked unless `unmask`. */
function shownForward(
  forward: Pick<LedgerRecord<ForwardRecord>, 'at' | 'url' | 'status' | 'ms' | 'body' | 'error'>,
  unmask: boolean,
) {
  const { at, url, status, ms, error, body } = forward
  return { at, url: addressText(url), status, ms, error, body: unmask ? body : maskText(body) }
}

/** The headers as they were sent; what may be a credential is never shown. */
function shownHeaders({ headers }: ShownEvent, unmask: boolean): LabelledRow[] {
  return headers.map(([name, value]) => [name, isSecretHeader(name) ? '••••' : unmask ? value : maskText(value)])
}

const PAGE_EVENTS = 200
/** The most events that one question of the page looks at. */
const SEARCHED_EVENTS = 2_000
const IN_MEMORY_MAX = 1_000
/** Anyone who reaches the listener can send deliveries that are rejected. */
const IN_MEMORY_BYTES_MAX = 16 * 1024 * 1024

/** A part of the list, newest first; of a filtered one maybe only few, because the search takes a rest. */
interface EventPage {
  events: EventRow[]
  /** The older ones are those before this number; null if there are none. */
  before: number | null
  /** How many are recorded. */
  recorded: number
}

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
      page.events.push(...events.filter((event) => isMatch(event, filter)))
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
    const events = [...found.map(recordedEvent), ...between].sort(newestFirst).map(eventRow)
    return { events, before: isLast ? null : oldest, recorded: count }
  }

  /** Everything about a delivery. Throws NotFound. */
  async detail(key: string) {
    const { unmask } = this.#source
    const event = await this.named(key)
    const { shown, facts, advice, forwards } = event
    const { body } = shown
    return {
      row: eventRow(event),
      advice: advice(),
      facts: [...eventRows(shown, PLAIN_STYLE, unmask), ...facts()],
      headers: shownHeaders(shown, unmask),
      body: body.length === 0 ? [] : bodyLines(body, { style: PLAIN_STYLE, unmask }),
      bytes: body.length,
      sha256: bodyDigest(body),
      forwards: forwards.map((each) => shownForward(each, unmask)),
    }
  }

  /** The exact bytes of a body. Throws NotFound, and Refused if they hold a secret of this process. */
  async bytes(key: string): Promise<{ base64: string }> {
    const { body } = (await this.named(key)).shown
    const text = body.toString('latin1')
    if (redact(text, this.#source.secrets) === text) return { base64: body.toString('base64') }
    throw new Refused(t`The body contains a client secret, so its bytes are not shown`, {
      hint: isInMemory(key)
        ? t`Look at it on this page: it is only in the listener's memory`
        : t`Run \`pixgate webhook events show ${key} --raw\` to write them to a file`,
    })
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
      const events = found.map((event) => eventRow(recordedEvent(event)))
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
    const event = unrecordedEvent(
      delivery,
      [this.#newest, this.#remembered],
      keptLoss(delivery.body, this.#source.secrets),
    )
    this.#inMemory.push(event)
    this.#inMemoryBytes += bytesOf(event)
    while (this.#inMemory.length > IN_MEMORY_MAX || this.#inMemoryBytes > IN_MEMORY_BYTES_MAX) {
      const oldest = this.#inMemory.shift()
      if (oldest === undefined) break
      this.#inMemoryBytes -= bytesOf(oldest)
    }
    return { events: [eventRow(event)], isMore: false, recorded: this.#newest }
  }

  /** Adds what was found about a refused delivery; what open pages are to be told, null if it is no longer in memory. */
  explain(delivery: Delivery, diagnosis: SignatureDiagnosis): LiveUpdate | null {
    const index = this.#inMemory.findLastIndex(({ shown }) => shown.body === delivery.body)
    const event = this.#inMemory[index]
    if (event === undefined) return null
    this.#inMemory[index] = { ...event, advice: () => findingTexts(diagnosis, delivery.body) }
    return { events: [eventRow(event)], isMore: false, recorded: this.#newest }
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
}

/** The size of those parts of a delivery that its sender controls. */
function bytesOf({ shown: { body, path, headers } }: InspectedEvent): number {
  return body.length + path.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
}

const FOUND_MAX = 100
const EVENTS_READ_MAX = 50_000

/**
 * The newest payments and events that words find, of all accounts; without words, the newest payments. Throws UsageError for words that
 * cannot be searched for.
 */
async function searchFromPage(context: Context, typed: string, unmask: boolean) {
  const ledger = await context.ledger()
  const words = typed.trim() === '' ? undefined : parseSearchTerms([typed], context.now())
  const beingSent = await paymentsBeingSent(ledger)
  const filter = { ...(words && paymentFilter({}, words)), beingSent }
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
    payments: payments.map((payment) => shownDocument(paymentDocument(payment), unmask)),
    events: events.map((event) => eventRow(recordedEvent(event))),
    note: isCut ? t`Only the newest ${FOUND_MAX} are shown; more words narrow the search` : '',
  }
}

/** Everything that is known of the payment with an id. Throws NotFound. */
async function paymentDetail(context: Context, id: string, unmask: boolean) {
  const ledger = await context.ledger()
  const sending = await paymentsBeingSent(ledger)
  return ledger.read((database) => {
    const [payment] = findPayments(database, id)
    if (payment !== undefined) {
      return paymentRows(withSender(payment, sending), refundSumsOf(database, payment, sending), PLAIN_STYLE, unmask)
    }
    throw new NotFound(t`No recorded payment has the id ${id}`, {
      outcome: 'not-sent',
      hint: t`Run \`pixgate history --all\` to list the payments`,
    })
  })
}

function newestPayments(database: Database, filter: PaymentFilter): Payment[] {
  const last = lastPaymentSeq(database)
  const after = positionOfNewest(database, filter, last, FOUND_MAX)
  const listed = listPayments(database, filter, after, last, FOUND_MAX)
  return listed.map(({ id }) => withSender(loadPayment(database, id), filter.beingSent)).reverse()
}

const SHOWN_MAX = 50

/** The sandbox of this command line as `sandbox state` has it, of its lists the newest, or why there is none to show. */
async function sandboxState(context: Context, unmask: boolean) {
  let url = ''
  try {
    url = (await sandboxAddress(context)).url
    const state = await callSandbox(context, 'state', {})
    const transactions = [state.payments, state.refunds, state.transfers].flatMap(objectsIn)
    return {
      url,
      failure: null,
      unmask,
      balance: state.balance,
      now: state.now,
      count: transactions.length,
      transactions: transactions.sort(byCreation).slice(0, SHOWN_MAX),
      deliveries: objectsIn(state.deliveries).slice(-SHOWN_MAX).reverse(),
      faults: objectsIn(state.faults),
      faultKinds: FAULT_KINDS,
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { url, failure: FAILURE.documentOf(error) }
  }
}

function byCreation(one: AnswerFields, other: AnswerFields): number {
  return Date.parse(cellText(other.createdAt)) - Date.parse(cellText(one.createdAt))
}

/** What happened to a transaction of the sandbox, oldest first. Throws like `callSandbox`. */
async function sandboxHistory(context: Context, id: string) {
  const { steps } = await callSandbox(context, 'history', { id })
  return { steps: objectsIn(steps).filter(isHistoryStep) }
}

/** Carries out a control of the sandbox with the values of the page. Throws like `callSandbox`. */
async function controlFromPage(context: Context, { name, values }: ReadBy<typeof CONTROL>): Promise<object> {
  return callSandbox(context, name, values)
}

const ANSWER_CHARACTERS_MAX = 500

/** What a replay would send, and what a person must type before. Throws UsageError for what `webhook replay` rejects. */
async function previewReplay(context: Context, events: InspectedEvents, replay: Replay, unmask: boolean) {
  const { webhook, target, signer, digest, omitted } = await prepare(context, events, replay)
  const { warning, question } = signer === undefined ? { warning: '', question: '' } : await consentFor(signer, webhook)
  const to = addressText(webhook.url.href)
  const facts: LabelledRow[] = [
    [t`event`, t`${webhook.n === null ? '' : `#${webhook.n} `}${webhook.event ?? '—'}`],
    [t`to`, to],
    [t`because`, target.why],
    [t`signature`, signer === undefined ? t`unchanged` : t`re-signed with the secret of ${signer.source}`],
    [t`bytes`, String(webhook.body.length)],
  ]
  if (omitted.length > 0) facts.push([t`not sent`, t`${omitted.join(', ')}: credentials are not recorded`])
  return { to, facts, body: bodyLines(webhook.body, { style: PLAIN_STYLE, unmask }), warning, question, digest }
}

/**
 * Sends what a preview showed and records what becomes of it. Throws Refused if it would now be something else, Cancelled if what was typed
 * is not what the question asks for, and what `previewReplay` throws.
 */
async function sendReplay(
  context: Context,
  events: InspectedEvents,
  shown: ReadBy<typeof SHOWN_REPLAY>,
  unmask: boolean,
) {
  const { webhook, signer, digest } = await prepare(context, events, shown)
  if (digest !== shown.digest) {
    throw new Refused(t`The request has changed since it was shown; nothing was sent`, {
      hint: t`Look at it again before you send it`,
    })
  }
  if (signer !== undefined) await consentFor(signer, webhook, shown.typed)
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
  return shownForward(
    { at, url: withoutLogin(url), status, ms, body: result.body, error: error?.message ?? null },
    unmask,
  )
}

/** What a replay sends, its target, who signs it anew, the headers that it omits, and a digest of the request. */
async function prepare(context: Context, events: InspectedEvents, { key, to, body: edited }: Replay) {
  const event = await events.recorded(key)
  const typed = to.trim() === '' ? undefined : readTarget(to.trim(), '--to')
  if (edited === '') throw new UsageError(t`The body is empty`, { hint: t`Write a body, or send the exact bytes` })
  const { webhooks, signer, omitted } = await prepareReplay(context, [event], {
    replacement: edited === null ? undefined : Buffer.from(edited),
    edits: [],
    typed,
  })
  const [prepared] = webhooks
  if (prepared === undefined) throw new Error('an event has no target')
  const { url, headers, body, record } = prepared.webhook
  const sent = JSON.stringify([record, url.href, headers, body.toString('base64')])
  return { ...prepared, signer, omitted, digest: createHash('sha256').update(sent).digest('hex') }
}

/**
 * Asks as `webhook replay` does, with what was typed on the page as the answer; an answer in advance does not count. Without one it only
 * tells what is asked. Throws like `askToSign`.
 */
async function consentFor(
  signer: Signer,
  { url, body }: PreparedWebhook,
  typed?: string,
): Promise<{ warning: string; question: string }> {
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

/**
 * The curl command that sends a delivery as `webhook replay` would, without credentials. Throws NotFound, Refused if the body holds a
 * secret of this process, and UsageError if no target is known.
 */
async function commandForEvent(context: Context, events: InspectedEvents, key: string) {
  const body = Buffer.from((await events.bytes(key)).base64, 'base64')
  if (!isInMemory(key)) {
    const { webhook, omitted } = await prepare(context, events, { key, to: '', body: null })
    return commandFor(webhook, omitted)
  }
  const { shown } = await events.named(key)
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
): { command: string; note: string } {
  return {
    command: curlCommand({ url, headers: headers.filter(([name]) => !isConnectionHeader(name)), body }),
    note: omitted.length === 0 ? '' : t`It does not send ${omitted.join(', ')}: credentials are not copied`,
  }
}
