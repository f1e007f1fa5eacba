import { expect, it } from 'vitest'
import { formatInstant } from '../../src/pix/calendar.ts'
import { emptyWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { writeCharge, writeEvent, writeTransfer } from './sentPayments.ts'

/** Transfers around the edges of November in São Paulo, which is three hours behind. */
async function withNovember() {
  const world = inThisProcess(emptyWorld())
  const salaries = (line: number) => ({ run: 'run-1', line, reference: 'salaries', isDerivedId: false })
  await writeTransfer(world, { externalId: 'a', at: '2026-11-01T02:59:59.999Z', facts: { amountCents: 100 } })
  await writeTransfer(world, {
    externalId: 'b',
    at: '2026-11-01T03:00:00.000Z',
    user: 'joao',
    owner: { profile: 'shop' },
    facts: { amountCents: 200, key: 'joao@example.com' },
    answer: { outcome: 'refused', code: 'NO_FUNDS', message: 'too little for joao@example.com', idTransaction: null },
  })
  await writeTransfer(world, {
    externalId: 'c',
    at: '2026-12-01T02:59:59.999Z',
    facts: { amountCents: 400, documentValidation: '52998224725' },
    place: salaries(2),
  })
  await writeTransfer(world, { externalId: 'd', at: '2026-12-01T03:00:00.000Z', place: salaries(3) })
  const names = async (words: readonly string[]) => {
    const { exit, stdout, stderr } = await world.run(['history', ...words, '-o', 'json'])
    expect([exit, stderr]).toEqual([0, ''])
    return JSON.parse(stdout).map(({ externalId }: { externalId: string }) => externalId)
  }
  return { world, names }
}

it('lists by day and month in São Paulo, in every form in which dates are printed', async () => {
  const { names } = await withNovember()
  expect(await names([])).toEqual(['a', 'b', 'c', 'd'])
  for (const month of ['2026-11', '11/2026']) expect(await names(['list', '--month', month])).toEqual(['b', 'c'])
  for (const day of ['2026-11-01', '01/11/2026']) expect(await names(['--day', day])).toEqual(['b'])
  expect(await names(['--since', '2026-11-01', '--until', '30/11/2026'])).toEqual(['b', 'c'])
  expect(await names(['--until', '2026-10-31'])).toEqual(['a'])
  expect(await names(['--since', '2026-12-01T00:00:00-03:00'])).toEqual(['d'])
  expect(await names(['--until', '2026-12-01T00:00:00-03:00'])).toEqual(['a', 'b', 'c'])
  for (const time of ['23:59:59 BRT', '23:59:59 (horário de Brasília)', '23:59:59 (São Paulo)', '23:59']) {
    expect(await names(['--since', `30/11/2026 ${time}`, '--until', '30/11/2026 23:59:59'])).toEqual(['c'])
  }
  expect(await names(['--since', '1/11/2026', '--until', '30/11/2026'])).toEqual(['b', 'c'])
  expect(await names(['--day', '1/11/2026'])).toEqual(['b'])
})

it('takes a day without a year as the newest one, in filters and in searches', async () => {
  const world = inThisProcess(emptyWorld())
  const yesterdayMs = Date.now() - 24 * 60 * 60 * 1000
  const [day = '', time = ''] = formatInstant(yesterdayMs).split(' ')
  const [date, month] = day.split('/')
  const at = new Date(yesterdayMs).toISOString()
  await writeTransfer(world, { externalId: 'x', at, facts: { amountCents: 2500 } })
  await writeTransfer(world, { externalId: 'y', at: '2024-02-29T12:00:00Z', facts: { amountCents: 2500 } })
  const names = async (...words: string[]) =>
    JSON.parse((await world.run(['history', ...words, '-o', 'json'])).stdout).map(
      ({ externalId }: { externalId: string }) => externalId,
    )
  for (const words of [
    [`${date}/${month} 25`],
    [`${Number(date)}/${Number(month)}`, '25'],
    ['25 ontem maria'],
    [`${date}/${month} ${time.slice(0, 5)}`],
    [`R$ 25, ${day} ${time} BRT, maria`],
    [`R$ 25 ${at}`],
  ]) {
    expect([words, await names('find', ...words)]).toEqual([words, ['x']])
  }
  expect(await names('--day', `${date}/${month}`)).toEqual(['x'])
  expect(await names('--since', `${date}/${month} ${time.slice(0, 5)}`)).toEqual(['x'])
  expect(await names('find', '29/02/2024 09:00')).toEqual(['y'])
  // There is no such day, so it is looked for as a word.
  expect(await names('find', '31/02 25')).toEqual([])
  expect(await names('find', '31/02 10:00 25')).toEqual([])
})

it('lists by everything else, and all filters must match', async () => {
  const { names } = await withNovember()
  expect(await names(['--reference', 'salaries'])).toEqual(['c', 'd'])
  expect(await names(['--reference', 'a'])).toEqual(['a'])
  expect(await names(['list', '--by', 'joao'])).toEqual(['b'])
  expect(await names(['--for-profile', 'shop'])).toEqual(['b'])
  expect(await names(['--state', 'refused'])).toEqual(['b'])
  expect(await names(['--kind', 'refund'])).toEqual([])
  expect(await names(['--kind', 'transfer', '--state', 'accepted', '--month', '2026-11'])).toEqual(['c'])
  expect(await names(['--amount', '4,00'])).toEqual(['c'])
  expect(await names(['--min', '2', '--max', 'R$ 4,00'])).toEqual(['b', 'c'])
  expect(await names(['--key', 'MARIA@example.com', '--limit', '2'])).toEqual(['c', 'd'])
  expect(await names(['--document', '529.982.247-25'])).toEqual(['c'])
})

it('finds by names without accents, by keys, documents, ids, amounts and days', async () => {
  const { world, names } = await withNovember()
  await writeCharge(world, { requestNumber: 'order-9', at: '2026-11-22T12:00:00Z', facts: { payer: 'José Conceição' } })
  const data = {
    idTransaction: 'id-d',
    externalId: 'd',
    value: 10.5,
    destinationName: 'Ana Souza',
    destinationTaxId: '111.444.777-35',
  }
  await writeEvent(world, '2026-12-01T03:00:09.000Z', {
    event: 'transfer.completed',
    data: { ...data, status: 'PAID_OUT' },
  })
  const found = async (...words: string[]) => names(['find', ...words])
  const orders = JSON.parse((await world.run(['history', 'find', 'jose', 'CONCEICAO', '-o', 'json'])).stdout)
  expect(orders).toMatchObject([{ requestNumber: 'order-9' }])
  expect(await found('joao')).toEqual(['b'])
  expect(await found('souza')).toEqual(['d'])
  expect(await found('11144477735')).toEqual(['d'])
  expect(await found('salaries', '30/11/2026')).toEqual(['c'])
  expect(await found('R$ 10,50, 01/12/2026, Ana')).toEqual(['d'])
  expect(await found('4')).toEqual(['c'])
  expect(await found('nobody')).toEqual([])
  expect(await names(['--name', 'ana souza'])).toEqual(['d'])
  expect(await names(['--name', 'salaries'])).toEqual([])
})

it('keeps sandbox and production apart, and says when others would match', async () => {
  const { world, names } = await withNovember()
  const owner = { environment: 'production', baseUrl: 'https://gateway.example', profile: 'prod' } as const
  await writeTransfer(world, { externalId: 'real', at: '2026-11-05T12:00:00Z', owner, facts: { amountCents: 800 } })
  expect(await names(['--month', '2026-11'])).toEqual(['b', 'c'])
  const all = await world.run(['history', '--month', '2026-11', '--all'])
  expect(all.stdout.split('\n').map((line) => line.split('\t')[1])).toEqual([
    'environment',
    'sandbox',
    'production',
    'sandbox',
    undefined,
  ])
  expect(all.stderr.split('\n')).toEqual([
    'production, https://gateway.example, client id local',
    '  transfer accepted: 1, R$ 8,00',
    'sandbox, http://127.0.0.1:4010, client id local',
    '  transfer refused: 1, R$ 2,00',
    '  transfer accepted: 1, R$ 4,00',
    '',
  ])
  const none = await world.run(['history', '--amount', '8'])
  expect([none.exit, none.stdout]).toEqual([0, ''])
  expect(none.stderr).toContain('Add `--all` to list the payments of other accounts and environments that match: 1')
})

it('prints counts and sums on stderr', async () => {
  const { world } = await withNovember()
  const text = await world.run(['history', '--month', '2026-11'])
  expect(text.stderr).toBe('transfer refused: 1, R$ 2,00\ntransfer accepted: 1, R$ 4,00\n')
  expect((await world.run(['history', '-o', 'json'])).stderr).toBe('')
})

it('masks keys and documents in every format of a list, and formats them where they are whole', async () => {
  const { world } = await withNovember()
  const fields = ['--reference', 'c', '--fields', 'key,pixgate.owner,payee']
  const out = async (words: readonly string[]) => (await world.run(['history', ...words])).stdout
  const header = 'key,pixgate.owner,pixgate.payee\n'
  expect(await out([...fields, '-o', 'csv'])).toBe(`${header}m***@example.com,***.982.247-**,m***@example.com\n`)
  expect(await out([...fields, '-o', 'csv', '--unmask'])).toBe(
    `${header}maria@example.com,52998224725,maria@example.com\n`,
  )
  expect(JSON.parse(await out([...fields, '-o', 'json']))).toEqual([
    { key: 'm***@example.com', pixgate: { owner: '***.982.247-**', payee: 'm***@example.com' } },
  ])
  expect(JSON.parse(await out([...fields, '-o', 'json', '--unmask']))).toEqual([
    { key: 'maria@example.com', pixgate: { owner: '52998224725', payee: 'maria@example.com' } },
  ])
  expect(await out([...fields, '--unmask'])).toContain('\nmaria@example.com\t529.982.247-25\t')
  expect(await out(['show', 'c'])).toMatch(/\nto +maria@example\.com\nowner +529\.982\.247-25\n/)
  expect(await out(['show', 'b'])).toMatch(
    /\nreason +The account has too little money \(NO_FUNDS\)\n +The gateway says: too little for joao@example\.com\n/,
  )
})

it('takes the names of columns and JSON paths as fields, and names the nearest for an unknown one', async () => {
  const { world } = await withNovember()
  const csv = await world.run(['history', '--reference', 'c', '-o', 'csv', '--fields', 'name,externalId,amount'])
  expect(csv.stdout).toBe('pixgate.name,externalId,amount\nc,c,4\n')
  const unknown = await world.run(['history', '--fields', 'payer'])
  expect([unknown.exit, unknown.stdout]).toEqual([2, ''])
  expect(unknown.stderr).toBe('error: `--fields`: there is no field `payer`\nhint: Did you mean `payee`?\n')
})

it('reports that nothing was sent until there is a payment', async () => {
  const ran = await inThisProcess(emptyWorld()).run(['history'])
  expect(ran).toEqual({ exit: 0, stdout: '', stderr: 'No payment is recorded yet\n' })
})

it('writes a CSV for a Brazilian spreadsheet: local times, decimal commas, digits as text', async () => {
  const { world } = await withNovember()
  const { exit, stdout } = await world.run(['history', '--month', '11/2026', '-o', 'csv', '--excel'])
  expect([exit, stdout.startsWith('\ufeff"date";"kind";"state";"amount";')]).toEqual([0, true])
  const rows = stdout.split('\r\n').slice(1, -1)
  expect(rows.map((row) => row.split(';').slice(0, 4))).toEqual([
    ['"01/11/2026 00:00:00"', '"transfer"', '"refused"', '"2,00"'],
    ['"30/11/2026 23:59:59"', '"transfer"', '"accepted"', '"4,00"'],
  ])
  const picked = ['--fields', 'date,amount,pixgate.event.at,key', '-o', 'csv', '--excel']
  const found = await world.run(['history', 'find', 'maria', '--month', '11/2026', ...picked])
  expect(found.stdout).toBe(
    '\ufeff"date";"amount";"at";"key"\r\n"30/11/2026 23:59:59";"4,00";"";"m***@example.com"\r\n',
  )
  const refused = await world.run(['history', '--excel'])
  expect([refused.exit, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('-o csv')
})
