import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import type { LedgerAddress } from '../../../src/ledger/team/ledgerAddress.ts'
import { connectServer, initServer } from '../../../src/ledger/team/ledgerServer.ts'
import { LedgerNotReached } from '../../../src/ledger/team/serverErrors.ts'
import { bundled } from '../../bundled.ts'
import { makeCertificates } from '../../gateway/certificates.ts'
import {
  connected,
  itOnPostgres,
  OWNER,
  PASSWORD,
  soon,
  startCopy,
  type TestPostgres,
  withOwnPostgres,
} from '../../postgres.ts'
import { addRecord } from './newRecords.ts'

let postgres: TestPostgres
let database: string
let maria: string

withOwnPostgres(async (started) => {
  postgres = started
  database = await postgres.newLedger()
  maria = await postgres.newLogin('pixgate_member')
})

function refusalOf(login: string, name = database, password = PASSWORD, port = postgres.port): Promise<unknown> {
  return connectServer(postgres.address(login, name, port), { password, deadlineMs: soon() }).then(
    (server) => {
      server.close()
      throw new Error('the server was not refused')
    },
    (error: unknown) => error,
  )
}

describe('the checks before a ledger is used', () => {
  itOnPostgres('lets a member write and an auditor read', async () => {
    const server = await connected(postgres.address(maria, database))
    expect(server.state).toMatchObject({ login: maria, mayWrite: true })
    expect(server.identity.ledger).toBe(await postgres.sql(database, 'SELECT id FROM pixgate.ledger'))
    const auditor = await connected(postgres.address(await postgres.newLogin('pixgate_auditor'), database))
    expect(auditor.state.mayWrite).toBe(false)
    await expect(addRecord(auditor)).rejects.toMatchObject({ exitCode: 2, code: 'LEDGER_LOGIN_REFUSED' })
  })

  itOnPostgres('refuses a login that could change records, directly or through a role', async () => {
    const message = expect.stringMatching(/could change or delete records/)
    expect(await refusalOf(OWNER)).toMatchObject({ exitCode: 2, message })
    const rights = ['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'UPDATE (at)'].map(
      (right) => `GRANT ${right} ON pixgate.record TO`,
    )
    for (const grant of [
      ...rights,
      'GRANT INSERT ON pixgate.ledger TO',
      'GRANT pg_write_all_data TO',
      `GRANT ${OWNER} TO`,
    ]) {
      const role = await postgres.newLogin()
      const member = await postgres.newLogin('pixgate_member')
      // NOINHERIT: only after SET ROLE.
      await postgres.sql(
        database,
        `${grant} ${role}; GRANT ${role} TO ${member};
        ALTER ROLE ${member} NOINHERIT; GRANT CONNECT ON DATABASE ${database} TO ${member}`,
      )
      expect(await refusalOf(member), grant).toMatchObject({ exitCode: 2, message })
    }
    const creator = await postgres.newLogin('pixgate_member')
    await postgres.sql(database, `ALTER ROLE ${creator} CREATEROLE`)
    expect(await refusalOf(creator)).toMatchObject({ exitCode: 2, message })
    const owner = await connectServer(postgres.address(OWNER, database), {
      password: PASSWORD,
      deadlineMs: soon(),
      asOwner: true,
    })
    expect(owner.state.login).toBe(OWNER)
    owner.close()
  })

  itOnPostgres('refuses a database without a ledger, an unknown one, a stranger and a wrong password', async () => {
    await postgres.sql('postgres', `CREATE DATABASE empty`)
    expect(await refusalOf(maria, 'empty')).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('pixgate ledger init'),
    })
    expect(await refusalOf(maria, 'nowhere')).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('no database `nowhere`'),
    })
    expect(await refusalOf(await postgres.newLogin())).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('GRANT pixgate_member'),
    })
    const refused = await refusalOf(maria, database, 'wrong horse')
    expect(refused).toMatchObject({ exitCode: 2, message: expect.stringContaining('refuses the login') })
    expect(JSON.stringify(refused)).not.toContain('wrong horse')
  })

  itOnPostgres.each([1, 2_000_000_000])(
    'refuses a ledger of another build, as `ledger init` does: %i',
    async (digest) => {
      const other = await postgres.newLedger()
      await postgres.sql(other, `UPDATE pixgate.ledger SET schema_version = ${digest}`)
      const refusal = {
        exitCode: 2,
        code: 'LEDGER_OTHER_SCHEMA',
        message: expect.stringContaining(`${other}\` was made by another build of pixgate`),
      }
      expect(await refusalOf(maria, other)).toMatchObject(refusal)
      const initialised = initServer(postgres.address(OWNER, other), { password: PASSWORD, deadlineMs: soon() })
      await expect(initialised).rejects.toMatchObject(refusal)
    },
  )

  itOnPostgres('refuses a standby and a login that may only read', async () => {
    const reader = await postgres.newLogin('pixgate_member')
    await postgres.sql('postgres', `ALTER ROLE ${reader} SET default_transaction_read_only = on`)
    expect(await refusalOf(reader)).toMatchObject({ exitCode: 2, message: expect.stringContaining('only reads') })
    const copy = join(postgres.folder, '..', 'standby')
    const source = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', OWNER]
    await postgres.program('pg_basebackup', [...source, '-D', copy, '-R', '-c', 'fast', '--no-sync'])
    const port = await startCopy(copy)
    expect(await refusalOf(maria, database, PASSWORD, port)).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('it is a standby'),
    })
  })

  itOnPostgres('creates no ledger without the rights for it, or where texts cannot be stored', async () => {
    const init = (login: string, name: string) =>
      initServer(postgres.address(login, name), { password: PASSWORD, deadlineMs: soon() })
    await postgres.sql('postgres', "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    await expect(init(OWNER, 'latin')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('must be UTF8'),
    })
    const stranger = await postgres.newLogin()
    await expect(init(stranger, 'latin')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('cannot hold'),
    })
    await expect(init(maria, database)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('cannot set up'),
    })
    expect(await postgres.sql('latin', "SELECT count(*) FROM pg_namespace WHERE nspname = 'pixgate'")).toBe('0')
  })

  itOnPostgres('reports a server that is gone', async () => {
    const refused = await refusalOf(maria, database, PASSWORD, 1)
    expect(refused).toBeInstanceOf(LedgerNotReached)
    expect(refused).toMatchObject({ exitCode: 6, code: 'LEDGER_NOT_REACHED' })
  })
})

/** What another process says about a connection, with these variables. */
async function connectedElsewhere(to: LedgerAddress, env: Record<string, string>): Promise<string> {
  const module = await bundled('ledger/team/ledgerServer.ts')
  const script = `const { connectServer } = await import('${pathToFileURL(module)}')
    try {
      const server = await connectServer(${JSON.stringify(to)}, { password: '${PASSWORD}', deadlineMs: performance.now() + 15000 })
      const { protocol, validUntilMs } = server.encryption
      console.log(server.state.login, protocol, validUntilMs > Date.now())
      server.close()
    } catch (error) {
      console.log(error.exitCode, error.details.join())
    }`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  return stdout + stderr
}

itOnPostgres('needs TLS beyond this machine, with a name that is verified, whatever variables say', async () => {
  // The server is on this machine; the client is told that it is not.
  const login = await postgres.newLogin('pixgate_member')
  const address = { ...postgres.address(login, database), isLoopback: false }
  const connecting = () => connectServer(address, { password: PASSWORD, deadlineMs: soon() })
  await expect(connecting()).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('does not offer TLS'),
  })

  const certificates = makeCertificates()
  const cert = postgres.writeFile('server.pem', certificates.right.cert)
  const key = postgres.writeFile('server.key', certificates.right.key)
  const rules = [
    `hostssl all ${login} all scram-sha-256`,
    `host all ${login} all reject`,
    'host all all all scram-sha-256',
  ]
  postgres.writeFile('pg_hba.conf', `${rules.join('\n')}\n`)
  for (const setting of ['ssl = on', `ssl_cert_file = '${cert}'`, `ssl_key_file = '${key}'`]) {
    await postgres.sql('postgres', `ALTER SYSTEM SET ${setting}`)
  }
  await postgres.restart()
  await expect(connecting()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('not trusted') })
  await expect(
    connectServer({ ...address, isLoopback: true }, { password: PASSWORD, deadlineMs: soon() }),
  ).rejects.toMatchObject({
    exitCode: 2,
    details: [expect.stringContaining('no encryption'), expect.anything()],
  })

  // Each of these changes something for the package or for libpq.
  const variables = {
    ...{
      PGSSL: 'false',
      PGSSLMODE: 'disable',
      PGSSLNEGOTIATION: 'direct',
      PGTARGETSESSIONATTRS: 'standby',
      PGOPTIONS: '-c x',
    },
    ...{
      PGHOST: 'nowhere.invalid',
      PGPORT: '1',
      PGUSER: 'nobody',
      PGDATABASE: 'nothing',
      PGPASSWORD: 'wrong',
      PGAPPNAME: '',
    },
    ...{
      PGCONNECT_TIMEOUT: '0.001',
      PGIDLE_TIMEOUT: '0.001',
      PGMAX_LIFETIME: '0.001',
      PGDEBUG: 'true',
      PGPREPARE: 'true',
      PGMAX: '9',
    },
  }
  expect(await connectedElsewhere(address, { ...variables, NODE_EXTRA_CA_CERTS: certificates.caPath })).toBe(
    `${address.user} TLSv1.3 true\n`,
  )
  const otherHost = { ...address, host: 'localhost' }
  const unchecked = {
    ...variables,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
    NODE_EXTRA_CA_CERTS: certificates.caPath,
  }
  expect(await connectedElsewhere(otherHost, unchecked)).toMatch(/^2 System error ERR_TLS_CERT_ALTNAME_INVALID/)
  certificates.remove()
})
