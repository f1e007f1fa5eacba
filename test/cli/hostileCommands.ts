import { createHmac } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { freePort } from '../freePort.ts'
import { runInProcess } from '../inProcess.ts'
import type { ProcessResult } from '../world.ts'
import type { HostileOutside } from './hostileOutside.ts'
import type { HostileParties } from './hostileParties.ts'
import { send } from './listenerRun.ts'

/** How a command is told to print. */
export interface Form {
  language: 'en' | 'pt-BR'
  format: 'text' | 'json'
  isTerminal: boolean
}

/** The form with a number; there are eight. */
export function formOf(turn: number): Form {
  return {
    language: turn % 2 === 0 ? 'en' : 'pt-BR',
    format: turn % 4 < 2 ? 'text' : 'json',
    isTerminal: turn % 8 >= 4,
  }
}

export const FORMS: readonly Form[] = Array.from({ length: 8 }, (_, turn) => formOf(turn))

/** Controls but the line break, formats, surrogates without a partner, separators, what has no shape, what arranges hieroglyphs; and a ninth mark. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{13430}-\u{1345f}]|\p{M}{9}/u
/** What pixgate itself writes to a terminal, to replace a line that passes. */
const OWN_CONTROLS = /\r\u001b\[K/g

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Runs commands against what is hostile, and collects the outputs that are not safe or, in JSON, not JSON. */
export class OutputJudge {
  readonly found: string[] = []
  /** How many commands were run. */
  count = 0
  readonly #outside: HostileOutside

  constructor(outside: HostileOutside) {
    this.#outside = outside
  }

  async run(
    form: Form,
    words: readonly string[],
    options: { env?: Record<string, string>; interruptAt?: string } = {},
  ) {
    const columns = form.isTerminal ? { columns: 200 } : {}
    const { env = this.#outside.world.env, ...others } = options
    const ran = await runInProcess(wordsIn(form, words), { NO_COLOR: '1', ...env }, { ...others, ...columns })
    this.judge(form, words, ran)
    return ran
  }

  judge({ language, format, isTerminal }: Form, words: readonly string[], { stdout, stderr }: ProcessResult): void {
    this.count += 1
    const report = (what: string) =>
      this.found.push(`${words.join(' ')} (${language}, ${format}, ${isTerminal ? 'terminal' : 'pipe'}): ${what}`)
    // Columns of a list in a pipe are separated by tabs.
    const data = isTerminal || format === 'json' ? stdout : stdout.replaceAll('\t', ' ')
    for (const text of [data, stderr].map((each) => (isTerminal ? each.replaceAll(OWN_CONTROLS, '') : each))) {
      const { index: at } = UNSAFE.exec(text) ?? {}
      if (at !== undefined) report(JSON.stringify(text.slice(Math.max(0, at - 30), at + 30)))
    }
    if (format === 'json' && !isJson(stdout)) report(`no JSON: ${JSON.stringify(stdout.slice(0, 100))}`)
  }
}

/** The words of a command with those that choose its form. */
export function wordsIn({ language, format }: Form, words: readonly string[]): string[] {
  return ['--lang', language, ...(format === 'json' ? ['-o', 'json'] : []), ...words]
}

/** True of one document, of a line each, and of nothing. */
function isJson(stdout: string): boolean {
  const parses = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  return stdout.trim() === '' || parses(stdout) || stdout.trimEnd().split('\n').every(parses)
}

/** Commands that print all of the texts at once. Some change what the ledger holds. */
export function listingCommands(
  { world, batch, accepted }: HostileOutside,
  { run, plan }: HostileParties,
  texts: readonly string[],
): string[][] {
  const url = world.env.PIXGATE_BASE_URL ?? ''
  const file = (name: string, content: string) => {
    const path = join(world.home, name)
    writeFileSync(path, content)
    return path
  }
  const lines = (head: string, line: (text: string, place: number) => string) =>
    `${[head, ...texts.map(line)].join('\n')}\n`
  const statement = file(
    'statement.csv',
    lines('Data,Valor,Descrição', (text) => `01/11/2026,"1,00",${quoted(text)}`),
  )
  const faulty = file(
    'faulty.csv',
    lines('key,value', (text) => `${quoted(text)},${quoted(text)}`),
  )
  const headings = file('headings.csv', `${texts.map(quoted).join(',')}\n${texts.map(quoted).join(',')}\n`)
  const stored = file(
    'stored.jsonl',
    texts.map((text) => JSON.stringify({ body: text, headers: { [text]: text } })).join('\n'),
  )
  const ids = file(
    'ids.csv',
    lines('idTransaction,status', (text) => `${quoted(text)},PAID`),
  )
  const payees = file(
    'payees.csv',
    lines('name,key', (text, place) => `p${place},${quoted(text)}`),
  )
  const out = join(world.home, 'report')
  return [
    ['batch', 'show', batch.run],
    ['batch', 'show', run],
    ['batch', 'list'],
    ['batch', 'report', run, '--out', `${out}-run.xlsx`],
    ['batch', 'transfer', faulty, '--dry-run'],
    ['batch', 'transfer', headings, '--dry-run'],
    ['batch', 'transfer', batch.file, '--dry-run', '--reference', 'other'],
    ['resume', batch.run, '--refused', '--dry-run'],
    ['history', '--all-rows'],
    ['history', 'find', 'p1', '--all-rows'],
    ['history', 'show', accepted[0] ?? ''],
    ['history', 'check'],
    ['history', 'check', '--statement', statement],
    ['history', 'import', stored],
    ['history', 'report', '--month', '11/2026', '--out', `${out}-month.xlsx`],
    ['history', 'export'],
    ['status', accepted[0] ?? ''],
    ['status', '--from', ids],
    ['payee', 'import', payees, '--yes'],
    ['payee', 'list'],
    ['payee', 'show', 'payee-0'],
    ['plan', 'list'],
    ['plan', 'show', plan],
    ['plan', 'send', plan, '--yes'],
    ['sandbox', 'state'],
    ['sandbox', 'requests'],
    ['sandbox', 'fault', 'list'],
    ['sandbox', 'pay', 'x'],
    ['webhook', 'events', '--all-rows'],
    ['webhook', 'events', 'show', '1'],
    ['webhook', 'replay', '1', '--to', url, '--yes'],
    ['webhook', 'replay', '1', '--to', url, '--dry-run', '--curl'],
    ['webhook', 'send', 'pix.received', '--to', url, '--yes'],
    ['webhook', 'check', url, '--yes'],
    ['ledger', 'show'],
    ['doctor'],
  ]
}

/** Commands about one thing, which a text names or describes. */
export function singleCommands({ world }: HostileOutside, text: string, place: number): string[][] {
  const typed = text.replaceAll('\0', '\u0001')
  const file = (name: string, content: string) => {
    const path = join(world.home, name)
    writeFileSync(path, content)
    return path
  }
  const body = file(
    'body',
    JSON.stringify({ event: text, data: { idTransaction: text, status: text, payer: { name: text } } }),
  )
  const request = file('request', `POST /${text} HTTP/1.1\r\nHost: ${text}\r\nX-Signature: ${text}\r\n\r\n${text}`)
  const plan = file('spoiled.plan.json', JSON.stringify({ version: 1, kind: text, [text]: text, requests: [text] }))
  return [
    ['transfer', '--key', `k${place}@example.com`, '--amount', '1', '--yes', '--again'],
    ['transfer', '--key', typed, '--amount', typed, '--yes'],
    ['refund', crypto.randomUUID(), '--reason', typed || 'x', '--amount', '1', '--yes'],
    ['refund', crypto.randomUUID(), '--reason', typed || 'x', '--amount', '1', '--yes', '--skip-query'],
    ['qr', 'create', '--amount', '1', '--payer-name', typed, '--no-qr'],
    ['qr', 'decode', typed],
    ['qr', 'draw', typed],
    ['status', crypto.randomUUID()],
    ['status', typed],
    ['history', 'find', typed],
    ['history', 'show', typed],
    ['history', 'settle', `p${place}`, '--as', 'paid', '--because', typed || 'x', '--yes'],
    ['batch', 'show', typed],
    ['webhook', 'events', 'show', String(place + 1)],
    ['webhook', 'verify', '--body', body, '--signature', typed],
    ['webhook', 'verify', '--request', request],
    ['payee', 'add', typed, '--key', typed],
    ['payee', 'show', `payee-${place}`],
    ['payee', 'show', typed],
    ['plan', 'show', plan],
    ['plan', 'show', typed],
    ['sandbox', 'pay', typed],
    ['sandbox', 'fault', typed],
    ['profile', 'show', typed],
    ['help', typed],
    [typed],
    ['transfer', `--${typed}`],
    ['history', '--fields', typed],
    ['--profile', typed, 'history'],
  ]
}

/** Makes, approves and sends a plan with a row for each text, and rejects another; the names of its payees are the texts. */
export async function judgePlan(
  judge: OutputJudge,
  form: Form,
  { file, maker, approver }: HostileParties,
  name: string,
) {
  for (const end of ['sent', 'rejected']) {
    const plan = join(file, '..', `${name}-${end}.plan.json`)
    const make = ['batch', 'transfer', file, '--reference', `${name}-${end}`, '--again', '--plan', plan]
    await judge.run(form, [...make, '--ssh-key', maker.file])
    await judge.run(form, ['plan', 'show', plan])
    await judge.run(form, ['plan', 'approve', plan, '--ssh-key', approver.file, '--yes'])
    if (end === 'sent') await judge.run(form, ['plan', 'send', plan, '--yes'])
    else await judge.run(form, ['plan', 'reject', plan, '--because', 'paid\u202e'])
  }
}

/** Runs a listener to which each text comes, genuine and forged, and which forwards them to the hostile gateway; and the page. */
export async function judgeServers(
  judge: OutputJudge,
  form: Form,
  { world }: HostileOutside,
  texts: readonly string[],
) {
  const port = await freePort()
  const forward = ['--forward-to', world.env.PIXGATE_BASE_URL ?? '', '--print-body']
  const ends = ['--max-events', String(texts.length), '--for', '60s']
  const listening = judge.run(form, ['webhook', 'listen', '--port', String(port), ...ends, ...forward])
  for (const text of texts) {
    // With another amount an event is no duplicate of one that came before.
    const data = { idTransaction: text, status: text, amount: judge.count + 1, payer: { name: text } }
    const body = JSON.stringify({ event: text, data })
    const signed = createHmac('sha256', 'shop-secret').update(body).digest('hex')
    // A header takes any bytes but controls.
    const header = Buffer.from(text.replaceAll(/[\0-\x1f\x7f]/g, '')).toString('latin1')
    const lines = [`X-Signature: ${signed}`, `X-Text: ${header}`]
    await expectAnswer(port, { body: `${body} `, lines })
    await expectAnswer(port, { body, lines })
  }
  await listening
  await judge.run(form, ['inspect', '--port', '0'], { interruptAt: 'http' })
}

/** Prints profiles whose values somebody else wrote into the file. */
export async function judgeProfiles(
  judge: OutputJudge,
  form: Form,
  { world, owner }: HostileOutside,
  texts: readonly string[],
) {
  const folder = world.env.PIXGATE_CONFIG_DIR ?? ''
  const stored = texts.map((text, place): [string, StoredProfile] => [
    `p${place}`,
    {
      environment: 'sandbox',
      baseUrl: owner.baseUrl,
      clientId: owner.clientId,
      secret: { source: 'stored', value: 'shop-secret' },
      callbackUrl: 'http://127.0.0.1:1/',
      company: `of ${text.replaceAll(/\p{Cc}/gu, ' ')}`,
      checkCommand: `true # ${text}`,
      confirmedSandboxHost: text,
    },
  ])
  await changeProfiles(folder, () => ({ active: 'p0', profiles: new Map(stored) }))
  const { PIXGATE_BASE_URL: _url, PIXGATE_CLIENT_ID: _id, PIXGATE_CLIENT_SECRET: _secret, ...env } = world.env
  const shown = stored.slice(0, 3).map(([name]) => ['profile', 'show', name])
  for (const words of [['profile', 'list'], ...shown, ['doctor'], ['history']]) {
    await judge.run(form, words, { env })
  }
  rmSync(folder, { recursive: true })
}

/** Sends a request until the listener has started. */
async function expectAnswer(port: number, request: { body: string; lines: string[] }): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await send(port, request)) !== undefined) return
    } catch (error) {
      if (tries > 200) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
