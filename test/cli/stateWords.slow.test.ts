import { join } from 'node:path'
import { readSheet } from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { startInspector } from '../inspector/chromium.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { atOnce, inThisProcess } from './payments.ts'
import {
  betweenSandbox,
  bringAbout,
  CASES,
  type Case,
  centsOf,
  expected,
  found,
  type Kind,
  reais,
  TOLD,
} from './statedPayments.ts'

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

/** What a list of `history` and one of `status` have in common. */
const SHARED_COLUMNS = {
  en: ['date', 'state', 'amount', 'party', 'ref', 'id'],
  'pt-BR': ['data', 'estado', 'valor', 'contraparte', 'ref.', 'id'],
}
const CSV_COLUMNS = ['idTransaction', 'amount', 'pixgate.party', 'pixgate.state', 'pixgate.id']

/** The cells of these columns of a table, line by line, in one order. */
function columnsIn(stdout: string, columns: readonly string[], separator = '\t'): string[] {
  const [header = [], ...lines] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(separator))
  const places = columns.map((column) => header.indexOf(column))
  expect(places).not.toContain(-1)
  return lines.map((cells) => places.map((place) => cells[place]).join('  ')).sort()
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

/** Why there is no receipt. */
const WITHOUT_RECEIPT: Readonly<Record<keyof typeof TOLD, string>> = {
  notSent: 'it was never sent',
  beingSent: 'it is being sent at this moment',
  refused: 'the gateway refused it (NO_FUNDS)',
  pending: 'never of a transfer',
  accepted: 'it was accepted, and its event has not arrived',
  unknown: 'its outcome is unknown',
  paid: 'on-my-word',
  notPaid: 'its event says ',
  returned: 'the money came back',
}

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
    const shared = SHARED_COLUMNS[lang]
    const asked = await here.run(['status', ...listed.map((each) => each.pixgate.id), '--lang', lang])
    const inList = await here.run(['history', '--lang', lang])
    expect(columnsIn(asked.stdout, shared)).toEqual(columnsIn(inList.stdout, shared))
  }
  const askedCsv = await here.run(['status', ...listed.map((each) => each.pixgate.id), '-o', 'csv'])
  const historyCsv = await here.run(['history', '-o', 'csv'])
  const [csvOfStatus, csvOfHistory] = [askedCsv, historyCsv].map(({ stdout }) => columnsIn(stdout, CSV_COLUMNS, ','))
  expect(csvOfStatus).toEqual(csvOfHistory)

  for (const [lang, word, plain] of [
    ['en', 'word', 'Which payment?'],
    ['pt-BR', 'palavra', 'Qual pagamento?'],
  ] as const) {
    // On a plain terminal a list is not cut.
    const pick = async (command: readonly string[], question: string) => {
      const shown = onTerminalHere(here, [...command, '--lang', lang], { columns: 200, env: { TERM: 'dumb' } })
      await shown.shows(question)
      return found((amount) => shown.written().match(new RegExp(`${amount.replace('$', '\\$')}  +(.+?)  `))?.[1])
    }
    const isIn = (cases: readonly [string, string][]) => (each: Case) =>
      cases.some(([name]) => name === `${each[0]} ${each[1]}`)
    const newest = await pick(['status'], plain)
    expect(newest).toHaveLength(20)
    expect(newest).toEqual(expected(([, , told]) => TOLD[told][word], isIn(newest)))
    expect(await pick(['history', 'settle'], plain)).toEqual(
      expected(
        ([, , told]) => TOLD[told][word],
        ([, , told]) => told === 'unknown',
      ),
    )
    const refundable = await pick(['refund'], lang === 'en' ? 'Which payment should be refunded?' : 'devolvido?')
    expect(refundable).toEqual(
      expected(
        ([, , told]) => TOLD[told][word],
        ([kind, , told]) => kind === 'qr' && told === 'paid',
      ),
    )
  }

  const receipts = new Map<string, string>()
  await atOnce(listed, async ({ amount, pixgate: { id } }) => {
    const { exit, stderr } = await here.run(['history', 'show', id, '--receipt'])
    receipts.set(`R$ ${reais(Math.round(amount * 100))}`, exit === 0 ? 'receipt' : stderr)
  })
  expect(found((amount) => receipts.get(amount))).toEqual(
    expected(([kind, , told, by]) => {
      if (kind === 'qr') return expect.stringContaining('only transfers and refunds have a receipt')
      if (told === 'paid' && by !== 'person') return 'receipt'
      return expect.stringContaining(
        told === 'notPaid' && by === 'person' ? 'a person found that it was not paid' : WITHOUT_RECEIPT[told],
      )
    }),
  )

  const inspector = await startInspector(world)
  const { payments } = (await inspector.ask('search?words=case')) as { payments: ListedPayment[] }
  const page = found((amount) => byAmount(payments, amount)?.pixgate.state)
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

  // A person is shown the state before it is settled; this changes the payment, so it comes last.
  const asked = new Map<string, string>()
  for (const { amount, pixgate } of listed) {
    const settle = ['history', 'settle', pixgate.id, '--as', 'paid', '--because', 'seen', '--lang', 'pt-BR']
    const state = /^estado +(.+)$/m.exec((await here.run(settle)).stderr)?.[1]
    if (state !== undefined) asked.set(`R$ ${reais(Math.round(amount * 100))}`, state)
  }
  const isAsked = ([kind, how]: Case) => asked.has(`R$ ${reais(centsOf(placeOf(kind, how)))}`)
  expect(found((amount) => asked.get(amount))).toEqual(expected(([, , told]) => TOLD[told].palavra, isAsked))
  expect(CASES.filter(([, , told]) => MUST_BE_ASKED.includes(told)).every(isAsked)).toBe(true)
})

function placeOf(kind: Kind, how: string): number {
  return CASES.findIndex((each) => each[0] === kind && each[1] === how)
}

/** What is not final may be settled. */
const MUST_BE_ASKED: readonly string[] = ['pending', 'accepted', 'unknown']

it('ends a batch with the words of its lists, in both languages', async () => {
  const { url: sandbox, ...world } = await sandboxWorld()
  world.env.PIXGATE_BASE_URL = (await betweenSandbox(sandbox)).url
  const here = inThisProcess(world)
  for (const [lang, of] of [
    ['en', ({ word }: { word: string }) => word],
    ['pt-BR', ({ palavra }: { palavra: string }) => palavra],
  ] as const) {
    const rows = ['at-once', 'later', 'lost'].map(
      (id, place) => `${lang.toLowerCase()}@example.com,${place + 1},${lang}-${id}`,
    )
    const path = csvIn(world, `${lang}.csv`, 'key,value,externalId', [...rows, `notfound@example.com,4,${lang}-x`])
    const ended = await here.run(['batch', 'transfer', path, '--yes', '--again', '--lang', lang])
    const { paid, accepted, refused, unknown } = TOLD
    const lines = [
      [of(paid), 'R$ 1,00'],
      [of(accepted), 'R$ 2,00'],
      [of(refused), 'R$ 4,00'],
      [of(unknown), 'R$ 3,00'],
    ].map(([word, sum]) => `${word}: 1, ${sum}`)
    const states = (text: string) => text.match(/^.+? {2,}1, R\$ \d,00$/gm)?.map((each) => each.replace(/ {2,}/, ': '))
    expect([ended.exit, states(ended.stdout)]).toEqual([5, lines])
    const [{ run }] = JSON.parse(await here.prepare(['batch', 'list', '-o', 'json']))
    for (const screen of [
      ['batch', 'show', run],
      ['status', run],
    ]) {
      expect(states((await here.run([...screen, '--lang', lang])).stdout)).toEqual(lines)
    }
    const listed = (await here.run(['batch', 'list', '--lang', lang])).stdout
    for (const state of [paid, accepted, refused, unknown]) expect(listed).toContain(`${of(state)}: 1`)
    const rowsShown = (await here.run(['batch', 'show', run, '--lang', lang])).stdout
    for (const [place, state] of [paid, accepted, unknown, refused].entries())
      expect(rowsShown).toContain(`\tR$ ${place + 1},00\t${of(state)}\t`)
  }
})
