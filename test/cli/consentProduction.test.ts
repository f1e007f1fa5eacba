import { describe, expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal, typeWrongly } from '../pseudoTerminal.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { atOnce, carriedOut, failureOf, inProduction, inThisProcess, remembered, TRANSFER } from './payments.ts'

const QUESTION = 'This is real money. Type the amount to send it'
const WITHOUT_ID = TRANSFER.slice(0, 5)

/** A sandbox that the active profile calls production. */
async function production() {
  const { url } = await sandboxWorld()
  return { ...(await inProduction(emptyWorld(), url)), url }
}

describe('a person', () => {
  async function typing(answer: string) {
    const world = await production()
    const terminal = onTerminal(world, TRANSFER)
    await terminal.shows(QUESTION)
    terminal.press(answer)
    const { exit, cooked, screen } = await terminal.ended
    const sent = (await carriedOut(world.url)).transfers.map(({ value }) => value)
    return { exit, cooked, screen, sent, remembered: await remembered(world) }
  }

  it('sends it by typing the amount', async () => {
    for (const end of await atOnce(['1500\r', '1.500,00\r', ' R$ 1500,0 \r'], typing)) {
      expect(end).toMatchObject({ exit: 0, cooked: true, sent: [1500], remembered: ['invoice-17 accepted'] })
      expect(end.screen.split('\n')[0]).toBe('environment  production, profile prod')
      expect(end.screen).toContain('\nin words     one thousand five hundred reais\n')
    }
  })

  itOnTerminal(
    'may type it three times, is told why, and sends nothing after the third or without an answer',
    async () => {
      const ambiguous =
        '> The amount `1.500` is ambiguous: the `.` could separate thousands or decimals; type `1500,00`'
      const wrong: [string, string][] = [
        ['1.500', ambiguous],
        ['15000', '> Type `1500,00`: `15000` is R$ 15.000,00'],
      ]
      const ends = await atOnce(['prod\r', '1500\r', '\x04', '\x03', 'SIGTERM'], async (last) => {
        const world = await production()
        const terminal = onTerminal(world, TRANSFER)
        await terminal.shows(QUESTION)
        await typeWrongly(terminal, wrong)
        if (last === 'SIGTERM') terminal.signal(last)
        else terminal.press(last)
        const { exit, cooked, raw, screen } = await terminal.ended
        const [error] = /error: .*/.exec(screen) ?? []
        expect(raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(raw.lastIndexOf('\x1b[?25l'))
        return { exit, cooked, error, sent: (await carriedOut(world.url)).transfers.length }
      })
      const unanswered = 'error: The prompt was not answered; nothing was done'
      expect(ends).toEqual([
        { exit: 130, cooked: true, error: 'error: The typed amount does not match; nothing was sent', sent: 0 },
        { exit: 0, cooked: true, error: undefined, sent: 1 },
        { exit: 130, cooked: true, error: unanswered, sent: 0 },
        { exit: 130, cooked: true, error: unanswered, sent: 0 },
        { exit: 143, cooked: true, error: unanswered, sent: 0 },
      ])
    },
  )

  it('sees that it is production in a colour that stands out', async () => {
    const terminal = onTerminalHere(await production(), TRANSFER, { env: { NO_COLOR: undefined } })
    await terminal.shows(QUESTION)
    terminal.press('\x03')
    expect((await terminal.ended).raw).toContain('\x1b[31m\x1b[1mproduction, profile prod')
  })

  it('is asked for the invoice number, which becomes the external id', async () => {
    const world = await production()
    const terminal = onTerminalHere(world, WITHOUT_ID)
    await terminal.shows('Invoice number (used as the external id)')
    terminal.press(' NF 4711 \r')
    await terminal.shows('external id  NF 4711\n')
    await terminal.shows(QUESTION)
    terminal.press('1500\r')
    expect((await terminal.ended).exit).toBe(0)
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ externalId: 'NF 4711' }])
  })

  it('cannot answer in advance with --yes', async () => {
    const world = await production()
    const { exit, screen } = await onTerminalHere(world, [...TRANSFER, '--yes']).ended
    expect([exit, screen.split('\n')[0]]).toEqual([2, 'error: `--yes` is not enough in production'])
    expect((await carriedOut(world.url)).transfers).toEqual([])
  })
})

describe('a script', () => {
  it('names the profile, and gets an external id', async () => {
    const world = inThisProcess(await production())
    const document = await world.json([...WITHOUT_ID, '--confirm', 'prod'])
    expect(document).toMatchObject({ pixgate: { profile: 'prod', environment: 'production', outcome: 'accepted' } })
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ externalId: document.externalId, value: 1500 }])
  })

  it('sends nothing without naming it', async () => {
    const world = await production()
    const answers = ['', '--yes', '--confirm other', '--confirm 127.0.0.1', '--confirm other --yes', '--confirm=']
    await atOnce(answers, async (words) => {
      const { run: start } = words === '--yes' ? world : inThisProcess(world)
      const run = await start([...TRANSFER, ...words.split(' ').filter((word) => word !== ''), '-o', 'json'])
      const failure = failureOf(run)
      expect(failure).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED', outcome: 'not-sent' })
      expect(failure.hint).toContain('--confirm prod')
    })
    expect((await carriedOut(world.url)).transfers).toEqual([])
    expect(await remembered(world)).toEqual([])
  })
})

describe('an additional payment', () => {
  const again = [...TRANSFER.slice(0, 5), '--external-id', 'invoice-18', '--confirm', 'prod', '-o', 'json']

  it('is named, with the earlier external id', async () => {
    const world = inThisProcess(await production())
    await world.prepare([...TRANSFER, '--confirm', 'prod'])
    for (const words of [[], ['--again'], ['--in-addition-to', 'invoice-18']]) {
      const failure = failureOf(await world.run([...again, ...words]))
      expect(failure).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'invoice-17' })
      expect(failure.hint).toContain('`--in-addition-to invoice-17`')
    }
    expect((await world.run([...again, '--in-addition-to', 'invoice-17'])).exit).toBe(0)
    const { transfers } = await carriedOut(world.url)
    expect(transfers.map(({ externalId }) => externalId)).toEqual(['invoice-17', 'invoice-18'])
  })
})
