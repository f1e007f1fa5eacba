import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, failureOf, inThisProcess, paidPayment } from './payments.ts'
import { writeEvent } from './sentPayments.ts'

const HEADER = 'key;value;nome;externalId'
const ROWS = [
  'padaria@example.com;20;Padaria do Zé;padaria',
  'joao@example.com;10,50;João da Silva Ltda.;joao',
  'ana@example.com;5;Ana;ana',
  'rui@example.com;7;-;rui',
]
const AT = '2026-11-21T12:00:03.000Z'

/** A run of four transfers, of which the gateway's events name the first as another person, and the second and fourth. */
async function namedRun(): Promise<{ world: World & { url: string }; run: string }> {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', HEADER, ROWS)
  const ran = await inThisProcess(world).run(['batch', 'transfer', path, '--yes', '-o', 'json'])
  expect(linesOf(ran).at(-1)).toMatchObject({ accepted: 4, namesDiffer: 0 })
  const names: Record<string, string> = { padaria: 'FULANO DE TAL', joao: 'JOAO DA SILVA', rui: 'RUI' }
  for (const { externalId, idTransaction, value } of (await carriedOut(world.url)).transfers) {
    const destinationName = names[externalId]
    if (destinationName === undefined) continue
    const data = {
      idTransaction,
      typeTransaction: 'PIX_CASHOUT',
      statusTransaction: 'PAID_OUT',
      value,
      destinationName,
    }
    await writeEvent(world, AT, { event: 'transfer.completed', data }, { baseUrl: world.url })
  }
  return { world, run: String(linesOf(ran).at(-1)?.run) }
}

it('shows the names of the file beside those of the events, and marks and counts the different ones', async () => {
  const { world, run } = await namedRun()
  const shown = await world.json(['batch', 'show', run])
  expect(shown).toMatchObject({
    paid: 3,
    namesDiffer: 1,
    rowsDetail: [
      { name: 'Padaria do Zé', nameInEvent: 'FULANO DE TAL', namesDiffer: true },
      { name: 'João da Silva Ltda.', nameInEvent: 'JOAO DA SILVA', namesDiffer: false },
      { name: 'Ana', nameInEvent: null, namesDiffer: null },
      { name: '-', nameInEvent: 'RUI', namesDiffer: null },
    ],
  })
  const here = inThisProcess(world)
  const { stdout } = await here.run(['batch', 'show', run])
  expect(stdout).toContain('names differ  1 row has another name in the event than in the file\n')
  expect(stdout).toMatch(/^2\tPadaria do Zé\tdiffers: FULANO DE TAL\tR\$ 20,00\tpaid\t/m)
  expect(stdout).toMatch(/^3\tJoão da Silva Ltda\.\tJOAO DA SILVA\t/m)
  const csv = await here.run(['batch', 'show', run, '-o', 'csv'])
  expect(csv.stdout.split('\n').map((line) => line.split(',').slice(-4, -2))).toEqual([
    ['nameInEvent', 'namesDiffer'],
    ['FULANO DE TAL', 'true'],
    ['JOAO DA SILVA', 'false'],
    ['', ''],
    ['RUI', ''],
    [],
  ])
  const resumed = await world.run(['resume', run])
  expect([resumed.exit, resumed.stdout]).toEqual([0, expect.stringMatching(/^names differ {2}1 row has another name/m)])
  expect(resumed.stderr).toContain(`pixgate batch show ${run}\n`)
  const path = csvIn(world, 'payroll.csv', HEADER, [...ROWS, 'eva@example.com;1;Eva;eva'])
  const ran = await world.run(['batch', 'transfer', path, '--yes', '-o', 'json'])
  expect([ran.exit, linesOf(ran).at(-1)]).toMatchObject([0, { rows: 1, accepted: 1, namesDiffer: 1 }])
})

it('shows both names of one payment, never masked', async () => {
  const { world, run } = await namedRun()
  const { stdout } = await world.run(['history', 'show', 'padaria'])
  expect(stdout).toContain('name in file  Padaria do Zé, differs from FULANO DE TAL in the event\n')
  const here = inThisProcess(world)
  expect((await here.run(['history', 'show', 'joao'])).stdout).toContain('name in file  João da Silva Ltda.\n')
  expect(await here.json(['history', 'show', 'padaria'])).toMatchObject({
    pixgate: { run, nameInFile: 'Padaria do Zé', nameInEvent: 'FULANO DE TAL', namesDiffer: true },
  })
  const ana = { nameInFile: 'Ana', nameInEvent: null, namesDiffer: null }
  expect(await here.json(['history', 'show', 'ana'])).toMatchObject({ pixgate: ana })
  const single = ['transfer', '--key', 'eva@example.com', '--amount', '3', '--external-id', 'eva', '--yes']
  await here.run(single)
  expect(await here.json(['history', 'show', 'eva'])).toMatchObject({
    pixgate: { nameInFile: null, namesDiffer: null },
  })
})

it('marks the different names in the report', async () => {
  const { world, run } = await namedRun()
  const path = join(world.home, 'report.xlsx')
  const reported = await world.json(['batch', 'report', run, '--out', path])
  expect(reported).toMatchObject({ rows: 4, namesDiffer: 1 })
  const sheet = await readSheet(path, 'Payments')
  const headerAt = sheet.findIndex(([first]) => first === 'Line')
  expect(sheet.slice(headerAt, headerAt + 4).map((cells) => cells.slice(1, 4))).toEqual([
    ['Payee', 'Name in the event', 'Names differ'],
    ['Padaria do Zé', 'FULANO DE TAL', 'yes'],
    ['João da Silva Ltda.', 'JOAO DA SILVA', null],
    ['Ana', null, null],
  ])
  const sums = await readSheet(path, 'Summary')
  expect(sums.find(([label]) => String(label).endsWith('another name in the event'))?.slice(1, 3)).toEqual([1, 20])
  const styles = strFromU8(unzipSync(readFileSync(path))['xl/styles.xml'] ?? new Uint8Array())
  expect(styles).toContain('B00020')
})

it('compares the customer of a refund with who paid the charge', async () => {
  const world = await sandboxWorld()
  const here = inThisProcess(world)
  const charge = await here.json(['qr', 'create', '--amount', '20', '--no-qr'])
  const original = String(charge.idTransaction)
  const paid = { idTransaction: original, typeTransaction: 'PIX', statusTransaction: 'PAID_OUT', value: 20 }
  await writeEvent(world, AT, { ...paid, payerName: 'MARIA DE SOUZA' }, { baseUrl: world.url })
  const other = await paidPayment(world.url, 20)
  const path = csvIn(world, 'returns.csv', 'originalTransactionId;amount;refundReason;nome', [
    `${other};5;x;Ana`,
    `${original};5;x;Joana Lima`,
  ])
  const words = ['batch', 'refund', path, '--skip-query']
  expect(failureOf(await here.run([...words, '--yes', '-o', 'json']))).toMatchObject({ exit: 2, faults: [{ line: 3 }] })
  const terminal = onTerminalHere(world, words, { columns: 160 })
  await terminal.shows('(y/N)')
  terminal.press('y\r')
  expect((await terminal.ended).screen).toContain('1 row has another name in the event than in the file')
  const [{ run } = {}] = JSON.parse(await here.prepare(['batch', 'list', '-o', 'json']))
  expect(await world.json(['batch', 'show', String(run)])).toMatchObject({
    rowsDetail: [
      { name: 'Ana', nameInEvent: null, namesDiffer: null },
      { name: 'Joana Lima', nameInEvent: 'MARIA DE SOUZA', namesDiffer: true },
    ],
  })
})
