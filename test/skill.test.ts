import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isSpecifiedCode } from '../src/wire/errorCodes.ts'
import { lacksArgument, unknownWord, wordsOf } from './commandTree.ts'
import { here } from './inProcess.ts'
import { emptyWorld } from './world.ts'

const SKILL = readFileSync(join(import.meta.dirname, '../skills/pixgate/SKILL.md'), 'utf8')
/** What a program says that works for an agent, to the programs that it starts. */
const AGENT = { AGENT: '1', AI_AGENT: '1', CLAUDECODE: '1', CURSOR_AGENT: '1', CODEX_SANDBOX: '1', GEMINI_CLI: '1' }

/** The command lines of the skill as words; those that run inside a sandbox are lines of their own. */
function commandLines(): string[][] {
  const fences = [...SKILL.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, fence = '']) => fence.trim().split('\n'))
  const inline = [...SKILL.matchAll(/`(pixgate [^`]+)`/g)].map(([, line = '']) => line)
  return [...fences, ...inline]
    .map((line) => line.replace(/\s+#.*$/, ''))
    .flatMap((line) => [line, ...line.split(/(?= pixgate )/).slice(1)])
    .map((line) => wordsOf(line.trim()))
}

it('teaches an agent only commands that exist, with what they require', () => {
  const lines = commandLines()
  expect(lines.length).toBeGreaterThan(30)
  expect(lines.filter((words) => unknownWord(words) !== undefined || lacksArgument(words))).toEqual([])
})

it('teaches an agent nothing that decides about money', () => {
  const forbidden = [
    '--confirm',
    '--again',
    '--in-addition-to',
    '--include-unknown',
    '--despite-chargeback',
    '--confirm-host',
    'settle',
    'plan approve',
    'plan send',
  ]
  expect(forbidden.filter((word) => SKILL.includes(word))).toEqual([])
  const answered = SKILL.split('\n').filter((line) => /--yes|\s-y\b/.test(line))
  expect(answered.filter((line) => !line.startsWith('pixgate sandbox exec '))).toEqual([])
})

it('names error codes that exist', () => {
  const table = SKILL.slice(SKILL.indexOf('| code | meaning |'))
  const codes = [...table.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code)
  const own = ['OUTCOME_UNKNOWN', 'REPEAT', 'OVER_LIMIT', 'APPROVAL_REQUIRED', 'CONFIRMATION_REQUIRED']
  expect(codes.filter((code) => !isSpecifiedCode(code))).toEqual(own)
})

it('asks an agent for the same consent as everybody', async () => {
  const world = emptyWorld()
  const run = here(world)
  const add = ['profile', 'add', 'prod', '--base-url', 'https://gateway.example', '--client-id', 'shop']
  await world.prepare([...add, '--callback-url', 'https://shop.example', '--client-secret-stdin'], {
    stdin: 'a-production-secret',
  })
  const transfer = ['transfer', '--key', 'maria@example.com', '--amount', '1', '--external-id', 'i-1', '--yes']
  const [other, agent] = [await run(transfer), await run(transfer, { env: AGENT })]
  expect(other.exit).toBe(2)
  expect(other.stderr).toContain('--confirm')
  expect(agent).toEqual(other)
})
