import { describe, expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { sandboxWorld } from '../world.ts'
import { atOnce, carriedOut, remembered, TRANSFER } from './payments.ts'

const QUESTION = '(y/N)'

describe('in a sandbox', () => {
  itOnTerminal('shows what a person can check, and sends it after y', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminal(world, TRANSFER)
    await terminal.shows(QUESTION)
    expect((await carriedOut(world.url)).transfers).toEqual([])
    terminal.press('y\r')
    const { exit, screen, cooked } = await terminal.ended
    expect([exit, cooked]).toEqual([0, true])
    const lines = screen.replace(world.url, 'http://127.0.0.1:<port>').split('\n')
    expect(lines.slice(0, 10)).toEqual([
      'environment  sandbox, profile local',
      'address      http://127.0.0.1:<port>',
      'amount       R$ 1.500,00',
      'in words     one thousand five hundred reais',
      'to           maria@example.com',
      'key type     email',
      'owner        not checked',
      'external id  invoice-17',
      'sent before  never to this key',
      'sent today   R$ 0,00, not counting this one',
    ])
    expect(lines[10]).toMatch(/^\? Send R\$ 1\.500,00 to maria@example\.com\? \(y\/N\)/)
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ externalId: 'invoice-17', value: 1500 }])
    expect(await remembered(world)).toEqual(['invoice-17 accepted'])
  })

  itOnTerminal('sends and remembers nothing without a yes', async () => {
    const answers = { n: 'n\r', enter: '\r', endOfInput: '\x04', ctrlC: '\x03', SIGINT: 'SIGINT', SIGTERM: 'SIGTERM' }
    const ends = await atOnce(Object.entries(answers), async ([, answer]) => {
      const world = await sandboxWorld()
      const terminal = onTerminal(world, TRANSFER)
      await terminal.shows(QUESTION)
      if (answer === 'SIGINT' || answer === 'SIGTERM') terminal.signal(answer)
      else terminal.press(answer)
      const { exit, cooked, screen } = await terminal.ended
      const error = /\nerror: (.*)\n/.exec(screen)?.[1]
      const sent = [...(await carriedOut(world.url)).transfers, ...(await remembered(world))]
      return { exit, cooked, error, sent }
    })
    const nothing = { exit: 130, cooked: true, sent: [] }
    const declined = { ...nothing, error: 'Declined; nothing was sent' }
    const unanswered = { ...nothing, error: 'The prompt was not answered; nothing was done' }
    expect(ends).toEqual([declined, declined, unanswered, unanswered, unanswered, { ...unanswered, exit: 143 }])
  })

  it('asks again after what is neither yes nor no', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminalHere(world, TRANSFER)
    await terminal.shows(QUESTION)
    terminal.press('yikes\r')
    await terminal.shows('Answer y or n')
    terminal.press('\x03')
    expect((await terminal.ended).exit).toBe(130)
    expect((await carriedOut(world.url)).transfers).toEqual([])
  })

  it('asks on stderr for a program that reads stdout, and says in JSON that it was declined', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminalHere(world, [...TRANSFER, '-o', 'json'])
    await terminal.shows(QUESTION)
    terminal.press('n\r')
    const { exit, screen } = await terminal.ended
    const { code, outcome, exitCode } = JSON.parse(screen.trim().split('\n').at(-1) ?? '').error
    expect([exit, code, outcome, exitCode]).toEqual([130, 'CANCELLED', 'not-sent', 130])
  })

  itOnTerminal('does not take keys for an answer that were pressed before the question', async () => {
    const ends = await atOnce(['y\ry\r', 'y'], async (keys) => {
      const world = await sandboxWorld()
      const terminal = onTerminal(world, TRANSFER)
      terminal.press(keys)
      await terminal.shows(QUESTION)
      terminal.press('\x03')
      return [(await terminal.ended).exit, (await carriedOut(world.url)).transfers.length]
    })
    expect(ends).toEqual([130, 130].map((exit) => [exit, 0]))
  })

  itOnTerminal('does not wait for an answer after the end of input', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminal(world, TRANSFER)
    terminal.press('\x04')
    expect((await terminal.ended).exit).toBe(130)
    expect((await carriedOut(world.url)).transfers).toEqual([])
  })

  it('breaks a long amount in words between words', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminalHere(world, ['transfer', '--key', 'maria@example.com', '--amount', '1.234.567,89'])
    await terminal.shows(QUESTION)
    terminal.press('n\r')
    expect((await terminal.ended).screen).toContain(
      [
        'in words     one million two hundred thirty-four thousand five hundred',
        '             sixty-seven reais and eighty-nine centavos',
        'to           maria@example.com\n',
      ].join('\n'),
    )
  })

  itOnTerminal('asks once, in colours, on a terminal that becomes narrow', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminal(world, TRANSFER, { columns: 200, env: { NO_COLOR: undefined } })
    await terminal.shows(QUESTION)
    terminal.resize(40, 10)
    terminal.press('y\r')
    const { exit, raw } = await terminal.ended
    expect(exit).toBe(0)
    expect(raw).toContain('\x1b[1mR$ 1.500,00\x1b[22m')
    expect((await carriedOut(world.url)).transfers).toHaveLength(1)
  })

  it('needs no question with --yes, and shows the same summary', async () => {
    const world = await sandboxWorld()
    const { exit, stderr } = await world.run([...TRANSFER, '--yes'])
    expect(exit).toBe(0)
    expect(stderr).toContain('in words     one thousand five hundred reais\n')
    expect((await carriedOut(world.url)).transfers).toHaveLength(1)
  })

  it('refuses if there is no terminal to ask on', async () => {
    const world = await sandboxWorld()
    const ran = await world.run([...TRANSFER, '-o', 'json'])
    expect(ran).toMatchObject({ exit: 2, stdout: '' })
    expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 'CONFIRMATION_REQUIRED', outcome: 'not-sent' })
    expect((await carriedOut(world.url)).transfers).toEqual([])
    expect(await remembered(world)).toEqual([])
  })

  it.each<[string, string[], Record<string, string>]>([
    ['--no-input', ['--no-input'], {}],
    ['CI', [], { CI: '1' }],
  ])('refuses to ask on a terminal with %s', async (_, words, env) => {
    const world = await sandboxWorld()
    const { exit, screen } = await onTerminalHere(world, [...TRANSFER, ...words], { env }).ended
    expect([exit, screen.split('\n')[0]]).toEqual([
      2,
      'error: This would move money, and there is no terminal to ask on',
    ])
    expect((await carriedOut(world.url)).transfers).toEqual([])
  })
})

describe('a missing value', () => {
  it('is asked for on a terminal', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminalHere(world, ['transfer'])
    await terminal.shows('PIX key of the receiver')
    terminal.press(' joao@example.com \r')
    await terminal.shows('Amount in reais')
    terminal.press('1.234,56\r')
    await terminal.shows(QUESTION)
    terminal.press('y\r')
    const { exit, screen } = await terminal.ended
    expect(exit).toBe(0)
    expect(screen).toContain('in words     one thousand two hundred thirty-four reais and fifty-six centavos\n')
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ key: 'joao@example.com', value: 1234.56 }])
  })

  it.each<[string, string[], Record<string, string>]>([
    ['--no-input', ['--no-input'], {}],
    ['CI', [], { CI: '1' }],
  ])('is a usage error with %s', async (_, words, env) => {
    const world = await sandboxWorld()
    const { exit, screen } = await onTerminalHere(world, ['transfer', ...words], { env }).ended
    expect([exit, screen.split('\n')[0]]).toEqual([2, 'error: `--key` is missing'])
  })

  it('ends the command if the question is not answered', async () => {
    const world = await sandboxWorld()
    const terminal = onTerminalHere(world, ['refund', 'paid-1'])
    await terminal.shows('Reason for the refund')
    terminal.press('\x04')
    const { exit, screen } = await terminal.ended
    expect(exit).toBe(130)
    expect(screen).toContain('The prompt was not answered; nothing was done')
  })
})
