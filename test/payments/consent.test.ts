import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  askConsent,
  askFindingConsent,
  askSigningConsent,
  assertCanSend,
  dryRunLines,
} from '../../src/payments/consent.ts'
import type { EnvironmentKind } from '../../src/profiles/settings.ts'
import { openTerminal } from '../../src/terminal/terminal.ts'
import { Failure } from '../../src/wire/errors.ts'
import { Secret } from '../../src/wire/secret.ts'
import { paymentWorld } from './paymentWorld.ts'

const CTRL_C = '\x03'

/** A terminal on which a person gives these answers, the next one after each that is not accepted; null without a terminal. */
function terminalWith(answers: readonly string[] | null) {
  const isTTY = answers !== null
  const keys = Object.assign(new PassThrough(), { isTTY })
  const screen = { text: '' }
  const left = [...(answers ?? [])]
  let isAsked = false
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 200 }).on('data', (chunk) => {
    const drawn = stripVTControlCharacters(String(chunk))
    screen.text += drawn
    if (!drawn.includes('\n> ') && (isAsked || !drawn.startsWith('? '))) return
    isAsked = true
    const typed = left.shift()
    setImmediate(() => keys.write(typed === undefined ? CTRL_C : `${typed}\r`))
  })
  const { signal } = new AbortController()
  const terminal = openTerminal({
    ...{ stdin: () => keys, stdout: new PassThrough(), stderr, env: {}, secrets: [], interrupt: () => signal },
    ...{ colourForbidden: true, quiet: false, verbose: false, noInput: false, machineReadable: false },
  })
  return { terminal, screen, left }
}

type Asked = (by: {
  environment: EnvironmentKind
  amountCents: number | null
  yes: boolean
  confirm: string | undefined
  readOnly: boolean
  terminal: ReturnType<typeof terminalWith>['terminal']
}) => Promise<unknown>

const rows = [['to', 'maria@example.com']] as const

const ask: Record<'a payment' | 'a finding' | 'a signature', Asked> = {
  'a payment': ({ environment, amountCents, yes, confirm, terminal }) => {
    const context = { ...paymentWorld().context({ environment }), yes, confirm, terminal }
    return askConsent(context, { amountCents, rows, text: 'Send it?' })
  },
  'a finding': ({ environment, amountCents, yes, confirm, terminal }) => {
    const context = { ...paymentWorld().context({ environment }), yes, confirm, terminal }
    return askFindingConsent(context, { amountCents, rows, name: 'invoice-17' })
  },
  'a signature': ({ environment, amountCents, yes, confirm, readOnly, terminal }) => {
    const secret = { secret: new Secret('a secret'), source: 'profile prod' }
    const named = { profile: 'prod', confirmName: 'prod', baseUrl: 'https://gateway.example.com', clientId: 'c-1' }
    const signer = { ...secret, ...named, environment, readOnly, previous: null }
    return askSigningConsent({ signer, terminal, yes, confirm }, { amountCents, rows })
  },
}

interface Case {
  environment?: EnvironmentKind
  amountCents?: number | null
  yes?: boolean
  confirm?: string
  readOnly?: boolean
  /** What a person types; absent without a terminal. */
  typed?: string[]
}

/** How asking ended: `agreed`, or the exit code and the code of the failure; and what was on the screen. */
async function ending(what: keyof typeof ask, given: Case) {
  const { terminal, screen, left } = terminalWith(given.typed ?? null)
  const { environment = 'production', amountCents = 150_000, yes = false, confirm, readOnly = false } = given
  try {
    await ask[what]({ environment, amountCents, yes, confirm, readOnly, terminal })
    expect(left).toEqual([])
    return { end: 'agreed', screen: screen.text }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(error.outcome).toBe('not-sent')
    expect(error.hint).not.toBe('')
    if (error.exitCode === 2 && !readOnly) expect(error.details).toContain(NOTHING[what])
    return { end: `${error.exitCode} ${error.code}`, screen: screen.text }
  }
}

const NOTHING = {
  'a payment': 'Nothing was sent',
  'a finding': 'Nothing was recorded',
  'a signature': 'Nothing was signed',
}
const NEEDED = '2 CONFIRMATION_REQUIRED'
const DECLINED = '130 CANCELLED'
const sandbox = { environment: 'sandbox' } as const

/** In production a person types the amount, a script names the profile; `--yes` is enough in a sandbox only. */
const IN_PRODUCTION: [Case, string][] = [
  [{}, NEEDED],
  [{ yes: true }, NEEDED],
  [{ yes: true, typed: [] }, NEEDED],
  [{ confirm: 'prod' }, 'agreed'],
  [{ confirm: 'prod', yes: true }, 'agreed'],
  [{ confirm: 'other' }, NEEDED],
  [{ confirm: '', typed: ['1500'] }, NEEDED],
  [{ confirm: 'other', yes: true }, NEEDED],
  [{ typed: ['1500'] }, 'agreed'],
  [{ typed: ['1.500,00'] }, 'agreed'],
  [{ typed: ['15', 'y', '1500'] }, 'agreed'],
  [{ typed: ['15', 'y', 'prod'] }, DECLINED],
  [{ typed: [] }, DECLINED],
  [{ typed: ['1500,01', '1499,99', '150000'] }, DECLINED],
]

describe('a payment', () => {
  it.each<[Case, string]>([
    ...IN_PRODUCTION,
    // A refund of all that is left, whose amount is unknown.
    [{ amountCents: null, typed: ['0', 'ALL', 'all'] }, 'agreed'],
    [{ amountCents: null, typed: ['y', '1500', 'yes'] }, DECLINED],
    [sandbox, NEEDED],
    [{ ...sandbox, yes: true }, 'agreed'],
    [{ ...sandbox, confirm: 'prod' }, 'agreed'],
    [{ ...sandbox, confirm: 'other', yes: true }, NEEDED],
    [{ ...sandbox, typed: ['y'] }, 'agreed'],
    [{ ...sandbox, typed: ['sim'] }, 'agreed'],
    [{ ...sandbox, typed: ['n'] }, DECLINED],
    [{ ...sandbox, typed: [''] }, DECLINED],
    [{ ...sandbox, typed: [] }, DECLINED],
  ])('%j: %s', async (given, end) => {
    expect((await ending('a payment', given)).end).toBe(end)
  })

  it.each<[string, Case]>([
    ['is shown before it is asked', { typed: ['1500'] }],
    ['is shown if it was confirmed in advance', { confirm: 'prod' }],
  ])('%s', async (_name, given) => {
    const { screen } = await ending('a payment', given)
    expect(screen.split('\n').slice(0, 5)).toEqual([
      'environment  production, profile prod',
      'address      https://gateway.example.com',
      'amount       R$ 1.500,00',
      'in words     one thousand five hundred reais',
      'to           maria@example.com',
    ])
  })

  it.each<[EnvironmentKind, string]>([
    ['production', '--confirm prod'],
    ['sandbox', '--yes'],
  ])('in a %s without a terminal needs %s', async (environment, option) => {
    const { terminal } = terminalWith(null)
    const context = { ...paymentWorld().context({ environment }), terminal }
    const asked = askConsent(context, { amountCents: 1, rows: [], text: 'Send it?' })
    await expect(asked).rejects.toThrow(expect.objectContaining({ hint: expect.stringContaining(`\`${option}\``) }))
  })

  it('of a dry run is shown without an answer, but not to who confirms another account', () => {
    const { terminal } = terminalWith(null)
    const context = { ...paymentWorld().context(), terminal }
    const lines = dryRunLines(context, { amountCents: null, rows: [], text: 'Send it?' })
    expect(lines('err')).toContain('amount       all that is left')
    expect(() => dryRunLines({ ...context, confirm: 'other' }, { amountCents: 1, rows: [], text: '' })).toThrow(
      '`--confirm other` does not match prod',
    )
  })
})

describe('a finding', () => {
  it.each<[Case, string]>([
    ...IN_PRODUCTION,
    [{ amountCents: null, typed: ['all', 'invoice-1', 'invoice-17'] }, 'agreed'],
    [{ amountCents: null, typed: ['y', 'INVOICE-17', 'prod'] }, DECLINED],
    // Nothing is asked in a sandbox.
    [sandbox, 'agreed'],
    [{ ...sandbox, typed: [] }, 'agreed'],
    [{ ...sandbox, confirm: 'other' }, NEEDED],
  ])('%j: %s', async (given, end) => {
    expect((await ending('a finding', given)).end).toBe(end)
  })

  it.each([{ confirm: 'prod' }, sandbox, { typed: ['1500'] }])('is shown with %j', async (given) => {
    const { screen } = await ending('a finding', given)
    expect(screen).toContain('amount       R$ 1.500,00\n')
    expect(screen).toContain('to           maria@example.com\n')
  })
})

describe('a signature', () => {
  it.each<[Case, string]>([
    ...IN_PRODUCTION,
    [{ amountCents: null, typed: ['0', 'Sign', 'sign'] }, 'agreed'],
    [{ amountCents: null, typed: ['y', '1500', 'prod'] }, DECLINED],
    [{ confirm: 'prod', readOnly: true }, '2 USAGE'],
    [sandbox, 'agreed'],
    [{ ...sandbox, typed: [] }, 'agreed'],
    [{ ...sandbox, confirm: 'other' }, NEEDED],
    [{ ...sandbox, readOnly: true }, '2 USAGE'],
  ])('%j: %s', async (given, end) => {
    expect((await ending('a signature', given)).end).toBe(end)
  })

  it.each([{ confirm: 'prod' }, { typed: ['1500'] }])('is shown as what it is with %j', async (given) => {
    const { screen } = await ending('a signature', given)
    expect(screen.split('\n').slice(0, 6)).toEqual([
      'environment  production, profile prod',
      'address      https://gateway.example.com',
      'meaning      a signed payment that never happened',
      'amount       R$ 1.500,00',
      'in words     one thousand five hundred reais',
      'to           maria@example.com',
    ])
  })
})

it('nothing is sent with a read-only profile', () => {
  // It may be that of a person who only looks up and checks.
  const refused = { exitCode: 2, hint: expect.not.stringContaining('--no-read-only') }
  const profile = { readOnly: true, confirmName: 'prod' }
  expect(() => assertCanSend(profile)).toThrow(expect.objectContaining(refused))
  assertCanSend({ ...profile, readOnly: false })
})
