import { expect, it } from 'vitest'
import { displayWidth } from '../../src/text/cellLayout.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { control, inProduction, inThisProcess } from './payments.ts'
import { writeEvent } from './sentPayments.ts'

it('breaks what it says about a row between words, and names the code once', async () => {
  const world = await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const path = csvIn(world, 'fornecedores.csv', 'key,value,externalId', [
    'notfound@example.com,10,pagamento-de-fornecedores-novembro-2041',
    'maria@example.com,20,nf-2042',
  ])
  const { exit, screen } = await onTerminalHere(world, ['batch', 'transfer', path, '--yes']).ended
  expect(exit).toBe(1)
  const lines = screen.split(/[\r\n]+/)
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80)
  const at = lines.findIndex((line) => line.startsWith('line 2'))
  expect(lines.slice(at, at + 2)).toEqual([
    'line 2  notfound@example.com  R$ 10,00  pagamento-de-fornecedores-novembro-2041',
    '  refused  The PIX key is not registered (PIX_KEY_NOT_FOUND)',
  ])
  const here = inThisProcess(world)
  const [{ run }] = JSON.parse(await here.prepare(['batch', 'list', '-o', 'json']))
  for (const command of [
    ['batch', 'show', run],
    ['history', 'show', 'pagamento-de-fornecedores-novembro-2041'],
  ]) {
    expect((await here.run(command)).stdout).toMatch(
      /PIX_KEY_NOT_FOUND\tThe PIX key is not registered|The PIX key is not registered \(PIX_KEY_NOT_FOUND\)/,
    )
  }
})

it.each([
  ['the credentials are refused', 'status:401', [], 4, 'credentials'],
  ['so many rows were not accepted', 'PIX_KEY_NOT_FOUND', ['--stop-after', '1'], 1, '1 consecutive rows'],
] as const)(
  'names the rows that are not sent because %s, and ends with that code',
  async (_, kind, words, code, why) => {
    const world = await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
    const path = csvIn(world, 'fornecedores.csv', 'nome;chave;valor;nota fiscal', [
      'Padaria Sol;sol@example.com;10,00;NF 1',
      'Casa Lua;lua@example.com;20,00;NF 2',
      'Posto Mar;mar@example.com;30,00;NF 3',
    ])
    await control(world.url, 'fault', { kind })
    const line = ['batch', 'transfer', path, '--concurrency', '1', ...words, '--yes']
    const { exit, stdout } = await inThisProcess(world).run(line)
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect([exit, text]).toEqual([code, expect.stringMatching(/line 2 Padaria Sol R\$ 10,00 NF 1 refused /)])
    expect(text).toMatch(/line 3 Casa Lua R\$ 20,00 NF 2 not sent .+ line 4 Posto Mar R\$ 30,00 NF 3 not sent /)
    expect(text).toContain(why)
    expect(text).toMatch(/rows 3, R\$ 60,00 refused 1, R\$ 10,00 not sent 2, R\$ 50,00/)
  },
)

it('says that it stopped only if a row was left', async () => {
  const world = await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const send = (rows: number) => {
    const path = csvIn(world, `of-${rows}.csv`, 'key,value', ['sol@example.com,1', 'lua@example.com,2'].slice(0, rows))
    return inThisProcess(world).run(['batch', 'transfer', path, '--concurrency', '1', '--yes'])
  }
  for (const rows of [1, 2]) {
    await control(world.url, 'fault', { kind: 'NO_FUNDS' })
    const { exit, stdout, stderr } = await send(rows)
    expect([exit, stdout]).toEqual([
      1,
      expect.stringMatching(rows === 1 ? /refused +1, R\$ 1,00\n$/ : /refused +1, R\$ 1,00\nnot sent +1, R\$ 2,00\n$/),
    ])
    expect(stderr.includes('Stopped')).toBe(rows > 1)
  }
})

it('names each row that is refused or not allowed, however many there are, and leaves out only rows that it did not come to', async () => {
  const { url } = await sandboxWorld()
  const world = inThisProcess(await inProduction(emptyWorld(), url))
  const confirm = ['--confirm', 'prod']
  const above = Array.from({ length: 102 }, (_, row) => `Loja ${row};loja${row}@example.com;20,00;NF ${row}`)
  const path = csvIn(world, 'fornecedores.csv', 'nome;chave;valor;nota fiscal', [
    'Padaria Sol;sol@example.com;10,00;NF A',
    ...above,
    'Posto Mar;notfound@example.com;10,00;NF B',
  ])
  expect((await world.run(['batch', 'transfer', path, '--limit', '1', ...confirm])).exit).toBe(0)
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  await inProduction(world, url, { maxAmountCents: 1500 })
  const limited = await world.run(['resume', run, ...confirm])
  expect(limited.exit).toBe(1)
  expect(limited.stdout.match(/^line \d+ +Loja \d+ /gm)).toHaveLength(above.length)
  expect(limited.stdout).toMatch(/^line 105 +Posto Mar /m)

  await inProduction(world, url)
  await control(url, 'fault', { kind: 'status:401' })
  const stopped = await world.run(['resume', run, '--concurrency', '1', ...confirm])
  expect(stopped.exit).toBe(4)
  expect(stopped.stdout.match(/^line \d+ +Loja \d+ /gm)).toHaveLength(101)
  expect(stopped.stdout).toMatch(/^line 105 +Posto Mar /m)
  expect(stopped.stderr).toContain('1 more rows were not sent')
})

it('keeps the reason of a refusal at 80 columns, in the longer words of Portuguese and beside a name that differs', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'novembro.csv', 'fornecedor;chave;valor', [
    'Olaria do Vale Ltda;olaria@example.com;310,40',
    'Zilda Campos;othername@example.com;18,90',
    'Recusa ME;xx@fail.pixgate.example;14,14',
  ])
  const here = inThisProcess(world)
  await here.run(['batch', 'transfer', path, '--yes'])
  const [{ run }] = JSON.parse(await here.prepare(['batch', 'list', '-o', 'json']))
  const { rowsDetail } = JSON.parse(await here.prepare(['batch', 'show', run, '-o', 'json']))
  const { idTransaction, externalId } = rowsDetail[1]
  const data = {
    idTransaction,
    externalId,
    statusTransaction: 'PAID_OUT',
    value: 18.9,
    destinationName: 'Outra Pessoa',
  }
  const owner = { environment: 'sandbox', baseUrl: world.url, clientId: 'local' } as const
  await writeEvent(world, new Date().toISOString(), { event: 'transfer.completed', data }, owner)
  const { screen } = await onTerminalHere(world, ['batch', 'show', run, '--lang', 'pt-BR'], { columns: 80 }).ended
  const lines = screen.split(/[\r\n]+/)
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80)
  expect(lines.find((line) => line.includes('Zilda'))).toMatch(/ difere: /)
  expect(lines.find((line) => line.includes('Recusa'))).toMatch(/ (?:recusado|não pago) +WRONG_DATA_FORMAT/)
})
