import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'
import type { Context } from '../context.ts'
import { DEFECT_EXIT } from '../programInfo.ts'
import { safeJson, safeLines } from '../text/safeText.ts'
import { hintCommands } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { FAILURE } from '../views/failureView.ts'
import { Failure } from '../wire/errors.ts'

/**
 * Reports an error on stderr, as text or as one line of JSON, and returns the exit code. `isSending` is true for a command line that would have sent a
 * payment.
 */
export function reportFailure(error: unknown, context: Context, isSending = false): number {
  const { terminal, settings } = context
  if (!(error instanceof Failure)) return reportDefect(error, context)
  const unsent =
    isSending && error.isWhatSendingNeeds && error.outcome === 'not-sent'
      ? [t`Payments are recorded there first, so none is sent without it`]
      : []
  const details = [...unsent, ...error.details]
  if (settings.output === 'json') {
    const all = [...details, ...terminal.leftToDocument()].join('\n')
    terminal.say(safeJson(JSON.stringify({ error: { ...FAILURE.documentOf(error), details: all } })))
    return error.exitCode
  }
  terminal.say(`${terminal.err.red.bold(t`error:`)} ${error.message}`)
  for (const detail of details) terminal.say(`  ${detail}`)
  for (const line of faultLines(error.faults ?? [])) terminal.say(`  ${line}`)
  terminal.say(`${terminal.err.cyan(t`hint:`)} ${error.hint}`)
  for (const command of hintCommands(error.hint)) terminal.command(command)
  return error.exitCode
}

function reportDefect(error: unknown, { terminal, settings }: Context): number {
  const stack = error instanceof Error ? withSources(error.stack ?? error.message) : String(error)
  const message = t`This is a bug in pixgate, not a problem with the command line`
  const hint = t`Report it together with the command line and the lines above`
  if (settings.output === 'json') {
    const facts = { code: 'INTERNAL', message, details: [stack], hint, httpStatus: null, exitCode: DEFECT_EXIT }
    terminal.say(safeJson(JSON.stringify({ error: FAILURE.documentOf({ ...facts, outcome: 'unknown' }) })))
    return DEFECT_EXIT
  }
  terminal.say(`${terminal.err.red.bold(t`error:`)} ${message}`)
  for (const line of safeLines(stack)) terminal.say(`  ${line}`)
  terminal.say(`${terminal.err.cyan(t`hint:`)} ${hint}`)
  return DEFECT_EXIT
}

/** A position in a bundled file, as a stack trace writes it. Folder names may contain spaces and parentheses. */
const PLACE = /(?<=\(|at (?:async )?)((?:\/|[A-Z]:\\).*?\.js):(\d+):(\d+)/g

/** Rewrites the positions in a stack trace from the bundle to the sources, using the source maps next to the bundle. */
export function withSources(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const source = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (source === undefined || !('originalSource' in source)) return place
    const path = join(dirname(file), source.originalSource)
    return `${path}:${source.originalLine + 1}:${source.originalColumn + 1}`
  })
}

function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch {
    return undefined
  }
}

interface ShownFault {
  row?: number
  line: number
  column: string
  message: string
}

/** Of more faults of one kind than this only the first is shown whole. */
const WHOLE_MAX = 5
const PLACES_MAX = 30
const VALUES = /`[^`]*`/g

/** The faults of a file as lines for a person; those that differ only in what the cells hold are one line with a count and the places. */
function faultLines(faults: readonly ShownFault[]): string[] {
  const kinds = new Map<string, ShownFault[]>()
  for (const fault of faults) {
    const key = JSON.stringify([fault.column, fault.message.replace(VALUES, '')])
    const others = kinds.get(key)
    if (others === undefined) kinds.set(key, [fault])
    else others.push(fault)
  }
  const groups = [...kinds.values()].filter((group) => group.length > WHOLE_MAX)
  const grouped = new Set(groups.flat())
  return [...groups.flatMap(groupLine), ...faults.filter((fault) => !grouped.has(fault)).map(faultLine)]
}

function faultLine({ row, line, column, message }: ShownFault): string {
  return row === undefined || row === line
    ? t`line ${line}, ${column}: ${message}`
    : t`line ${line} (row ${row}), ${column}: ${message}`
}

function groupLine(group: readonly ShownFault[]): string[] {
  const [first] = group
  if (first === undefined) return []
  const { column, message } = first
  const shown = group.slice(0, PLACES_MAX).map(({ row, line }) => placeText(line, row))
  const places = shown.length < group.length ? [...shown, '…'] : shown
  const lines = places.join(', ')
  return group.every((each) => each.message === message)
    ? [t`${group.length} rows, ${column}: ${message} (lines ${lines})`]
    : [t`${group.length} rows, ${column}, such as line ${first.line}: ${message} (lines ${lines})`]
}

function placeText(line: number, row: number | undefined): string {
  return row === undefined || row === line ? String(line) : t`${line} (row ${row})`
}
