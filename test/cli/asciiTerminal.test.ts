import { expect, it } from 'vitest'
import { isAsciiTerminal } from '../../src/terminal/signs.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { sandboxWorld } from '../world.ts'

// Python, which makes the terminal, would add LC_CTYPE to a lone LANG=C.
const NO_UTF8 = [{ LC_ALL: 'C' }, { LANG: 'pt_BR.UTF-8', LC_ALL: 'POSIX' }, { LC_ALL: 'pt_BR.ISO-8859-1' }]
const UTF8 = [{ LANG: 'C.UTF-8' }, { LANG: 'C', LC_ALL: '', LC_CTYPE: 'en_US.utf8' }, { LANG: '' }]

itOnTerminal('shows its own signs in ASCII on a terminal without UTF-8, and asks there in plain lines', async () => {
  const world = await sandboxWorld()
  for (const [place, locale] of NO_UTF8.entries()) {
    const env = { ...locale, PIXGATE_LANG: 'en' }
    const transfer = onTerminal(world, ['transfer', '--key', `a${place}@example.com`, '--amount', '10.00'], { env })
    await transfer.shows('(y/N)')
    transfer.press('y\r')
    const seen = await transfer.ended
    expect([seen.exit, seen.raw.match(/[^\x00-\x7f]/gu), seen.raw.includes('?25')]).toEqual([0, null, false])
    if (place > 0) continue
    for (const args of [['history'], ['help'], ['doctor'], ['history', 'list', '--help'], ['qr', 'draw', 'abc']]) {
      const { raw } = await onTerminal(world, args, { env, columns: 120 }).ended
      expect([args, raw.match(/[^\x00-\x7f]/gu)]).toEqual([args, null])
      if (args[0] === 'doctor') expect(raw).toContain('ok ')
    }
  }
})

itOnTerminal('shows them as they are where a variable names UTF-8 or no locale is named', async () => {
  const world = await sandboxWorld()
  for (const locale of UTF8) {
    const { raw } = await onTerminal(world, ['doctor'], { env: { ...locale, PIXGATE_LANG: 'en' } }).ended
    expect(raw).toContain('✓')
  }
})

it('changes nothing in a pipe', async () => {
  const world = await sandboxWorld()
  const { stdout } = await world.run(['doctor'], { env: { LANG: 'C' } })
  expect(stdout).toContain('✓')
})

it('knows a lone LANG without UTF-8', () => {
  expect(isAsciiTerminal(true, { LANG: 'C' })).toBe(process.platform !== 'win32')
  expect(isAsciiTerminal(false, { LANG: 'C' })).toBe(false)
})
