import { expect, it } from 'vitest'
import vectors from '../fixtures/vectors.json' with { type: 'json' }
import { onTerminalHere } from '../onTerminalHere.ts'
import { emptyWorld } from '../world.ts'

it('says how to see a QR code that is higher than the terminal', async () => {
  const world = emptyWorld()
  const code = vectors.brCodesValid.map((each) => each.code).find(({ length }) => length > 140 && length < 180) ?? ''
  const shown = async (rows: number, more: readonly string[] = []) => {
    const { exit, screen } = await onTerminalHere(world, ['qr', 'draw', code, ...more], { columns: 80, rows }).ended
    expect(exit).toBe(0)
    return screen.split(code.slice(-4)).at(-1)?.trim().replaceAll('\n', ' ')
  }
  expect(await shown(24)).toMatch(
    /^→ Make the window higher or its font smaller: the QR code has \d\d lines and the terminal 24\. Then run `pixgate qr draw -` and paste the code {3}pixgate qr draw -$/,
  )
  expect(await shown(34)).toBe('→ Scroll up to see the whole QR code')
  expect([await shown(60), await shown(24, ['--no-qr']), await shown(24, ['-q'])]).toEqual(['', '', ''])
})
