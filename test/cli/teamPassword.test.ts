import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itOnPostgres, PASSWORD, type TestPostgres, withPostgres } from '../postgres.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import type { World } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'
import { startTeam } from './teamDesks.ts'

/** The environment without a password, which a desk of the tests has. */
const NONE = { PGPASSWORD: '' }
/** The same, where no program is found. */
const NO_KEYCHAIN = { ...NONE, PATH: '' }

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

function storedPassword(world: World): unknown {
  const { ledgers = [] } = JSON.parse(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8'))
  return ledgers[0]?.password
}

itOnPostgres(
  'keeps where the password comes from, replaces it by joining again, and gives it to no program',
  async () => {
    const team = await startTeam(postgres)
    const desk = inThisProcess(await team.newDesk())
    const words = ['ledger', 'join', desk.ledger]
    const refused = failureOf(await desk.run([...words, '-o', 'json'], { env: NONE }))
    expect(refused).toMatchObject({ exit: 2, code: 'LEDGER_LOGIN_REFUSED' })
    expect(refused.message).toContain(`asks for the password of \`${desk.login}\``)

    await desk.prepare([...words, '--ledger-password-stdin'], { env: NONE, stdin: `${PASSWORD}\n` })
    expect(storedPassword(desk)).toEqual({ source: 'stored', value: PASSWORD })
    expect(await desk.json(['ledger', 'show'], { env: NONE })).toMatchObject({ behind: 0 })

    // A password that the server refuses leaves the earlier one.
    const wrong = await desk.run([...words, '--ledger-password-env', 'DB'], { env: { ...NONE, DB: 'wrong' } })
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('refuses the login')])
    expect(storedPassword(desk)).toMatchObject({ source: 'stored' })

    await desk.prepare([...words, '--ledger-password-env', 'DB'], { env: { ...NONE, DB: PASSWORD } })
    expect(storedPassword(desk)).toEqual({ source: 'env', variable: 'DB' })
    await desk.prepare([...words, '--ledger-password-command', `echo '${PASSWORD}'`], { env: NONE })
    // Nothing new is said: the source stays.
    await desk.prepare(words, { env: NONE })
    expect(storedPassword(desk)).toMatchObject({ source: 'command' })
    expect(await desk.json(['ledger', 'show'], { env: NONE })).toMatchObject({ behind: 0 })

    const bin = join(desk.home, 'bin')
    mkdirSync(bin)
    const tool = `#!/bin/sh
env >> '${desk.home}/seen'
case "$1$5" in store*) cat > '${desk.home}/kept' ;; lookup*) cat '${desk.home}/kept' ;; esac`
    writeFileSync(join(bin, 'secret-tool'), tool)
    chmodSync(join(bin, 'secret-tool'), 0o755)
    if (process.platform !== 'linux') return
    const env = { PGPASSWORD: 'of-another-server', PIXGATE_PREVIOUS_CLIENT_SECRET: 'an-earlier-secret' }
    const PATH = `${bin}:${desk.env.PATH}`
    await desk.prepare([...words, '--ledger-password-keychain'], { env: { ...env, PATH }, stdin: PASSWORD })
    expect(storedPassword(desk)).toEqual({ source: 'keychain', entry: expect.stringMatching(/^ledger-/) })
    expect(await desk.json(['ledger', 'show'], { env: { ...env, PATH } })).toMatchObject({ behind: 0 })
    const seen = readFileSync(join(desk.home, 'seen'), 'utf8')
    expect(seen).toContain('HOME=')
    expect(seen).not.toMatch(/of-another-server|an-earlier-secret/)
  },
)

itOnTerminal('asks for the password if the server does, and only then', async ({ skip }) => {
  if (postgres === undefined) skip()
  const team = await startTeam(postgres)
  const desk = await team.newDesk()
  const typing = onTerminal(desk, ['ledger', 'join', desk.ledger], { env: NO_KEYCHAIN })
  await typing.shows(`Password of ${desk.login} for the shared ledger`)
  typing.press(`${PASSWORD}\r`)
  const joined = await typing.ended
  expect([joined.exit, joined.screen]).toEqual([0, expect.stringContaining('uses the shared ledger')])
  expect(joined.screen).not.toContain(PASSWORD)
  expect(storedPassword(desk)).toEqual({ source: 'stored', value: PASSWORD })

  const trusted = await team.newDesk()
  const rules = join(postgres.folder, 'pg_hba.conf')
  postgres.writeFile('pg_hba.conf', `host all ${trusted.login} 127.0.0.1/32 trust\n${readFileSync(rules, 'utf8')}`)
  await postgres.sql('postgres', 'SELECT pg_reload_conf()')
  const { exit, screen } = await onTerminal(trusted, ['ledger', 'join', trusted.ledger], { env: NONE }).ended
  expect([exit, screen]).toEqual([0, expect.not.stringContaining('Password')])
})
