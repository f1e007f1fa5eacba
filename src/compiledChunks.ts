import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'

/** What Node.js puts around a file, so that `require` and `module` are there. */
const BEFORE = '(function (exports, require, module, __filename, __dirname) { '
const AFTER = '\n})'
/** Of this Node.js. */
const PREFIX = `${process.version}-${process.arch}-`

/** After so long another build is taken for gone. */
const OTHERS_MS = 7 * 24 * 60 * 60_000
/** V8 takes back what it once compiled under the same flags only. They are others where undici's parser has run. */
const STARTING_FLAGS = ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering']

/** The files of the bundle are CommonJS. */
declare const require: NodeJS.Require
declare const module: NodeModule & { constructor: new (id: string) => NodeModule }
const Module = module.constructor

type Run = (...around: [exports: unknown, require: (id: string) => unknown, NodeModule, string, string]) => void

/** Where compiled code is kept, and of which build of the program. */
interface CompiledPlace {
  /** A folder of this user's own. */
  parent: string
  build: string
  /** The folder of the bundle's files. */
  chunks: string
}

/**
 * Keeps what V8 has compiled of the bundle, with all that a command has called: the cache of Node.js itself has what was
 * compiled before anything ran, which is a third. V8 knows its own version and the length of a source again and nothing
 * else, so each build has a folder. One that cannot be written is no error.
 */
export function keepCompiledChunks({ parent, build, chunks }: CompiledPlace): void {
  const folder = join(parent, PREFIX + build)
  const fresh = new Map<string, Script>()
  const { cache, extensions } = require
  const before = extensions['.js']
  extensions['.js'] = (module, path) => {
    if (dirname(path) !== chunks) {
      before(module, path)
      return
    }
    const kept = join(folder, `${basename(path)}.compiled`)
    const bytes = keptIn(kept)
    const script = scriptOf(path, bytes)
    if (bytes === undefined) fresh.set(kept, script)
    const run: Run = script.runInThisContext()
    run.call(module.exports, module.exports, requireFrom, module, path, chunks)
  }

  /** Node.js would look for a file that is known to be there, and for the package that it belongs to. */
  function requireFrom(id: string): unknown {
    if (!id.startsWith('./')) return require(id)
    const path = join(chunks, id)
    const known = cache[path]
    if (known !== undefined) return known.exports
    const module = new Module(path)
    cache[path] = module
    try {
      extensions['.js'](module, path)
      return module.exports
    } catch (error) {
      delete cache[path]
      throw error
    }
  }
  process.on('exit', () => {
    if (fresh.size > 0) keep(folder, fresh)
  })
}

function scriptOf(path: string, cachedData: Buffer | undefined): Script {
  const source = BEFORE + readFileSync(path, 'utf8') + AFTER
  // As if nothing stood before the first line, because stacks name its columns.
  return new Script(source, { filename: path, columnOffset: -BEFORE.length, cachedData })
}

/** Undefined where nothing is kept. Throws nothing for what is damaged: that is compiled again. */
function keptIn(path: string): Buffer | undefined {
  try {
    const twice = readFileSync(path)
    const once = twice.subarray(0, twice.length / 2)
    return once.equals(twice.subarray(once.length)) ? once : undefined
  } catch {
    return undefined
  }
}

/**
 * V8 believes what it reads. So a file appears under its name when all of it is on the disk, and has everything twice: to
 * compare takes no time, and Node.js's checksums take longer to load than some commands do.
 */
function keep(folder: string, scripts: ReadonlyMap<string, Script>): void {
  const part = join(folder, `${process.pid}.part`)
  try {
    if (!existsSync(folder)) makeFolder(folder)
    const { setFlagsFromString } = process.getBuiltinModule('node:v8')
    for (const flag of STARTING_FLAGS) setFlagsFromString(flag)
    for (const [path, script] of scripts) {
      const file = openSync(part, 'wx', 0o600)
      try {
        const data = script.createCachedData()
        writeSync(file, Buffer.concat([data, data]))
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(part, path)
    }
  } catch {
    rmSync(part, { force: true })
  }
}

/** Other builds leave nothing behind, unless they may still be in use beside this one. */
function makeFolder(folder: string): void {
  const parent = dirname(folder)
  for (const name of readdirSync(parent).filter((each) => each.startsWith(PREFIX))) {
    const path = join(parent, name)
    if (Date.now() - statSync(path).mtimeMs > OTHERS_MS) rmSync(path, { recursive: true, force: true })
  }
  mkdirSync(folder, { mode: 0o700 })
}
