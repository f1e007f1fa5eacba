import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inThisProcess, paidPayment } from './payments.ts'

const YES = ['--yes', '-o', 'json']

/** Replaces texts in a file, each of which occurs in it. */
function correct(path: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${from} is not in ${text}`)
    text = text.replace(from, to)
  }
  writeFileSync(path, text)
}

function resultsIn({ home }: World, name: string): string {
  return join(home, name)
}

it.each([
  ['en', '"line";"Chave"', '"outcome"', '"accepted"'],
  ['pt-BR', '"Linha no arquivo";"Chave"', '"Resultado do envio"', '"aceito"'],
])(
  'sends the corrected results of a file for a spreadsheet in %s: only what was refused goes, under the same reference',
  async (language, ...words) => {
    const world = inThisProcess(await sandboxWorld())
    const here = world
    const path = csvIn(world, 'fornecedores.csv', 'Chave;Valor;Nome;Parcela;status', [
      '529.982.247-25;10,00;-Ana;0123;aberto',
      '+5511987654321;20,50;Rui;1/3;aberto',
      'notfound@example.com;30,00;Eva;2/3;aberto',
      'notfound2@example.com;40,00;Ivo;3/3;aberto',
    ])
    const results = resultsIn(world, 'resultado.csv')
    const first = await world.run([
      'batch',
      'transfer',
      path,
      '--results',
      results,
      '--excel',
      '--lang',
      language,
      ...YES,
    ])
    expect(linesOf(first).at(-1)).toMatchObject({ accepted: 2, refused: 2 })
    const written = readFileSync(results, 'utf8')
    for (const guarded of [
      '"=""529.982.247-25"""',
      '"=""+5511987654321"""',
      '"\'-Ana"',
      '"=""0123"""',
      '"input.status"',
      ...words,
    ]) {
      expect(written).toContain(guarded)
    }
    expect(failureOf(await here.run(['batch', 'transfer', results, ...YES]))).toMatchObject({
      details: 'Rows accepted before: 2\nRows refused before: 2',
    })

    correct(results, ['notfound@example.com', 'eva@example.com'])
    const again = resultsIn(world, 'again.csv')
    const shown = await here.run(['batch', 'transfer', results, '--dry-run'])
    expect(shown.stdout).toContain('left out      2 accepted before, 1 refused before, 0 with an unknown outcome\n')
    expect(shown.stdout).toContain('not sent      `Parcela`, `status`\n')
    const second = await world.run([
      'batch',
      'transfer',
      results,
      '--results',
      again,
      '--excel',
      '--lang',
      language,
      ...YES,
    ])
    // What stays refused is named.
    expect([second.exit, ...linesOf(second)]).toMatchObject([
      1,
      { line: 5, outcome: 'refused', errorCode: 'PIX_KEY_NOT_FOUND' },
      { line: 4, outcome: 'accepted' },
      { rows: 1, accepted: 1, totalCents: 3000 },
    ])
    expect(JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))).toMatchObject([
      { file: 'resultado.csv', reference: 'fornecedores' },
      { file: 'fornecedores.csv', reference: 'fornecedores' },
    ])
    const [header, ana] = readFileSync(again, 'utf8').split('\r\n')
    expect([header, ana]).toEqual(written.split('\r\n').slice(0, 2))

    for (const sent of [results, again]) {
      expect(failureOf(await here.run(['batch', 'transfer', sent, ...YES])).details).toContain(
        'Rows accepted before: 3',
      )
    }
    const { transfers } = await carriedOut(world.url)
    expect(transfers.map(({ key, value }) => `${key} ${value}`)).toEqual([
      '52998224725 10',
      '+5511987654321 20.5',
      'eva@example.com 30',
    ])
  },
)

it('does not end with 0 while a row that an earlier file sent is unknown or was refused, and names each', async () => {
  const world = inThisProcess(await sandboxWorld())
  const rows = [
    'Casa Lua;lua@example.com;10,00;NF 1',
    'Posto Mar;notfound@example.com;20,00;NF 2',
    'Padaria Sol;sol@example.com;30,00;NF 3',
  ]
  const send = (count: number, ...words: string[]) => {
    const path = csvIn(world, 'novembro.csv', 'nome;chave;valor;nota fiscal', rows.slice(0, count))
    return world.run(['batch', 'transfer', path, '--yes', ...words])
  }
  await control(world.url, 'fault', { kind: 'drop-before' })
  expect((await send(1)).exit).toBe(5)
  expect((await send(2)).exit).toBe(5)
  const { exit, stdout } = await send(3)
  const text = stdout.replaceAll(/\s+/g, ' ')
  expect([exit, text]).toEqual([
    5,
    expect.stringMatching(
      /^line 2 Casa Lua R\$ 10,00 NF 1 unknown Whether it was carried out is unknown line 3 Posto Mar R\$ 20,00 NF 2 refused The PIX key is not registered \(PIX_KEY_NOT_FOUND\) .+ accepted 1, R\$ 30,00 $/,
    ),
  ])
  // What a run says of them, its resume does.
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const resumed = await world.run(['resume', run, ...YES])
  const [unknown, refused] = linesOf(resumed)
  expect([resumed.exit, unknown, refused]).toMatchObject([
    5,
    { type: 'row', line: 2, outcome: 'unknown', errorCode: null },
    { type: 'row', line: 3, outcome: 'refused', errorCode: 'PIX_KEY_NOT_FOUND' },
  ])

  await world.json(['history', 'settle', String(unknown?.externalId), '--as', 'paid', '--because', 'seen there'])
  rows.push('Loja Rio;rio@example.com;40,00;NF 4')
  const fourth = await send(4, '-o', 'json')
  expect([fourth.exit, ...linesOf(fourth)]).toMatchObject([
    1,
    { line: 3, outcome: 'refused' },
    { line: 5, outcome: 'accepted' },
    { type: 'summary', accepted: 1 },
  ])
  rows.splice(1, 1, 'Loja Céu;ceu@example.com;50,00;NF 5')
  expect((await send(4)).exit).toBe(0)
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value)).toEqual([30, 40, 50])
})

it('does not take what was answered for another payment: a changed row, a typed id, another machine', async () => {
  const world = inThisProcess(await sandboxWorld())
  const here = world
  const path = csvIn(world, 'notas.csv', 'externalId,key,value', [
    'NF 1,ana@example.com,10.00',
    'NF 2,notfound@example.com,20.00',
  ])
  const results = resultsIn(world, 'results.csv')
  const lossless = ['batch', 'transfer', path, '--results', results, ...YES]
  expect((await here.run(lossless)).exit).toBe(1)
  const elsewhere = { PIXGATE_DATA_DIR: join(world.home, 'other-machine') }
  const send = (env?: Record<string, string>) => here.run(['batch', 'transfer', results, ...YES], { env })

  correct(results, ['ana@example.com,10.00', 'ana@example.com,11.00'], ['notfound@', 'eva@'])
  expect(failureOf(await send())).toMatchObject({
    exit: 2,
    faults: [
      { line: 2, column: 'externalId', message: expect.stringContaining('sent: R$ 10,00 to ana@example.com. Restore') },
      { line: 3, column: 'externalId', message: expect.stringContaining('refused: R$ 20,00 to notfound@example.com') },
    ],
  })
  correct(results, ['ana@example.com,11.00', 'ana@example.com,10.00'])
  const other = await send(elsewhere)
  expect(linesOf(other)).toMatchObject([
    { externalId: 'NF 2', outcome: 'accepted' },
    { rows: 1, accepted: 1 },
  ])
  // Whoever has the ledger of the first run does not know that, but the gateway does.
  correct(results, [',NF 2,,refused', ',NF 2b,,refused'])
  const dry = await here.run(['batch', 'transfer', results, '--dry-run', '-o', 'json'])
  expect(JSON.parse(dry.stdout)).toMatchObject({ toSend: 1, leftOut: { accepted: 1, refused: 0 } })
  correct(results, [',NF 2b,,refused', ',NF 2,,refused'], ['3,NF 2,', '3,NF 2c,'])
  expect(await here.json(['batch', 'transfer', results, '--dry-run'])).toMatchObject({ toSend: 1 })
  correct(results, ['3,NF 2c,', '3,NF 2,'])
  correct(results, [',refused,', ',acepted,'])
  expect(failureOf(await send({ PIXGATE_DATA_DIR: join(world.home, 'third') }))).toMatchObject({
    faults: [{ line: 3, column: 'outcome' }],
  })
  expect((await carriedOut(world.url)).transfers).toHaveLength(2)
})

it('sends the corrected results of refunds, of which the gateway cannot refuse a repeat', async () => {
  const world = inThisProcess(await sandboxWorld())
  const here = world
  const [one, two] = [await paidPayment(world.url, 50), await paidPayment(world.url, 60)]
  const rows = [`${one},10.00,x`, `${two},20.00,x`]
  const path = csvIn(world, 'estornos.csv', 'originalTransactionId,amount,refundReason', rows)
  const results = resultsIn(world, 'results.csv')
  await control(world.url, 'fault', { kind: 'status:422', on: 'refund' })
  const first = await here.run(['batch', 'refund', path, '--results', results, '--excel', '--concurrency', '1', ...YES])
  expect(linesOf(first).at(-1)).toMatchObject({ accepted: 1, refused: 1 })
  correct(results, ['"10,00"', '"15,00"'])
  const second = await here.run(['batch', 'refund', results, ...YES])
  expect([second.exit, linesOf(second).at(-1)]).toMatchObject([0, { rows: 1, accepted: 1, totalCents: 1500 }])
  expect((await here.run(['batch', 'refund', results, ...YES])).exit).toBe(2)
  correct(results, ['"20,00"', '"25,00"'])
  expect(failureOf(await here.run(['batch', 'refund', results, ...YES]))).toMatchObject({ faults: [{ line: 3 }] })
  expect((await carriedOut(world.url)).refunds.map(({ amount }) => amount)).toEqual([20, 15])
})
