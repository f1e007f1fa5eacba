import type { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Context, createContext, now, type Runtime } from '../context.ts'
import { startLanguage } from '../language.ts'
import type { SentPayment } from '../ledger/processes.ts'
import { stateText } from '../ledger/stateWords.ts'
import { only } from '../pix/expectedError.ts'
import { readSettings, type Settings, settingsBeforeParsing } from '../settings.ts'
import { isFileLimit, systemTrouble } from '../storage/systemTrouble.ts'
import { csvNotSupported } from '../terminal/printer.ts'
import { asciiSigns, isAsciiTerminal } from '../terminal/signs.ts'
import { styleFor } from '../terminal/terminal.ts'
import { safeLines } from '../text/safeText.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t, translated } from '../text/translate.ts'
import {
  Cancelled,
  Failure,
  FORBIDDEN,
  isPartMissing,
  MISSING_PART,
  OutcomeUnknown,
  systemCode,
  UsageError,
} from '../wire/errors.ts'
import { type ParsedCommandLine, parseCommandLine } from './parseCommandLine.ts'
import { reportFailure } from './reportFailure.ts'

/**
 * Runs one command line and returns its exit code. Every error is reported on stderr. `argv` does not include the
 * interpreter and the script.
 */
export async function runCli(argv: readonly string[], runtime: Runtime): Promise<number> {
  startLanguage(argv, runtime.env)
  const output = watchOutput(runtime.stdout)
  const isAscii = isAsciiTerminal(runtime.stdout.isTTY === true, runtime.env)
  let context: Context | undefined
  let exitCode = 0
  let isSending = false
  try {
    let problem = await problemOf(async () => {
      const parsed = await parseCommandLine(argv, {
        columns: runtime.stdout.columns,
        nowMs: now(),
        write: (text) => void runtime.stdout.write(isAscii ? asciiSigns(text) : text),
        heading: headingStyle(argv, runtime),
        async ask(missing, globals) {
          context = createContext(runtime, readSettings(globals, runtime.env))
          if (!context.terminal.canAsk) return undefined
          const { askForArgument } = await import('./parsingFailure.ts')
          return askForArgument(context, missing)
        },
      })
      if (parsed === undefined) return
      const { definition, input } = parsed
      isSending = definition.sendsPayments === true && input.dryRun !== true
      context = createContext(runtime, await settingsOf(parsed, runtime))
      if (context.print.format === 'csv' && !definition.acceptsCsv) throw csvNotSupported()
      exitCode = await definition.run(context, input, runCli)
    })
    // A prompt whose input has ended is cancelled while the process exits, when there is no further turn of the event loop.
    if (problem === undefined) await output.settled()
    const unwritten = output.failure()
    if (unwritten !== undefined && (problem === undefined || problem instanceof Failure)) {
      problem = await unwrittenOutput(unwritten, context, problem)
    }
    if (problem === undefined) return exitCode
    const code = systemCode(problem)
    if (isFileLimit(code)) problem = await systemRefusal(context, t`Too many files are open`, 'EMFILE')
    if (isPartMissing(problem)) problem = await systemRefusal(context, t`A part of pixgate is missing`, MISSING_PART)
    if (code === FORBIDDEN)
      problem = await systemRefusal(context, t`Node.js forbids what this command needs`, FORBIDDEN)
    return reportFailure(
      problem,
      context ?? createContext(runtime, settingsBeforeParsing(argv, runtime.env)),
      isSending,
    )
  } finally {
    context?.terminal.endProgress()
    output.end()
    await context?.close()
  }
}

/** Headings of help are bold where there are colours. */
function headingStyle(argv: readonly string[], { stdout, env }: Runtime): (text: string) => string {
  const forbidden = !settingsBeforeParsing(argv, env).colour
  return styleFor(stdout.isTTY === true, { forbidden, env }).bold
}

/** The settings of a command line, with `--fields` as paths. Throws UsageError for a field that the command does not have. */
async function settingsOf({ command, globals, input }: ParsedCommandLine, { env }: Runtime): Promise<Settings> {
  const settings = readSettings(globals, env)
  const { fields, output: format } = settings
  if (fields === undefined) return settings
  const { fieldPaths } = await import('../views/fieldNames.ts')
  const typed = fields.map((field) => field.typed)
  const paths = fieldPaths(typed, { command, format, input })
  return { ...settings, fields: fields.map((field, place) => ({ ...field, path: paths[place] ?? field.path })) }
}

/** What running a command line threw; undefined if nothing. */
async function problemOf(run: () => Promise<void>): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error
  }
}

const NAMED_MAX = 20

function watchOutput(output: Writable) {
  let code: string | undefined
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') code ??= error.code ?? error.message
  }
  output.on('error', onError)
  return {
    /** The system's code of the first failure, such as `ENOSPC`; undefined if there was none. A reader that closed the pipe is none. */
    failure: () => code,
    // Files are written at once, but their errors are reported later.
    /** Returns when the failure of what was just written to a file is known. */
    settled: () => nextTurn(),
    end: () => void output.off('error', onError),
  }
}

/** The failure of a command whose output could not be written. `cause` is the failure that it ended with, undefined if it had none. */
async function unwrittenOutput(
  code: string,
  context: Context | undefined,
  cause: Failure | undefined,
): Promise<Failure> {
  const message = t`Standard output cannot be written: ${systemTrouble({ code }, '').reason}`
  const causes = cause === undefined ? [] : [cause.message, ...cause.details]
  const unsent =
    code === 'EIO'
      ? new Cancelled(t`The terminal was closed`, { hint: t`Open another one` })
      : new UsageError(message, {
          details: causes,
          hint: t`Free some disk space or write to another file, then run the command again`,
        })
  return brokenOff(context, message, unsent, causes)
}

/** The failure of a command that was not allowed something that it needs anywhere, such as to open another part of the program. */
async function systemRefusal(context: Context | undefined, message: string, code: string): Promise<Failure> {
  const { hint } = systemTrouble({ code }, '')
  return brokenOff(context, message, new UsageError(message, { hint }))
}

/**
 * The failure of a command that could not go on: exit 5 with what was sent if money may have moved, else exit 2. `unsent` is the one for a command that
 * sent nothing.
 */
async function brokenOff(
  context: Context | undefined,
  message: string,
  unsent: Failure,
  causes: readonly string[] = [],
): Promise<Failure> {
  const sent = context === undefined ? [] : await sentPayments(context)
  if (context === undefined || (sent !== 'unknown' && sent.length === 0)) return unsent
  const lines = safeLines(context.terminal.unwritten()).filter((line) => line !== '')
  if (sent === 'unknown') {
    return new OutcomeUnknown(t`${message}; a payment may have been sent`, {
      details: [...lines, ...causes],
      hint: t`Run \`pixgate history\` to look it up before you repeat it`,
    })
  }
  const details = [...sent.slice(0, NAMED_MAX).map(paymentLine), ...lines, ...causes]
  const facts = { details, hint: hintFor(sent), outcome: outcomeOf(sent) }
  const [only, ...others] = sent
  if (sent.every(({ kind }) => kind === 'qr')) return new UsageError(message, facts)
  const externalId = others.length === 0 && only?.kind === 'transfer' ? { externalId: only.name } : {}
  return new OutcomeUnknown(t`${message}; payments were sent: ${sent.length}`, { ...facts, ...externalId })
}

/** `unknown` if the ledger cannot be read. */
async function sentPayments(context: Context): Promise<readonly SentPayment[] | 'unknown'> {
  const sent = context.ledger().then((ledger) => ledger.sent())
  return sent.catch(only(Failure, () => 'unknown' as const))
}

function paymentLine({ kind, name, state, idTransaction }: SentPayment): string {
  return idTransaction === null
    ? t`${translated(kind)} ${name}: ${stateText(state)}`
    : t`${translated(kind)} ${name}: ${stateText(state)}, id ${idTransaction}`
}

function outcomeOf(sent: readonly SentPayment[]): 'unknown' | 'accepted' {
  return sent.some(({ state }) => state === 'unknown') ? 'unknown' : 'accepted'
}

function hintFor(sent: readonly SentPayment[]): string {
  const [first, ...others] = sent
  if (first?.run != null) return t`Run \`pixgate batch show ${first.run}\` to see what was sent`
  if (first === undefined || others.length > 0) return t`Run \`pixgate history\` to see what was sent`
  const id = commandArgument(first.idTransaction ?? first.name)
  return t`Run \`pixgate history show ${id}\` before you repeat it`
}
