import { type Fault, type FaultGateway, healthy, startFaultGateway } from '../gateway/faultGateway.ts'
import { start } from '../gateway/running.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type ProcessResult, type World } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'
import type { Kind } from './kinds.ts'

/** One client's machine and the gateway that it speaks to; runs follow one another here. */
export interface Post {
  world: World
  gateway: FaultGateway
  usualMs: number
  /** Faults under way that have not ended. */
  pending: Set<Promise<void>>
}

/** What one run of a campaign works with. */
export interface Run extends Post {
  name: string
  dice: Dice
  kind: Kind
  isAlone: boolean
}

/** A campaign: what each run meets, and at how many posts they are under way at once. */
export interface Campaign {
  kinds: readonly Kind[]
  seed: number
  posts: number
  /** True starts a process also for what only the gateway goes wrong with. */
  isAlone?: boolean
}

/** The seed of this process: CAMPAIGN_SEED, or this one. */
export function campaignSeed(otherwise: number): number {
  return Number(process.env.CAMPAIGN_SEED ?? otherwise)
}

/** Plays all runs of a campaign and closes each post's books at its end. A failure names the seed and the run. */
export async function playCampaign(
  { kinds, seed, posts, isAlone = false }: Campaign,
  play: (run: Run) => Promise<number>,
  close: (post: Post, sentCents: number) => Promise<void>,
): Promise<void> {
  const ahead = [...kinds.entries()]
  const playAtOnePost = async () => {
    const post = await openPost()
    let sentCents = 0
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      const [number, kind] = next
      const name = `${kind.name.toLowerCase().replaceAll(' ', '-')}-${number}`
      const run = { ...post, kind, name, dice: diceOf(`${seed}/${name}`), isAlone }
      sentCents += await play(run).catch((error: unknown) => blame(error, seed, name))
    }
    await Promise.all(post.pending)
    await close(post, sentCents).catch((error: unknown) => blame(error, seed, 'books'))
  }
  await Promise.all(Array.from({ length: posts }, playAtOnePost))
}

/** Runs this command line while the gateway and the world do to it what the kind says; then the gateway is well again. */
export async function meet(run: Run, args: readonly string[]): Promise<ProcessResult> {
  const { world, gateway, kind, dice, usualMs, pending } = run
  let tell: () => void
  const posted = new Promise<void>((resolve) => {
    tell = resolve
  })
  const fault = kind.fault(dice)
  const watched: Fault = async (call) => {
    // A status query is not part of what goes wrong.
    if (call.request.method === 'GET') return healthy(call)
    tell()
    const end = Promise.resolve(fault(call))
    pending.add(end)
    await end
    pending.delete(end)
  }
  gateway.always(watched)
  const words = [...args, ...(kind.options?.(dice) ?? [])]
  const meddled = async ({ meddle }: Kind) => {
    const process = start(world, words)
    const postedOrEnded = Promise.race([posted, process.ended])
    const [ran] = await Promise.all([process.ended, meddle?.(process, { dice, usualMs, postedOrEnded })])
    return ran
  }
  const ran = await (kind.meddle === undefined && !run.isAlone ? here(world)(words) : meddled(kind))
  gateway.always(undefined)
  if (!kind.exits.includes(ran.exit)) throw new Error(`exit ${ran.exit} is none of ${kind.exits}: ${ran.stderr}`)
  return ran
}

async function openPost(): Promise<Post> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const beganMs = performance.now()
  await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--dry-run'])
  return { world, gateway, usualMs: (performance.now() - beganMs) * 1.2, pending: new Set() }
}

function blame(error: unknown, seed: number, name: string): never {
  throw new Error(`CAMPAIGN_SEED=${seed}, run ${name}: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  })
}

/** The same kind, this many times. */
export function times(count: number, kind: Kind): Kind[] {
  return Array.from({ length: count }, () => kind)
}
