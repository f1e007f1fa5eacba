import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const LINES_MAX = 300

/** From the lowest floor to the highest; a module imports from floors below its own, or from its own folder. */
const FLOORS: readonly (readonly string[])[] = [
  ['programInfo.ts', 'text'],
  ['pix'],
  ['wire'],
  ['views'],
  ['locks'],
  ['profiles', 'timeline', 'terminal'],
  ['gateway', 'sandbox'],
  ['money', 'receiver'],
  ['ids.ts', 'context.ts', 'folders.ts', 'settings.ts'],
  ['commands'],
  ['cli', 'demo'],
  ['main.ts'],
]
/** The command tree holds the demo, and the demo runs command lines. */
const SAME_FLOOR_DOORS = [
  ['cli', 'demo'],
  ['demo', 'cli'],
]

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

function room(path: string): string {
  return path.split('/')[0] ?? path
}

function floorOf(path: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room(path)))
}

function isAllowed(from: string, to: string): boolean {
  if (room(from) === room(to) || floorOf(to) < floorOf(from)) return true
  if (floorOf(to) !== floorOf(from)) return false
  const isSingleFile = room(from).endsWith('.ts') || room(to).endsWith('.ts')
  return isSingleFile || SAME_FLOOR_DOORS.some(([user, used]) => room(from) === user && room(to) === used)
}

function offenders(pattern: RegExp, allowed: readonly string[]): string[] {
  return files.filter(({ path, text }) => !allowed.includes(path) && pattern.test(text)).map(({ path }) => path)
}

it('has every source file on a floor', () => {
  expect(files.filter(({ path }) => floorOf(path) === -1).map(({ path }) => path)).toEqual([])
})

it('opens doors downwards only', () => {
  const upwards = files.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} -> ${to}`),
  )
  expect(upwards).toEqual([])
})

it('keeps the sandbox and the receiver apart from the client', () => {
  const crossing = files
    .filter(({ path }) => room(path) === 'sandbox')
    .flatMap(({ path, imports }) =>
      imports.filter((to) => floorOf(to) > 3 && room(to) !== 'sandbox').map((to) => [path, to]),
    )
  expect(crossing).toEqual([])
})

it('reaches the process, the clock and chance in main and context only', () => {
  const reach = /\bprocess\.(?!versions)|\bconsole\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/
  expect(offenders(reach, ['ids.ts', 'context.ts', 'main.ts'])).toEqual([])
})

it('lets only src/money make the requests that move money', () => {
  const makers = files.filter(({ text }) => /\b(?:refundRequest|transferRequest)\(/.test(text)).map(({ path }) => path)
  expect(makers.filter((path) => room(path) !== 'money' && path !== 'gateway/requests.ts')).toEqual([])
})

it('does no input or output on the pure floor', () => {
  const pure = files.filter(({ path }) => floorOf(path) <= 3)
  const impure = /from 'node:(?!crypto'|util'|zlib')/
  expect(pure.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([])
})

it('has no command that imports another', () => {
  const commands = new Set(files.filter(({ text }) => / = defineCommand\(/.test(text)).map(({ path }) => path))
  const importing = files
    .filter(({ path }) => room(path) === 'commands')
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
