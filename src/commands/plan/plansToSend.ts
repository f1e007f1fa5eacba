import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { accountRules } from '../../ledger/accountRules.ts'
import { findPlan, type KnownPlan, planState, plansOfAccount } from '../../ledger/plans.ts'
import { readPlanFile } from '../../plans/planFiles.ts'
import type { Account } from '../../profiles/account.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

/** A plan that may be sent now: whether it really is approved is found out when it is sent. */
export interface PlanToSend {
  /** Its name, or its file. */
  named: string
  /** Changes when something about it changes, such as a further approval. */
  version: string
}

/** What a look at the ledger and at a folder found. */
export interface PlansFound {
  plans: PlanToSend[]
  /** True if the account has a list of approvers. */
  hasApprovers: boolean
}

/**
 * The plans of payments that somebody approved, and of which nothing was sent: those in the ledger, oldest first, then the files of a folder. Changes of
 * rules are left to a person. Throws UsageError for a folder that cannot be read.
 */
export async function findPlansToSend(
  context: Context,
  account: Account,
  folder: string | undefined,
): Promise<PlansFound> {
  const ledger = await context.ledger()
  const files = folder === undefined ? [] : planFilesIn(folder)
  return ledger.read((database) => {
    const nowMs = context.now()
    const inLedger = plansOfAccount(database, account)
      .filter((known) => known.made.kind !== 'profile' && planState(known, nowMs) === 'approved')
      .map((known) => ({ named: known.made.plan, version: versionOf(known) }))
      .reverse()
    const inFolder = files.filter(({ id }) => {
      const known = id === null ? undefined : findPlan(database, id)
      return known === undefined || planState(known, nowMs) === 'open'
    })
    return { plans: [...inLedger, ...inFolder], hasApprovers: accountRules(database, account).approvers !== null }
  })
}

function versionOf({ approvals }: KnownPlan): string {
  return approvals.map(({ seq }) => seq).join(' ')
}

/** A file that ends in `.json`, with the name of its plan; null if it cannot be read, which sending it reports. */
interface PlanFile extends PlanToSend {
  id: string | null
}

/** The files with signatures beside them, by name. One that has only the maker's waits for its approval. */
function planFilesIn(folder: string): PlanFile[] {
  const names = readdirSync(folder).sort()
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const beside = names.filter((each) => each.startsWith(`${name}.`) && each.endsWith('.sig'))
      if (beside.length < 2) return []
      const named = join(folder, name)
      const version = [name, ...beside].map((each) => stampOf(join(folder, each))).join(' ')
      return [{ named, version, id: idOf(named) }]
    })
}

/** When a file was changed, and how long it is: one that is still being copied is looked at again. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size } = statSync(path)
    return `${mtimeMs}:${size}`
  } catch (error) {
    if (isSystemError(error)) return error.code
    throw error
  }
}

function idOf(file: string): string | null {
  try {
    const { open } = readPlanFile(file)
    return open.plan.kind === 'profile' ? null : open.id
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}
