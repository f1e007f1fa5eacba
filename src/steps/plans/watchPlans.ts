import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, createContext } from '../../context.ts'
import { ProxyRefused, REFUSAL_MS } from '../../gateway/connections.ts'
import { findPlan, type KnownPlan, type PlanState } from '../../ledger/plans.ts'
import { accountRules } from '../../ledger/rulesInForce.ts'
import { assertCanSend } from '../../payments/consent.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/translate.ts'
import { FAILURE } from '../../views/failureView.ts'
import { type PlanStanding, stateText } from '../../views/plans/planText.ts'
import { Failure, NotReached, RateLimited, UsageError } from '../../wire/errors.ts'
import { standingPlans } from './listPlans.ts'
import { planStandings } from './planStandings.ts'
import { sendPlan } from './sendPlan.ts'

/** How long the server of the ledger may take to answer. */
const SERVER_WAIT_MS = 5000
/** How often the ledger is looked at. */
const PAUSE_MS = 2000
/** After which time a plan is tried again that could not be sent because something was not reached. */
const AGAIN_MS = 30_000

/** A plan that may be sent now: whether it really is approved is found out when it is sent. */
interface PlanToSend {
  name: string
  /** Changes with a further approval. */
  version: string
}

/**
 * Sends approved plans of the shared ledger as they come, until Ctrl-C or SIGTERM. Each is tried once; again only if a further approval came, or if something
 * was not reached. What is wrong with one plan does not stop the others. Returns 0, or the exit code of the plan that was being sent at the end. Throws
 * UsageError.
 */
export async function watchPlans(context: Context): Promise<number> {
  const account = await context.account()
  assertCanSend(account)
  const { interrupt } = context.runtime
  const tried = new Map<string, { version: string; againMs: number }>()
  const line = (document: object) => {
    if (context.print.format === 'json') context.print.item(document, () => [])
  }
  /** The records that were named as no plans. */
  const told = new Set<number>()
  /** The plans that were named as interrupted, or were sent here, which says itself how far it came. */
  const named = new Set<string>()
  let isReached = true
  let isReady = false
  const look = async (): Promise<PlanToSend[]> => {
    try {
      const { approved, interrupted } = await plansToSend(context, account, told)
      if (!isReached) {
        context.notice(t`The shared ledger is reached again`)
        line({ type: 'back' })
      }
      isReached = true
      if (!isReady) {
        isReady = true
        line({ type: 'ready' })
      }
      for (const { known, standing } of interrupted) {
        if (named.has(known.made.plan)) continue
        named.add(known.made.plan)
        nameInterrupted(context, known, standing, line)
      }
      return approved
    } catch (error) {
      if (!(error instanceof NotReached)) throw error
      if (isReached) {
        context.notice(t`${error.message}; pixgate keeps trying`)
        line({ type: 'lost' })
      }
      isReached = false
      return []
    }
  }
  let plans = await look()
  context.terminal.note(
    t`Sends the approved plans of ${account.clientId} at ${account.url} as they come; Ctrl-C ends it`,
  )
  while (!interrupt.aborted) {
    const due = plans.filter(({ name, version }) => {
      const last = tried.get(name)
      return last?.version !== version || context.now() >= last.againMs
    })
    for (const { name, version } of due) {
      named.add(name)
      const { exitCode, againInMs } = await sendOne(context, account, name)
      tried.set(name, { version, againMs: context.now() + againInMs })
      if (interrupt.aborted) return exitCode
    }
    await pause(interrupt)
    if (!interrupt.aborted) plans = await look()
  }
  return 0
}

/** A plan that was interrupted is left to a person. */
function nameInterrupted(
  { terminal }: Context,
  { made: { plan, requests } }: KnownPlan,
  standing: PlanStanding,
  line: (document: object) => void,
): void {
  const { state, sentRequests } = standing
  terminal.warn(t`${plan}: ${stateText(standing, requests)}; finish it with \`pixgate plan send ${plan}\``)
  line({ type: 'plan', plan, state, sentRequests, exitCode: null, error: null })
}

/**
 * The plans of payments that somebody approved, and of which nothing was sent, oldest first, and those that were interrupted. Changes of rules are left to a
 * person. Throws UsageError if the ledger is not shared, or anybody could approve payments in production; NotReached.
 */
async function plansToSend(context: Context, account: Account, told: Set<number>) {
  // Each look has a context of its own: SQLite's locks are lost when a process closes a second connection to the same file.
  const own = createContext(context.runtime, context.settings)
  own.forgoSecret()
  try {
    const ledger = await own.ledger()
    if (ledger.environment.sharedAt === undefined) throw notShared()
    // Without the server the copy of this machine would be read, and what others approve does not come.
    await ledger.activities?.others('run', SERVER_WAIT_MS)
    const hasApprovers = await ledger.read((database) => accountRules(database, account).approvers !== null)
    if (account.environment === 'production' && !hasApprovers) throw anybodyApproves(account)
    const plans = await standingPlans(own, account, null, told)
    const inState = (state: PlanState) =>
      plans.filter(({ known, standing }) => known.made.kind !== 'profile' && standing.state === state).reverse()
    const approved = inState('approved').map(
      ({ known: { made, approvals } }): PlanToSend => ({
        name: made.plan,
        version: approvals.map(({ seq }) => seq).join(' '),
      }),
    )
    return { approved, interrupted: inState('interrupted') }
  } finally {
    await own.close()
  }
}

/** Sends a plan with a context of its own, so that secret and profile are read again. */
async function sendOne(context: Context, account: Account, name: string) {
  const { runtime, settings, terminal, print } = context
  const isJson = print.format === 'json'
  const answer = account.environment === 'production' ? { confirm: account.confirmName } : { yes: true }
  const own = createContext(
    { ...runtime, secrets: [...runtime.secrets], ...(isJson ? { stdout: nowhere() } : {}) },
    { ...settings, ...answer, input: false },
  )
  let exitCode = 0
  let failure: Failure | null = null
  try {
    terminal.note(t`Sending ${name}`)
    exitCode = await sendPlan(own, name)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    failure = error
    exitCode = error.exitCode
  } finally {
    await own.close()
  }
  if (isJson) {
    const { state, sentRequests } = await standingNow(context, name)
    print.item(
      { type: 'plan', plan: name, state, sentRequests, exitCode, error: failure && FAILURE.documentOf(failure) },
      () => [],
    )
  }
  if (failure !== null) reportPlan(context, name, failure)
  await terminal.flush()
  return { exitCode, againInMs: againAfter(failure) }
}

/** After how long a plan that could not be sent is tried again. */
function againAfter(failure: Failure | null): number {
  if (failure instanceof ProxyRefused) return REFUSAL_MS
  return failure instanceof NotReached || failure instanceof RateLimited ? AGAIN_MS : Number.POSITIVE_INFINITY
}

/** The state of a plan after it was tried; unknown if the ledger is not reached. */
async function standingNow(
  context: Context,
  name: string,
): Promise<{ state: PlanState | null; sentRequests: number | null }> {
  const own = createContext(context.runtime, context.settings)
  own.forgoSecret()
  try {
    const ledger = await own.ledger()
    const known = await ledger.read((database) => findPlan(database, name))
    const [standing] = known === undefined ? [] : await planStandings(ledger, [known], context.now())
    return { state: standing?.state ?? null, sentRequests: standing?.sentRequests ?? null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { state: null, sentRequests: null }
  } finally {
    await own.close()
  }
}

/** With JSON each plan has one line, and what its payments print would be others. */
function nowhere(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() })
}

function reportPlan({ terminal }: Context, name: string, { message, details, hint }: Failure): void {
  terminal.warn(t`${name}: ${message}`)
  for (const line of details) terminal.note(line)
  terminal.next(hint)
}

/** What others approve on their machines comes with a shared ledger. */
function notShared(): UsageError {
  return new UsageError(
    t`\`--watch\` sends the plans of a shared ledger, and the ledger of this account is not shared`,
    {
      details: [t`Nothing was sent`],
      hint: t`Run \`pixgate ledger join postgres://maria@db.example.com/pix\` to share it, or send each plan by its file with \`pixgate plan send plan.json\``,
    },
  )
}

/** There is no question, so only the list says who may approve. */
function anybodyApproves({ confirmName }: Account): UsageError {
  return new UsageError(t`\`--watch\` sends what others approve, and this account has no list of approvers`, {
    details: [t`Nothing was sent`],
    hint: t`Set one with \`pixgate profile edit ${confirmName} --approval-from 0 --approvers approvers\``,
  })
}

async function pause(interrupt: AbortSignal): Promise<void> {
  try {
    await sleep(PAUSE_MS, undefined, { signal: interrupt })
  } catch (error) {
    if (!interrupt.aborted) throw error
  }
}
