import { type Context, createContext, now, type Runtime } from '../context.ts'
import { startLanguage } from '../language.ts'
import { readSettings, settingsBeforeParsing } from '../settings.ts'
import { csvNotSupported } from '../terminal/printer.ts'
import { Failure } from '../wire/errors.ts'
import { parseCommandLine } from './parseCommandLine.ts'
import { reportFailure } from './reportFailure.ts'
import { unwrittenOutput, watchOutput } from './unwrittenOutput.ts'

/**
 * Runs one command line and returns its exit code. Every error is reported on stderr. `argv` does not include the
 * interpreter and the script.
 */
export async function runCli(argv: readonly string[], runtime: Runtime): Promise<number> {
  startLanguage(argv, runtime.env)
  const output = watchOutput(runtime.stdout)
  let context: Context | undefined
  let exitCode = 0
  try {
    let problem = await problemOf(async () => {
      const parsed = await parseCommandLine(argv, {
        columns: runtime.stdout.columns,
        nowMs: now(),
        write: (text) => void runtime.stdout.write(text),
        async ask(missing, globals) {
          context = createContext(runtime, readSettings(globals, runtime.env))
          if (!context.terminal.canAsk) return undefined
          const { askForArgument } = await import('./parsingFailure.ts')
          return askForArgument(context, missing)
        },
      })
      if (parsed === undefined) return
      const { definition, globals, input } = parsed
      context = createContext(runtime, readSettings(globals, runtime.env))
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
    return reportFailure(problem, context ?? createContext(runtime, settingsBeforeParsing(argv, runtime.env)))
  } finally {
    context?.terminal.endProgress()
    output.end()
    await context?.close()
  }
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
