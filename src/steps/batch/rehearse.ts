import { type ChildProcess, spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { assertNoFaults, judgeBatchFile, readBatchFile } from '../../batch/batchFile.ts'
import type { Context } from '../../context.ts'
import { controlSandbox } from '../../gateway/sandboxControl.ts'
import { centsFromJson, formatReais } from '../../pix/amount.ts'
import { DAY_MS } from '../../pix/calendar.ts'
import { withoutAccount } from '../../profiles/childEnvironment.ts'
import { DEFECT_EXIT } from '../../programInfo.ts'
import type { RunningSandbox } from '../../sandbox/sandboxServer.ts'
import { shapedBy, type ValueOf } from '../../schemas/jsonSchema.ts'
import { makeTemporaryFolder } from '../../storage/temporaryFolder.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { csvLine } from '../../text/csv.ts'
import { languageFor, nameOf, t } from '../../text/translate.ts'
import { REHEARSAL } from '../../views/batch/runFields.ts'
import { isObject, objectsIn, textField } from '../../wire/answers.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { Secret } from '../../wire/secret.ts'
import { onLoopback } from '../foregroundServer.ts'
import { payeeFinder } from '../payeeBook.ts'
import { type FileOptions, howToRead } from './batchOptions.ts'

const ROWS_MAX = 1000
const KILLS_MAX = 10
/** The most that `--seed` takes. */
export const SEED_MAX = 2 ** 32 - 1
const CLIENT_ID = 'rehearsal'
/** So long that no transfer settles and no callback URL of the file is ever called. */
const NEVER_MS = 1000 * DAY_MS

/** The steps of `batch transfer --rehearse`: the real file and the real program, with a sandbox and a ledger of its own. */
export async function rehearse(
  context: Context,
  path: string,
  options: FileOptions & { seed?: number },
): Promise<number> {
  const { limit = ROWS_MAX, seed = Number.parseInt(context.newId().slice(0, 8), 16) } = options
  context.terminal.note(t`This is a rehearsal: no money moves, and nothing leaves this machine`)
  const folder = await makeTemporaryFolder('pixgate-rehearsal-')
  try {
    const source = path === '-' ? join(folder, 'input.csv') : path
    if (path === '-') await writeFile(source, context.runtime.stdin, { mode: 0o600 })
    const findPayee = payeeFinder(context)
    const file = await readBatchFile(source, 'transfer', { ...howToRead(context, options, path), findPayee })
    for (const remark of file.remarks) context.terminal.warn(remark)
    const cents = new Map<string, number>()
    /** The payees that rows name, which the ledger of the rehearsal must know. */
    const payees = new Map<string, string>()
    const judgement = await judgeBatchFile(file, ({ rowId, facts }, isHeld) => {
      if (isHeld || facts.kind === 'refund') return
      const { payee, key, keyType, documentValidation, amountCents } = facts
      if (payee !== null) payees.set(payee, csvLine([payee, key, keyType, documentValidation ?? '']))
      if (cents.size < limit) cents.set(rowId, amountCents)
    })
    assertNoFaults(judgement)
    const { fingerprint, count: fileRows } = judgement
    const rows = cents.size
    if (rows < fileRows) {
      context.terminal.note(
        rows === 1
          ? t`Rehearsal: only the first of ${fileRows} rows is sent; \`--limit\` sends more`
          : t`Rehearsal: the first ${rows} of ${fileRows} rows are sent; \`--limit\` sends more`,
      )
    }
    const totalCents = [...cents.values()].reduce((sum, each) => sum + each, 0)
    const faults = new RehearsalFaults(seed, rows, KILLS_MAX)
    const secret = context.newId()
    context.terminal.hide(new Secret(secret))
    const sandbox = await openSandbox(context, secret, faults, totalCents)
    try {
      const env = environment(context, sandbox, folder, secret)
      const run: RunCommandLine = (words, isKilled = false) => runCommandLine(context, env, faults, words, isKilled)
      if (payees.size > 0) {
        const list = join(folder, 'payees.csv')
        await writeFile(list, `${['name,key,typeKey,owner', ...payees.values()].join('\n')}\n`, { mode: 0o600 })
        await outputOf(run, ['payee', 'import', list])
      }
      const reference = `--reference=${file.reference}`
      const first = ['batch', 'transfer', resolve(source), reference, ...columnWords(options)]
      const ran = await sendWithKills(context, run, faults, rows, first, speedWords(options))
      const books = compareBooks({ cents, totalCents }, await transfersOf(context, sandbox))
      const about = { type: 'rehearsal', seed, rows, fileRows, faults: faults.faults, fingerprint, totalCents } as const
      return showVerdict(context, shapedBy(REHEARSAL, { ...about, ...ran, ...books, passed: books.isRight }))
    } finally {
      await sandbox.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function openSandbox(
  context: Context,
  clientSecret: string,
  faults: RehearsalFaults,
  balanceCents: number,
): Promise<RunningSandbox> {
  const [{ startSandbox }, { SANDBOX_DEFAULTS }] = await Promise.all([
    import('../../sandbox/sandboxServer.ts'),
    import('../../sandbox/sandboxOptions.ts'),
  ])
  return onLoopback((place) =>
    startSandbox({
      ...SANDBOX_DEFAULTS,
      ...place,
      clientId: CLIENT_ID,
      clientSecret,
      now: context.now,
      newId: context.newId,
      balanceCents,
      autoSettleMs: NEVER_MS,
      anyKeyHolder: true,
      misbehave: () => (faults.onCall() ? { on: 'call', how: 'drop-after' } : undefined),
    }),
  )
}

function environment(context: Context, { url }: RunningSandbox, folder: string, secret: string): NodeJS.ProcessEnv {
  return {
    ...withoutAccount(context.runtime.env),
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: CLIENT_ID,
    PIXGATE_CLIENT_SECRET: secret,
    PIXGATE_CALLBACK_URL: `${url}/rehearsal`,
    PIXGATE_DATA_DIR: join(folder, 'data'),
    PIXGATE_CONFIG_DIR: join(folder, 'config'),
    PIXGATE_LANG: nameOf(languageFor('people')),
  }
}

/** The options by which the file is read. */
function columnWords(options: FileOptions): string[] {
  const { includeHidden, skipHidden, includeStruck, skipStruck, repeatReference } = options
  const values = {
    '--map': options.map,
    '--ignore-column': options.ignoreColumn,
    '--only': options.only,
    '--sheet': options.sheet ?? [],
    '--header-row': options.headerRow ?? [],
  }
  const flags = {
    '--include-hidden': includeHidden,
    '--skip-hidden': skipHidden,
    '--include-struck': includeStruck,
    '--skip-struck': skipStruck,
    '--repeat-reference': repeatReference,
  }
  return [
    ...Object.entries(values).flatMap(([name, value]) => [value].flat().map((each) => `${name}=${each}`)),
    ...Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : [])),
  ]
}

/** The options of every process that sends rows. A rehearsal does not stop at lost answers, however many follow each other. */
function speedWords({ concurrency, rate }: FileOptions): string[] {
  const perMinute = rate === undefined ? [] : ['--rate', `${(rate * 60).toFixed(3)}/m`]
  return ['--concurrency', String(concurrency), ...perMinute, '--stop-after', '1000000', '--yes']
}

async function transfersOf(context: Context, { url }: RunningSandbox): Promise<unknown> {
  const { env, interrupt, abandon } = context.runtime
  const around = { env, interrupt, abandon, accountOptions: '', timeoutMs: context.settings.timeoutMs }
  const state = await controlSandbox(
    readBaseAddress(url, '--rehearse'),
    { method: 'GET', name: 'state', values: {} },
    around,
  )
  return state.transfers
}

type RehearsalVerdict = ValueOf<typeof REHEARSAL>

function showVerdict(context: Context, verdict: RehearsalVerdict): number {
  const { out } = context.terminal
  context.print.one(verdict, () => labelledLines(verdictRows(verdict, out), out))
  context.terminal.note(t`That was a rehearsal: no money moved`)
  if (!verdict.passed) {
    context.terminal.warn(t`The rehearsal failed: do not send this file, and report the verdict`)
    return DEFECT_EXIT
  }
  context.terminal.next(
    t`Compare the fingerprint with the one that the real run shows before it asks; they match unless some of these rows were already sent`,
  )
  return 0
}

function verdictRows(verdict: RehearsalVerdict, out: Context['terminal']['out']): LabelledRow[] {
  const { rows, fileRows, faults, kills, starts, paidOnce, paidTwice, missing, totalCents, paidCents } = verdict
  const bad = (count: number) => (count > 0 ? out.red.bold : out)
  return [
    verdict.passed
      ? [t`rehearsal`, t`every payment once`, out.green]
      : [t`rehearsal`, t`not every payment once`, out.red.bold],
    [t`rows`, t`${rows} of ${fileRows}`],
    [t`lost answers`, String(faults)],
    [t`killed`, String(kills)],
    [t`starts`, String(starts)],
    [t`paid once`, String(paidOnce)],
    [t`paid twice`, String(paidTwice), bad(paidTwice)],
    [t`missing`, String(missing), bad(missing)],
    [
      t`total`,
      t`${formatReais(totalCents)} in the file, ${formatReais(paidCents)} paid`,
      bad(Math.abs(totalCents - paidCents)),
    ],
    [t`fingerprint`, verdict.fingerprint, out.bold],
    [t`seed`, String(verdict.seed)],
  ]
}

const SPARE_STARTS = 20
/** Exit codes after which a rehearsal continues: done, rows refused, rows with an unknown outcome. */
const WORK_EXITS: readonly number[] = [0, 1, 5]

/** Runs one command line of this program to its end, maybe to be killed on the way. */
type RunCommandLine = (words: readonly string[], isKilled?: boolean) => ReturnType<typeof runCommandLine>

/**
 * Sends the rows with processes of this very program that are killed on the way, and goes on until no row is left. `first` is the command line that
 * sends the file. Throws Cancelled at an interrupt, UsageError if a process cannot work.
 */
async function sendWithKills(
  { terminal }: Context,
  run: RunCommandLine,
  { killsWanted }: RehearsalFaults,
  rows: number,
  first: readonly string[],
  speed: readonly string[],
): Promise<{ starts: number; kills: number }> {
  let [starts, kills, done] = [0, 0, 0]
  let name: string | undefined
  while (done < rows && starts < killsWanted + SPARE_STARTS) {
    const words = [...(name === undefined ? first : ['resume', name]), ...speed, '--limit', String(rows - done)]
    const ended = await run(words, kills < killsWanted)
    starts += 1
    const [newest]: unknown[] = JSON.parse(await outputOf(run, ['batch', 'list']))
    if (isObject(newest)) {
      name = textField(newest, 'run') ?? ''
      done = Number(newest.accepted) + Number(newest.refused)
    }
    if (ended.exit === null) {
      kills += 1
      terminal.note(t`Rehearsal: killed (${kills} of ${killsWanted}) with ${done} of ${rows} rows answered`)
    } else if (!WORK_EXITS.includes(ended.exit)) throw rehearsalFailure(ended)
    else if (done < rows) terminal.note(t`Rehearsal: answers were lost, ${done} of ${rows} rows are answered`)
  }
  return { starts, kills }
}

/** What a command line that must succeed prints. */
async function outputOf(run: RunCommandLine, words: readonly string[]): Promise<string> {
  const ended = await run(words)
  if (ended.exit !== 0) throw rehearsalFailure(ended)
  return ended.stdout
}

/** Runs one command line of this program to its end. Its exit code is null if it was killed. */
async function runCommandLine(
  context: Context,
  env: NodeJS.ProcessEnv,
  faults: RehearsalFaults,
  commandLine: readonly string[],
  isKilled: boolean,
) {
  const { interrupt, program } = context.runtime
  const [file, ...words] = program
  throwIfInterrupted(interrupt)
  const child = spawn(file, [...words, ...commandLine, '-o', 'json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  interrupt.addEventListener('abort', end)
  if (isKilled) faults.aimAt(child, faults.calls === 0)
  try {
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    const [exit, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    throwIfInterrupted(interrupt)
    return { exit, stdout, stderr }
  } finally {
    faults.spare()
    interrupt.removeEventListener('abort', end)
  }
}

function throwIfInterrupted(interrupt: AbortSignal): void {
  if (!interrupt.aborted) return
  throw new Cancelled(t`The rehearsal was interrupted; no money moved`, {
    hint: t`Run it again when you are ready; it left nothing behind`,
  })
}

/** The failure of a process that was told to write JSON, which is its last line. */
function rehearsalFailure({ exit, stderr }: { exit: number | null; stderr: string }): Error {
  const line = stderr.trim().split('\n').at(-1) ?? ''
  const document: unknown = line.startsWith('{') ? JSON.parse(line) : undefined
  const failure = isObject(document) && isObject(document.error) ? document.error : undefined
  if (exit === DEFECT_EXIT || failure === undefined)
    return new Error(`a rehearsed process ended with ${exit}: ${stderr}`)
  return new UsageError(t`The rehearsal cannot continue: ${textField(failure, 'message') ?? ''}`, {
    details: [t`No money moved`],
    hint: textField(failure, 'hint') ?? t`Correct it, then start the rehearsal again`,
  })
}

/**
 * Compares payments with the transfers in a sandbox's state, by the cents of each payment by its id. A payment of another amount, or one that was made again or
 * not asked for, counts as one too many.
 */
export function compareBooks(
  { cents, totalCents }: { cents: ReadonlyMap<string, number>; totalCents: number },
  transfers: unknown,
) {
  const paid = new Set<string>()
  let [paidTwice, paidCents] = [0, 0]
  for (const transfer of objectsIn(transfers)) {
    const id = textField(transfer, 'externalId') ?? ''
    const amountCents = centsFromJson(transfer.value) ?? 0
    paidCents += amountCents
    if (cents.get(id) === amountCents && !paid.has(id)) paid.add(id)
    else paidTwice += 1
  }
  const missing = cents.size - paid.size
  const isRight = paidTwice === 0 && missing === 0 && paidCents === totalCents
  return { paidOnce: paid.size, paidTwice, missing, paidCents, isRight }
}

/** One request in this many loses its answer. */
const FAULT_IN = 20
/** One process in this many is killed before its first request. */
const EARLY_IN = 5
const EARLY_MS = 500
const LATER_MS = 20
const ROWS_PER_KILL = 20

/** What goes wrong in a rehearsal, and when: lost answers, and processes that are killed. The same seed gives the same sequence. */
export class RehearsalFaults {
  readonly killsWanted: number
  faults = 0
  calls = 0
  readonly #rows: number
  readonly #firstFaultAt: number
  #state: number
  /** In how many calls the process is killed. */
  #killIn: number | null = null
  #target: Pick<ChildProcess, 'kill'> | null = null
  #timer: NodeJS.Timeout | undefined

  /** `killsMax` is above 0, `seed` a whole number of 32 bits. */
  constructor(seed: number, rows: number, killsMax: number) {
    this.#state = seed
    this.#rows = rows
    this.killsWanted = Math.min(killsMax, Math.ceil(rows / ROWS_PER_KILL))
    this.#firstFaultAt = 1 + this.#below(Math.min(rows, FAULT_IN))
  }

  /** Chooses the moment at which this process is killed. */
  aimAt(target: Pick<ChildProcess, 'kill'>, isFirst: boolean): void {
    this.#target = target
    this.#killIn = null
    // The first one is killed in the middle of the work, so that even a short rehearsal covers that.
    if (!isFirst && this.#below(EARLY_IN) === 0) this.#killAfter(this.#below(EARLY_MS))
    else this.#killIn = 1 + this.#below(Math.ceil(this.#rows / this.killsWanted))
  }

  /** Does not kill the process after all. */
  spare(): void {
    clearTimeout(this.#timer)
    this.#target = null
    this.#killIn = null
  }

  /** Called for every request. Returns true if its answer is to be lost. */
  onCall(): boolean {
    this.calls += 1
    if (this.#killIn !== null) this.#killIn -= 1
    if (this.#killIn === 0) {
      this.#killIn = null
      if (this.#below(2) === 0) this.#target?.kill('SIGKILL')
      else this.#killAfter(this.#below(LATER_MS))
    }
    const isLost = this.calls === this.#firstFaultAt || this.#below(FAULT_IN) === 0
    if (isLost) this.faults += 1
    return isLost
  }

  #killAfter(ms: number): void {
    const target = this.#target
    this.#timer = setTimeout(() => target?.kill('SIGKILL'), ms)
  }

  /** From 0 inclusive to `count` exclusive, by Mulberry32, a small generator in the public domain. */
  #below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count)
  }
}
