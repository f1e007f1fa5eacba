import { describe, expect, it } from 'vitest'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { hintOf, messageOf, optionsIn } from './followedHints.ts'
import { inProduction, inThisProcess, paidPayment, TRANSFER } from './payments.ts'

/** A machine whose active profile is a sandbox that is said to be production. */
async function production(profile: Partial<StoredProfile>): Promise<World> {
  const { url } = await sandboxWorld()
  return inThisProcess(await inProduction(emptyWorld(), url, profile))
}

describe('the change of the profile that a hint names cures the case', () => {
  it.each<[title: string, command: string, profile: Partial<StoredProfile>, args: string[]]>([
    ['an amount above the limit', '--max-amount 1500.00', { maxAmountCents: 10_000 }, TRANSFER],
    ['an amount above what is left of the day', '--max-day 1500.00', { maxDayCents: 10_000 }, TRANSFER],
    [
      'a missing callback URL',
      '--callback-url https://shop.example.com/pix',
      { callbackUrl: undefined },
      // Not asked for before: on a terminal the invoice number would be.
      TRANSFER.slice(0, 5),
    ],
    [
      'a wrong secret',
      '--client-secret-stdin',
      { secret: { source: 'stored', value: 'wrong' } },
      ['qr', 'create', '--amount', '1'],
    ],
    ['a wrong secret in doctor', '--client-secret-stdin', { secret: { source: 'stored', value: 'wrong' } }, ['doctor']],
  ])('%s', async (_, options, profile, args) => {
    const world = await production(profile)
    const typed = args[0] === 'transfer' ? [...args, '--confirm', 'prod'] : args
    const failed = await world.run(typed)
    expect(failed.exit).not.toBe(0)
    const command = `pixgate profile edit prod ${options}`
    expect(failed.stdout + failed.stderr).toContain(`\n  ${command}\n`)
    const change = [...command.split(' ').slice(1), '--confirm-host', '127.0.0.1']
    const changed = await world.run(change, { stdin: 'local-secret' })
    expect([changed.exit, messageOf(changed)]).toEqual([0, ''])
    expect(await world.run(typed)).toMatchObject({ exit: 0 })
  })

  it('names the source of a wrong secret that the profile does not keep', async () => {
    const world = await production({ secret: { source: 'env', variable: 'SHOP_SECRET' } })
    const failed = await world.run(['status', crypto.randomUUID()], { env: { SHOP_SECRET: 'wrong' } })
    expect([failed.exit, hintOf(failed)]).toEqual([
      4,
      'Compare `pixgate profile show prod` with the dashboard, then correct the secret at its source: SHOP_SECRET, set by profile prod',
    ])
  })
})

it.each<[given: string[], typed: string[], options: string[]]>([
  [['transfer'], ['maria@example.com', '10'], ['--key maria@example.com', '--amount 10']],
  [['transfer'], ['10,50', '529.982.247-25'], ['--amount 10,50', '--key 529.982.247-25']],
  [['transfer', '--key', 'maria@example.com'], ['10'], ['--amount 10']],
  [['qr', 'create'], ['10'], ['--amount 10']],
])('names the options of what was typed as arguments: %s %s', async (given, typed, options) => {
  const world = inThisProcess(await sandboxWorld())
  const failure = await world.run([...given, ...typed])
  expect([failure.exit, failure.stdout]).toEqual([2, ''])
  const named = optionsIn(hintOf(failure))
  expect(named.map((words) => words.join(' '))).toEqual(options)
  await world.prepare([...given, ...named.flat(), '--yes'])
})

it('names the options of a refund that were typed as arguments', async () => {
  const world = await sandboxWorld()
  const original = await paidPayment(world.url, 25)
  const failure = await world.run(['refund', original, '10', 'ordered twice'])
  expect(hintOf(failure)).toBe("Name the option of each value: `--amount 10`, `--reason 'ordered twice'`")
  await world.prepare(['refund', original, ...optionsIn(hintOf(failure)).flat(), '--yes'])
})
