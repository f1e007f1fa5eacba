import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { carriedOut } from '../cli/payments.ts'
import { start } from '../gateway/running.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'

const ROWS = 60
const TOTAL_CENTS = (ROWS * (ROWS + 1) * 100) / 2
const FAILING_ADDRESS = 'http://127.0.0.1:9'

/** A payroll whose owners the sandbox's own directory would refuse, and whose callback URL must not be called. */
function payroll(world: World, callbackUrl: string, rows = ROWS): string {
  const path = join(world.home, 'payroll.csv')
  const lines = Array.from({ length: rows }, (_, row) => `p${row}@example.com,${row + 1},11144477735,${callbackUrl}`)
  writeFileSync(path, `chave,value,documentValidation,callbackUrl\n${lines.join('\n')}\n`)
  return path
}

/** Where temporary files go, so that a test sees what is left of them. */
function temporary(world: World): { TMPDIR: string } {
  const folder = join(world.home, 'tmp')
  mkdirSync(folder)
  return { TMPDIR: folder }
}

function left({ TMPDIR }: { TMPDIR: string }): string[] {
  return readdirSync(TMPDIR).filter((name) => name.startsWith('pixgate-'))
}

it('plays a run with lost answers and kills, and leaves nothing behind', { timeout: 60_000 }, async () => {
  const world = await sandboxWorld({}, { PIXGATE_PROFILE: '' })
  const env = temporary(world)
  const file = payroll(world, `${world.url}/hook`)
  const map = ['--map', 'key=chave']
  const ran = await world.run(['batch', 'transfer', file, ...map, '--rehearse', '--seed', '7', '-o', 'json'], { env })
  expect(ran).toMatchObject({ exit: 0, stderr: '' })
  const verdict = JSON.parse(ran.stdout)
  expect(verdict).toMatchObject({
    type: 'rehearsal',
    rows: ROWS,
    fileRows: ROWS,
    paidOnce: ROWS,
    paidTwice: 0,
    missing: 0,
    totalCents: TOTAL_CENTS,
    paidCents: TOTAL_CENTS,
    seed: 7,
    passed: true,
  })
  expect(verdict.faults).toBeGreaterThan(0)
  expect(verdict.kills).toBeGreaterThan(0)
  expect(left(env)).toEqual([])
  expect(existsSync(join(world.home, 'data'))).toBe(false)
  expect(existsSync(join(world.home, 'config'))).toBe(false)
  expect((await carriedOut(world.url)).transfers).toEqual([])
  const real = await world.json(['batch', 'transfer', file, ...map, '--dry-run'])
  expect(verdict.fingerprint).toBe(real.fingerprint)
})

it('says all the time that no money moves, and sends the first rows only if asked', {
  timeout: 60_000,
}, async () => {
  const world = emptyWorld({ PIXGATE_BASE_URL: FAILING_ADDRESS })
  const stdin = 'key;value\nana@example.com;1,50\nrui@example.com;2\nlia@example.com;3\n'
  const line = ['batch', 'transfer', '-', '--reference=-march', '--rehearse', '--limit', '2']
  const ran = await world.run(line, { stdin, env: temporary(world) })
  expect(ran.exit, ran.stderr).toBe(0)
  expect(ran.stdout).toMatch(/rows +2 of 3\n/)
  expect(ran.stdout).toMatch(/total +R\$ 3,50 in the file, R\$ 3,50 paid\n/)
  const words = ran.stderr.trimEnd().split('\n')
  expect(words[0]).toBe('This is a rehearsal: no money moves, and nothing leaves this machine')
  expect(words.slice(1, -1).every((each) => /rehearsal/i.test(each))).toBe(true)
  expect(existsSync(join(world.home, 'data'))).toBe(false)
})

it.each(['SIGINT', 'SIGTERM'] as const)('clears everything away at a %s', { timeout: 60_000 }, async (signal) => {
  const world = emptyWorld({ PIXGATE_BASE_URL: FAILING_ADDRESS })
  const env = temporary(world)
  const file = payroll(world, 'http://127.0.0.1:9/', 1000)
  const line = ['batch', 'transfer', file, '--map', 'key=chave', '--rehearse', '--rate', '20/s']
  const rehearsal = start(world, line, env)
  await rehearsal.said('killed (1 of 10)')
  expect(left(env)).toHaveLength(1)
  rehearsal.signal(signal)
  const ran = await rehearsal.ended
  expect(ran.exit).toBe(signal === 'SIGINT' ? 130 : 143)
  expect(ran.stderr).toContain('error: The rehearsal was interrupted; no money moved')
  expect(left(env)).toEqual([])
})

it.each([
  ['transfer', ['--rehearse', '--dry-run'], '`--rehearse` and `--dry-run` cannot be combined'],
  ['transfer', ['--rehearse', '--results', 'r.csv'], '`--rehearse` and `--results` cannot be combined'],
  ['transfer', ['--rehearse', '--seed', '-1'], '`-1` is not a valid value for `--seed`'],
  ['transfer', ['--seed', '1'], '`--seed` requires `--rehearse`'],
  ['refund', ['--rehearse'], '`pixgate batch refund` has no option `--rehearse`'],
])('refuses batch %s %j', async (kind, options, words) => {
  const world = emptyWorld()
  const ran = await world.run(['batch', kind, payroll(world, 'http://127.0.0.1:9/'), ...options])
  expect(ran).toMatchObject({ exit: 2, stdout: '' })
  expect(ran.stderr).toContain(`error: ${words}\n`)
})

it('refuses to rehearse a file with faults', async () => {
  const world = emptyWorld()
  const env = temporary(world)
  const line = ['batch', 'transfer', '-', '--reference', 'march', '--rehearse', '--json']
  const ran = await world.run(line, { stdin: 'key,value\nnobody,1\n', env })
  expect(ran).toMatchObject({ exit: 2, stdout: '' })
  expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 'USAGE', faults: [{ line: 2, column: 'key' }] })
  expect(left(env)).toEqual([])
})
