import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const LINES_MAX = 300

/** From the lowest layer to the highest; a module imports from layers below its own, or from its own folder. */
const LAYERS: readonly (readonly string[])[] = [
  ['programInfo.ts', 'text'],
  ['pix'],
  ['wire'],
  ['views', 'schemas'],
  ['storage', 'processGroup.ts'],
  ['profiles', 'terminal'],
  ['ledger', 'gateway', 'sandbox', 'spreadsheet'],
  ['payments'],
  ['batch', 'listener', 'reconcile'],
  ['inspector'],
  ['context.ts', 'folders.ts', 'ids.ts', 'optionParsers.ts', 'settings.ts'],
  ['commands'],
  ['cli', 'demo', 'library'],
  ['main.ts'],
]
/** The layers that do no input or output. */
const PURE = 4

interface SourceFile {
  path: string
  text: string
  /** Paths below src of the project's own modules that it imports. */
  imports: string[]
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map(readSource)

function readSource(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')
  const imports = specifiers.map((specifier) => relative(SRC, resolve(SRC, path, '..', specifier)))
  return { path, text, imports }
}

function folder(path: string): string {
  return path.split('/')[0] ?? path
}

function layerOf(path: string): number {
  return LAYERS.findIndex((folders) => folders.includes(folder(path)))
}

function isAllowed(from: string, to: string): boolean {
  if (folder(from) === folder(to) || layerOf(to) < layerOf(from)) return true
  if (layerOf(to) !== layerOf(from)) return false
  // The demo runs the command tree, which holds it.
  const isDemo = [folder(from), folder(to)].every((each) => each === 'cli' || each === 'demo')
  return isDemo || folder(from).endsWith('.ts') || folder(to).endsWith('.ts')
}

function offenders(pattern: RegExp, allowed: readonly string[]): string[] {
  return files.filter(({ path, text }) => !allowed.includes(path) && pattern.test(text)).map(({ path }) => path)
}

it('has a layer for every source file', () => {
  expect(files.filter(({ path }) => layerOf(path) === -1).map(({ path }) => path)).toEqual([])
})

it('imports only from lower layers', () => {
  const upwards = files.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} -> ${to}`),
  )
  expect(upwards).toEqual([])
})

it('keeps the sandbox apart from the client: it imports only pure layers', () => {
  const crossing = files
    .filter(({ path }) => folder(path) === 'sandbox')
    .flatMap(({ path, imports }) =>
      imports.filter((to) => layerOf(to) >= PURE && folder(to) !== 'sandbox').map((to) => [path, to]),
    )
  expect(crossing).toEqual([])
})

it('uses the process, the clock and random numbers only in main and context', () => {
  const reach =
    /(?:^|[^\w.$`'])process\.(?:env|argv|pid|exit|on|stdin|stdout|stderr|getuid|emitWarning|platform|kill|cwd|nextTick)\b|\bconsole\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/
  // SQLite's loader drops one warning of Node.js, and a private folder is one of this user.
  const allowed = [
    'ids.ts',
    'context.ts',
    'main.ts',
    'processGroup.ts',
    'library/sandbox.ts',
    'storage/sqlite.ts',
    'storage/privateFolder.ts',
  ]
  expect(offenders(reach, allowed)).toEqual([])
})

it('lets only src/payments make the requests that move money', () => {
  const makers = files.filter(({ text }) => /\b(?:refundRequest|transferRequest)\(/.test(text)).map(({ path }) => path)
  expect(makers.filter((path) => folder(path) !== 'payments' && path !== 'gateway/requests.ts')).toEqual([])
})

it('does no input or output in pure layers', () => {
  const pure = files.filter(({ path }) => layerOf(path) < PURE)
  const impure = /from 'node:(?!crypto'|util'|zlib')/
  expect(pure.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([])
})

it('has no command that imports another', () => {
  const commands = new Set(files.filter(({ text }) => / = defineCommand\(/.test(text)).map(({ path }) => path))
  const importing = files
    .filter(({ path }) => folder(path) === 'commands')
    .flatMap(({ path, imports }) => imports.filter((to) => commands.has(to)).map((to) => `${path} -> ${to}`))
  expect(importing).toEqual([])
})

it('has no file that is too long', () => {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const paths = [...files.map(({ path }) => join('src', path)), ...tests.map((path) => join('test', path))]
  const long = paths.filter((path) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1 > LINES_MAX)
  expect(long).toEqual([])
})

it('names files for what they hold', () => {
  const vague = /(?:^|\/)(?:utils?|helpers?|common|types|misc|index)(?:\.|\/)/
  expect(files.filter(({ path }) => vague.test(path)).map(({ path }) => path)).toEqual([])
})
