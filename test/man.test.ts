import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manPages } from '../src/cli/help/manPage.ts'
import { emptyWorld } from './world.ts'

const FOLDER = join(import.meta.dirname, '..', 'man')
const hasMandoc = spawnSync('mandoc', ['-V']).error === undefined
if (!hasMandoc) process.stderr.write('\n!!! SKIPPED: mandoc is not installed, so the man pages are not checked\n\n')

const pages = await manPages()

// `npm run man` updates the pages, and their list in package.json.
it.each([...pages])('has an up-to-date page %s', async (name, text) => {
  await expect(text).toMatchFileSnapshot(join(FOLDER, `${name}.1`))
})

it('has no page of a command that does not exist', () => {
  expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].map((name) => `${name}.1`).sort())
})

// Neither npm 10 nor npm 11 installs a page of a packed file through `directories.man`, or through a pattern in `man`.
it('names every page in package.json, so that npm installs it', async () => {
  const path = join(FOLDER, '..', 'package.json')
  const description = JSON.parse(readFileSync(path, 'utf8'))
  const man = [...pages.keys()].map((name) => `man/${name}.1`).sort()
  await expect(`${JSON.stringify({ ...description, man }, null, 2)}\n`).toMatchFileSnapshot(path)
})

it.runIf(hasMandoc)('has no page that mandoc complains about', () => {
  const files = readdirSync(FOLDER).map((name) => join(FOLDER, name))
  const { status, stdout, stderr } = spawnSync('mandoc', ['-Tlint', ...files], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})

it.runIf(hasMandoc)('shows text as it was written', () => {
  const { stdout } = spawnSync('mandoc', ['-Tutf8', '-Owidth=200', join(FOLDER, 'pixgate.1')], { encoding: 'utf8' })
  // Printers strike letters several times to make them bold.
  const shown = stdout.replace(/.\u0008/g, '')
  for (const text of ["'R$ 1.234,56'", '-p, --profile <name>', 'São Paulo', '130', 'PIXGATE_DATA_DIR']) {
    expect(shown).toContain(text)
  }
})

describe('help --man', () => {
  it.each([
    [['help', '--man'], 'pixgate'],
    [['help', '--man', 'qr', 'create'], 'pixgate-qr-create'],
    [['help', 'transfer', '--man'], 'pixgate-transfer'],
    [['help', '--man', 'keys'], 'pixgate'],
    [['help', '--man', 'help'], 'pixgate-help'],
  ])('%j', async (args, name) => {
    const stdout = readFileSync(join(FOLDER, `${name}.1`), 'utf8')
    expect(await emptyWorld().run(args)).toEqual({ exit: 0, stdout, stderr: '' })
  })
})
