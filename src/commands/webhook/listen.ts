import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { RefusalDiagnoser } from '../../diagnosis/refusalDiagnoser.ts'
import type { SignatureDiagnosis } from '../../diagnosis/signatureDiagnosis.ts'
import type { Inspector } from '../../inspector/openInspector.ts'
import type { EventOwner } from '../../ledger/accounts.ts'
import { announceListener, type ListenerEntry, type RunningListener } from '../../ledger/listeners.ts'
import { EventStore, StatsCounter } from '../../listener/eventStore.ts'
import { Forwarder } from '../../listener/forwarder.ts'
import type { Delivery, ListenerServer } from '../../listener/listenerServer.ts'
import { isRefusedWebhook, REFUSED_BYTES_MAX, RefusedWebhooks } from '../../listener/refusedWebhooks.ts'
import { openTunnel, type Tunnel } from '../../listener/tunnel.ts'
import { openConnectionPoolTo, withoutLogin } from '../../listener/webhookPost.ts'
import { only } from '../../pix/expectedError.ts'
import { assertLedgerOfAccount } from '../../profiles/accountLedger.ts'
import { withoutSecrets } from '../../profiles/childEnvironment.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { accountOptions } from '../../settings.ts'
import { callSandbox } from '../../steps/callSandbox.ts'
import { untilAborted } from '../../steps/foregroundServer.ts'
import {
  assertNoForwardLoop,
  LISTEN_OPTIONS,
  type ListenOptions,
  type OpenServer,
  openServer,
  warnOfOptions,
} from '../../steps/webhooks/listenOptions.ts'
import { t } from '../../text/translate.ts'
import { ListenScreen } from '../../views/events/listenScreen.ts'
import { objectsIn } from '../../wire/answers.ts'
import { Failure, UsageError, worstExitCode } from '../../wire/errors.ts'
import { valuesOf } from '../../wire/rawRequest.ts'
import { isReceived, redactTarget, SIGNATURE_HEADER } from '../../wire/signature.ts'

/** Forwards that are under way at the end get as long as the service waits, and a moment more; at a termination less, because the system does not wait long. */
const DRAIN_MS = 5_200
const LAST_MOMENT_MS = 600
const QUIET_LOOK_MS = 5_000
const SANDBOX_TIMEOUT_MS = 2_000
/** A timer that is set for longer than this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

export const webhookListen = defineCommand({
  options: LISTEN_OPTIONS,
  examples: [
    ['pixgate webhook listen', 'at http://127.0.0.1:4242/, which the profile `local` calls'],
    ['pixgate webhook listen --forward-to http://127.0.0.1:3000/webhooks', 'forward everything to your server'],
    ["pixgate webhook listen --route 'pix.*=localhost:3000/pix'", 'events of one kind to a server of their own'],
    ['pixgate webhook listen --inspect', 'see everything that arrives in a browser, and replay it'],
    ['pixgate webhook listen --max-events 1 --for 5m -o json', 'wait for one event, in a script'],
    ["pixgate webhook listen --tunnel 'cloudflared tunnel --url http://127.0.0.1:{port}'", 'reachable from outside'],
  ],
  run: listen,
})

async function listen(context: Context, options: ListenOptions): Promise<number> {
  context.serve()
  warnOfOptions(context, options)
  const signer = await context.signer()
  const { profile, environment, baseUrl, clientId } = signer
  const owner = { profile, environment, baseUrl, clientId }
  const screen = new ListenScreen(context, options, context.runtime.secrets, context.now)
  const ledger = await context.ledger()
  const replaced = failureToCome()
  const store = new EventStore(
    ledger,
    context.runtime.secrets,
    (error) => screen.forwardLost(error),
    () => {
      if (baseUrl === null || clientId === null) return
      try {
        assertLedgerOfAccount({ url: baseUrl, clientId }, context.configFolder(), ledger.environment.sharedAt)
      } catch (error) {
        if (error instanceof Failure) replaced.fail(error)
        throw error
      }
    },
  )
  const inspector = await openPage(context, options)
  const id = context.newId()
  const session = new Session(context, options, id, screen, store)
  const refused = openRefusedDeliveries(context, signer, (delivery, diagnosis) => {
    screen.diagnosed(delivery, diagnosis)
    if (diagnosis.tried.length > 0) inspector?.diagnosed(delivery, diagnosis)
  })
  const open = await openServer(context, options, {
    id,
    signer,
    owner,
    store,
    onDelivery(delivery) {
      session.delivered(delivery, refused.delivered(delivery))
      inspector?.delivered(delivery)
    },
    onNotStored: (error) => screen.notStored(error),
  }).catch(async (error: unknown) => {
    await inspector?.close()
    throw error
  })
  try {
    assertNoForwardLoop(options, open.server.port)
    const publicUrl = await openPublicUrl(context, options, open, owner)
    try {
      screen.ready({ url: open.url, publicUrl: publicUrl.url, inspectUrl: inspector?.url ?? null }, signer)
      const [failure] = await Promise.all([
        session.untilOver(Promise.race([publicUrl.lost, replaced.failure])),
        noteGivenUp(context, signer),
      ])
      await drain(context, session, open.server, publicUrl)
      if (failure !== null) throw failure
      return session.exitCode
    } finally {
      await publicUrl.close()
    }
  } finally {
    await inspector?.close()
    await open.server.close()
    await refused.close()
  }
}

/** A failure that ends the listener, once there is one. */
function failureToCome() {
  let resolveWith = (_: Failure) => {}
  const failure = new Promise<Failure>((resolve) => {
    resolveWith = resolve
  })
  return { failure, fail: (found: Failure) => resolveWith(found) }
}

/** Says how many webhooks the sandbox of this account has given up. Nothing if there is no sandbox. */
async function noteGivenUp(context: Context, { environment, baseUrl }: Signer): Promise<void> {
  if (environment !== 'sandbox' || baseUrl === null) return
  const { settings, terminal } = context
  try {
    const brief = { ...context, settings: { ...settings, timeoutMs: SANDBOX_TIMEOUT_MS } }
    const { deliveries } = await callSandbox(brief, 'failed-deliveries', {})
    const count = objectsIn(deliveries).length
    if (count === 0) return
    const command = `pixgate sandbox deliver ${accountOptions(settings)}--failed`
    terminal.note(
      count === 1
        ? t`The sandbox has given up 1 webhook; \`${command}\` delivers it`
        : t`The sandbox has given up ${count} webhooks; \`${command}\` delivers them`,
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    terminal.trace(error.message)
  }
}

async function openPage(context: Context, { inspect, unmask }: ListenOptions): Promise<Inspector | null> {
  if (inspect === undefined) return null
  const { openInspector } = await import('../../inspector/openInspector.ts')
  return openInspector(context, { port: inspect, option: '--inspect', unmask })
}

/** Lets requests, forwards and records that are under way finish, then prints the summary. */
async function drain(context: Context, session: Session, server: ListenerServer, publicUrl: PublicUrl): Promise<void> {
  const { abandon } = context.runtime
  const patienceMs = abandon.aborted ? LAST_MOMENT_MS : DRAIN_MS
  abandon.addEventListener('abort', () => {
    void server.close()
    void session.forwarder.close(0)
  })
  // The last answers still go out through the tunnel, which may take a while to end.
  await server.close(patienceMs)
  const tunnelEnded = publicUrl.close()
  await session.forwarder.close(patienceMs)
  await session.store.settled()
  session.screen.summary(session.counter.stats())
  await tunnelEnded
}

class Session {
  readonly counter = new StatsCounter()
  readonly screen: ListenScreen
  readonly store: EventStore
  readonly forwarder: Forwarder
  readonly #context: Context
  readonly #options: ListenOptions
  readonly #id: string
  readonly #over = new AbortController()
  #counted = 0

  constructor(context: Context, options: ListenOptions, id: string, screen: ListenScreen, store: EventStore) {
    this.#context = context
    this.#options = options
    this.#id = id
    this.screen = screen
    this.store = store
    this.forwarder = this.#openForwarder()
  }

  /** 8 if the time was up before `--max-events` was reached, 1 if `--fail-on-forward` applies or an event could not be stored. */
  get exitCode(): number {
    const { maxEvents, failOnForward } = this.#options
    const isInterrupted = this.#context.runtime.interrupt.aborted
    const { notForwarded, notStored } = this.counter.stats()
    const isPending = maxEvents !== undefined && this.#counted < maxEvents && !isInterrupted
    const hasFailed = notStored > 0 || (failOnForward && notForwarded > 0)
    return worstExitCode([isPending ? 8 : 0, hasFailed ? 1 : 0])
  }

  /** Handles a delivery that was answered; see {@link ListenScreen.delivered}. */
  delivered(delivery: Delivery, isDiagnosed: boolean): void {
    this.counter.delivered(delivery)
    const { maxEvents, events, dropDuplicates } = this.#options
    const isStored = delivery.httpStatus === 200
    const event = delivery.facts?.event ?? null
    if (isStored && events !== undefined && (event === null || !events.has(event))) return
    this.screen.delivered(delivery, isDiagnosed)
    if (!isStored) return
    if (!(dropDuplicates && delivery.duplicate)) this.forwarder.put(delivery, event)
    if (delivery.duplicate) return
    this.#counted += 1
    if (this.#counted === maxEvents) this.#over.abort()
  }

  /** Returns null at Ctrl-C, at the end of the time, or when there were enough events; what to report if the tunnel or the ledger is lost before. */
  async untilOver(lost: Promise<Failure>): Promise<Failure | null> {
    const { interrupt, stdout } = this.#context.runtime
    // The reader has closed the pipe.
    stdout.once('error', ({ code }: NodeJS.ErrnoException) => code === 'EPIPE' && this.#over.abort())
    const over = AbortSignal.any([this.#over.signal, interrupt])
    const { for: forMs } = this.#options
    const endOfTime = forMs === undefined ? () => {} : callAfter(forMs, () => this.#over.abort())
    const quiet = setInterval(() => this.screen.quiet(), QUIET_LOOK_MS)
    const failure = await Promise.race([untilAborted(over).then(() => null), lost])
    endOfTime()
    clearInterval(quiet)
    return failure
  }

  #openForwarder(): Forwarder {
    const { route: routes, forwardTo: rest = null, header: headers } = this.#options
    const account = accountOptions(this.#context.settings)
    return new Forwarder({
      routes,
      rest,
      headers,
      listener: this.#id,
      connectionsTo: (url) => openConnectionPoolTo(url, this.#context.runtime.env),
      onResult: ({ n }, target, { url, result }) => {
        this.counter.forwarded(withoutLogin(target), isReceived(result))
        this.screen.forwarded(n, target, { url: redactTarget(withoutLogin(url)), account }, result)
      },
      onSettled: ({ record }, results) => {
        if (record === null) return
        for (const { url, result } of results) {
          const { status, ms, body, error } = result
          const code = error?.code ?? null
          this.store.noteForward({ event: record, url: withoutLogin(url), status, ms, body, error: code })
        }
      },
    })
  }
}

/** Like setTimeout, for any duration; returns a function that cancels it. */
function callAfter(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (leftMs: number) => {
    const partMs = Math.min(leftMs, TIMER_MS_MAX)
    timer = setTimeout(() => (leftMs > partMs ? wait(leftMs - partMs) : act()), partMs)
  }
  wait(ms)
  return () => clearTimeout(timer)
}

type PublicUrl = Awaited<ReturnType<typeof openPublicUrl>>

/**
 * Starts the tunnel and waits for its URL, then announces the listener to the other commands of this machine. Throws NotReached if the tunnel ends or prints no
 * URL, UsageError if its command does not exist.
 */
async function openPublicUrl(
  context: Context,
  { tunnel: command, publicUrl, path }: ListenOptions,
  open: OpenServer,
  owner: EventOwner,
) {
  const tunnel = command === undefined ? null : await startTunnel(context, command, open)
  try {
    const printed = publicUrl === undefined ? await tunnel?.url(context.runtime.interrupt) : undefined
    const url = publicUrl ?? (printed == null ? null : withPath(printed, path))
    open.publicName = url === null ? null : new URL(url).hostname
    const entry = await announce(context, { ...owner, url: open.url, publicUrl: url })
    return {
      /** Null if it is not reached from outside. */
      url,
      /** Resolves when the tunnel ends by itself, with what to report. */
      lost: tunnel?.ended ?? new Promise<Failure>(() => undefined),
      async close() {
        await Promise.all([removeEntry(context, entry), tunnel?.close()])
      },
    }
  } catch (error) {
    await tunnel?.close()
    throw error
  }
}

/** While the ledger is busy or not reached, the listener still runs, and answers 503. Throws UsageError for one that could not record any event. */
async function announce(context: Context, listener: RunningListener): Promise<ListenerEntry | null> {
  const announced = context.ledger().then((ledger) => announceListener(ledger, listener))
  return announced.catch(
    only(Failure, (failure) => {
      if (failure instanceof UsageError) throw failure
      context.terminal.alarm(t`Other commands do not know about this listener: ${failure.message}`)
      return null
    }),
  )
}

/** An entry that cannot be removed ends with this process. */
async function removeEntry({ terminal }: Context, entry: ListenerEntry | null): Promise<void> {
  await entry?.remove().catch(only(Failure, ({ message }) => terminal.trace(message)))
}

async function startTunnel(context: Context, command: string, { server }: OpenServer): Promise<Tunnel> {
  return openTunnel({
    command,
    port: server.port,
    env: await environmentWithoutSecrets(context),
    onLeft: (line) => context.terminal.alarm(line),
  })
}

/** The environment without the variables that hold a secret of ours or of a stored profile. */
async function environmentWithoutSecrets(context: Context): Promise<Context['runtime']['env']> {
  const { readProfiles } = await import('../../profiles/store.ts')
  const { profiles } = await readProfiles(context.configFolder())
  const variables = [...profiles.values()].flatMap(({ secret }) => (secret.source === 'env' ? [secret.variable] : []))
  return withoutSecrets(context.runtime.env, variables)
}

/** A tunnel prints its origin; the path of the listener is added. */
function withPath(printed: string, path: string | undefined): string {
  return path === undefined ? printed : new URL(path, printed).href
}

/**
 * Keeps refused webhooks for `verify --last-refused`, and tells what is found about a wrong signature. Only the listener's own secrets are
 * tried, so that no one can find out from outside which others exist.
 */
function openRefusedDeliveries(
  context: Context,
  signer: Signer,
  onFound: (delivery: Delivery, diagnosis: SignatureDiagnosis) => void,
) {
  const { terminal, runtime } = context
  const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
  const { newId } = context
  const kept = new RefusedWebhooks({ folder: context.dataFolder(), secrets: runtime.secrets, newId }, (error) =>
    terminal.alarm(t`Refused webhooks cannot be kept: ${reasonOf(error)}`),
  )
  const diagnoser = new RefusalDiagnoser((error) =>
    terminal.alarm(t`Refused webhooks are no longer diagnosed: ${reasonOf(error)}`),
  )
  const secrets = secretsOf(signer).map(({ secret }) => secret.reveal())
  return {
    /**
     * Keeps and diagnoses it if it was refused because of its signature or body. To be called after the answer has left. True if the
     * diagnosis begins at once.
     */
    delivered(delivery: Delivery): boolean {
      if (!isRefusedWebhook(delivery)) return false
      kept.keep(delivery)
      const { reason, body, headers } = delivery
      const [signature, another] = valuesOf(headers, SIGNATURE_HEADER)
      const isOne = signature !== undefined && another === undefined && reason !== 'missing' && reason !== 'not-json'
      if (!isOne || body.length > REFUSED_BYTES_MAX) return false
      const mismatch = { body, signature, secrets, others: [], clientId: signer.clientId }
      return diagnoser.put(mismatch, (diagnosis) => onFound(delivery, diagnosis))
    },
    /** Resolves when all that are kept are written. */
    async close() {
      await Promise.all([kept.close(), diagnoser.close()])
    },
  }
}
