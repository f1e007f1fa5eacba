import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, type TestContext } from 'vitest'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { inProduction, inThisProcess } from './payments.ts'
import { september, URL } from './september.ts'

const LONG_NAME = 'Construtora Araújo & Filhos Engenharia e Comércio de Materiais Ltda'
const LONG_KEY = `${'financeiro.'.repeat(4)}contas@fornecedor.com.br`

/** A run of 60 rows with keys and names of all lengths, some of which are refused with a sentence. */
async function longRun(): Promise<{ world: World; run: string }> {
  const world = inThisProcess(await sandboxWorld())
  const keys = ['52998224725', '11222333000181', '+5511987654321', LONG_KEY, 'notfound@example.com']
  const rows = Array.from({ length: 60 }, (_, place) => {
    const name = place % 2 === 0 ? LONG_NAME : 'Ana'
    return `${keys[place % keys.length]},"${1 + place},10",${name},nota-fiscal-${place}`
  })
  const path = csvIn(world, 'payroll.csv', 'key,value,nome,externalId', rows)
  const ran = await world.run(['batch', 'transfer', path, '--yes', '--stop-after', '60', '-o', 'json'])
  return { world, run: String(linesOf(ran).at(-1)?.run) }
}

/** How many pages these workbooks have on paper. */
function printedPages(context: TestContext, { home }: World, paths: readonly string[]): number[] {
  if (spawnSync('soffice', ['--version']).status !== 0) {
    context.skip('soffice is not installed, so nothing was printed with LibreOffice')
  }
  const profile = `-env:UserInstallation=file://${join(home, 'office')}`
  spawnSync('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', home, ...paths])
  return paths.map((path) => {
    const pdf = join(home, basename(path, '.xlsx').concat('.pdf'))
    expect(existsSync(pdf)).toBe(true)
    return [...readFileSync(pdf, 'latin1').matchAll(/\/Type\s*\/Page\b(?!s)/g)].length
  })
}

it('prints the workbooks of a run and of a month one page wide', { timeout: 120_000 }, async (context) => {
  const { world, run } = await longRun()
  const month = inThisProcess(await inProduction(emptyWorld(), URL))
  await september().write(month)
  const paths = [join(world.home, 'report.xlsx'), join(month.home, 'september.xlsx')] as const
  await world.prepare(['batch', 'report', run, '--out', paths[0]])
  await month.prepare(['history', 'report', '--month', '09/2026', '--out', paths[1]])
  const [ofRun, ofMonth] = printedPages(context, world, paths)
  // The rows need two or three pages, and the sums one; a sheet that was two pages wide would need twice as many.
  expect(ofRun).toBeLessThanOrEqual(4)
  // One page for each sheet.
  expect(ofMonth).toBe(6)
})
