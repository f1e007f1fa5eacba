import { spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { assertNoFaults, judgeBatchFile, readBatchFile } from '../../batch/batchFile.ts'
import type { Context } from '../../context.ts'
import { controlSandbox } from '../../gateway/sandboxControl.ts'
import type { MoneyPayment } from '../../ledger/facts.ts'
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
import { type AnswerFields, isObject, objectsIn, textField } from '../../wire/answers.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { Secret } from '../../wire/secret.ts'
import { onLoopback } from '../foregroundServer.ts'
import { payeeFinder } from '../payeeBook.ts'
import { type FileOptions, howToRead } from './batchOptions.ts'

type RehearseOptions = FileOptions & { seed?: number }

/** The most that `--seed` takes. */
export const SEED_MAX = 2 ** 32 - 1

const ROWS_MAX = 1000
const KILLS_MAX = 10
const CLIENT_ID = 'rehearsal'
/** So long that no transfer settles and no callback URL of the file is ever called. */
const NEVER_MS = 1000 * DAY_MS

/** The steps of `batch transfer --rehearse`: the real file and the real program, with a sandbox and a ledger of its own. */
export async function rehearse(context: Context, path: string, options: RehearseOptions): Promise<number> {
  const { limit = ROWS_MAX, seed = Number.parseInt(context.newId().slice(0, 8), 16) } = options
  context.terminal.note(t`This is a rehearsal: no money moves, and nothing leaves this machine`)
  const folder = await makeTemporaryFolder('pixgate-rehearsal-')
  try {
    const source = path === '-' ? await copyOfInput(context, folder) : path
    const findPayee = payeeFinder(context)
    const file = await readBatchFile(source, 'transfer', {
      ...howToRead(context, options, path),
      findPayee,
    })
    for (const remark of file.remarks) context.terminal.warn(remark)
    const cents = new Map<string, number>()
    const payees = new RehearsedPayees()
    const judgement = await judgeBatchFile(file, (row, isHeld) => {
      if (isHeld) return
      payees.add(row.facts)
      if (cents.size < limit) cents.set(row.rowId, row.facts.amountCents ?? 0)
    })
    assertNoFaults(judgement)
    const rows = cents.size
    const expected = { cents, totalCents: [...cents.values()].reduce((sum, each) => sum + each, 0) }
    if (rows < judgement.count) {
      context.terminal.note(
        rows === 1
          ? t`Rehearsal: only the first of ${judgement.count} rows is sent; \`--limit\` sends more`
          : t`Rehearsal: the first ${rows} of ${judgement.count} rows are sent; \`--limit\` sends more`,
      )
    }
    const rehearsalFaults = new RehearsalFaults(seed, rows, KILLS_MAX)
    const secret = context.newId()
    context.terminal.hide(new Secret(secret))
    const sandbox = await openSandbox(context, { secret, rehearsalFaults, balanceCents: expected.totalCents })
    try {
      const ran = await rehearseRun(context, {
        preparations: await payees.preparations(folder),
        firstCommandLine: [
          'batch',
          'transfer',
          resolve(source),
          `--reference=${file.reference}`,
          ...columnWords(options),
        ],
        runArguments: runArguments(options),
        env: environment(context, sandbox, folder, secret),
        rows,
        rehearsalFaults,
      })
      const books = compareBooks(expected, await transfersOf(context, sandbox))
      const { fingerprint, count: fileRows } = judgement
      const about = { type: 'rehearsal', seed, rows, fileRows, faults: rehearsalFaults.faults, fingerprint } as const
      const { totalCents } = expected
      return showVerdict(
        context,
        shapedBy(REHEARSAL, { ...about, ...ran, ...books, totalCents, passed: books.isRight }),
      )
    } finally {
      await sandbox.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyOfInput({ runtime }: Context, folder: string): Promise<string> {
  const path = join(folder, 'input.csv')
  await writeFile(path, runtime.stdin, { mode: 0o600 })
  return path
}

async function openSandbox(
  context: Context,
  { secret, rehearsalFaults, balanceCents }: { secret: string; rehearsalFaults: RehearsalFaults; balanceCents: number },
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
      clientSecret: secret,
      now: context.now,
      newId: context.newId,
      balanceCents,
      autoSettleMs: NEVER_MS,
      anyKeyHolder: true,
      misbehave: () => (rehearsalFaults.onCall() ? { on: 'call', how: 'drop-after' } : undefined),
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

function columnWords(options: RehearseOptions): string[] {
  const { map, ignoreColumn, only, sheet, headerRow, includeHidden, skipHidden } = options
  return [
    ...map.map((pair) => `--map=${pair}`),
    ...ignoreColumn.map((column) => `--ignore-column=${column}`),
    ...only.map((condition) => `--only=${condition}`),
    ...(sheet === undefined ? [] : [`--sheet=${sheet}`]),
    ...(headerRow === undefined ? [] : [`--header-row=${headerRow}`]),
    ...(includeHidden ? ['--include-hidden'] : []),
    ...(skipHidden ? ['--skip-hidden'] : []),
    ...(options.includeStruck ? ['--include-struck'] : []),
    ...(options.skipStruck ? ['--skip-struck'] : []),
    ...(options.repeatReference ? ['--repeat-reference'] : []),
  ]
}

/** The payees that rows name, which the ledger of the rehearsal must know. */
class RehearsedPayees {
  readonly #lines = new Map<string, string>()

  add(facts: MoneyPayment): void {
    if (facts.kind !== 'transfer' || facts.payee === null || this.#lines.has(facts.payee)) return
    const { payee, key, keyType, documentValidation } = facts
    this.#lines.set(payee, csvLine([payee, key, keyType, documentValidation ?? '']))
  }

  /** The command lines that add them; their file is in this folder. */
  async preparations(folder: string): Promise<string[][]> {
    if (this.#lines.size === 0) return []
    const path = join(folder, 'payees.csv')
    await writeFile(path, `${['name,key,typeKey,owner', ...this.#lines.values()].join('\n')}\n`, { mode: 0o600 })
    return [['payee', 'import', path, '-o', 'json']]
  }
}

/** A rehearsal does not stop at lost answers, however many follow each other. */
function runArguments({ concurrency, rate }: RehearseOptions): string[] {
  const perMinute = rate === undefined ? [] : ['--rate', `${(rate * 60).toFixed(3)}/m`]
  const speed = ['--concurrency', String(concurrency), ...perMinute]
  return [...speed, '--stop-after', '1000000', '--yes', '-o', 'json']
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

const FAILED_EXIT = 70

function showVerdict(context: Context, verdict: RehearsalVerdict): number {
  const { out } = context.terminal
  context.print.one(verdict, () => labelledLines(verdictRows(verdict, out), out))
  context.terminal.note(t`That was a rehearsal: no money moved`)
  if (!verdict.passed) {
    context.terminal.warn(t`The rehearsal failed: do not send this file, and report the verdict`)
    return FAILED_EXIT
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
    [
      t`rehearsal`,
      verdict.passed ? t`every payment once` : t`not every payment once`,
      verdict.passed ? out.green : out.red.bold,
    ],
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

interface Rehearsal {
  /** The command lines that prepare the ledger of the rehearsal. */
  preparations: readonly (readonly string[])[]
  /** The command line that sends the file for the first time. */
  firstCommandLine: readonly string[]
  /** The arguments of every process that sends rows. */
  runArguments: readonly string[]
  /** The environment of these processes. */
  env: NodeJS.ProcessEnv
  rows: number
  rehearsalFaults: RehearsalFaults
}

interface RehearsedRun {
  starts: number
  kills: number
}

interface ProcessResult {
  exit: number | null
  stdout: string
  stderr: string
}

interface RunProgress {
  run: string
  done: number
}

const SPARE_STARTS = 20
/** Exit codes after which a rehearsal continues: done, rows refused, rows with an unknown outcome. */
const WORK_EXITS: readonly (number | null)[] = [0, 1, 5]

/**
 * Sends the rows with processes of this very program that are killed on the way, and goes on until no row is left. Throws
 * Cancelled at an interrupt, UsageError if a process cannot work.
 */
async function rehearseRun(context: Context, rehearsal: Rehearsal): Promise<RehearsedRun> {
  const { rows, rehearsalFaults, runArguments } = rehearsal
  const { terminal } = context
  let starts = 0
  let kills = 0
  for (const commandLine of rehearsal.preparations) {
    const ended = await runCommandLine(context, rehearsal, commandLine, false)
    if (ended.exit !== 0) throw rehearsalFailure(ended)
  }
  let progress = await readProgress(context, rehearsal)
  while ((progress?.done ?? 0) < rows && starts < rehearsalFaults.killsWanted + SPARE_STARTS) {
    const commandLine = progress === undefined ? rehearsal.firstCommandLine : ['resume', progress.run]
    const limit = String(rows - (progress?.done ?? 0))
    const isKilled = kills < rehearsalFaults.killsWanted
    const ended = await runCommandLine(
      context,
      rehearsal,
      [...commandLine, ...runArguments, '--limit', limit],
      isKilled,
    )
    starts += 1
    progress = await readProgress(context, rehearsal)
    const done = progress?.done ?? 0
    if (ended.exit === null) {
      kills += 1
      terminal.note(
        t`Rehearsal: killed (${kills} of ${rehearsalFaults.killsWanted}) with ${done} of ${rows} rows answered`,
      )
    } else if (!WORK_EXITS.includes(ended.exit)) throw rehearsalFailure(ended)
    else if (done < rows) terminal.note(t`Rehearsal: answers were lost, ${done} of ${rows} rows are answered`)
  }
  return { starts, kills }
}

/** What `batch list` says; undefined before the run was recorded. */
async function readProgress(context: Context, rehearsal: Rehearsal): Promise<RunProgress | undefined> {
  const ended = await runCommandLine(context, rehearsal, ['batch', 'list', '-o', 'json'], false)
  if (ended.exit !== 0) throw rehearsalFailure(ended)
  const list: unknown = JSON.parse(ended.stdout)
  const newest: unknown = Array.isArray(list) ? list[0] : undefined
  if (!isObject(newest)) return undefined
  return { run: textField(newest, 'run') ?? '', done: Number(newest.accepted) + Number(newest.refused) }
}

/** Runs one command line of this program to its end. Its exit code is null if it was killed. */
async function runCommandLine(
  context: Context,
  { env, rehearsalFaults }: Rehearsal,
  commandLine: readonly string[],
  isKilled: boolean,
): Promise<ProcessResult> {
  const {
    interrupt,
    program: [file, ...words],
  } = context.runtime
  throwIfInterrupted(interrupt)
  const child = spawn(file, [...words, ...commandLine], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  interrupt.addEventListener('abort', end)
  if (isKilled) rehearsalFaults.aimAt(child, rehearsalFaults.calls === 0)
  try {
    const exit = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)])
    throwIfInterrupted(interrupt)
    return { exit: code, stdout, stderr }
  } finally {
    rehearsalFaults.spare()
    interrupt.removeEventListener('abort', end)
  }
}

function throwIfInterrupted(interrupt: AbortSignal): void {
  if (!interrupt.aborted) return
  throw new Cancelled(t`The rehearsal was interrupted; no money moved`, {
    hint: t`Run it again when you are ready; it left nothing behind`,
  })
}

function rehearsalFailure({ exit, stderr }: ProcessResult): Error {
  const failure = failureIn(stderr)
  if (exit === DEFECT_EXIT || failure === undefined)
    return new Error(`a rehearsed process ended with ${exit}: ${stderr}`)
  return new UsageError(t`The rehearsal cannot continue: ${textField(failure, 'message') ?? ''}`, {
    details: [t`No money moved`],
    hint: textField(failure, 'hint') ?? t`Correct it, then start the rehearsal again`,
  })
}

/** The failure in the last line of a process that was told to write JSON. */
function failureIn(stderr: string): AnswerFields | undefined {
  try {
    const document: unknown = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
    return isObject(document) && isObject(document.error) ? document.error : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What must be paid in the end: the cents of each payment by its id. */
interface ExpectedPayments {
  cents: ReadonlyMap<string, number>
  totalCents: number
}

interface RehearsedBooks {
  paidOnce: number
  /** Payments that were not requested, or requested once and made again. */
  paidTwice: number
  missing: number
  paidCents: number
  isRight: boolean
}

/** Compares payments with the transfers in a sandbox's state. A payment of another amount counts as one too many. */
export function compareBooks({ cents, totalCents }: ExpectedPayments, transfers: unknown): RehearsedBooks {
  const paid = new Set<string>()
  let paidTwice = 0
  let paidCents = 0
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

interface Target {
  kill(signal: 'SIGKILL'): boolean
}

/** What goes wrong in a rehearsal, and when: lost answers, and processes that are killed. The same seed gives the same sequence. */
export class RehearsalFaults {
  readonly killsWanted: number
  faults = 0
  calls = 0
  readonly #rows: number
  readonly #firstFaultAt: number
  #state: number
  #killIn: number | null = null
  #target: Target | null = null
  #timer: NodeJS.Timeout | undefined

  /** `killsMax` is above 0, `seed` a whole number of 32 bits. */
  constructor(seed: number, rows: number, killsMax: number) {
    this.#state = seed
    this.#rows = rows
    this.killsWanted = Math.min(killsMax, Math.ceil(rows / ROWS_PER_KILL))
    this.#firstFaultAt = 1 + this.#below(Math.min(rows, FAULT_IN))
  }

  /** Chooses the moment at which this process is killed. */
  aimAt(target: Target, isFirst: boolean): void {
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
