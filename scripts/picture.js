// Draws docs/terminal.svg from what the built binary really prints: `npm run picture`.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const CELL = { width: 8.4, height: 17 }
const MARGIN = 16
const COLUMNS = 90
const COLOURS = {
  30: '#000000',
  31: '#ff6b68',
  32: '#7ec699',
  33: '#e6c07b',
  36: '#67cdcc',
  37: '#d0d0d0',
  90: '#8b949e',
  97: '#ffffff',
}
const BACKGROUND = '#16181d'
const FOREGROUND = '#d6dae0'
const BINARY = new URL('../bin/pixgate.js', import.meta.url).pathname

const folder = mkdtempSync(join(tmpdir(), 'pixgate-picture-'))
const sandbox = spawn(process.execPath, [BINARY, 'sandbox', '--port', '0', '-o', 'json'])
try {
  const [ready] = await once(createInterface(sandbox.stdout))
  const env = { ...process.env, PIXGATE_BASE_URL: JSON.parse(ready).url, PIXGATE_DATA_DIR: folder, FORCE_COLOR: '1' }
  const lines = []
  const show = (shown, args = shown) => {
    lines.push([
      { text: '$ ', colour: COLOURS[32] },
      { text: `pixgate ${shown.join(' ')}`, bold: true },
    ])
    const both = ['-c', 'exec "$0" "$@" 2>&1', process.execPath, BINARY, ...args]
    const { stdout } = spawnSync('sh', both, { env, encoding: 'utf8' })
    for (const line of stdout.trimEnd().split('\n')) lines.push(...wrapped(segmentsOf(line)))
    lines.push([])
  }
  show(
    ['qr', 'create', '--amount', '25,00', '--request-number', 'order-17'],
    ['qr', 'create', '--amount', '25,00', '--request-number', 'order-17', '--qr', '--quiet'],
  )
  const state = spawnSync(process.execPath, [BINARY, 'sandbox', 'state', '-o', 'json'], { env, encoding: 'utf8' })
  const id = JSON.parse(state.stdout).payments[0].idTransaction
  spawnSync(process.execPath, [BINARY, 'sandbox', 'pay', id], { env })
  show(['status', id])
  show(['refund', id, '--amount', '10,00', '--reason', 'damaged', '--yes'])
  writeFileSync(new URL('../docs/terminal.svg', import.meta.url), svg(lines))
} finally {
  sandbox.kill()
  rmSync(folder, { recursive: true, force: true })
}

function once(lines) {
  return new Promise((resolve) => lines.once('line', (line) => resolve([line])))
}

/** Cuts a line at its colour sequences. */
function segmentsOf(line) {
  const segments = []
  let style = {}
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)
    if (codes === null) {
      if (part !== '') segments.push({ ...style, text: part })
      continue
    }
    for (const code of codes[1].split(';').map(Number)) style = styled(style, code)
  }
  return segments
}

/** As a terminal does it: what does not fit goes on in the next line. */
function wrapped(segments) {
  const [only] = segments
  if (segments.length !== 1 || only.text.length <= COLUMNS) return [segments]
  return [[{ ...only, text: only.text.slice(0, COLUMNS) }], ...wrapped([{ ...only, text: only.text.slice(COLUMNS) }])]
}

function styled(style, code) {
  if (code === 0) return {}
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 39) return { ...style, colour: undefined }
  if (code === 49) return { ...style, background: undefined }
  if (code >= 100) return { ...style, background: COLOURS[code - 10] }
  if (code >= 40 && code < 50) return { ...style, background: COLOURS[code - 10] }
  return { ...style, colour: COLOURS[code] }
}

function svg(lines) {
  const columns = Math.max(...lines.map((line) => line.reduce((sum, { text }) => sum + [...text].length, 0)))
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN)
  const height = Math.ceil(lines.length * CELL.height + 2 * MARGIN)
  const drawn = lines.flatMap((line, row) => drawLine(line, MARGIN + row * CELL.height))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" shape-rendering="crispEdges">
${drawn.join('\n')}
</g>
</svg>
`
}

function drawLine(segments, top) {
  const drawn = []
  let column = 0
  for (const segment of segments) {
    const cells = [...segment.text]
    const left = MARGIN + column * CELL.width
    if (segment.background) drawn.push(rect(left, top, cells.length * CELL.width, CELL.height, segment.background))
    if (/^[ ▀▄█]+$/.test(segment.text)) drawn.push(...blocks(cells, left, top, segment.colour ?? FOREGROUND))
    else drawn.push(textAt(segment, left, top))
    column += cells.length
  }
  return drawn
}

function blocks(cells, left, top, colour) {
  const half = CELL.height / 2
  return cells.flatMap((cell, index) => {
    if (cell === ' ') return []
    const upper = cell === '▄' ? top + half : top
    return [rect(left + index * CELL.width, upper, CELL.width, cell === '█' ? CELL.height : half, colour)]
  })
}

function rect(x, y, width, height, fill) {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"/>`
}

function textAt({ text, colour, bold, dim }, left, top) {
  const fill = colour ?? FOREGROUND
  const weight = bold ? ' font-weight="bold"' : ''
  const opacity = dim ? ' opacity="0.6"' : ''
  const width = round([...text].length * CELL.width)
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<text x="${round(left)}" y="${round(top + 13)}" fill="${fill}"${weight}${opacity} textLength="${width}" xml:space="preserve">${safe}</text>`
}

function round(value) {
  return Math.round(value * 100) / 100
}
