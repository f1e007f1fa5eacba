import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { expect, it } from 'vitest'
import { LIST_START, listPayments } from '../../src/ledger/paymentList.ts'
import { memoryLedger } from '../ledger/memoryLedger.ts'
import { BINARY, emptyWorld, NODE } from '../world.ts'

const NO_LOGIN = 4_294_967_295
/** Users of every Linux. */
const [DAEMON, BIN] = [1, 2]

/** Runs a program in a session that this user began, as `sudo` and `su` leave it. */
function inSessionOf(login: number, env: Record<string, string>, program: readonly string[]) {
  const script = `echo ${login} > /proc/self/loginuid && exec "$@"`
  return spawnSync('sh', ['-c', script, 'sh', ...program], { env, encoding: 'utf8' })
}

function canChangeLogin(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const env = { PATH: process.env.PATH ?? '' }
  return [BIN, NO_LOGIN].every(
    (login) => inSessionOf(login, env, ['cat', '/proc/self/loginuid']).stdout === String(login),
  )
}

it('records the person who logged in behind a shared account', (context) => {
  if (!canChangeLogin()) {
    console.warn('SKIPPED: only root on Linux can begin sessions of other users')
    return context.skip()
  }
  const { env } = emptyWorld()
  const { username, uid } = userInfo()
  const sessions: [login: number, sudo: Record<string, string>, user: string][] = [
    [BIN, {}, `${username} (bin)`],
    // The kernel knows better than a variable.
    [BIN, { SUDO_USER: 'mallory', SUDO_UID: String(DAEMON) }, `${username} (bin)`],
    [uid, { SUDO_USER: 'mallory', SUDO_UID: String(DAEMON) }, username],
    [4242, { SUDO_USER: 'mallory', SUDO_UID: String(DAEMON) }, `${username} (uid 4242)`],
    [4242, { SUDO_USER: 'maria', SUDO_UID: '4242' }, `${username} (maria)`],
    [NO_LOGIN, {}, username],
    [NO_LOGIN, { SUDO_USER: 'maria' }, `${username} (maria)`],
    [NO_LOGIN, { SUDO_USER: 'mallory', SUDO_UID: String(BIN) }, `${username} (bin)`],
    [NO_LOGIN, { SUDO_USER: 'a)\u202eb' }, username],
  ]
  for (const [index, [login, sudo]] of sessions.entries()) {
    const account = ['--base-url', 'http://127.0.0.1:1', '--client-id', 'c', '--client-secret-env', 'S']
    const program = [NODE, BINARY, 'profile', 'add', `p${index}`, ...account]
    const { status, stderr } = inSessionOf(login, { ...env, ...sudo }, program)
    expect(status, stderr).toBe(0)
  }
  const exported = inSessionOf(NO_LOGIN, env, [NODE, BINARY, 'history', 'export']).stdout
  const users = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).user)
  expect(users).toEqual(sessions.map(([, , user]) => user))
})

it('finds the payments of a person under both names', async () => {
  const ledger = await memoryLedger()
  for (const user of ['finance', 'finance (maria)', 'finance (mariana)', 'maria', 'mariana']) {
    ledger.user = user
    ledger.attempt(undefined, { externalId: user })
  }
  const countBy = (user: string) => listPayments(ledger.database, { user }, LIST_START, 5, 10).length
  expect(['maria', 'finance', 'finance (maria)', 'mari', 'nobody'].map(countBy)).toEqual([2, 3, 1, 0, 0])
})
