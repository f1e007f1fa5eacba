import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, createContext } from '../../context.ts'
import { planState, plansOfAccount } from '../../ledger/plans.ts'
import { accountRules } from '../../ledger/rulesInForce.ts'
import { assertCanSend } from '../../payments/consent.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/translate.ts'
import { Failure, failureDocument, NotReached, RateLimited, UsageError } from '../../wire/errors.ts'
import { sendPlan } from './sendPlan.ts'

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
  let plans = await plansToSend(context, account)
  context.terminal.note(
    t`Sends the approved plans of ${account.clientId} at ${account.url} as they come; Ctrl-C ends it`,
  )
  while (!interrupt.aborted) {
    const due = plans.filter(({ name, version }) => {
      const last = tried.get(name)
      return last?.version !== version || context.now() >= last.againMs
    })
    for (const { name, version } of due) {
      const { exitCode, isPassing } = await sendOne(context, account, name)
      tried.set(name, { version, againMs: isPassing ? context.now() + AGAIN_MS : Number.POSITIVE_INFINITY })
      if (interrupt.aborted) return exitCode
    }
    await pause(interrupt)
    if (!interrupt.aborted) plans = await plansToSend(context, account)
  }
  return 0
}

/**
 * The plans of payments that somebody approved, and of which nothing was sent, oldest first; none if the ledger is not reached at the moment. Changes of
 * rules are left to a person. Throws UsageError if the ledger is not shared, or anybody could approve payments in production.
 */
async function plansToSend(context: Context, account: Account): Promise<PlanToSend[]> {
  // Each look has a context of its own: SQLite's locks are lost when a process closes a second connection to the same file.
  const own = createContext(context.runtime, context.settings)
  own.forgoSecret()
  try {
    const ledger = await own.ledger()
    if (ledger.environment.sharedAt === undefined) throw notShared()
    const { known, hasApprovers } = await ledger.read((database) => ({
      known: plansOfAccount(database, account),
      hasApprovers: accountRules(database, account).approvers !== null,
    }))
    if (account.environment === 'production' && !hasApprovers) throw anybodyApproves(account)
    const nowMs = context.now()
    return known
      .filter((plan) => plan.made.kind !== 'profile' && planState(plan, nowMs) === 'approved')
      .map(({ made, approvals }) => ({ name: made.plan, version: approvals.map(({ seq }) => seq).join(' ') }))
      .reverse()
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    context.notice(t`${error.message}; pixgate keeps trying`)
    return []
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
  if (isJson) print.item({ plan: name, exitCode, error: failure && failureDocument(failure) }, () => [])
  if (failure !== null) reportPlan(context, name, failure)
  await terminal.flush()
  return { exitCode, isPassing: failure instanceof NotReached || failure instanceof RateLimited }
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

/** Nobody is asked, so the list is all that says who may approve. */
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
