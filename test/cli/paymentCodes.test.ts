import { writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { code, field, PIX } from '../pix/brCodeParts.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inProduction, inThisProcess } from './payments.ts'
import { people, planned } from './planPeople.ts'

const { maria } = people(afterAll, 'maria')
const JSON_YES = ['-o', 'json', '--yes']

const staticCode = (key: string, name: string, amount = '', txid = '***') =>
  code({
    '26': field('26', PIX + field('01', key)),
    '54': amount === '' ? '' : field('54', amount),
    '59': field('59', name),
    '62': field('62', field('05', txid)),
  })
const dynamicCode = (address: string) => code({ '26': field('26', PIX + field('25', address)) })

const KEY = 'financeiro@example.com'
const CODE = staticCode(KEY, 'OFICINA MODELO', '87.50', 'OS771')
const OTHER_CODE = staticCode(KEY, 'OFICINA LTDA', '', 'OS772')
const CHARGE = dynamicCode('pix.example.com/qr/v2/AbC1')

const pay = (key: string, amount: string, id: string) => [
  ...['transfer', '--key', key, ...(amount === '' ? [] : ['--amount', amount])],
  ...['--external-id', id, ...JSON_YES],
]

it('a key and the static codes with that key are one destination', async () => {
  const world = inThisProcess(await sandboxWorld())
  await world.prepare(pay(KEY, '87,50', 'os-1'))
  for (const words of [pay(CODE, '', 'os-2'), pay(OTHER_CODE, '87,50', 'os-3')]) {
    expect(failureOf(await world.run(words))).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'os-1' })
  }
  const other = failureOf(await world.run(pay(CODE, '88', 'os-2')))
  expect([other.exit, other.message]).toEqual([2, expect.stringMatching(/88,00.*87,50/)])
  const meant = await world.run(['transfer', '--key', CODE, '--external-id', 'os-2', '--yes', '--again'])
  expect(meant.exit).toBe(0)
  expect(meant.stderr).toMatch(/^to +financeiro@example\.com \(OFICINA MODELO\)\nsent as +000201/m)
  expect(meant.stderr).toMatch(/^sent before +once to this key/m)
  expect((await carriedOut(world.url)).transfers.map(({ key, value }) => [key, value])).toEqual([
    [KEY, 87.5],
    [CODE, 87.5],
  ])
  for (const words of [
    ['--key', KEY],
    ['find', KEY],
    ['--key', OTHER_CODE],
  ])
    expect(await world.json(['history', ...words])).toHaveLength(2)
  expect(await world.json(['history', 'find', 'oficina'])).toMatchObject([{ externalId: 'os-2' }])
  const list = await world.run(['history'])
  expect(list.stdout).toContain('OFICINA MODELO (f***@example.com)')

  await control(world.url, 'fault', { kind: 'drop-after' })
  expect((await world.run(pay(OTHER_CODE, '5', 'os-5'))).exit).toBe(5)
  for (const words of [pay(KEY, '5', 'os-6'), pay(staticCode(KEY, 'X', '5.00'), '', 'os-7')]) {
    const failure = failureOf(await world.run([...words, '--again']))
    expect(failure).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'os-5' })
    expect(failure.message).toContain('The outcome of the same transfer is unknown')
  }
  expect((await carriedOut(world.url)).transfers).toHaveLength(3)
})

it('the address in a dynamic code is one charge, whatever the amount', async () => {
  const world = inThisProcess(await sandboxWorld())
  await world.prepare(pay(CHARGE, '10', 'd-1'))
  const again = failureOf(await world.run(pay(dynamicCode('PIX.Example.com/qr/v2/AbC1'), '20', 'd-2')))
  expect(again).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'd-1' })
  expect((await world.run(pay(dynamicCode('pix.example.com/qr/v2/abc1'), '20', 'd-3'))).exit).toBe(0)
  await control(world.url, 'fault', { kind: 'drop-after' })
  const lost = dynamicCode('pix.example.com/qr/lost')
  expect((await world.run(pay(lost, '1', 'd-4'))).exit).toBe(5)
  const doubtful = failureOf(await world.run([...pay(lost, '2', 'd-5'), '--again']))
  expect(doubtful).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'd-4' })
  expect((await world.run([...pay(CHARGE, '20', 'd-6'), '--in-addition-to', 'd-1', '--again'])).exit).toBe(0)
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value)).toEqual([10, 20, 1, 20])

  const file = csvIn(world, 'two.csv', 'chave;valor', [
    `${dynamicCode('pix.example.com/z')};1`,
    'a@example.com;1',
    `${dynamicCode('Pix.example.com/z')};2`,
  ])
  const twice = await world.run(['batch', 'transfer', file, '--yes'])
  expect([twice.exit, twice.stderr]).toEqual([2, expect.stringMatching(/line 4, .*line 2/)])
  expect((await carriedOut(world.url)).transfers).toHaveLength(4)
})

it('rows are equal and have their ids by the key in a code, whose amount they need not repeat', async () => {
  const world = inThisProcess(await sandboxWorld())
  const cpf = staticCode('52998224725', 'BAR DO ZE', '33.00')
  const rows = [`${cpf};`, '529.982.247-25;33,00', `${OTHER_CODE};5`]
  const file = csvIn(world, 'rows.csv', 'chave;valor', rows)
  const dry = await world.run(['batch', 'transfer', file, '--dry-run'])
  expect(dry.stdout).toMatch(
    /Rows with the same destination and amount as one above: 1, the first on line 3, like line 2/,
  )
  expect(dry.stdout).toContain('R$ 33,00, 529.982.247-25 (BAR DO ZE)')
  const sent = await world.run(['batch', 'transfer', file, ...JSON_YES])
  expect(sent.exit).toBe(0)
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value).toSorted()).toEqual([33, 33, 5])
  // The same rows by key are the same payments under the same ids.
  const keys = csvIn(world, 'keys.csv', 'chave;valor', ['52998224725;33', `${KEY};5`, '52998224725;33'])
  const left = await world.run(['batch', 'transfer', keys, '--reference', 'rows', '--dry-run'])
  expect([left.exit, left.stderr]).toEqual([2, expect.stringContaining('3')])
  expect(failureOf(await world.run(['batch', 'transfer', keys, '--reference', 'rows', ...JSON_YES])).exit).toBe(2)
  const ids = linesOf(sent).flatMap(({ externalId }) => externalId ?? [])
  expect(await world.json(['history', '--key', cpf])).toMatchObject([{ externalId: ids[0] }, { externalId: ids[1] }])

  const bad = csvIn(world, 'bad.csv', 'chave;valor;tipo', [
    `${cpf};34;`,
    `${staticCode('111.444.777-35', 'BAR')};1;`,
    `${staticCode('52998224725', 'BAR')};;`,
    '7f1d2c3b-4a59-4687-9b01-0c2d3e4f5a6b;19,00;EVP',
  ])
  const { exit, stderr } = await world.run(['batch', 'transfer', bad, '--yes'])
  expect(exit).toBe(2)
  expect(stderr).toMatch(/^ {2}line 2, chave: The payment code asks for R\$ 33,00, but the row pays R\$ 34,00/m)
  expect(stderr).toMatch(/^ {2}line 3, chave: The payment code is invalid: .*`111\.444\.777-35` has punctuation/m)
  expect(stderr).toMatch(/^ {2}line 4, valor: The amount is empty/m)
  expect(stderr).not.toMatch(/line 5/)
  expect((await carriedOut(world.url)).transfers).toHaveLength(3)
})

it('lists mask the key in a code, and a code goes to the payee that has its key', async () => {
  const sandbox = await sandboxWorld()
  const { url } = sandbox
  const world = inThisProcess(await inProduction(sandbox, url))
  const confirm = ['--confirm', 'prod', '-o', 'json']
  const phone = staticCode('+5511987654321', 'MOTOBOY')
  const toPhone = ['transfer', '--key', phone, '--amount', '3', '--external-id', 'p-1']
  expect((await world.run([...toPhone, ...confirm])).exit).toBe(0)
  for (const output of ['text', 'json', 'csv']) {
    const { stdout } = await world.run(['history', '-o', output, '--fields', 'externalId,key,payee,party'])
    expect([output, stdout]).toEqual([output, expect.stringContaining('***4321')])
    expect(stdout).not.toMatch(/987654321|000201/)
  }
  expect((await world.run(['history', '-o', 'json', '--unmask'])).stdout).toContain(phone)

  await world.prepare(['payee', 'add', 'moto', '--key', '+5511987654321', ...confirm])
  await world.prepare(['profile', 'edit', 'prod', '--payees-only', ...confirm])
  const to = (key: string, id: string) => ['transfer', '--key', key, '--amount', '4', '--external-id', id, ...confirm]
  expect((await world.run(to(phone, 'p-2'))).exit).toBe(0)
  for (const [key, reason] of [
    [CHARGE, 'goes to no payee'],
    [OTHER_CODE, 'financeiro@example.com is the key of no payee'],
  ] as const) {
    const failure = failureOf(await world.run(to(key, 'p-3')))
    expect(failure).toMatchObject({ exit: 2, outcome: 'not-sent', message: expect.stringContaining(reason) })
  }
  const file = csvIn(world, 'payees.csv', 'payee;key;value', [`moto;${phone};6`, `moto;${OTHER_CODE};7`])
  const wrong = await world.run(['batch', 'transfer', file, '--confirm', 'prod'])
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringMatching(/line 3, key: .* is not the key of the payee/)])
  const right = csvIn(world, 'right.csv', 'payee;key;value', [`moto;${phone};6`])
  expect((await world.run(['batch', 'transfer', right, '--confirm', 'prod'])).exit).toBe(0)
  expect((await carriedOut(url)).transfers.map(({ key, value }) => [key, value])).toEqual([
    [phone, 3],
    [phone, 4],
    [phone, 6],
  ])
})

it('a plan knows what was paid to the key in its code', async () => {
  const world = inThisProcess(await sandboxWorld())
  await world.prepare(pay(KEY, '80', 'os-1'))
  const file = await planned(world, ['transfer', '--key', CODE, '--external-id', 'os-2'], maria)
  expect(await world.json(['plan', 'show', file])).toMatchObject({
    newKeys: 0,
    payments: [{ paidBefore: 1, lastAmount: 80, isRepeat: false }],
  })
  const text = await world.run(['plan', 'show', file])
  expect(text.stdout).toMatch(/financeiro@example\.com \(OFICINA MODELO\)/)
  expect(text.stdout).toContain(CODE)
})

it('the name in a code never keeps a payment from its line on a statement', async () => {
  const world = inThisProcess(await sandboxWorld())
  await world.prepare(pay(CODE, '', 'os-1'))
  const day = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10).split('-').toReversed().join('/')
  const path = `${world.home}/statement.csv`
  writeFileSync(path, `Data;Histórico;Valor\n${day};PIX ENVIADO JOSE RIBEIRO;-87,50\n`)
  const checked = await world.run(['history', 'check', '--statement', path, '-o', 'json'])
  expect([checked.exit, JSON.parse(checked.stdout)]).toMatchObject([0, [{ pixgate: { verdict: 'match' } }]])
})

it('sends a code without what stuck to it, and says so; in a file it is a fault', async () => {
  const world = inThisProcess(await sandboxWorld())
  const stuck = `\u200bPix copia e cola:\n"${CODE}"`
  const paid = await world.run(['transfer', '--key', stuck, '--external-id', 'os-9', '--yes'])
  expect([paid.exit, paid.stderr]).toEqual([
    0,
    expect.stringContaining('warning: `Pix copia e cola: "` is not part of the code'),
  ])
  const asked = await world.run(['transfer', '--key', stuck, '--again', '--dry-run', '-o', 'json'])
  expect([asked.stdout.includes(CODE), asked.stdout.includes('copia')]).toEqual([true, false])
  const file = await world.run(['batch', 'transfer', '-', '--reference', 'r', '--dry-run'], {
    stdin: `Chave;Valor\n"Pix: ${OTHER_CODE}";10\n`,
  })
  expect([file.exit, file.stderr]).toEqual([
    2,
    expect.stringContaining('`Pix:` is not part of the code. Leave nothing but the code in the cell'),
  ])
  for (const [text, exit] of [
    [stuck, 0],
    [`${CODE}x`, 1],
    [`pix:${CODE}`, 0],
  ] as const) {
    expect((await world.run(['qr', 'decode', text])).exit).toBe(exit)
    expect((await world.run(['qr', 'decode', '-'], { stdin: text })).exit).toBe(exit)
  }
})

it('pays nothing to a code with an e-mail address that is torn anywhere, at its end, its beginning or both', async () => {
  const world = inThisProcess(await sandboxWorld())
  const end = CODE.indexOf(KEY) + KEY.length
  const pieces = [end, end + 4, end + 9, CODE.length - 4].flatMap((to) =>
    [0, 6, 8, 10].map((from) => CODE.slice(from, to)),
  )
  pieces.push(CODE.slice(24, end + 9), CODE.slice(CODE.indexOf(KEY), end + 4))
  for (const piece of pieces) {
    for (const type of [[], ['--key-type', 'email'], ['--key-type', 'paymentCode']]) {
      const ran = await world.run(['transfer', '--key', piece, '--amount', '1', ...type, ...JSON_YES])
      expect([piece, type, failureOf(ran)]).toMatchObject([piece, type, { exit: 2, outcome: 'not-sent' }])
    }
  }
  const file = csvIn(
    world,
    'torn.csv',
    'chave;valor',
    pieces.map((piece) => `${piece};1`),
  )
  const { exit, stderr } = await world.run(['batch', 'transfer', file, '--yes'])
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`The file has faults: ${pieces.length}`)])
  expect((await carriedOut(world.url)).transfers).toEqual([])
})

it('sums what a code asks for where the column of amounts is empty, and says of how many rows no amount is known', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'codes.csv', 'key;value;Situação;Vencimento', [
    `${CODE};;PAGO;`,
    `${OTHER_CODE};;PAGO;`,
    `${KEY};10,00;ABERTO;31/12/2098`,
    `${staticCode('rui@example.com', 'RUI', '7.00')};;ABERTO;31/12/2098`,
  ])
  const stopped = await world.run(['batch', 'transfer', path, '--yes'])
  expect(stopped.exit).toBe(2)
  expect(stopped.stderr).toContain('open, R$ 87,50 and 1 without an amount\n')
  expect(stopped.stderr).toContain('`PAGO` 2, R$ 87,50 and 1 without an amount (lines 2, 3); `ABERTO` 2, R$ 17,00')
  const dry = ['batch', 'transfer', path, '--only', 'Situação=ABERTO', '--dry-run']
  const { stdout } = await world.run(dry)
  expect(stdout).toMatch(/not selected\s+2, R\$ 87,50 and 1 without an amount/)
  expect(stdout).toMatch(/due later\s+2, R\$ 17,00/)
})

it('tells a CPF in a code from the mobile number of the same digits, for repeats and lists', async () => {
  const world = inThisProcess(await sandboxWorld())
  const digits = '11987654374'
  const pay = (key: string, id: string, ...more: string[]) =>
    world.run(['transfer', '--key', key, '--amount', '5', '--external-id', id, ...more, ...JSON_YES])
  expect((await pay(`+55${digits}`, 'os-1')).exit).toBe(0)
  expect((await pay(staticCode(digits, 'BAR'), 'os-2')).exit).toBe(0)
  expect(failureOf(await pay(digits, 'os-3', '--key-type', 'document'))).toMatchObject({ exit: 2, code: 'REPEAT' })
  expect(failureOf(await pay(digits, 'os-4', '--key-type', 'phoneNumber'))).toMatchObject({ exit: 2, code: 'REPEAT' })
  const found = async (key: string) => (await world.json(['history', '--key', key])).length
  expect([await found(digits), await found(`+55${digits}`), await found('119.876.543-74')]).toEqual([2, 1, 1])
})
