// Bundles src/ into dist/: `npm run build`. Types are checked by `npm run check`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licences } from './licences.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const DIST = join(ROOT, 'dist')

/** What parts of packages load and this program never calls: the importing file's end, what it imports, why it is not needed. */
const LEFT_OUT = [
  ['commander/lib/command.js', 'node:child_process', 'for subcommands that are programs of their own'],
  ['undici/lib/dispatcher/client.js', './client-h2.js', 'for HTTP/2, which is off'],
  ['undici/lib/dispatcher/client-h1.js', '../web/fetch/body.js', 'for bodies that are no text'],
  ['chalk/source/index.js', '#supports-color', 'for guessing what a stream can show, which is decided here'],
  ['conf/dist/source/index.js', 'ajv/dist/2020.js', 'for stores with a schema'],
  ['conf/dist/source/index.js', 'ajv-formats', 'for stores with a schema'],
]
const NOTHING = '\0nothing'
/** undici only calls it, and loading Node.js's own takes longer than anything else that undici needs. */
const ASSERT = '\0assert'
/** undici's client takes a limit and a class from it, which Node.js loads its own client and server for. */
const HTTP = '\0http'
const SUBSTITUTES = {
  [NOTHING]: 'module.exports = {}',
  [ASSERT]:
    'module.exports = (ok, message) => { if (!ok) throw new Error(message ?? "an assertion of undici failed") }',
  [HTTP]: 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} }',
}
/** What undici imports, and what it gets in its place. */
const UNDICI_IMPORTS = { 'node:assert': ASSERT, 'node:http': HTTP }

/** Stands for the number of the build until that is known; both are as long. */
const BUILD = '0123456789abcdef'

const WASM = 'llhttp in WebAssembly'

/** In the end empty: what a new version of a package calls otherwise would go into the bundle without a word. */
const notFound = new Set([...LEFT_OUT, ASSERT, HTTP, WASM])

/** A path as the tables above write it. */
function slashed(path) {
  return path.replaceAll('\\', '/')
}

const substituting = {
  name: 'substituting',
  resolveId(specifier, importer = '') {
    const path = slashed(importer)
    const substitute = path.includes('/node_modules/undici/') ? UNDICI_IMPORTS[specifier] : undefined
    if (substitute !== undefined) {
      notFound.delete(substitute)
      return substitute
    }
    const leftOut = LEFT_OUT.find(([file, left]) => left === specifier && path.endsWith(`/node_modules/${file}`))
    notFound.delete(leftOut)
    return leftOut === undefined ? null : NOTHING
  },
  load: (id) => SUBSTITUTES[id] ?? null,
}

/** A package's own `import path from 'node:path'` makes a copy of the whole module in CommonJS. */
const builtinRequires = {
  name: 'builtin-requires',
  transform(code, id) {
    if (!slashed(id).includes('/node_modules/') || !/^import \w+ from 'node:/m.test(code)) return null
    // The lines stay, and so does the map.
    return { code: code.replaceAll(/^import (\w+) from '(node:\w+)'/gm, "const $1 = require('$2')"), map: null }
  },
}

/** As a file beside the bundle, a program in WebAssembly is read by who runs it, and not by who reads the bundle. */
const wasmFiles = {
  name: 'wasm-files',
  load(id) {
    const [, name] = /\/undici\/lib\/llhttp\/(\w+)-wasm\.js$/.exec(slashed(id)) ?? []
    if (name === undefined) return null
    notFound.delete(WASM)
    this.emitFile({ type: 'asset', fileName: `chunks/${name}.wasm`, source: require(id) })
    return `module.exports = require('node:fs').readFileSync(require('node:path').join(__dirname, '${name}.wasm'))`
  },
}

/** Chunks by what needs them together: all that is imported from these files, and not in an earlier chunk. */
const CHUNKS = {
  front: ['src/front.ts', 'src/folders.ts', 'src/compiledChunks.ts', 'src/terminal/outputChannel.ts'],
  store: ['src/candidates.ts', 'src/profiles/names.ts'],
  cli: [
    'src/process.ts',
    'src/context.ts',
    'src/commands/examples.ts',
    'src/views/payment.ts',
    'src/wire/verdict.ts',
    'src/wire/failureDocument.ts',
  ],
  profiles: ['src/profiles/signer.ts', 'src/profiles/secretSource.ts', 'src/profiles/store.ts'],
  signatures: ['src/wire/signatureHeader.ts', 'src/wire/sha256.ts'],
  locks: ['src/locks/privateFolder.ts', 'src/locks/textFile.ts'],
  undici: ['node_modules/undici/lib/dispatcher/client.js'],
  gateway: ['src/gateway/client.ts', 'src/gateway/queryLimit.ts'],
  timeline: ['src/timeline/timeline.ts', 'src/timeline/transactions.ts', 'src/timeline/transactionView.ts'],
  queries: ['src/commands/status/lookUp.ts'],
  money: [
    'src/money/pay.ts',
    'src/money/resume.ts',
    'src/commands/callbackUrl.ts',
    'src/commands/dryRun.ts',
    'src/money/allowed.ts',
  ],
}

/** The modules of each, filled when the first is asked for. */
let chunks

function chunkOf(id, context) {
  chunks ??= Object.entries(CHUNKS).map(([name, files]) => [name, staticImports(files, context)])
  const [first, second] = chunks.filter(([, ids]) => ids.has(id)).map(([name]) => name)
  // Neither is loaded for the other's sake.
  if (first === 'store' && second === 'cli') return 'base'
  return first ?? null
}

function staticImports(files, context) {
  const ids = new Set(files.map((file) => realpathSync(join(ROOT, file))))
  for (const id of ids) if (!context.getModuleInfo(id)) throw new Error(`The bundle has no ${id}`)
  for (const id of ids) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) ids.add(imported)
  }
  return ids
}

/** Throws for what a chunk cannot do: it runs as a script that gets a bare `require`. */
function checkChunks() {
  for (const { fileName, code } of output.filter(({ type }) => type === 'chunk')) {
    const [found] = /(?<![\w$.])(?:import\(|require\.)/.exec(code) ?? []
    if (found !== undefined && !fileName.endsWith('/front.js')) throw new Error(`${fileName} has ${found}`)
  }
}

/** Writes into the bundle what tells it from every other. */
function numberBuild() {
  const codes = output.filter(({ type }) => type === 'chunk').map(({ code }) => code)
  const number = createHash('sha256').update(codes.join()).digest('hex').slice(0, BUILD.length)
  const path = join(DIST, 'main.js')
  const code = readFileSync(path, 'utf8')
  if (!code.includes(BUILD)) throw new Error(`The number of the build has no place in ${path}`)
  writeFileSync(path, code.replace(BUILD, number))
}

rmSync(DIST, { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: join(ROOT, 'src/main.ts') },
  external: ['@photostructure/sqlite'],
  cwd: ROOT,
  platform: 'node',
  preserveEntrySignatures: false,
  checks: { ineffectiveDynamicImport: false },
  transform: { define: { BUILD: JSON.stringify(BUILD) } },
  plugins: [substituting, builtinRequires, wasmFiles],
})
const { output } = await bundle.write({
  dir: DIST,
  // Node.js loads CommonJS faster than modules, by a sixth of the time that it takes to start.
  format: 'cjs',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  sourcemap: true,
  sourcemapExcludeSources: true,
  codeSplitting: { groups: [{ name: chunkOf, debugName: 'chunks' }], includeDependenciesRecursively: false },
  minify: true,
})
await bundle.close()
if (notFound.size > 0) throw new Error(`Not found in the packages: ${JSON.stringify([...notFound])}`)
checkChunks()
numberBuild()
writeFileSync(join(DIST, 'package.json'), '{ "type": "commonjs" }\n')
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licences(output))
writeFileSync(join(DIST, 'help.txt'), execFileSync(process.execPath, [join(ROOT, 'bin/pixgate.js'), '--help']))
