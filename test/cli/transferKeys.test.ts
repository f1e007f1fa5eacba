import { describe, expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { sandboxWorld } from '../world.ts'
import { carriedOut, failureOf, inProduction } from './payments.ts'

const GUESSED = '11987654321'

function transferTo(key: string, ...words: readonly string[]): string[] {
  return ['transfer', '--key', key, '--amount', '10', ...words]
}

describe('the key of a transfer', () => {
  it.each([
    ['529.982.247-25', '52998224725', 'document', ['529.982.247-25', '52998224725']],
    ['11.222.333/0001-81', '11222333000181', 'document', ['11.222.333/0001-81', '11222333000181']],
    ['(11) 98765-4321', '11987654321', 'phoneNumber', ['(11) 98765-4321', '11987654321']],
    ['+55 11 98765-4321', '+5511987654321', 'phoneNumber', ['+55 (11) 98765-4321', '+5511987654321']],
    [' maria@example.com ', 'maria@example.com', 'email', ['maria@example.com']],
  ])('%j goes out as %s, with no question about its type', async (typed, key, typeKey, shown) => {
    const world = await sandboxWorld()
    const run = key.startsWith('+') ? world.run : here(world)
    const dry = await here(world)(transferTo(typed, '--dry-run', '-o', 'json'))
    expect(JSON.parse(dry.stdout)).toMatchObject({ body: { key, typeKey } })
    const sent = await run(transferTo(typed, '--yes'))
    expect(sent.exit).toBe(0)
    const rows = sent.stderr.split('\n').filter((line) => /^(?:to|sent as) /.test(line))
    expect(rows.map((line) => line.replace(/^(?:to|sent as) +/, ''))).toEqual(shown)
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ key }])
    // The bare spelling is the same payment, whose repetition is refused.
    const repeated = await run(transferTo(key, '--key-type', typeKey, '--yes', '-o', 'json'))
    expect(failureOf(repeated).code).toBe('REPEAT')
  })

  it('is not a guess: 11 digits that may be a mobile number need their type if no person looks', async () => {
    const world = await sandboxWorld()
    const refused = failureOf(await world.run(transferTo(GUESSED, '--yes', '-o', 'json')))
    expect(refused).toMatchObject({
      exit: 2,
      outcome: 'not-sent',
      hint: expect.stringContaining('--key-type phoneNumber'),
    })
    expect((await carriedOut(world.url)).transfers).toEqual([])
    const meant = await world.run(transferTo(GUESSED, '--yes', '--key-type', 'phoneNumber'))
    expect(meant.exit).toBe(0)
    expect(meant.stderr).not.toContain('look at')
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ key: GUESSED }])
  })

  it('needs its type in a script in production too', async () => {
    const sandbox = await sandboxWorld()
    const world = await inProduction(sandbox, sandbox.url)
    const words = ['--external-id', 'a', '--confirm', 'prod', '-o', 'json']
    expect(failureOf(await world.run(transferTo(GUESSED, ...words)))).toMatchObject({
      exit: 2,
      hint: expect.stringContaining('--key-type phoneNumber'),
    })
    await world.prepare(transferTo(GUESSED, '--key-type', 'phoneNumber', ...words))
  })

  it('is pointed out in a dry run if it is only guessed to be a phone number', async () => {
    const world = await sandboxWorld()
    const { exit, stderr } = await world.run(transferTo(GUESSED, '--dry-run'))
    expect(exit).toBe(0)
    expect(stderr).toContain(`${GUESSED} is treated as a mobile number because it is not a valid CPF`)
  })
})

describe('on a terminal', () => {
  itOnTerminal('points out a guessed phone number in the question, and sends it after y', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminal(world, transferTo(GUESSED), { columns: 160 })
    await terminal.shows(`${GUESSED} is treated as a mobile number because it is not a valid CPF`)
    await terminal.shows('(y/N)')
    terminal.press('y\r')
    expect((await terminal.ended).exit).toBe(0)
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ key: GUESSED }])
  })

  it('asks again for a key and an amount that would be refused', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminalHere(world, ['transfer'], { columns: 200 })
    await terminal.shows('PIX key of the receiver')
    terminal.press('52998224726\r')
    await terminal.shows('neither a CPF (its check digits are wrong) nor a mobile number (52 is not an area code)')
    terminal.press(`${'\x7f'.repeat(11)}11987650034\r`)
    await terminal.shows('`11987650034` is both a CPF and a mobile number. Which one is meant?')
    terminal.press('\x1b[B\r')
    await terminal.shows('Amount in reais')
    terminal.press('ten\r')
    await terminal.shows('`ten` is not an amount')
    terminal.press(`${'\x7f'.repeat(3)}10\r`)
    await terminal.shows('11987650034')
    await terminal.shows('phoneNumber')
    await terminal.shows('(y/N)')
    terminal.press('y\r')
    expect((await terminal.ended).exit).toBe(0)
    expect((await carriedOut(world.url)).transfers).toMatchObject([
      { key: '11987650034', typeKey: 'phoneNumber', value: 10 },
    ])
  })
})
