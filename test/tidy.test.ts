import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
/** A file that is no longer than this, and has one user in its folder, is part of its user's subject. */
const SMALL_LINES = 60

/** The layers as CONTRIBUTING.md lists them, from the highest to the lowest: which folders and files are in each, and whether it is pure. */
const LAYERS = [
  ...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/^\| (`src\/[^|]*) \| ([^|]*) \|$/gm),
].map(([, where = '', purpose = '']) => ({
  folders: [...where.matchAll(/`src\/([\w.]+)\/?`/g)].map((match) => match[1] ?? ''),
  isPure: purpose.startsWith('pure: '),
}))

interface SourceFile {
  path: string
  text: string
  /** Paths below src of the project's own modules that it imports, types included, at once or with `import()`. */
  imports: string[]
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map(readSource)

function readSource(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), 'utf8')
  const imports = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)]
    .map((match) => relative(SRC, resolve(SRC, path, '..', match[1] ?? '')))
    .filter((imported) => imported !== '../package.json')
  return { path, text, imports }
}

function folder(path: string): string {
  return path.split('/')[0] ?? path
}

/** Its number from above, as the list is written; -1 if no layer has it. */
function layerOf(path: string): number {
  return LAYERS.findIndex(({ folders }) => folders.includes(folder(path)))
}

function isPure(path: string): boolean {
  return LAYERS[layerOf(path)]?.isPure === true
}

function isAllowed(from: string, to: string): boolean {
  if (folder(from) === folder(to) || layerOf(to) > layerOf(from)) return true
  return layerOf(to) === layerOf(from) && (folder(from).endsWith('.ts') || folder(to).endsWith('.ts'))
}

/** A module that imports itself through others, at once or with `import()`, and the modules between, if there is one. */
function findCircle(): string[] | undefined {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const follow = (path: string, above: readonly string[]): string[] | undefined => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const imported of importsOf.get(path) ?? []) {
      const circle = follow(imported, [...above, path])
      if (circle !== undefined) return circle
    }
    done.add(path)
    return undefined
  }
  for (const { path } of files) {
    const circle = follow(path, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

function offenders(pattern: RegExp, allowed: readonly string[]): string[] {
  return files.filter(({ path, text }) => !allowed.includes(path) && pattern.test(text)).map(({ path }) => path)
}

it('has a layer for every source file', () => {
  expect(LAYERS.length).toBeGreaterThan(8)
  expect(files.filter(({ path }) => layerOf(path) === -1).map(({ path }) => path)).toEqual([])
})

it('imports only from lower layers', () => {
  const upwards = files.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} -> ${to}`),
  )
  expect(upwards).toEqual([])
})

it('has no circle of imports', () => {
  expect(findCircle()).toBeUndefined()
})

it('writes SQL in src/ledger, and elsewhere only in the files that CONTRIBUTING.md names', () => {
  const sql =
    /['"`\s(](?:SELECT (?:\w+[ ,.(]|\*)|INSERT (?:OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE (?:TABLE|INDEX)|PRAGMA \w)/
  const writers = files.filter(({ path, text }) => folder(path) !== 'ledger' && sql.test(text)).map(({ path }) => path)
  const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const owners = [...guide.matchAll(/^- `src\/([^`]+)`: /gm)].map(([, path = '']) => path)
  // The connection itself begins and ends transactions.
  expect(writers.filter((path) => path !== 'storage/sqlite.ts').sort()).toEqual(owners.sort())
  expect(owners.length).toBeLessThanOrEqual(8)
})

it('keeps the sandbox apart from the client: it imports only pure layers', () => {
  const crossing = files
    .filter(({ path }) => folder(path) === 'sandbox')
    .flatMap(({ path, imports }) =>
      imports.filter((to) => !isPure(to) && folder(to) !== 'sandbox').map((to) => [path, to]),
    )
  expect(crossing).toEqual([])
})

it('uses the process, the clock and random numbers only in main and context', () => {
  const reach =
    /(?:^|[^\w.$`'])process\.(?:env|argv|pid|exit|on|stdin|stdout|stderr|getuid|emitWarning|platform|kill|cwd|nextTick)\b|\bconsole\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/
  // Node.js read further certificates at its start, SQLite's loader drops one warning of Node.js, a private folder is one of this user, who may have no account, and conf goes by a variable.
  const allowed = [
    'ids.ts',
    'context.ts',
    'main.ts',
    'processGroup.ts',
    'systemUser.ts',
    'library/sandbox.ts',
    'gateway/connections.ts',
    'storage/sqlite.ts',
    'storage/privateFolder.ts',
    'profiles/changeProfiles.ts',
  ]
  expect(offenders(reach, allowed)).toEqual([])
})

it('lets only src/payments make the requests that move money', () => {
  const makers = files.filter(({ text }) => /\b(?:refundRequest|transferRequest)\(/.test(text)).map(({ path }) => path)
  expect(makers.filter((path) => folder(path) !== 'payments' && path !== 'gateway/requests.ts')).toEqual([])
})

it('does no input or output in pure layers', () => {
  const pure = files.filter(({ path }) => isPure(path))
  const impure = /from 'node:(?!async_hooks'|crypto'|util'|zlib')/
  expect(pure.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([])
})

it('reads and writes no files in views', () => {
  const views = files.filter(({ path }) => folder(path) === 'views')
  expect(views.length).toBeGreaterThan(20)
  expect(views.filter(({ text }) => /from 'node:/.test(text)).map(({ path }) => path)).toEqual([])
})

it('has no texts for people in src/ledger but those of failures that it throws', () => {
  const speaking = files.filter(({ path, text }) => folder(path) === 'ledger' && /\bt`/.test(text))
  expect(speaking.map(({ path }) => path).sort()).toEqual([
    'ledger/copies.ts',
    'ledger/ledgerFile.ts',
    'ledger/refusedRecords.ts',
    'ledger/stop.ts',
    'ledger/team/ledgerAddress.ts',
    'ledger/team/ledgerServer.ts',
    'ledger/team/password.ts',
    'ledger/team/repairCopy.ts',
    'ledger/team/serverErrors.ts',
    'ledger/witness.ts',
  ])
})

it('has no command that imports another', () => {
  const commands = new Set(files.filter(({ text }) => /[=:] defineCommand\(/.test(text)).map(({ path }) => path))
  const importing = files
    .filter(({ path }) => folder(path) === 'commands')
    .flatMap(({ path, imports }) => imports.filter((to) => commands.has(to)).map((to) => `${path} -> ${to}`))
  expect(importing).toEqual([])
})

it('exports nothing that no other file uses', () => {
  const others = ['test', 'scripts', 'bench'].flatMap((name) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[tj]s$/.test(path) && !path.includes('node_modules'))
      .map((path) => readSource(join('..', name, path))),
  )
  const users = [...files, ...others].map(({ imports, text }) => ({ imports, words: new Set(text.match(/\w+/g)) }))
  const unused = files
    .filter(({ path }) => folder(path) !== 'library')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)]
        .filter(([, name = '']) => !users.some(({ imports, words }) => imports.includes(path) && words.has(name)))
        .map(([, name]) => `${path}: ${name}`),
    )
  expect(unused).toEqual([])
})

it('has no small file that only one other file of its folder uses: it belongs to that subject', () => {
  const satellites = files.filter(({ path, text }) => {
    const [user, ...others] = files.filter(({ imports }) => imports.includes(path))
    if (user === undefined || others.length > 0 || dirname(user.path) !== dirname(path)) return false
    const isLazy = new RegExp(`import\\(\\s*'\\./${basename(path)}'`).test(user.text)
    return !isLazy && text.split('\n').length <= SMALL_LINES
  })
  // The worker is a program of its own; its user needs the type of its answers.
  expect(satellites.map(({ path }) => path)).toEqual(['diagnosis/diagnosisWorker.ts'])
})

it('names files for what they hold', () => {
  const vague = /(?:^|\/)(?:utils?|helpers?|common|types|misc|index)(?:\.|\/)/
  expect(files.filter(({ path }) => vague.test(path)).map(({ path }) => path)).toEqual([])
})
