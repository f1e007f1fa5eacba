import type { Context } from '../context.ts'
import { DEFECT_EXIT } from '../programInfo.ts'
import { hintCommands } from '../text/hintCommands.ts'
import { safeJson, safeLines } from '../text/safeText.ts'
import { t } from '../text/words.ts'
import { faultLines } from '../views/faultText.ts'
import { Failure, failureDocument } from '../wire/errors.ts'

/** Reports an error on stderr, as text or as one line of JSON, and returns the exit code. */
export async function reportFailure(error: unknown, context: Context): Promise<number> {
  const { terminal, settings } = context
  if (!(error instanceof Failure)) return reportDefect(error, context)
  if (settings.output === 'json') {
    terminal.say(safeJson(JSON.stringify({ error: failureDocument(error) })))
    return error.exitCode
  }
  terminal.say(`${terminal.err.red.bold('error:')} ${error.message}`)
  for (const detail of error.details) terminal.say(`  ${detail}`)
  for (const line of faultLines(error.faults ?? [])) terminal.say(`  ${line}`)
  terminal.say(`${terminal.err.cyan('hint:')} ${error.hint}`)
  for (const command of hintCommands(error.hint)) terminal.command(command)
  return error.exitCode
}

async function reportDefect(error: unknown, { terminal, settings }: Context): Promise<number> {
  const { withSources } = await import('./stackSources.ts')
  const stack = error instanceof Error ? withSources(error.stack ?? error.message) : String(error)
  const message = t`This is a bug in pixgate, not a problem with the command line`
  const hint = t`Report it together with the command line and the lines above`
  if (settings.output === 'json') {
    const facts = { code: 'INTERNAL', message, details: stack, hint, httpStatus: null, outcome: 'unknown' }
    terminal.say(safeJson(JSON.stringify({ error: { ...facts, exitCode: DEFECT_EXIT } })))
    return DEFECT_EXIT
  }
  terminal.say(`${terminal.err.red.bold('error:')} ${message}`)
  for (const line of safeLines(stack)) terminal.say(`  ${line}`)
  terminal.say(`${terminal.err.cyan('hint:')} ${hint}`)
  return DEFECT_EXIT
}
