import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atOnce, inProduction } from '../cli/payments.ts'
import { hmac, signaturesOf, webhookTarget } from '../cli/webhookTarget.ts'
import { here } from '../inProcess.ts'
import { itOnTerminal, onTerminal, typeWrongly } from '../pseudoTerminal.ts'
import { emptyWorld } from '../world.ts'

const GATEWAY = 'https://gateway.example'
const BODY = '{"event":"pix.received","data":{"idTransaction":"abc","status":"PAID","amount":1500}}'

/** A home whose active profile is production, and a target. */
async function production(differences: Parameters<typeof inProduction>[2] = {}) {
  const world = await inProduction(emptyWorld(), GATEWAY, differences)
  const file = join(world.home, 'event.json')
  writeFileSync(file, BODY)
  const plain = join(world.home, 'plain.json')
  writeFileSync(plain, '{"hello":"world"}')
  return { world, target: await webhookTarget(), file, plain }
}

describe('a person', () => {
  async function typing(keys: string, command: 'sign' | 'send' = 'send', wrong: [string, string][] = []) {
    const { world, target, file } = await production()
    const words = command === 'sign' ? ['sign', '--body', file] : ['send', '--body', file, '--to', target.url]
    const terminal = onTerminal(world, ['webhook', ...words])
    await terminal.shows('Type the amount to sign it')
    await typeWrongly(terminal, wrong)
    terminal.press(keys)
    const { exit, cooked, screen } = await terminal.ended
    return { exit, cooked, screen, signed: target.posted.map(signaturesOf), url: target.url }
  }

  itOnTerminal('sees what it is, and signs it by typing the amount', async () => {
    for (const end of await atOnce(['1500\r', '1.500,00\r'], (answer) => typing(answer))) {
      expect(end).toMatchObject({ exit: 0, cooked: true, signed: [[hmac(BODY)]] })
      expect(end.screen.split('\n').slice(0, 8)).toEqual([
        'environment  production, profile prod',
        `address      ${GATEWAY}`,
        'meaning      a signed payment that never happened',
        'amount       R$ 1.500,00',
        'in words     one thousand five hundred reais',
        'event        pix.received, PAID',
        'id           abc',
        `to           ${end.url}`,
      ])
    }
  })

  itOnTerminal('signs nothing with anything else', async () => {
    const unanswered = await atOnce(['15\r\x03', '\x04'], (keys) => typing(keys))
    const wrong: [string, string][] = [
      ['15', 'Type `1500,00`: `15` is R$ 15,00'],
      ['y', '`y` is not an amount; type `1500,00`'],
      ['sign', '`sign` is not an amount; type `1500,00`'],
    ]
    const mistyped = await atOnce(['send', 'sign'] as const, (command) => typing('', command, wrong))
    for (const end of [...unanswered, ...mistyped]) {
      expect(end).toMatchObject({ exit: 130, cooked: true, signed: [] })
      expect(end.screen).toMatch(/\nerror: .*nothing was (?:signed|done)/i)
      expect(end.screen).not.toContain(hmac(BODY))
    }
  })

  itOnTerminal('gets the header value alone on stdout', async () => {
    const { exit, screen } = await typing('1500\r', 'sign')
    expect([exit, screen.trimEnd().split('\n').at(-1)]).toEqual([0, hmac(BODY)])
  })

  itOnTerminal('types a word if there is no amount', async () => {
    const { world, target, plain } = await production()
    const terminal = onTerminal(world, ['webhook', 'send', '--body', plain, '--to', target.url])
    await terminal.shows('Type `sign` to sign it')
    await typeWrongly(terminal, [
      ['Sign', 'Type `sign`, not `Sign`'],
      ['0', 'Type `sign`, not `0`'],
    ])
    expect(target.posted).toEqual([])
    terminal.press('sign\r')
    expect([(await terminal.ended).exit, target.posted.length]).toEqual([0, 1])
  })

  itOnTerminal('cannot answer in advance with --yes', async () => {
    const { world, target, file } = await production()
    const args = ['webhook', 'send', '--body', file, '--to', target.url, '--yes']
    const { exit, screen } = await onTerminal(world, args).ended
    expect([exit, screen.split('\n').slice(0, 2)]).toEqual([
      2,
      ['error: `--yes` is not enough in production', '  Nothing was signed'],
    ])
    expect(target.posted).toEqual([])
  })

  itOnTerminal('is not asked in a sandbox', async () => {
    const target = await webhookTarget()
    const { exit, screen } = await onTerminal(emptyWorld(), ['webhook', 'send', 'payment', '--to', target.url]).ended
    expect([exit, target.posted.length, screen.includes('Type')]).toEqual([0, 1, false])
  })
})

describe('a script', () => {
  it('names the profile, and sees what was signed', async () => {
    const { world, target, file } = await production()
    const args = ['webhook', 'send', '--body', file, '--to', target.url, '--confirm', 'prod']
    const { exit, stderr } = await world.run(args)
    expect([exit, target.posted.map(signaturesOf)]).toEqual([0, [[hmac(BODY)]]])
    expect(stderr).toContain('meaning      a signed payment that never happened\n')
    expect(await world.run(['webhook', 'sign', '--body', file, '--confirm', 'prod', '-q'])).toEqual({
      exit: 0,
      stdout: `${hmac(BODY)}\n`,
      stderr: '',
    })
  })

  it('names the host if the address is not that of a profile', async () => {
    const target = await webhookTarget()
    const env = { PIXGATE_BASE_URL: GATEWAY, PIXGATE_CLIENT_SECRET: 'local-secret' }
    const args = ['webhook', 'send', 'payment', '--to', target.url]
    const { stderr } = await here(emptyWorld(env))(args)
    expect(stderr).toContain('hint: Add `--confirm gateway.example` if this is what you want')
    expect((await here(emptyWorld(env))([...args, '--confirm', 'gateway.example'])).exit).toBe(0)
    expect(target.posted).toHaveLength(1)
  })

  it('signs nothing without naming it, whatever is sent', async () => {
    const { world, target, file } = await production()
    const send = ['send', 'payment', '--to', target.url]
    const lines = [
      ['sign', '--body', file],
      send,
      [...send, '--unsigned'],
      [...send, '--bad-signature'],
      [...send, '--yes'],
      [...send, '--confirm', 'other'],
      [...send, '--confirm='],
      [...send, '--confirm', 'gateway.example', '--yes'],
      [...send, '--no-input'],
    ]
    await atOnce(lines, async (words) => {
      const run = words.at(-1) === '--yes' ? world.run : here(world)
      const { exit, stdout, stderr } = await run(['webhook', ...words, '-o', 'json'])
      expect([exit, stdout]).toEqual([2, ''])
      const { code, outcome, hint } = JSON.parse(stderr).error
      expect([code, outcome]).toEqual(['CONFIRMATION_REQUIRED', 'not-sent'])
      expect(hint).toContain('--confirm prod')
    })
    expect(target.posted).toEqual([])
  })

  it('signs nothing with a read-only profile', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      const { world, target, file } = await production({
        environment,
        confirmedSandboxHost: new URL(GATEWAY).host,
        readOnly: true,
      })
      for (const words of [
        ['sign', '--body', file],
        ['send', 'payment', '--to', target.url],
        ['send', 'payment', '--to', target.url, '--unsigned'],
      ]) {
        const run = environment === 'production' && words[0] === 'sign' ? world.run : here(world)
        const { exit, stdout, stderr } = await run(['webhook', ...words, '--confirm', 'prod'])
        expect([exit, stdout, stderr.split('\n')[0]]).toEqual([
          2,
          '',
          'error: The profile prod is read-only: nothing is signed with it',
        ])
      }
      expect(target.posted).toEqual([])
    }
  })
})
