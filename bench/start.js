/**
 * `node bench/start.js [<node> …]`: how long commands take from their start to their end, beside what Node.js itself takes,
 * each on these interpreters; this one where none is named. BENCH_SAMPLES makes it shorter.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PNG } from 'pngjs'
import { median, ratioRow, tableOf } from './table.js'

const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 25)
const ROOT = join(import.meta.dirname, '..')
const BINARY = join(ROOT, 'bin', 'pixgate.js')
const ID = '0b935d10-3c90-4af3-8776-dd18622a7941'
const TRANSFER = ['transfer', '--value', '1,00', '--yes', '--quiet']
const ON_NODE_20 =
  'Node.js 20 cannot cache compiled code, and loads SQLite from a package: its commands need only be as fast as in earlier versions of pixgate'

const ON_NODE_22 =
  'It is reached on Node.js 24; on 22, nothing is left in these commands that could be loaded later or not at all'

/** @typedef {import('./table.js').Row} Row */
/** @typedef {{ node: string, folder: string, env: Record<string, string> }} Place */
/** @typedef {(round: number) => readonly string[]} Words of a command line, which may differ from round to round. */

/**
 * @param {Place} place
 * @param {readonly string[]} words
 * @returns {number} ms
 */
function timed({ node, env }, words) {
  const begun = performance.now()
  const { status, stderr } = spawnSync(node, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ms = performance.now() - begun
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  return ms
}

/**
 * The median of the ratios of samples that were taken one after the other, so that both had the same of a shared machine.
 * @param {Place} place
 * @param {Words} own
 * @param {Words} bare
 */
function compare(place, own, bare) {
  const ratios = []
  const times = []
  for (let round = -1; round < SAMPLES; round++) {
    const bareMs = timed(place, bare(round))
    const ms = timed(place, own(round))
    if (round < 0) continue
    ratios.push(ms / bareMs)
    times.push(ms)
  }
  return { ratio: median(ratios), ms: median(times) }
}

/**
 * @param {Place} place
 * @param {readonly string[]} words
 * @returns {number} MiB
 */
function peakMemory({ node, folder, env }, words) {
  const file = join(folder, 'peak')
  const preload = ['--require', join(ROOT, 'bench', 'peakMemory.cjs')]
  spawnSync(node, [...preload, ...words], { env: { ...env, PEAK_MEMORY: file }, stdio: 'ignore' })
  return Number(readFileSync(file, 'utf8')) / 1024
}

/**
 * @param {Place} place
 * @returns {Promise<number>} MiB of a listener that waits
 */
async function idleListenerMemory({ node, env }) {
  const words = [BINARY, 'webhook', 'listen', '--port', '0', '-o', 'json']
  const child = spawn(node, words, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    await firstLine(child)
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
  } finally {
    child.kill()
  }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
function firstLine(child) {
  if (child.stdout === null) throw new Error('no output to read')
  const lines = createInterface({ input: child.stdout })
  return new Promise((resolve) => lines.once('line', resolve))
}

/** @param {Place} place @returns {Promise<Row[]>} */
async function rowsOn(place) {
  const { node, folder } = place
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  const major = Number(/\d+/.exec(version)?.[0])
  const body = join(folder, 'body.json')
  writeFileSync(body, JSON.stringify({ text: 'x'.repeat(1000) }))
  const picture = join(folder, 'code.png')
  const code = brCode(place, picture)
  const nothing = () => ['-e', '0']
  const pixgate =
    (/** @type {string[]} */ ...words) =>
    () => [BINARY, ...words]
  /** @type {[what: string, own: Words, bare: Words, beside: string, most: number, since?: 24][]} */
  const lines = [
    ['--version', pixgate('--version'), nothing, 'node -e 0', 1.25],
    ['--help', pixgate('--help'), nothing, 'node -e 0', 1.8],
    ['completion of a profile', pixgate('__complete', '--', '-p', ''), nothing, 'node -e 0', 2],
    ['completion of an option', pixgate('__complete', '--', 'transfer', '--'), pixgate('--help'), '--help', 1],
    [
      'webhook verify of 1 KB',
      pixgate('webhook', 'verify', '--body', body, '--signature', signed(place, body)),
      nothing,
      'node -e 0',
      2.1,
      24,
    ],
    ['qr decode', pixgate('qr', 'decode', code), nothing, 'node -e 0', 2],
    ['status of one id', pixgate('status', ID), () => [join(ROOT, 'bench', 'bareGet.cjs')], 'bare GET', 2.5],
    [
      'transfer to a new key, durable',
      (round) => [BINARY, ...TRANSFER, '--key', `${version}.${round}@example.com`],
      () => [join(ROOT, 'bench', 'barePost.cjs')],
      'bare POST and fsync',
      2.8,
      24,
    ],
  ]
  const rows = []
  for (const [what, own, bare, beside, most, since = 22] of lines) {
    const { ratio, ms } = compare(place, own, bare)
    const isKept = major >= since || what === '--version'
    const target = isKept ? { most } : { withdrawn: major === 20 ? ON_NODE_20 : ON_NODE_22 }
    rows.push(ratioRow(`${what}, ${version}`, { ratio, beside, note: `${ms.toFixed(0)} ms`, ...target }))
  }
  const leastMemory = peakMemory(place, ['-e', '0'])
  /** @type {[what: string, mib: number, most: number][]} */
  const memories = [
    ['--version', peakMemory(place, [BINARY, '--version']), 1.3],
    ['status', peakMemory(place, [BINARY, 'status', ID]), 1.6],
    ['webhook listen, idle', await idleListenerMemory(place), 1.6],
  ]
  for (const [what, mib, most] of memories) {
    const figure = { ratio: mib / leastMemory, beside: 'node -e 0', most, note: `${mib.toFixed(0)} MiB` }
    rows.push(ratioRow(`peak memory of ${what}, ${version}`, figure))
  }
  return [...rows, ...drawingRows(place, { code, picture, version })]
}

/**
 * A code that the sandbox made, and its picture.
 * @param {Place} place
 * @param {string} picture
 * @returns {string}
 */
function brCode({ node, env }, picture) {
  const words = [
    BINARY,
    'sandbox',
    'exec',
    '--quiet',
    '--',
    node,
    BINARY,
    'qr',
    'create',
    '--amount',
    '25,00',
    '--png',
    picture,
    '-o',
    'json',
  ]
  const { stdout, stderr } = spawnSync(node, words, { env, encoding: 'utf8' })
  try {
    return JSON.parse(stdout).paymentCode
  } catch {
    throw new Error(`no code: ${stdout}${stderr}`)
  }
}

/** @param {Place} place @param {string} body */
function signed({ node, env }, body) {
  const words = [BINARY, 'webhook', 'sign', '--body', body, '--yes', '-o', 'json']
  return JSON.parse(spawnSync(node, words, { env, encoding: 'utf8' }).stdout).signature
}

/**
 * @param {Place} place
 * @param {{ code: string, picture: string, version: string }} drawn
 * @returns {Row[]}
 */
function drawingRows(place, { code, picture, version }) {
  const large = join(place.folder, 'large.png')
  const bytes = enlarged(picture, large)
  const help = () => [BINARY, 'qr', 'draw', '--help']
  const draw = compare(place, () => [BINARY, 'qr', 'draw', code], help)
  const read = compare(place, () => [BINARY, 'qr', 'decode', large], help)
  const beside = 'qr draw --help'
  return [
    ratioRow(`drawing a code of ${code.length} characters, ${version}`, {
      ...draw,
      beside,
      note: `${draw.ms.toFixed(0)} ms`,
    }),
    ratioRow(`reading a PNG of ${(bytes / 1e6).toFixed(1)} MB, ${version}`, {
      ...read,
      beside,
      note: `${read.ms.toFixed(0)} ms`,
    }),
  ]
}

/**
 * Puts the picture of a code into the middle of a noisy one of about a megabyte, as a screenshot is.
 * @param {string} from
 * @param {string} to
 * @returns {number} its length in bytes
 */
function enlarged(from, to) {
  const code = PNG.sync.read(readFileSync(from))
  const side = 1100
  const picture = new PNG({ width: side, height: side })
  for (let at = 0; at < picture.data.length; at++) picture.data[at] = at % 4 === 3 ? 255 : 128 + ((at * 7919) % 97)
  const place = Math.floor((side - code.width) / 2)
  PNG.bitblt(code, picture, 0, 0, code.width, code.height, place, place)
  const bytes = PNG.sync.write(picture, { deflateLevel: 1 })
  writeFileSync(to, bytes)
  return bytes.length
}

/** @param {readonly string[]} nodes @returns {Promise<Row[]>} */
export async function startRows(nodes) {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  const gateway = spawn(process.execPath, [join(ROOT, 'bench', 'answering.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      PIXGATE_DATA_DIR: join(folder, 'data'),
      PIXGATE_CONFIG_DIR: join(folder, 'config'),
    }
    const url = await firstLine(gateway)
    const profile = [
      '--base-url',
      url,
      '--client-id',
      'bench',
      '--callback-url',
      `${url}/hook`,
      '--client-secret-stdin',
    ]
    spawnSync(process.execPath, [BINARY, 'profile', 'add', 'bench', ...profile], {
      env,
      input: 'bench-secret-5d41402a',
    })
    const rows = []
    for (const node of nodes) rows.push(...(await rowsOn({ folder, node, env: { ...env, BENCH_URL: url } })))
    return rows
  } finally {
    gateway.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const nodes = process.argv.slice(2)
  console.log(tableOf(await startRows(nodes.length > 0 ? nodes : [process.execPath])))
}
