import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from '../gateway/running.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inThisProcess } from './payments.ts'

const ROWS = Array.from({ length: 7 }, (_, row) => `p${row}@example.com,${row + 1}`)
const ANSWER = ['--yes', '-o', 'json']

it('resumes a killed run at its own rate, with its own results file, unless options say otherwise', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ROWS)
  const [own, other] = [join(world.home, 'resultado.csv'), join(world.home, 'other.csv')]
  const pace = ['--rate', '60/m', '--concurrency', '1', '--stop-after', '2']
  const killed = start(world, ['batch', 'transfer', path, ...pace, '--results', own, '--excel', ...ANSWER])
  await expect.poll(async () => (await carriedOut(world.url)).transfers.length).toBe(1)
  killed.signal('SIGKILL')
  await killed.ended
  expect(existsSync(own)).toBe(false)

  const here = inThisProcess(world)
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const shown = await here.run(['resume', run, '--dry-run'])
  expect(shown.stdout).toContain(`results       ${own}\n`)
  const { accepted } = linesOf(await here.run(['batch', 'show', run, '-o', 'json']))[0] ?? {}
  await control(world.url, 'fault', { kind: 'PIX_KEY_NOT_FOUND', times: 2 })
  const startMs = performance.now()
  const stopped = await here.run(['resume', run, ...ANSWER])
  expect(performance.now() - startMs).toBeGreaterThan(900)
  expect(linesOf(stopped).at(-1)).toMatchObject({ accepted, notSent: 5 - Number(accepted) })
  const excel = readFileSync(own, 'utf8')
  expect(excel.split('\r\n').map((line) => line.split(';')[0])).toEqual([
    '\ufeff"line"',
    ...[2, 3, 4, 5, 6, 7, 8].map((line) => `"${line}"`),
    '',
  ])

  const rest = await world.run(['resume', run, '--results', other, '--stop-after', '9', '--rate', '50/s', ...ANSWER])
  expect(linesOf(rest).at(-1)).toMatchObject({ notSent: 0 })
  expect(readFileSync(other, 'utf8')).toMatch(/^line,key,value,externalId,/)
  expect(readFileSync(own, 'utf8')).toBe(excel)
  expect((await here.run(['history', 'check'])).exit).toBe(0)
})

it('ends a file of which only unpaid rows are left as these end, names them, and says how to go on', async () => {
  const world = inThisProcess(await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' }))
  const path = csvIn(world, 'contas.csv', 'nome;chave;valor;nota fiscal', [
    'Casa Lua;lua@example.com;20,00;NF 2',
    'Padaria Sol;sol@example.com;10,00;NF 1',
    'Posto Mar;notfound@example.com;30,00;NF 3',
  ])
  await control(world.url, 'fault', { kind: 'drop-before' })
  const results = join(world.home, 'resultado.csv')
  const send = ['batch', 'transfer', path, '--concurrency', '1', '--yes']
  expect((await world.run([...send, '--results', results])).exit).toBe(5)
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const mar = { line: 4, message: expect.stringMatching(/^Posto Mar, R\$ 30,00, NF 3, refused: /) }
  const lua = { line: 2, message: expect.stringMatching(/^Casa Lua, R\$ 20,00, NF 2, unknown: /) }
  for (const more of [[], ['--dry-run']]) {
    const left = failureOf(await world.run([...send, ...more, '-o', 'json']))
    expect(left).toMatchObject({ exit: 5, code: 'OUTCOME_UNKNOWN', hint: expect.stringContaining(`resume ${run}\``) })
    expect(left.faults).toMatchObject([lua, mar])
  }
  // Another machine knows of the unknown row only what the results file says.
  const elsewhere = { env: { PIXGATE_DATA_DIR: join(world.home, 'other-machine') } }
  const others = ['batch', 'transfer', results, '--only', 'nome!=Posto Mar', '--yes']
  const unsent = failureOf(await world.run([...others, '-o', 'json'], elsewhere))
  expect(unsent).toMatchObject({ exit: 5, faults: [lua], hint: expect.stringMatching(/the machine/) })
  const mixed = await world.run(['batch', 'transfer', results, '--yes'], elsewhere)
  expect(mixed.exit).toBe(5)
  expect(mixed.stdout.replaceAll(/\s+/g, ' ')).toMatch(/line 2 Casa Lua R\$ 20,00 NF 2 unknown .*another machine/)

  expect((await world.run(['resume', run, '--yes'])).exit).toBe(1)
  const refused = failureOf(await world.run([...send, '-o', 'json']))
  expect(refused).toMatchObject({ exit: 1, code: 'REFUSED', faults: [mar], hint: expect.stringContaining('--refused') })
  expect((await carriedOut(world.url)).transfers).toHaveLength(2)
})
