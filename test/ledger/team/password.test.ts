import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLedgerAddress } from '../../../src/ledger/team/ledgerAddress.ts'
import { readServerPassword } from '../../../src/ledger/team/password.ts'

const ADDRESS = readLedgerAddress('postgres://maria@db.example.com:5433/payments')

/** The password for the address in a file with this text, and what was said about it. */
function passwordFrom(text: string, { mode = 0o600, env = {} }: { mode?: number; env?: Record<string, string> } = {}) {
  const HOME = mkdtempSync(join(tmpdir(), 'pixgate-pgpass-'))
  const PGPASSFILE = join(HOME, 'passwords')
  writeFileSync(PGPASSFILE, text)
  chmodSync(PGPASSFILE, mode)
  const notices: string[] = []
  const password = readServerPassword(ADDRESS, { HOME, PGPASSFILE, ...env }, (line) => notices.push(line))
  return { password, notices }
}

it.each([
  ['db.example.com:5433:payments:maria:secret', 'secret'],
  ['*:*:*:*:secret\r\n', 'secret'],
  ['# *:*:*:*:comment\n\nshort:line\n*:5432:*:*:other port\n*:*:*:maria:first\n*:*:*:*:second', 'first'],
  ['*:*:*:maria:with\\:colon:and \\\\', 'with:colon:and \\'],
  ['*:*:*:mari\\a:escaped', 'escaped'],
  ['*.com:*:*:*:pattern', undefined],
  ['*:*:*:joana:other login', undefined],
  ['*:*:*:*:', undefined],
  ['', undefined],
])('reads the file of passwords as other clients do: %j', (text, password) => {
  expect(passwordFrom(text)).toEqual({ password, notices: [] })
})

it('prefers PGPASSWORD, and falls back on the file in the home folder', () => {
  expect(passwordFrom('*:*:*:*:file', { env: { PGPASSWORD: 'variable' } }).password).toBe('variable')
  const HOME = mkdtempSync(join(tmpdir(), 'pixgate-pgpass-'))
  expect(readServerPassword(ADDRESS, { HOME }, () => undefined)).toBeUndefined()
  writeFileSync(join(HOME, '.pgpass'), '*:*:*:*:home', { mode: 0o600 })
  expect(readServerPassword(ADDRESS, { HOME }, () => undefined)).toBe('home')
})

it('ignores a file that others can read, and one that is no file, and says so', () => {
  const open = passwordFrom('*:*:*:*:secret', { mode: 0o640 })
  expect(open).toEqual({ password: undefined, notices: [expect.stringContaining('other users can read it')] })
  const PGPASSFILE = join(mkdtempSync(join(tmpdir(), 'pixgate-pgpass-')), 'folder')
  mkdirSync(PGPASSFILE)
  const notices: string[] = []
  expect(readServerPassword(ADDRESS, { PGPASSFILE }, (line) => notices.push(line))).toBeUndefined()
  expect(notices).toEqual([expect.stringContaining('not a plain file')])
})

it('ignores a file that the system does not let it look for, and says so', () => {
  const HOME = mkdtempSync(join(tmpdir(), 'pixgate-pgpass-'))
  symlinkSync('.pgpass', join(HOME, '.pgpass'))
  const notices: string[] = []
  expect(readServerPassword(ADDRESS, { HOME }, (line) => notices.push(line))).toBeUndefined()
  expect(notices).toEqual([expect.stringContaining('cannot be read')])
})
