import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyWorld } from './world.ts'

const ROOT = join(import.meta.dirname, '..')
/** The surface of the last version that was released; there is none before the first release. */
const RELEASED = join(ROOT, '.surface.released')

async function surface(): Promise<string> {
  const { exit, stdout, stderr } = await emptyWorld().run(['--surface'])
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  return stdout
}

/** What is no longer there and not named in the notes of the next version, the first chapter of a changelog. */
function unexplained(released: string, current: string, changelog: string): string[] {
  const [, next = ''] = changelog.split(/^## /m)
  const lines = new Set(current.split('\n'))
  return released.split('\n').filter((line) => !lines.has(line) && !next.includes(`\`${line}\``))
}

// `npm run surface` updates the file.
it('is the committed one, so that a change of it shows in a review', async () => {
  await expect(await surface()).toMatchFileSnapshot(join(ROOT, '.surface'))
})

it('names each command, argument and option once, in the order of code points', async () => {
  const lines = (await surface()).trimEnd().split('\n')
  expect(lines).toEqual([...new Set(lines)].sort())
  for (const line of [
    'pixgate -p, --profile <name>',
    'pixgate -h, --help',
    'pixgate transfer --key <key>',
    'pixgate refund <original-id>',
    'pixgate status --wait [duration]',
    'pixgate sandbox exec --env <name>',
    'pixgate batch',
  ]) {
    expect(lines).toContain(line)
  }
  // Refused, with a better message than that of an unknown option.
  expect(lines).not.toContain('pixgate profile add --client-secret <secret>')
})

it('loses nothing that was released, unless the changelog names it for the next version', async () => {
  const released = existsSync(RELEASED) ? readFileSync(RELEASED, 'utf8') : ''
  expect(unexplained(released, await surface(), readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'))).toEqual([])
})

it.each([
  ['nothing is missing', 'pixgate a --b\n', []],
  ['an option is missing', 'pixgate a --b\npixgate a --c\n', ['pixgate a --c']],
  ['what is missing is named', 'pixgate a --b\npixgate a --d\n', []],
  ['what is missing was named for an earlier version', 'pixgate a --b\npixgate a --e\n', ['pixgate a --e']],
])('%s', (_, released, expected) => {
  const changelog = '# Changelog\n\n## 2.0.0\n\n- `pixgate a --d` is gone\n\n## 1.0.0\n\n- `pixgate a --e` is gone\n'
  expect(unexplained(released, 'pixgate a --b\n', changelog)).toEqual(expected)
})
