import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BINARY, emptyWorld } from '../world.ts'

/** Any bytes can be a body. */
const BODY = join(import.meta.dirname, 'chunks.test.ts')

/** Preloaded code that writes down, at the end, what files the process has loaded. */
const LISTING = `process.on('exit', () =>
  require('node:fs').writeFileSync(process.env.LOADED, Object.keys(require.cache).join('\\n')))`

/** The packages that the files which a command line loads have code of, and the parts of this program. */
async function sourcesLoadedBy(args: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-chunks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const preload = join(folder, 'listing.cjs')
  const loaded = join(folder, 'loaded')
  writeFileSync(preload, LISTING)
  await emptyWorld({ NODE_OPTIONS: `--require ${preload}`, LOADED: loaded }).run(args)
  const files = readFileSync(loaded, 'utf8')
    .split('\n')
    .filter((file) => file.startsWith(join(dirname(BINARY), '..', 'dist')) && existsSync(`${file}.map`))
  expect(files).not.toEqual([])
  return files.flatMap(sourcesOf)
}

function sourcesOf(file: string): string[] {
  return JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources
}

/** The parts that take long to load. */
const COSTLY = /\/node_modules\/(?:undici|cli-table3|conf|@inquirer|csv-parse|pngjs|qr|qrcode-terminal)\//

test.each([
  [['--version']],
  [['--help']],
  [['__complete', '--', '-p', '']],
  [['__complete', '--', 'status', '']],
  [['webhook', 'verify', '--body', BODY, '--signature', '00']],
  [['qr', 'decode', '00020126']],
])('%j loads no part that it does not use', async (args) => {
  const sources = await sourcesLoadedBy(args)
  expect(sources.filter((source) => COSTLY.test(source))).toEqual([])
})

test('a Tab loads neither the parser nor a command', async () => {
  const sources = await sourcesLoadedBy(['__complete', '--', 'transfer', '--'])
  expect(sources.filter((source) => /\/commander\/|\/src\/commands\/|\/src\/ledger\//.test(source))).toEqual([])
})

test('a command that calls the gateway loads the client of undici and nothing else of it', async () => {
  const sources = await sourcesLoadedBy([
    'status',
    'b7e9a4a7-8a3b-4c6a-9f5e-0a2b3c4d5e6f',
    '--base-url',
    'http://127.0.0.1:1',
  ])
  const undici = sources.filter((source) => source.includes('/node_modules/undici/'))
  expect(undici).toContainEqual(expect.stringContaining('lib/dispatcher/client.js'))
  expect(undici.filter((source) => /undici\/index|\/lib\/(?:mock|cache|interceptor)\//.test(source))).toEqual([])
})
