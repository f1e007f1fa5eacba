import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from '../gateway/running.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, inThisProcess } from './payments.ts'

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
  expect(shown.stderr).toContain(`results       ${own}\n`)
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
