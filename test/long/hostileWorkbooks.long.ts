import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { HOSTILE_FORMS } from '../batch/spreadsheet/hostileForms.ts'
import { rawRow, rawWorkbook } from '../batch/spreadsheet/rawWorkbook.ts'
import { BINARY, emptyWorld, NODE } from '../world.ts'

/** GNU time, which tells the largest memory of a process. */
const TIME = '/usr/bin/time'
/** How much more processor time a refusal may take than a check of {@link ORDINARY_ROWS} payments in the same run. */
const TIMES_MAX = 3
const ORDINARY_ROWS = 20_000
const MB_MAX = 300
const CREDENTIALS = { PIXGATE_BASE_URL: 'http://127.0.0.1:1', PIXGATE_CLIENT_ID: 'a', PIXGATE_CLIENT_SECRET: 'b' }

if (!existsSync(TIME)) process.stderr.write(`\n!!! SKIPPED: ${TIME} is missing, so no hostile workbook is measured\n\n`)

it.runIf(existsSync(TIME))(
  'every hostile workbook is refused in a few times the time of an ordinary one and in 300 MB, with its name and the reason',
  { timeout: 15 * 60_000 },
  async () => {
    expect(HOSTILE_FORMS.length).toBeGreaterThanOrEqual(60)
    const world = emptyWorld(CREDENTIALS)
    const [path, measured] = [join(world.home, 'w.xlsx'), join(world.home, 'measured')]
    const words = ['batch', 'transfer', path, '--dry-run', '--callback-url', 'http://127.0.0.1:2/']
    const run = async () => {
      const child = spawn(TIME, ['-q', '-o', measured, '-f', '%U %S %M', NODE, BINARY, ...words], { env: world.env })
      child.stdin.end()
      const [stderr, exit] = await Promise.all([
        text(child.stderr),
        new Promise((resolve) => child.on('close', resolve)),
      ])
      // Processor time, because other work of the machine does not count.
      const [user = 0, system = 0, kib = 0] = readFileSync(measured, 'utf8').trim().split(' ').map(Number)
      return { stderr, exit, seconds: user + system, mb: Math.round(kib / 1024) }
    }
    writeFileSync(path, workbookOf(ORDINARY_ROWS))
    const ordinary = await run()
    expect(ordinary.exit).toBe(0)
    const slow: string[] = []
    const worst = { times: 0, mb: 0 }
    for (const [what, make, reason] of HOSTILE_FORMS) {
      writeFileSync(path, make())
      const { stderr, exit, seconds, mb } = await run()
      expect([what, exit, stderr]).toEqual([what, 2, expect.stringMatching(reason)])
      expect(stderr).toContain(path)
      const times = seconds / ordinary.seconds
      if (times > TIMES_MAX || mb > MB_MAX) slow.push(`${what}: ${times.toFixed(1)} times, ${mb} MB`)
      worst.times = Math.max(worst.times, times)
      worst.mb = Math.max(worst.mb, mb)
    }
    process.stderr.write(
      `${HOSTILE_FORMS.length} workbooks: at most ${worst.times.toFixed(1)} times ${ordinary.seconds.toFixed(1)} s, ${worst.mb} MB\n`,
    )
    expect(slow).toEqual([])
  },
)

it.runIf(process.platform === 'linux').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the reading of a large workbook with exit %d', { timeout: 120_000 }, async (signal, exit) => {
  const world = emptyWorld(CREDENTIALS)
  const path = join(world.home, 'w.xlsx')
  writeFileSync(path, workbookOf(300_000))
  const child = spawn(NODE, [BINARY, 'batch', 'transfer', path, '--dry-run', '--callback-url', 'http://127.0.0.1:2/'], {
    env: world.env,
  })
  child.stdin.end()
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const stderr = text(child.stderr)
  // From here on it has no other work for a minute.
  await expect
    .poll(() => readFileSync(`/proc/${child.pid}/io`, 'utf8'), { timeout: 60_000 })
    .toSatisfy((io) => {
      return Number(/rchar: (\d+)/.exec(io)?.[1]) > statSync(path).size
    })
  const sentAtMs = performance.now()
  child.kill(signal)
  expect(await ended).toBe(exit)
  expect(performance.now() - sentAtMs).toBeLessThan(5000)
  expect(await stderr).toContain('Interrupted, nothing was sent')
})

/** A workbook of so many payments. */
function workbookOf(count: number): Uint8Array {
  const row = (_: unknown, place: number) => rawRow(place + 2, [`p${place}@example.com`, { number: '1' }])
  const rows = Array.from({ length: count }, row).join('')
  return rawWorkbook({ name: 'S', xml: `<sheetData>${rawRow(1, ['key', 'value'])}${rows}</sheetData>` })
}
