import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { RehearsalFaults } from '../../batch/rehearsal.ts'
import type { Context } from '../../context.ts'
import { DEFECT_EXIT } from '../../programInfo.ts'
import { t } from '../../text/translate.ts'
import { type AnswerFields, isObject, textField } from '../../wire/answers.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'

/** What is sent in a rehearsal, and where. */
export interface Rehearsal {
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

/** How many processes a finished rehearsal started and killed. */
export interface RehearsedRun {
  starts: number
  kills: number
}

interface ProcessResult {
  exit: number | null
  stdout: string
  stderr: string
}

/** The state of the rows after a process has ended. */
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
export async function rehearseRun(context: Context, rehearsal: Rehearsal): Promise<RehearsedRun> {
  const { rows, rehearsalFaults, runArguments } = rehearsal
  const { terminal } = context
  let starts = 0
  let kills = 0
  for (const commandLine of rehearsal.preparations) {
    const ended = await runCommandLine(context, rehearsal, commandLine, false)
    if (ended.exit !== 0) throw rehearsalFailure(ended)
  }
  let progress = await readProgress(context, rehearsal)
  while ((progress?.done ?? 0) < rows && starts < rehearsalFaults.killsPlanned + SPARE_STARTS) {
    const commandLine = progress === undefined ? rehearsal.firstCommandLine : ['resume', progress.run]
    const limit = String(rows - (progress?.done ?? 0))
    const isKilled = kills < rehearsalFaults.killsPlanned
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
        t`Rehearsal: killed (${kills} of ${rehearsalFaults.killsPlanned}) with ${done} of ${rows} rows answered`,
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
