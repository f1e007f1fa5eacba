/** A character on a terminal, and the codes of its colours and weight, such as `1` and `36`. */
interface Cell {
  character: string
  styles: readonly number[]
}

const CHARACTER_WIDTH = 8.4
const LINE_HEIGHT = 19
const MARGIN = 16
const BACKGROUND = '#16191d'
const TEXT_COLOUR = '#d7dce2'
const COLOURS: ReadonlyMap<number, string> = new Map([
  [31, '#ff7b72'],
  [32, '#7ee787'],
  [33, '#f2cc60'],
  [34, '#79c0ff'],
  [36, '#76e3ea'],
])
const BOLD = 1
const DIM = 2

/** The lines of a terminal as an SVG picture, described by `title` for those who cannot see it. */
export function terminalPicture(lines: readonly (readonly Cell[])[], title: string): string {
  const columns = Math.max(...lines.map((line) => line.length))
  const [width, height] = [2 * MARGIN + columns * CHARACTER_WIDTH, 2 * MARGIN + lines.length * LINE_HEIGHT]
  const texts = lines.flatMap((line, row) => runsOf(line).map((run) => runText(run, row)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" \
font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
${texts.join('\n')}
</svg>
`
}

interface Run {
  column: number
  text: string
  styles: readonly number[]
}

/** Neighbouring characters of one style. */
function runsOf(line: readonly Cell[]): Run[] {
  const runs: Run[] = []
  line.forEach(({ character, styles }, column) => {
    const last = runs.at(-1)
    if (last?.styles.join() === styles.join()) last.text += character
    else runs.push({ column, text: character, styles })
  })
  return runs.filter(({ text }) => text.trim() !== '')
}

/** Its place and width are given in columns, because the fonts of the viewers differ. */
function runText({ column, text, styles }: Run, row: number): string {
  const colour = styles.map((style) => COLOURS.get(style)).find((found) => found !== undefined) ?? TEXT_COLOUR
  const weight = styles.includes(BOLD) ? ' font-weight="bold"' : ''
  const dim = styles.includes(DIM) ? ' opacity="0.65"' : ''
  const shown = text.trimEnd()
  const x = (MARGIN + column * CHARACTER_WIDTH).toFixed(1)
  const y = MARGIN + (row + 1) * LINE_HEIGHT - 5
  const width = (shown.length * CHARACTER_WIDTH).toFixed(1)
  return `<text x="${x}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${colour}"${weight}${dim}>${escaped(shown)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
