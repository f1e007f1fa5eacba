import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld, type ProcessResult, type RunOptions } from '../world.ts'
import { failureOf, inProduction, inThisProcess } from './payments.ts'

const JSON_OUTPUT = ['-o', 'json']
const OLDER = { exit: 2, code: 'LEDGER_OLDER', outcome: 'not-sent' }

/** A user's machine with a data folder, whose backup lies in another one. */
async function stage(differences: Partial<StoredProfile> = {}) {
  const gateway = await startFaultGateway()
  const world = await inProduction(emptyWorld(), gateway.url, differences)
  const consent = differences.environment === 'sandbox' ? ['--yes'] : ['--confirm', 'prod']
  const folder = (name: string): RunOptions => ({ env: { PIXGATE_DATA_DIR: join(world.home, name) } })
  const { run } = inThisProcess(world)
  const pay = (name: string, where?: RunOptions, pays = run): Promise<ProcessResult> => {
    const words = ['transfer', '--key', `${name}@example.com`, '--amount', '10', ...consent, ...JSON_OUTPUT]
    return pays(words, where)
  }
  const accept = (where: RunOptions, more: readonly string[] = consent) =>
    run(['history', 'check', '--accept-older', ...more, ...JSON_OUTPUT], where)
  /** Pays one before the backup and one after it. */
  const copyBetween = async (first: string, second: string, name: string) => {
    // Only the end of a process moves all of its writes into this file.
    expect((await pay(first, {}, world.run)).exit).toBe(0)
    mkdirSync(join(world.home, name), { mode: 0o700 })
    copyFileSync(join(world.home, 'data', 'ledger.db'), join(world.home, name, 'ledger.db'))
    expect((await pay(second)).exit).toBe(0)
  }
  return { gateway, world: { ...world, run }, folder, pay, accept, copyBetween }
}

describe('an older copy of the ledger in another folder', () => {
  it('pays nothing until it is accepted, and is a ledger of its own then', async () => {
    const { gateway, world, folder, pay, accept, copyBetween } = await stage()
    await copyBetween('first', 'supplier', 'copy')
    const copy = folder('copy')
    const stopped = failureOf(await pay('supplier', copy))
    expect(stopped).toMatchObject({ ...OLDER, message: expect.stringContaining(join(world.home, 'copy', 'ledger.db')) })
    expect(stopped.details).toMatch(/^This machine has written 4 records, but the ledger holds only 2 of them/)
    const { stdout } = await world.run(['doctor', ...JSON_OUTPUT], copy)
    expect(JSON.parse(stdout).findings).toContainEqual(expect.objectContaining({ name: 'lost records', ok: false }))

    const unconfirmed = [[], ['--yes'], ['--confirm', 'other']]
    for (const words of unconfirmed) {
      expect(failureOf(await accept(copy, words))).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
    }
    const accepted = await accept(copy)
    expect([accepted.exit, JSON.parse(accepted.stdout)]).toMatchObject([0, { accepted: true, lastKnown: 4 }])
    expect((await pay('other', copy)).exit).toBe(0)
    // The file with all records was not replaced, and still holds what the copy lacks.
    expect(failureOf(await pay('supplier'))).toMatchObject({ exit: 2, code: 'REPEAT' })
    expect((await pay('third')).exit).toBe(0)
    expect((await pay('fourth', copy)).exit).toBe(0)
    expect(gateway.ledger).toHaveLength(5)
  })

  it('does not become the newest by charges that are created with it', async () => {
    const { world, folder, pay, copyBetween } = await stage()
    await copyBetween('first', 'supplier', 'copy')
    const create = ['qr', 'create', '--amount', '5', ...JSON_OUTPUT]
    for (const name of ['copy', 'empty']) {
      for (const _charge of [1, 2]) expect((await world.run(create, folder(name))).exit).toBe(0)
      expect(failureOf(await pay('supplier', folder(name)))).toMatchObject(OLDER)
    }
    expect((await pay('third')).exit).toBe(0)
  })

  it('is a warning in a sandbox, and is not taken for the newest one', async () => {
    const { folder, pay, copyBetween } = await stage({ environment: 'sandbox' })
    await copyBetween('first', 'supplier', 'copy')
    for (const name of ['second', 'third']) {
      const { exit, stdout } = await pay(name, folder('copy'))
      const warnings = [
        expect.stringMatching(/^Payment records are missing from .+ In production nothing would be sent$/),
      ]
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { pixgate: { warnings } }])
    }
    expect(JSON.parse((await pay('fourth')).stdout)).toMatchObject({ pixgate: { warnings: [] } })
  })
})

describe('an empty folder beside a ledger that paid', () => {
  it('pays nothing until it is accepted; then neither stops the other', async () => {
    const { gateway, world, folder, pay, accept } = await stage()
    expect((await pay('supplier')).exit).toBe(0)
    const empty = folder('empty')
    const stopped = failureOf(await pay('supplier', empty))
    expect(stopped).toMatchObject({ ...OLDER, message: expect.stringContaining('is new to this account') })
    expect(stopped.details).toContain(join(world.home, 'data'))
    expect(failureOf(await world.run(['history', 'check', ...JSON_OUTPUT], empty))).toMatchObject({
      exit: 1,
      code: 'LEDGER_OLDER',
    })
    expect((await accept(empty)).exit).toBe(0)
    for (const name of ['second', 'third']) {
      expect((await pay(name, empty)).exit).toBe(0)
      expect((await pay(`${name}-here`)).exit).toBe(0)
    }
    expect(gateway.ledger).toHaveLength(5)
  })

  it('is not accepted with a read-only profile', async () => {
    const { world, folder, pay, accept } = await stage()
    expect((await pay('supplier')).exit).toBe(0)
    await world.prepare(['profile', 'edit', 'prod', '--read-only'])
    expect(failureOf(await accept(folder('empty')))).toMatchObject({
      exit: 2,
      message: expect.stringContaining('read-only'),
    })
  })
})
