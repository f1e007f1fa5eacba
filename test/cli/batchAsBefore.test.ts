import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, failureOf, inProduction, inThisProcess } from './payments.ts'

const HEADER = 'Para quem;Pix do colaborador;Líquido;INSS'
const MAP = 'key=Pix do colaborador,value=Líquido,name=Para quem'
const OPTIONS = `--map '${MAP}' --ignore-column INSS`

/** The file of October, sent with the mapping that is to be offered for the one of November; gives the path of that one. */
async function sentBefore(world: World): Promise<string> {
  const october = csvIn(world, 'folha-outubro.csv', HEADER, ['Ana;ana@example.com;10,00;1,10'])
  await world.prepare(['batch', 'transfer', october, '--map', MAP, '--ignore-column', 'INSS', '--yes'])
  return csvIn(world, 'folha-novembro.csv', HEADER, [
    'Ana;ana@example.com;11,00;1,21',
    'Rui;rui@example.com;12,00;1,32',
  ])
}

it('offers the columns of an earlier file with the same headings, and reads them if a person says so', async () => {
  const world = await sandboxWorld()
  const path = await sentBefore(world)
  const declined = onTerminalHere(world, ['batch', 'transfer', path])
  await declined.shows('`Pix do colaborador` is key, `Líquido` is amount')
  await declined.shows('`INSS` is not used')
  await declined.shows('Read the columns as in `folha-outubro.csv` of')
  declined.press('\r')
  const { exit, screen } = await declined.ended
  expect([exit, screen]).toEqual([2, expect.stringContaining('The header has no column `key`')])

  const accepted = onTerminalHere(world, ['batch', 'transfer', path])
  await accepted.shows('Read the columns as in `folha-outubro.csv` of')
  accepted.press('y\r')
  await accepted.shows('Send 2 transfers, R$ 23,00 in total?')
  accepted.press('y\r')
  expect((await accepted.ended).exit).toBe(0)
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value).toSorted()).toEqual([10, 11, 12])
  // The reading that was offered is offered again.
  csvIn(world, 'folha-dezembro.csv', HEADER, ['Eva;eva@example.com;1,00;0,10'])
  const third = onTerminalHere(world, ['batch', 'transfer', `${world.home}/folha-dezembro.csv`, '--dry-run'])
  await third.shows('Read the columns as in `folha-novembro.csv` of')
  third.press('y\r')
  expect((await third.ended).exit).toBe(0)
})

it('does not offer them to --yes and --confirm, which say what to type', async () => {
  const base = await sandboxWorld()
  const path = await sentBefore(base)
  const line = ['batch', 'transfer', path]
  const refused = await onTerminalHere(base, [...line, '--yes'], { columns: 200 }).ended
  const production = await inProduction(base, base.url)
  const inProfile = { columns: 200, env: { PIXGATE_BASE_URL: '' } }
  const confirmed = await onTerminalHere(production, [...line, '--confirm', 'prod'], inProfile).ended
  for (const { exit, screen } of [refused, confirmed]) {
    expect([exit, screen]).toEqual([2, expect.stringContaining(OPTIONS)])
    expect(screen).not.toContain('Read the columns as in')
  }
  expect((await carriedOut(base.url)).transfers).toHaveLength(1)
})

it('tells a program what to type, which reads the file like that', async () => {
  const world = await sandboxWorld()
  const here = inThisProcess(world)
  const path = await sentBefore(world)
  const refused = failureOf(await world.run(['batch', 'transfer', path, '--yes', '-o', 'json']))
  expect(refused).toMatchObject({ exit: 2, hint: `Add \`${OPTIONS}\` to read the columns as in that run` })
  const typed = ['--map', MAP, '--ignore-column', 'INSS', '--yes', '-o', 'json']
  expect(linesOf(await here.run(['batch', 'transfer', path, ...typed])).at(-1)).toMatchObject({ accepted: 2 })

  const other = csvIn(world, 'outra.csv', 'Pix do colaborador;Para quem;Líquido;INSS', [
    'ana@example.com;Ana;1,00;0,10',
  ])
  const unknown = failureOf(await here.run(['batch', 'transfer', other, '--yes', '-o', 'json']))
  expect(unknown.hint).not.toContain('as in that run')
  const refund = failureOf(await here.run(['batch', 'refund', path, '--yes', '-o', 'json']))
  expect(refund.hint).not.toContain('as in that run')
})
