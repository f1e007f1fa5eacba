/**
 * `node bench/queries.js`: how fast `status` asks for many payments, beside a bare undici loop, and how its costs grow. The
 * program is a build without the limit of queries, which would make it wait. BENCH_ROUNDS makes it shorter.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { growthRow, median, tableOf } from './table.js'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const IDS = 1000
/** As many as `status` has under way at once. */
const CONCURRENCY = 8
const EACH_LOOKED_UP =
  'A bare loop only asks; `status` also looks each id up in the ledger, and checks and prints each answer'

const NO_LIMIT = `export const QUERIES_PER_WINDOW = Number.POSITIVE_INFINITY
export function openQueryQuota() {
  return { preview: async () => 0, reserve: async () => 0, close: async () => {} }
}
`

/** @typedef {import('./table.js').Row} Row */
/** @typedef {{ url: string, binary: string, env: Record<string, string> }} Place */

/** @param {string} folder @returns {string} the binary of a build that never waits */
function buildWithoutLimit(folder) {
  for (const name of ['bin', 'scripts', 'src', 'package.json', 'tsconfig.json', 'tsconfig.library.json']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'src', 'gateway', 'queryQuota.ts'), NO_LIMIT)
  execFileSync(process.execPath, [join(folder, 'scripts', 'build.js')])
  return join(folder, 'bin', 'pixgate.js')
}

/** @param {Place} place @param {readonly string[]} words @returns {number} ms */
function run({ env }, words) {
  const begun = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${words.join(' ').slice(0, 100)} ended with ${status}: ${stderr}`)
  return performance.now() - begun
}

/** @param {Place} place @returns {Promise<number>} requests a second, from the first to the last */
async function rate({ url }) {
  const { requests, ms } = JSON.parse(await (await fetch(`${url}/figures`)).text())
  if (requests !== IDS) throw new Error(`${requests} of ${IDS} queries were sent`)
  return (requests / ms) * 1000
}

/** @param {Place} place @param {number} count */
function statusOf({ binary }, count) {
  return [binary, 'status', '-o', 'csv', ...Array.from({ length: count }, (_, index) => `id-${index}`)]
}

/** @param {Place} place @returns {Promise<Row>} */
async function rates(place) {
  const bare = [join(import.meta.dirname, 'bareQueries.js'), place.url, String(IDS), String(CONCURRENCY)]
  /** @type {{ own: number, bare: number }[]} */
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    run(place, bare)
    const bareRate = await rate(place)
    run(place, statusOf(place, IDS))
    rounds.push({ bare: bareRate, own: await rate(place) })
  }
  const ratio = median(rounds.map((each) => each.own / each.bare))
  const perSecond = (/** @type {'own' | 'bare'} */ which) => median(rounds.map((each) => each[which])).toFixed(0)
  return {
    what: `${IDS} status in one call`,
    limit: `bare undici loop, ${perSecond('bare')}/s`,
    reached: `${ratio.toFixed(2)} (${perSecond('own')}/s)`,
    toReach: 'none',
    withdrawn: EACH_LOOKED_UP,
  }
}

/** @param {Place} place @returns {Row} */
function growthOfIds(place) {
  const counts = [10, 100, 1000]
  return growthRow('status, by number of ids', counts, (count) => run(place, statusOf(place, count)), ROUNDS)
}

/** @param {Place} place @returns {Row} */
function growthOfProfiles(place) {
  const counts = [10, 100, 1000]
  const words = [place.binary, 'status', 'id-1', '--profile', 'p0']
  const environments = counts.map((count) => ({ ...place, env: withProfiles(place, count) }))
  const run1 = (/** @type {number} */ count) => run(environments[counts.indexOf(count)] ?? place, words)
  return growthRow('status, by number of profiles', counts, run1, ROUNDS)
}

/** @param {Place} place @param {number} count @returns {Record<string, string>} an environment with that many profiles */
function withProfiles({ url, env }, count) {
  const folder = mkdtempSync(join(env.HOME ?? tmpdir(), 'config-'))
  const profile = {
    environment: 'sandbox',
    baseUrl: url,
    clientId: 'local',
    secret: { source: 'stored', value: 'local-secret' },
  }
  const profiles = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, profile]))
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ version: 1, active: 'p0', profiles }), { mode: 0o600 })
  const { PIXGATE_BASE_URL: _url, ...rest } = env
  return { ...rest, PIXGATE_CONFIG_DIR: folder }
}

/** @returns {Promise<Row[]>} */
export async function queryRows() {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  const gateway = spawn(process.execPath, [join(import.meta.dirname, 'answering.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines = createInterface({ input: gateway.stdout })
    const { value: url } = await lines[Symbol.asyncIterator]().next()
    const env = {
      HOME: folder,
      PIXGATE_BASE_URL: url,
      PIXGATE_CLIENT_ID: 'local',
      PIXGATE_CLIENT_SECRET: 'local-secret',
      PIXGATE_DATA_DIR: join(folder, 'data'),
      PIXGATE_CONFIG_DIR: join(folder, 'config'),
    }
    const place = { url, binary: buildWithoutLimit(folder), env }
    return [await rates(place), growthOfIds(place), growthOfProfiles(place)]
  } finally {
    gateway.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) console.log(tableOf(await queryRows()))
