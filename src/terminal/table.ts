import Table from 'cli-table3'
import { safeText } from '../text/safeText.ts'
import type { Terminal } from './terminal.ts'

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** An aligned table on a terminal, tab-separated lines without colour in a pipe. Makes the cells safe. */
export function table(terminal: Terminal, header: readonly string[], rows: readonly (readonly string[])[]): string {
  const safeRows = rows.map((row) => row.map(safeText))
  if (!terminal.outIsTerminal) return [header, ...safeRows].map((row) => row.join('\t')).join('\n')
  const drawn = new Table({
    head: header.map((name) => terminal.out.dim(name)),
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  for (const row of safeRows) drawn.push([...row])
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}
