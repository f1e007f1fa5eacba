import { existsSync, fstatSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { keepCompiledChunks } from './compiledChunks.ts'
import { cacheFolder } from './folders.ts'
import { DEFECT_EXIT, HELP_FLAGS, helpColumns, VERSION, VERSION_FLAGS } from './front.ts'
import { writeAtOnce } from './terminal/outputChannel.ts'

/** What completion scripts call; the program does not know it, and whoever calls it wants no words. */
const COMPLETE = '__complete'

/** Another for each other bundle; the build writes it. */
declare const BUILD: string

void main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<void> {
  const program = await neededProgram(argv).catch((error: unknown) => fail('pixgate cannot be started', error))
  await program?.runProcess()
}

/** What is asked for most often is answered without the program, whose loading would take most of the time. */
async function neededProgram(argv: readonly string[]): Promise<typeof import('./process.ts') | undefined> {
  const text = await quickAnswer(argv)
  if (text !== undefined && (isWritten(text) || argv[0] === COMPLETE)) return undefined
  keepCompiled()
  return import('./process.ts')
}

/** One line, because what Node.js would print is for who writes programs. */
function fail(what: string, error: unknown): undefined {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
  process.exitCode = DEFECT_EXIT
  process.stderr.on('error', () => undefined)
  process.stderr.write(`error: ${what}: ${reason}\n`)
}

/** The program as it was compiled once is there at once. */
function keepCompiled(): void {
  const parent = compiledFolder()
  if (parent === undefined) return
  keepCompiledChunks({ parent, build: BUILD, chunks: join(import.meta.dirname, 'chunks') })
}

/** Undefined where it cannot be made, or is not this user's own: whoever writes there runs code. */
function compiledFolder(): string | undefined {
  try {
    const parent = cacheFolder()
    // Without a home it would stand in the current folder.
    if (!isAbsolute(parent)) return undefined
    const folder = join(parent, 'compiled')
    // One by one, because the recursive form of `mkdir` tries for ever below /proc.
    for (const each of [dirname(parent), parent, folder]) if (!existsSync(each)) mkdirSync(each, 0o700)
    return isOwnFolder(parent) && isOwnFolder(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/** False for a link, too. Windows tells neither owners nor modes. Throws the system's error. */
function isOwnFolder(path: string): boolean {
  const facts = lstatSync(path)
  if (!facts.isDirectory()) return false
  return process.platform === 'win32' || (facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0)
}

/** Undefined for a command line that needs the program. */
async function quickAnswer(argv: readonly string[]): Promise<string | undefined> {
  const [first = HELP_FLAGS[0], second = ''] = argv
  if (first === COMPLETE) {
    keepCompiled()
    return (await import('./candidates.ts')).candidates(second, process.env)
  }
  if (argv.length > 1) return undefined
  if (VERSION_FLAGS.includes(first)) return `${VERSION}\n`
  return HELP_FLAGS.includes(first) ? helpPage() : undefined
}

/** The page as the build has drawn it for a pipe; undefined for a terminal of another width, and during the build. */
function helpPage(): string | undefined {
  if (fstatSync(1).isCharacterDevice() && helpColumns(process.stdout.columns) !== helpColumns(undefined))
    return undefined
  try {
    return readFileSync(join(import.meta.dirname, 'help.txt'), 'utf8')
  } catch {
    return undefined
  }
}

/** False where nothing could be written. Loading the stream of standard output takes longer than this. */
function isWritten(text: string): boolean {
  const bytes = Buffer.from(text)
  const written = writeAtOnce(1, bytes)
  if (written === 0) return false
  if (written === bytes.length) return true
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') fail('standard output cannot be written', error)
  })
  process.stdout.write(bytes.subarray(written))
  return true
}
