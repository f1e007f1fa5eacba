import { expect, it } from 'vitest'
import { runInProcess } from '../inProcess.ts'
import { code, field, PIX, RECURRENCE } from '../pix/brCodeParts.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'

it.each([
  ['26580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986', 'The code begins with field 26'],
  ['00020226580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000', 'The payload format (field 00) is `02`'],
])('a code that begins wrongly is a broken code, typed or piped: %s', async (code, error) => {
  const world = emptyWorld()
  for (const [words, stdin] of [[[code], ''] as const, [['-'], code] as const]) {
    const ran = await world.run(['qr', 'decode', ...words, '-o', 'json'], { stdin })
    expect(ran.exit).toBe(1)
    expect(JSON.parse(ran.stdout).valid).toBe(false)
    expect(JSON.parse(ran.stdout).errors[0]).toContain(error)
  }
})

it.each(['hello', '12345678909', '26-report.png', ''])(
  'what is not a code at all is a usage error: %j',
  async (text) => {
    expect((await runInProcess(['qr', 'decode', text], emptyWorld().env)).exit).toBe(2)
  },
)

it('a code that only authorises recurring payments is sound, but is not paid', async () => {
  const world = await sandboxWorld()
  const recurrence = code({ '26': field('26', PIX), '80': RECURRENCE })
  expect(await world.json(['qr', 'decode', recurrence])).toMatchObject({ valid: true, kind: 'recurrence' })
  const payment = ['--key', recurrence, '--amount', '10', '--yes']
  expect(await world.run(['transfer', ...payment])).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: The payment code only authorises recurring payments (Pix Automático), so it cannot be paid\n' +
      'hint: Ask the receiver for a code or a key of this one payment\n',
  })
  const { stderr, exit } = await runInProcess(['batch', 'transfer', '-', '--reference', 'may', '--yes'], world.env, {
    stdin: `key,value\n${recurrence},10\n`,
  })
  expect([exit, stderr]).toEqual([2, expect.stringContaining('only authorises recurring payments')])
  expect(await world.json(['sandbox', 'requests'])).toEqual([])
})
