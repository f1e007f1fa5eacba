import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readSheet } from 'read-excel-file/node'
import { expect, it, onTestFinished } from 'vitest'
import { startInspector } from '../inspector/chromium.ts'
import { BINARY, NODE, sandboxWorld, type World } from '../world.ts'
import { atOnce, control, inThisProcess } from './payments.ts'
import { writeCharge, writeEvent, writeRefund, writeTransfer } from './sentPayments.ts'

/** A gateway in front of a sandbox, which loses the answers to requests with `lost` in them and keeps back those with `held`. */
async function betweenSandbox(url: string): Promise<{ url: string; reached: Promise<unknown> }> {
  let reach: (value: unknown) => void = () => undefined
  const reached = new Promise((resolve) => {
    reach = resolve
  })
  let held = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (body.includes('held')) {
      held += 1
      if (held === 3) reach(null)
      return
    }
    const { authorization = '' } = request.headers
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      ...(request.method === 'POST' && { body }),
    })
    const answered = await answer.text()
    if (body.includes('lost')) request.socket.destroy()
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reached }
}

type Kind = 'qr' | 'transfer' | 'refund'
/** `ledger` where nothing final is known. */
type Source = 'ledger' | 'gateway' | 'event' | 'person'

/** What every screen must say of a payment: the word in both languages, and for programs the name of the state and who tells it. */
interface Told {
  state: string
  word: string
  palavra: string
}

const TOLD = {
  notSent: { state: 'not-sent', word: 'not sent', palavra: 'não enviado' },
  beingSent: { state: 'being-sent', word: 'being sent', palavra: 'em envio' },
  refused: { state: 'refused', word: 'refused', palavra: 'recusado' },
  pending: { state: 'pending', word: 'pending', palavra: 'pendente' },
  accepted: { state: 'accepted', word: 'accepted', palavra: 'aceito' },
  unknown: { state: 'unknown', word: 'unknown', palavra: 'desconhecido' },
  paid: { state: 'paid', word: 'paid', palavra: 'pago' },
  notPaid: { state: 'not-paid', word: 'not paid', palavra: 'não pago' },
  returned: { state: 'returned', word: 'returned', palavra: 'devolvido' },
} as const satisfies Record<string, Told>

/** How a payment came to its state, what it then is, who tells it, and what `history check` says of it where it asks or lists it. */
type Case = [kind: Kind, how: string, told: keyof typeof TOLD, by: Source, verdict?: string]

/** The oracle, written by hand. `event PAID` is an event with this status, `answer PAID_OUT` an answer, `query …` what `status` was told, `settled …` a person's word. */
const CASES: readonly Case[] = [
  ['qr', 'created', 'pending', 'ledger', 'open'],
  ['qr', 'not sent', 'notSent', 'ledger'],
  ['qr', 'refused', 'refused', 'ledger'],
  ['qr', 'lost', 'unknown', 'ledger', 'unknown'],
  ['qr', 'held', 'beingSent', 'ledger', 'open'],
  ['qr', 'query PAID', 'paid', 'gateway', 'agrees'],
  ['qr', 'query EXPIRED', 'notPaid', 'gateway'],
  ['qr', 'query CANCELLED', 'notPaid', 'gateway'],
  ['qr', 'query REFUNDED', 'returned', 'gateway'],
  ['qr', 'event PAID', 'paid', 'event', 'agrees'],
  ['qr', 'event EXPIRED', 'notPaid', 'event'],
  ['qr', 'event CANCELLED', 'notPaid', 'event'],
  ['qr', 'event REFUNDED', 'returned', 'event'],
  ['qr', 'event CHARGEBACK', 'returned', 'event'],
  ['qr', 'settled paid', 'paid', 'person', 'not-paid-there'],
  ['qr', 'settled not-paid', 'notPaid', 'person'],
  ['qr', 'settled returned', 'returned', 'person'],
  ['transfer', 'answer PROCESSING', 'accepted', 'ledger', 'open'],
  ['transfer', 'not sent', 'notSent', 'ledger'],
  ['transfer', 'refused', 'refused', 'ledger'],
  ['transfer', 'lost', 'unknown', 'ledger', 'unknown'],
  ['transfer', 'held', 'beingSent', 'ledger', 'open'],
  ['transfer', 'answer PAID_OUT', 'paid', 'gateway'],
  ['transfer', 'event PAID_OUT', 'paid', 'event'],
  ['transfer', 'event ERROR', 'notPaid', 'event'],
  ['transfer', 'event CANCELED', 'notPaid', 'event'],
  ['transfer', 'event RETURNED', 'returned', 'event'],
  ['transfer', 'settled paid', 'paid', 'person'],
  ['transfer', 'settled not-paid', 'notPaid', 'person'],
  ['transfer', 'settled returned', 'returned', 'person'],
  ['refund', 'answer PROCESSING', 'accepted', 'ledger', 'open'],
  ['refund', 'not sent', 'notSent', 'ledger'],
  ['refund', 'refused', 'refused', 'ledger'],
  ['refund', 'lost', 'unknown', 'ledger', 'unknown'],
  ['refund', 'held', 'beingSent', 'ledger', 'open'],
  ['refund', 'answer COMPLETED', 'paid', 'gateway'],
  ['refund', 'event COMPLETED', 'paid', 'event'],
  ['refund', 'event FAILED', 'notPaid', 'event'],
  ['refund', 'settled paid', 'paid', 'person'],
  ['refund', 'settled not-paid', 'notPaid', 'person'],
]

/** Each payment has an amount of its own, by which every screen is read. */
function centsOf(place: number): number {
  return 10_001 + place * 101
}

function reais(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',')
}

/** Brings a payment into its state; the answer of a request that is kept back is never awaited. */
async function bringAbout(world: World, sandbox: string, [kind, how]: Case, place: number): Promise<void> {
  const [cents, owner, at] = [centsOf(place), { baseUrl: world.env.PIXGATE_BASE_URL ?? '' }, new Date().toISOString()]
  const [way = '', status = ''] = how.split(' ')
  const name = `case-${place}-${way === 'lost' || way === 'held' ? way : 'x'}`
  const original = `11111111-1111-4111-8111-${String(place).padStart(12, '0')}`
  const [amount, idTransaction] = [['--amount', reais(cents)], `id-${place}`]
  const typed = {
    qr: ['qr', 'create', ...amount, '--request-number', name, '--payer-name', 'Maria Lima', '--no-qr'],
    transfer: ['transfer', '--key', 'maria@example.com', ...amount, '--external-id', name, '--again', '--yes'],
    refund: ['refund', original, ...amount, '--reason', name, '--skip-query', '--again', '--yes'],
  }[kind]
  if (way === 'held') {
    const child = spawn(NODE, [BINARY, ...typed, '--timeout', '5m'], { env: world.env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return
  }
  if (way === 'lost') {
    expect((await world.run(typed)).exit).toBe(5)
    return
  }
  if (kind === 'qr' && way !== 'not' && way !== 'refused') {
    const { idTransaction: id } = await world.json(typed)
    const CONTROLS = { PAID: 'pay', EXPIRED: 'expire', CANCELLED: 'cancel', CHARGEBACK: 'chargeback', REFUNDED: 'pay' }
    const action = Object.entries(CONTROLS).find(([each]) => each === status)?.[1]
    if (status === 'CHARGEBACK') await control(sandbox, 'pay', { id })
    if (action !== undefined) await control(sandbox, action, { id })
    if (status === 'REFUNDED') await refundElsewhere(sandbox, String(id))
    if (way === 'query') await world.json(['status', String(id)])
    if (way === 'event')
      await writeEvent(
        world,
        at,
        { event: 'pix.received', data: { idTransaction: id, status, amount: cents / 100 } },
        owner,
      )
    if (way === 'settled') await world.json(['history', 'settle', String(id), '--as', status, '--because', 'seen'])
    return
  }
  const none = { idTransaction: null, status: null }
  const answer = {
    not: { ...none, outcome: 'not-sent' },
    refused: { ...none, outcome: 'refused', code: 'NO_FUNDS', httpStatus: 400 },
    answer: { idTransaction, status },
  }[way] ?? { idTransaction }
  const written = { at, owner, answer: answer as object }
  const facts = { amountCents: cents, ...(kind === 'refund' && { refundReason: name }) }
  if (kind === 'qr')
    await writeCharge(world, { ...written, requestNumber: name, facts: { ...facts, payerName: 'Maria Lima' } })
  if (kind === 'transfer') await writeTransfer(world, { ...written, externalId: name, facts })
  if (kind === 'refund') await writeRefund(world, { ...written, originalTransactionId: original, facts })
  const data = {
    idTransaction,
    status,
    externalId: name,
    value: cents / 100,
    amount: cents / 100,
    originalTransactionId: original,
  }
  const event = {
    transfer: status === 'PAID_OUT' ? 'transfer.completed' : 'transfer.failed',
    refund: 'refund.status',
    qr: '',
  }[kind]
  if (way === 'event') await writeEvent(world, at, { event, data }, owner)
  if (way === 'settled') await world.json(['history', 'settle', idTransaction, '--as', status, '--because', 'seen'])
}

/** Another machine returns all of it, of which this ledger has no record. */
async function refundElsewhere(sandbox: string, originalTransactionId: string): Promise<void> {
  const response = await fetch(`${sandbox}/api/v2/gateway/pix-refund`, {
    method: 'POST',
    headers: { authorization: 'Bearer local-secret', 'content-type': 'application/json' },
    body: JSON.stringify({ originalTransactionId, refundReason: 'x', callbackUrl: 'http://127.0.0.1:1/' }),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
}

/** How sums name a kind in a state, in Portuguese, where the word depends on the kind. */
const SOMAS: Readonly<Record<Kind, Partial<Record<keyof typeof TOLD, string>>>> = {
  qr: {
    notSent: 'cobrança não enviada',
    beingSent: 'cobrança em envio',
    refused: 'cobrança recusada',
    pending: 'cobrança pendente',
    unknown: 'cobrança com resultado desconhecido',
    paid: 'cobrança paga',
    notPaid: 'cobrança não paga',
    returned: 'cobrança devolvida',
  },
  transfer: {
    notSent: 'transferência não enviada',
    beingSent: 'transferência em envio',
    refused: 'transferência recusada',
    accepted: 'transferência aceita',
    unknown: 'transferência com resultado desconhecido',
    paid: 'transferência paga',
    notPaid: 'transferência não paga',
    returned: 'transferência devolvida pelo recebedor',
  },
  refund: {
    notSent: 'devolução não enviada',
    beingSent: 'devolução em envio',
    refused: 'devolução recusada',
    accepted: 'devolução aceita',
    unknown: 'devolução com resultado desconhecido',
    paid: 'devolução paga',
    notPaid: 'devolução não paga',
  },
}

/** The lines of sums that a list must end with. */
function expectedSums(isPortuguese: boolean): string[] {
  const sums = new Map<string, number[]>()
  for (const [place, [kind, , told]] of CASES.entries()) {
    const name = isPortuguese ? (SOMAS[kind][told] ?? '') : `${kind} ${TOLD[told].word}`
    sums.set(name, [...(sums.get(name) ?? []), centsOf(place)])
  }
  return [...sums].map(([name, all]) => `${name}: ${all.length}, R$ ${reais(all.reduce((sum, each) => sum + each))}`)
}

/** The name of each case, and what is said of it; of the cases that `of` chooses. */
function expected<Said>(say: (each: Case) => Said, of: (each: Case) => boolean = () => true): [string, Said][] {
  return CASES.filter(of).map((each) => [`${each[0]} ${each[1]}`, say(each)])
}

/** What a screen says of each case, found by its amount. */
function found<Said>(said: (amount: string) => Said | undefined): [string, Said][] {
  return CASES.flatMap(([kind, how], place) => {
    const each = said(`R$ ${reais(centsOf(place))}`)
    return each === undefined ? [] : [[`${kind} ${how}`, each]]
  })
}

/** The cell of a column in the line of a table in text that has this amount. */
function cellAt(stdout: string, column: string) {
  const [header = '', ...lines] = stdout.trimEnd().split('\n')
  const [place, amounts] = [header.split('\t').indexOf(column), /^(?:amount|valor)$/]
  const amountPlace = header.split('\t').findIndex((each) => amounts.test(each))
  expect([place, amountPlace]).not.toContain(-1)
  return (amount: string) =>
    lines.map((line) => line.split('\t')).find((cells) => cells[amountPlace]?.replace(/^-/, '') === amount)?.[place]
}

const VERDICTS_IN_PORTUGUESE: Readonly<Record<string, string>> = {
  open: 'em aberto',
  unknown: 'desconhecido',
  agrees: 'confere',
  'not-paid-there': 'lá não pago',
}

/** What the month lists beside the net; so is what came back on a day that nothing tells. */
const OPEN: readonly string[] = ['pending', 'accepted', 'unknown', 'beingSent']

interface ListedPayment {
  idTransaction: string | null
  pixgate: { id: string; state: string; knownBy: string; kind: Kind; name: string; verdict?: string }
  amount: number
}

it('says one word for a state on every screen', { timeout: 120_000 }, async () => {
  const { url: sandbox, ...world } = await sandboxWorld()
  const between = await betweenSandbox(sandbox)
  world.env.PIXGATE_BASE_URL = between.url
  for (const [place, each] of CASES.entries()) await bringAbout(world, sandbox, each, place)
  await between.reached
  const here = inThisProcess(world)
  const byAmount = (listed: readonly ListedPayment[], amount: string) =>
    listed.find((each) => `R$ ${reais(Math.round(each.amount * 100))}` === amount)

  const listed = JSON.parse((await world.run(['history', '-o', 'json'])).stdout) as ListedPayment[]
  const told = found((amount) => {
    const each = byAmount(listed, amount)?.pixgate
    return each === undefined ? undefined : [each.state, each.knownBy]
  })
  expect(told).toEqual(expected(([, , state, by]) => [TOLD[state].state, by]))
  const csv = (await world.run(['history', '-o', 'csv'])).stdout.split('\n').map((line) => line.split(','))
  const [stateAt = -1, amountAt = -1] = ['pixgate.state', 'amount'].map((name) => csv[0]?.indexOf(name))
  const inCsv = found(
    (amount) => csv.find((cells) => `R$ ${reais(Math.round(Number(cells[amountAt]) * 100))}` === amount)?.[stateAt],
  )
  expect(inCsv).toEqual(expected(([, , state]) => TOLD[state].state))

  for (const [lang, word, column] of [
    ['en', 'word', 'state'],
    ['pt-BR', 'palavra', 'estado'],
  ] as const) {
    const words = expected(([, , told]) => TOLD[told][word])
    for (const search of [['history'], ['history', 'find', 'case']]) {
      const list = await world.run([...search, '--lang', lang])
      expect([search, found(cellAt(list.stdout, column))]).toEqual([search, words])
      expect(list.stderr.trimEnd().split('\n').sort()).toEqual(expectedSums(lang === 'pt-BR').sort())
    }
    const check = await world.run(['history', 'check', '--lang', lang])
    const isChecked = ([, , , , verdict]: Case) => verdict !== undefined
    expect(found(cellAt(check.stdout, column))).toEqual(expected(([, , told]) => TOLD[told][word], isChecked))
    const [verdict, said] = lang === 'en' ? ['verdict', {}] : ['resultado', VERDICTS_IN_PORTUGUESE]
    expect(found(cellAt(check.stdout, verdict))).toEqual(
      expected(([, , , , each = '']) => (said as Record<string, string>)[each] ?? each, isChecked),
    )
    for (const screen of [['history', 'show'], ['status']]) {
      const shown = new Map<string, string>()
      await atOnce(listed, async ({ amount, pixgate: { id } }) => {
        const { stdout } = await here.run([...screen, id, '--lang', lang])
        const state = stdout.split('\n').find((line) => line.startsWith(column)) ?? ''
        // Who is sending it follows.
        shown.set(
          `R$ ${reais(Math.round(amount * 100))}`,
          state
            .slice(column.length)
            .trim()
            .replace(/ (by|por) .*/, ''),
        )
      })
      expect([screen, found((amount) => shown.get(amount))]).toEqual([screen, words])
    }
  }

  const inspector = await startInspector(world)
  const { payments } = (await inspector.ask('search?words=case')) as { payments: { document: ListedPayment }[] }
  const page = found(
    (amount) =>
      byAmount(
        payments.map(({ document }) => document),
        amount,
      )?.pixgate.state,
  )
  expect(page).toEqual(expected(([, , told]) => TOLD[told].state))

  for (const [lang, word] of [
    ['en', 'word'],
    ['pt-BR', 'palavra'],
  ] as const) {
    const file = join(world.home, `${lang}.xlsx`)
    const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(Date.now()).slice(0, 7)
    await world.json(['history', 'report', '--month', month, '--out', file, '--lang', lang])
    const sheet = await readSheet(file, lang === 'en' ? 'Open and unknown' : 'Em aberto e desconhecidos')
    const stateOf = (amount: string) =>
      sheet.find((cells) => typeof cells[3] === 'number' && `R$ ${reais(Math.round(cells[3] * 100))}` === amount)?.[2]
    const isOpen = ([kind, how, told]: Case) =>
      OPEN.includes(told) || (kind === 'qr' && ['query REFUNDED', 'settled returned'].includes(how))
    expect(found(stateOf)).toEqual(expected(([, , told]) => TOLD[told][word], isOpen))
  }

  const taken = new Map<string, number>()
  for (const { amount, pixgate } of listed.filter((each) => each.pixgate.kind === 'qr')) {
    const { exit } = await here.run(['qr', 'create', '--amount', '1', '--request-number', pixgate.name, '--no-qr'])
    taken.set(`R$ ${reais(Math.round(amount * 100))}`, exit)
  }
  const isFree: readonly string[] = ['not sent', 'refused']
  expect(found((amount) => taken.get(amount))).toEqual(
    expected(
      ([, how]) => (isFree.includes(how) ? 0 : 2),
      ([kind]) => kind === 'qr',
    ),
  )
})
