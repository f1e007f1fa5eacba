import { expect, it } from 'vitest'
import { runInProcess } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'

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
