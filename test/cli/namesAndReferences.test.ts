import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { failureOf, inThisProcess } from './payments.ts'

/** A charge of Maria's and two invoices that were paid from a file. */
async function withPayments() {
  const world = inThisProcess(await sandboxWorld())
  const charge = ['--amount', '25', '--request-number', 'order-1', '--payer-name', 'Maria Clara2']
  const { idTransaction } = await world.json(['qr', 'create', ...charge])
  const file = csvIn(world, 'suppliers.csv', 'key,value,NF', [
    'ana@example.com,10.5,NF 12',
    'jonas@example.com,30.3,NF 13',
  ])
  await world.prepare(['batch', 'transfer', file, '--yes'])
  return { world, charge: String(idTransaction) }
}

it('takes a name for no id, and says how to find it', async () => {
  const { world } = await withPayments()
  const refund = ['refund', 'maria', '--amount', '1', '--reason', 'x', '--yes']
  for (const words of [
    refund,
    ['status', 'maria'],
    ['status', 'Ana Souza'],
    ['status', 'loja 7'],
    ['status', 'clara2'],
    ['status', 'Jos\u00e9'],
    ['resume', 'maria'],
  ]) {
    const failure = failureOf(await world.run([...words, '-o', 'json']))
    expect(failure).toMatchObject({ exit: 2, hint: expect.stringContaining('pixgate history find') })
  }
  // Any other word may be an id that only the gateway knows.
  expect(failureOf(await world.run(['status', 'joaozinho', '-o', 'json'])).exit).toBe(1)
})

it('takes a reference as lists show it where a payment is named, and lists several', async () => {
  const { world, charge } = await withPayments()
  expect(await world.json(['history', 'show', 'nf 12'])).toMatchObject({ key: 'ana@example.com', amount: 10.5 })
  expect(await world.json(['status', 'NF 13'])).toMatchObject({ key: 'jonas@example.com' })
  expect(await world.json(['history', 'show', 'order-1'])).toMatchObject({ idTransaction: charge })
  const again = csvIn(world, 'more.csv', 'key,value,NF', ['eva@example.com,7,NF 12'])
  await world.prepare(['batch', 'transfer', again, '--yes'])
  const failure = failureOf(await world.run(['history', 'show', 'NF 12', '-o', 'json']))
  expect(failure).toMatchObject({ exit: 2, message: '`NF 12` names 2 payments' })
})

it('calls a payment in a list to choose from as lists of payments do', async () => {
  const { world, charge } = await withPayments()
  await world.prepare(['sandbox', 'pay', charge])
  await world.prepare(['refund', charge, '--amount', '3', '--reason', 'late', '--yes'])
  const listed = JSON.parse(await world.prepare(['history', '-o', 'json'])) as { pixgate: { ownReference: string } }[]
  const picker = onTerminalHere(world, ['status'], { columns: 200, env: { TERM: 'dumb' } })
  await picker.shows('Which payment?')
  const lines = picker.written().split(/[\r\n]+/)
  const references = lines.flatMap((line) =>
    /^ +\d+ +\d\d\/\d\d/.test(line) ? line.replace(/ \(.*/, '').trim().split(/ {2,}/).at(-1) : [],
  )
  expect(references.sort()).toEqual(listed.map(({ pixgate }) => pixgate.ownReference).sort())
  expect(references).toEqual(['NF 12', 'NF 13', 'order-1', 'order-1'])
})

it('finds what is asked for as it is said, and names the word that excludes everything', async () => {
  const { world } = await withPayments()
  for (const words of ['Maria paid 25 reais today', 'a Maria pagou R$ 25,00 hoje', 'maria 25 reais']) {
    expect(
      (await world.json(['history', 'find', ...words.replace('a Maria', 'Maria').split(' ')])) as unknown,
    ).toHaveLength(1)
  }
  const nothing = await world.run(['history', 'find', 'Maria', 'paid', '25', 'yesterday'])
  expect(nothing.stderr).toContain('without `yesterday`: 1\n')
})
