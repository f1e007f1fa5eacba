import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SHELLS } from '../../src/cli/completion/completion.ts'
import { inLedger } from '../ledger/storedLedger.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { COMPLETIONS } from './completionCases.ts'

it('prints the script for a shell', async () => {
  const ran = await emptyWorld().run(['completion', 'zsh'])
  expect(ran).toEqual({ exit: 0, stdout: readFileSync(join(COMPLETIONS, 'pixgate.zsh'), 'utf8'), stderr: '' })
})

it('describes commands and options in Portuguese, whatever the output', async () => {
  const { run } = emptyWorld({ PIXGATE_LANG: 'pt-BR', PIXGATE_OUTPUT: 'json' })
  const { exit, stdout, stderr } = await run(['completion', 'fish'])
  expect([exit, stderr]).toEqual([0, ''])
  const [english, portuguese] = [readFileSync(join(COMPLETIONS, 'pixgate.fish'), 'utf8'), stdout].map(withDescriptions)
  expect(portuguese?.undescribed).toBe(english?.undescribed)
  expect(portuguese?.descriptions).toContain("'devolve um pagamento recebido, no todo ou em parte'")
  // Sentences; others list values, such as "qr, transfer, refund".
  const sentences = english?.descriptions.filter((text) => text.replaceAll(/[-a-z]+, /g, '').includes(' '))
  expect(sentences?.filter((text) => portuguese?.descriptions.includes(text))).toEqual([])
})

it('names the supported shells', async () => {
  const ran = await emptyWorld().run(['completion', 'tcsh'])
  expect(ran.exit).toBe(2)
  expect(ran.stdout).toBe('')
  for (const shell of SHELLS) expect(ran.stderr).toContain(shell)
})

it('hides the command that the scripts call', async () => {
  const world = emptyWorld()
  expect((await world.run(['--help'])).stdout).not.toContain('__complete')
  expect((await world.run(['complete'])).stderr).not.toContain('__complete')
})

it('lists profiles, and ids with the newest first, but none that a shell would run', async () => {
  const ids = ['first', '$(touch gone)', '--yes', 'last']
  const answers = [...ids]
  const url = await localServer((_, response) => response.end(JSON.stringify({ idTransaction: answers.shift() })))
  const world = emptyWorld({ PIXGATE_BASE_URL: url })
  for (const id of ids) {
    await world.prepare(['qr', 'create', '--amount', '1', `--request-number=order-${ids.indexOf(id)}`])
  }
  expect(await world.prepare(['history', 'export'])).toContain('$(touch gone)')
  const known = ['order-3', 'last', 'order-2', 'order-1', 'order-0', 'first', '']
  expect(await world.run(['__complete', 'ids'])).toEqual({ exit: 0, stdout: known.join('\n'), stderr: '' })
  expect(await world.run(['__complete', 'profiles'])).toEqual({ exit: 0, stdout: 'local\n', stderr: '' })
})

it('waits for another process that closes the ledger', async () => {
  const world = await sandboxWorld()
  // On Node.js 20 a command in this process would keep the ledger open.
  expect((await world.run(['qr', 'create', '--amount', '1', '--request-number=order-1'])).exit).toBe(0)
  const running = await inLedger(world, async (database) => {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
    const started = world.run(['__complete', 'ids'])
    // A slower start of the command makes the test weaker, and never wrong.
    await setTimeout(400)
    database.exec('ROLLBACK')
    return { started }
  })
  expect((await running.started).stdout).toMatch(/^order-1\n/)
})

it.each([
  ['an unknown source', ['__complete', 'secrets'], {}],
  ['nothing recorded', ['__complete', 'ids'], {}],
  ['a bad setting', ['__complete', 'ids'], { PIXGATE_OUTPUT: 'yaml', PIXGATE_TIMEOUT: 'soon' }],
  ['an unreadable data folder', ['__complete', 'ids'], { PIXGATE_DATA_DIR: '/dev/null' }],
])('says nothing at all if there is %s', async (_, words, env) => {
  expect(await emptyWorld(env).run(words)).toEqual({ exit: 0, stdout: '', stderr: '' })
})

it('says nothing if the ledger is damaged', async () => {
  const world = emptyWorld()
  writeFileSync(join(world.home, 'ledger.db'), 'not a ledger\n')
  const ran = await world.run(['__complete', 'ids'], { env: { PIXGATE_DATA_DIR: world.home } })
  expect(ran).toMatchObject({ exit: 0, stdout: '' })
})

/** A script for fish without its descriptions, and those apart. */
function withDescriptions(script: string): { undescribed: string; descriptions: string[] } {
  const description = / -d ('(?:[^'\\]|\\.)*')$/gm
  return {
    undescribed: script.replace(description, ''),
    descriptions: [...script.matchAll(description)].map(([, text = '']) => text),
  }
}
