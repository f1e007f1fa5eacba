import { expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'
import { accepted, stamped, writeLedger } from './writtenLedger.ts'

/** Transfers around the edges of November in São Paulo, which is three hours behind. */
function withNovember() {
  const world = inThisProcess(emptyWorld())
  const [a, b, c, d] = [
    accepted({ externalId: 'a', at: '2026-11-01T02:59:59.999Z', amountCents: 100 }),
    accepted({ externalId: 'b', at: '2026-11-01T03:00:00.000Z', amountCents: 200, profile: 'shop', user: 'joao' }),
    accepted({
      externalId: 'c',
      at: '2026-12-01T02:59:59.999Z',
      amountCents: 400,
      run: 'run-1',
      line: 2,
      reference: 'salaries',
      key: 'maria@example.com',
      typeKey: 'email',
      documentValidation: '52998224725',
    }),
    accepted({ externalId: 'd', at: '2026-12-01T03:00:00.000Z', run: 'run-1', line: 3, reference: 'salaries' }),
  ]
  const finding = { type: 'finding', of: 'intent-b', as: 'not-paid', because: 'asked joao@example.com' } as const
  writeLedger(world, [...a, ...b, ...c, ...d, stamped('2026-12-02T12:00:00.000Z', 'maria', finding, 'found')])
  const names = async (words: readonly string[]) => {
    const { exit, stdout } = await world.run(['history', ...words, '-o', 'json'])
    expect(exit).toBe(0)
    return JSON.parse(stdout).map(({ externalId }: { externalId: string }) => externalId)
  }
  return { world, names }
}

it('lists by day and month in São Paulo', async () => {
  const { names } = withNovember()
  expect(await names([])).toEqual(['a', 'b', 'c', 'd'])
  expect(await names(['list', '--month', '2026-11'])).toEqual(['b', 'c'])
  expect(await names(['--month', '2026-12'])).toEqual(['d'])
  expect(await names(['--since', '2026-11-01', '--until', '2026-11-30'])).toEqual(['b', 'c'])
  expect(await names(['--until', '2026-10-31'])).toEqual(['a'])
  expect(await names(['--since', '2026-12-01T00:00:00-03:00'])).toEqual(['d'])
  expect(await names(['--until', '2026-12-01T00:00:00-03:00'])).toEqual(['a', 'b', 'c'])
})

it('lists by everything else, and all wishes must hold', async () => {
  const { names } = withNovember()
  expect(await names(['--reference', 'salaries'])).toEqual(['c', 'd'])
  expect(await names(['--reference', 'a'])).toEqual(['a'])
  expect(await names(['list', '--by', 'joao'])).toEqual(['b'])
  expect(await names(['--for-profile', 'shop'])).toEqual(['b'])
  expect(await names(['--state', 'not-paid'])).toEqual(['b'])
  expect(await names(['--kind', 'refund'])).toEqual([])
  expect(await names(['--kind', 'transfer', '--state', 'accepted', '--month', '2026-11'])).toEqual(['c'])
})

it('says on stderr how many there are and what they come to', async () => {
  const { world } = withNovember()
  const text = await world.run(['history', '--month', '2026-11'])
  expect(text.stderr).toBe('transfer accepted: 1, R$ 4,00\ntransfer not-paid: 1, R$ 2,00\n')
  expect((await world.run(['history', '-o', 'json'])).stderr).toBe('')
  const nothing = await world.run(['history', '--by', 'nobody'])
  expect(nothing).toEqual({
    exit: 0,
    stdout: '',
    stderr: 'Nothing that was asked for from this machine is like that\n',
  })
})

it('masks people in text and CSV, and never in JSON', async () => {
  const { world } = withNovember()
  const fields = ['--reference', 'c', '--fields', 'key,pixgate.owner']
  const out = async (words: readonly string[]) => (await world.run(['history', ...words])).stdout
  expect(await out([...fields, '-o', 'csv'])).toBe('key,pixgate.owner\nm***@example.com,***.982.247-**\n')
  expect(await out([...fields, '-o', 'csv', '--unmask'])).toBe('key,pixgate.owner\nmaria@example.com,52998224725\n')
  expect(JSON.parse(await out([...fields, '-o', 'json']))).toEqual([
    { key: 'maria@example.com', pixgate: { owner: '52998224725' } },
  ])
  expect(await out(['show', 'c'])).toMatch(/\nto {7}m\*\*\*@example\.com\nowner {4}\*\*\*\.982\.247-\*\*\n/)
  expect(await out(['show', 'c', '--unmask'])).toMatch(/\nto {7}maria@example\.com\nowner {4}52998224725\n/)
  expect(await out(['show', 'b'])).toContain('because asked j***@example.com')
})

it('lists the rows of a run', async () => {
  const { world } = withNovember()
  const { stdout, stderr } = await world.run(['history', 'show', 'run-1'])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split('\t')[0])).toEqual(['line', '2', '3'])
  expect(stderr).toBe('transfer accepted: 2, R$ 14,50\n')
  const rows = JSON.parse((await world.run(['history', 'show', 'run-1', '-o', 'json'])).stdout)
  expect(rows).toMatchObject([
    { externalId: 'c', pixgate: { run: 'run-1', line: 2, reference: 'salaries' } },
    { externalId: 'd', pixgate: { run: 'run-1', line: 3 } },
  ])
  expect((await world.run(['history', 'show', 'run-1', '-o', 'csv'])).stdout.split('\n')).toHaveLength(4)
  expect(failureOf(await world.run(['history', 'show', 'run-2', '-o', 'json']))).toMatchObject({ exit: 3 })
})
