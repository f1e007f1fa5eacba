import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Owner } from '../../src/ledger/accounts.ts'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import type { HostileOutside } from './hostileOutside.ts'
import { COMPANY } from './hostileParties.ts'

/** Writes every kind of file that a spreadsheet opens, of all runs, with the company in each; their paths. */
export async function formulaFiles(
  { run, batch, world, owner }: HostileOutside,
  runs: readonly string[],
): Promise<string[]> {
  const files: string[] = [batch.excel]
  const path = (name: string) => {
    const file = join(world.home, name)
    files.push(file)
    return file
  }
  await storeCompany(world, owner)
  const reports = runs.map((each) => ['batch', 'report', each])
  for (const words of [...reports, ['history', 'report', '--month', monthOfToday()]]) {
    const { exit, stderr } = await run(...words, '--out', path(`${words.join('-')}.xlsx`))
    expect([words, exit, stderr]).toEqual([words, 0, expect.anything()])
  }
  const listed = await run('history', '--all-rows', '-o', 'csv', '--excel')
  expect(listed.exit).toBe(0)
  writeFileSync(path('history.csv'), listed.stdout)
  return files
}

/** Stores a profile of the account, whose company is in its reports. */
async function storeCompany({ home }: HostileOutside['world'], { baseUrl, clientId }: Owner): Promise<void> {
  const profile: StoredProfile = {
    environment: 'sandbox',
    baseUrl,
    clientId,
    secret: { source: 'stored', value: 'shop-secret' },
    callbackUrl: 'http://127.0.0.1:1/',
    company: COMPANY,
  }
  await changeProfiles(join(home, 'config'), () => ({ active: 'shop', profiles: new Map([['shop', profile]]) }))
}

function monthOfToday(): string {
  return new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo', year: 'numeric', month: '2-digit' }).format()
}
