import { afterAll, expect, it } from 'vitest'
import { emptyWorld, type ProcessResult, sandboxWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, control, failureOf, inProduction, inThisProcess, paidPayment } from './payments.ts'
import { people, planned } from './planPeople.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')
const KEY = 'new@example.com'
const CONFIRM = ['--confirm', 'prod', '-o', 'json']

/** True for a refusal by a rule; a missing confirmation is another one. */
function isRefusal(ran: ProcessResult): boolean {
  if (ran.exit !== 2) return false
  const { code, outcome } = failureOf(ran)
  return code !== 'CONFIRMATION_REQUIRED' && outcome === 'not-sent'
}

/** Every way to pay a key, begun before the account has a rule: what must be refused once it has, and how to try it. */
async function doorsTo(key: string, world: World, url: string) {
  const pay = (id: string, amount: string) => ['transfer', '--key', key, '--amount', amount, '--external-id', id]
  await control(url, 'fault', { kind: 'drop-after', on: 'transfer' })
  await world.run([...pay('lost', '1'), ...CONFIRM])
  await control(url, 'fault', { kind: 'drop-after', on: 'transfer' })
  const lost = await world.run(['batch', 'transfer', csvIn(world, 'lost.csv', 'key,value', [`${key},2`]), ...CONFIRM])
  const run = JSON.parse(lost.stdout.trim().split('\n').at(-1) ?? '').run
  const single = await planned(world, pay('planned', '3'), maria)
  const file = csvIn(world, 'planned.csv', 'key,value', [`${key},4`])
  const batch = await planned(world, ['batch', 'transfer', file], maria, 'batch.json')
  for (const plan of [single, batch])
    await world.prepare(['plan', 'approve', plan, '--ssh-key', joao.file, '--confirm', 'prod'])
  const again = csvIn(world, 'again.csv', 'key,value', [`${key},6`])
  return new Map<string, readonly string[]>([
    ['transfer', pay('again', '5')],
    ['transfer --dry-run', [...pay('again', '5'), '--dry-run']],
    ['transfer --plan', [...pay('again', '5'), '--plan', `${world.home}/late.json`, '--ssh-key', maria.file]],
    ['batch', ['batch', 'transfer', again]],
    ['batch --dry-run', ['batch', 'transfer', again, '--dry-run']],
    ['batch --plan', ['batch', 'transfer', again, '--plan', `${world.home}/late2.json`, '--ssh-key', maria.file]],
    ['resume', ['resume', 'lost']],
    ['--retry', ['transfer', '--retry', 'lost']],
    ['resume of a run', ['resume', run]],
    ['plan send', ['plan', 'send', single]],
    ['plan send of a batch', ['plan', 'send', batch]],
    ['another profile', [...pay('again', '5'), '-p', 'other']],
    ['variables', pay('again', '5')],
  ])
}

it.each([
  ['--payees-only', ['--payees-only']],
  ['--payee-wait', ['--payee-wait', '24h']],
])('%s holds through every door, and no refund is concerned', async (rule, words) => {
  const { url } = await sandboxWorld()
  const world = inThisProcess(await inProduction(emptyWorld({ OTHER_SECRET: 'local-secret' }), url))
  if (rule === '--payee-wait') await world.prepare(['payee', 'add', 'recent', '--key', KEY])
  const other = ['--base-url', url, '--client-id', 'local', '--client-secret-env', 'OTHER_SECRET', '--no-test']
  const callback = ['--callback-url', 'http://127.0.0.1:1/']
  await world.prepare(['profile', 'add', 'other', '--environment', 'production', ...other, ...callback])
  const doors = await doorsTo(KEY, world, url)
  const original = await paidPayment(url, 10)
  await world.prepare(['profile', 'edit', 'prod', ...words])
  const variables = {
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: 'local',
    PIXGATE_CLIENT_SECRET: 'local-secret',
    PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/',
  }
  const wrong: Record<string, unknown> = {}
  for (const [door, line] of doors) {
    const env = door === 'variables' ? variables : {}
    const confirm = door === 'another profile' ? 'other' : door === 'variables' ? '127.0.0.1' : 'prod'
    const isPlanned = line.includes('--plan')
    const ran = await world.run([...line, ...(isPlanned ? [] : ['--confirm', confirm]), '-o', 'json'], { env })
    // Of a run that is resumed, the row is not sent, and stays unknown.
    if (door === 'resume of a run' ? ran.exit === 5 : isRefusal(ran)) continue
    wrong[door] = ran
  }
  expect(wrong).toEqual({})
  expect((await carriedOut(url)).transfers.map(({ value }) => value)).toEqual([1, 2])
  await world.prepare(['refund', original, '--amount', '10', '--reason', 'returned', ...CONFIRM])
  expect((await carriedOut(url)).refunds).toHaveLength(1)
})
