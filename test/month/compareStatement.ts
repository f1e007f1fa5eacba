import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { inThisProcess } from '../cli/payments.ts'
import { cents, paymentsOf, reais } from './compareHistory.ts'
import { brazilian } from './courses.ts'
import { type BookedPayment, dayOf } from './gatewayBooks.ts'
import type { Month, MonthAccount } from './monthWorld.ts'

/** A line of a statement: what the gateway says of one thing that it carried out. */
interface StatementLine {
  id: string
  /** Negative if it left the account. */
  cents: number
  status: string
  day: string
  isUnknown: boolean
}

/** What is compared of one line of `history check --statement -o json`. */
interface Compared {
  idTransaction: string | null
  amount?: number
  pixgate: { name: string; verdict: string; statement: { id: string; amount: number } | null }
}

const WORDS: Readonly<Record<BookedPayment['state'], string>> = {
  paid: 'Concluído',
  returned: 'Devolvido',
  'not-paid': 'Não efetivado',
  pending: 'Pendente',
  accepted: 'Em processamento',
  unknown: 'Concluído',
  refused: 'Recusado',
}

/**
 * Compares the ledger with the gateway's own statement of the month, of which only a payment with an unknown outcome differs. Then with a
 * statement that is wrong in four lines.
 */
export async function compareStatement(month: Month, account: MonthAccount): Promise<void> {
  const lines = statementOf(account)
  const unknown = lines.filter(({ isUnknown }) => isUnknown)
  const right = await checked(month, account, lines)
  expect(verdictsIn(right)).toEqual(unknown.map(({ id }) => ['differs', id]))
  expect(right.totals).toEqual(
    totalsOf({ differs: pairs(unknown), match: pairs(lines.filter((line) => !line.isUnknown)) }),
  )

  const [changed, missing, turned] = lines.filter(({ status }) => status === WORDS.paid)
  if (changed === undefined || missing === undefined || turned === undefined) throw new Error('too little was paid')
  const strange = { ...changed, id: '00000000-0000-4000-8000-000000000000', cents: 123_456 }
  const wrong = new Map([
    [changed, changed.cents - 1],
    [turned, -turned.cents],
  ])
  const others = lines
    .filter((line) => line !== missing)
    .map((line) => ({ ...line, cents: wrong.get(line) ?? line.cents }))
  const differing = await checked(month, account, [...others, strange])
  expect(verdictsIn(differing)).toEqual(
    [
      ...[changed, turned, ...unknown].map(({ id }) => ['differs', id]),
      ['only-here', missing.id],
      ['only-there', strange.id],
    ].toSorted(),
  )
  expect(differing.totals).toEqual(
    totalsOf({
      differs: [...pairs(unknown), ...[...wrong].map(([line, there]) => ({ here: line.cents, there }))],
      'only-there': [{ here: 0, there: strange.cents }],
      'only-here': [{ here: missing.cents, there: 0 }],
      match: pairs(lines.filter((line) => ![changed, missing, turned, ...unknown].includes(line))),
    }),
  )
}

function pairs(lines: readonly StatementLine[]): { here: number; there: number }[] {
  return lines.map(({ cents: amount }) => ({ here: amount, there: amount }))
}

function totalsOf(verdicts: Readonly<Record<string, readonly { here: number; there: number }[]>>): string[] {
  return Object.entries(verdicts).flatMap(([verdict, members]) => {
    const sum = (side: 'here' | 'there') => reais(members.reduce((all, each) => all + each[side], 0))
    return members.length === 0 ? [] : [`${verdict}: ${members.length}, ${sum('here')} here, ${sum('there')} there`]
  })
}

/** All that does not match. */
function verdictsIn({ compared }: { compared: readonly Compared[] }): unknown[][] {
  return compared
    .filter(({ pixgate }) => pixgate.verdict !== 'match')
    .map(({ idTransaction, pixgate }) => [pixgate.verdict, pixgate.statement?.id ?? idTransaction])
    .toSorted()
}

/** What the gateway has carried out in the month: an entry for each, also for attempts that failed before another was paid. */
function statementOf(account: MonthAccount): StatementLine[] {
  return paymentsOf(account).flatMap((payment) => {
    const { knownId, kind, state, cents: amount } = payment
    const isCharge = kind === 'qr'
    const isOpen = state === 'accepted' || state === 'pending' || state === 'not-paid'
    if (knownId === null || !dayOf(payment).startsWith('2026-11-') || (isCharge && isOpen)) return []
    return {
      id: knownId,
      cents: isCharge ? amount : -amount,
      status: WORDS[state],
      day: dayOf(payment),
      isUnknown: state === 'unknown',
    }
  })
}

async function checked(
  month: Month,
  account: MonthAccount,
  lines: readonly StatementLine[],
): Promise<{ compared: Compared[]; totals: string[] }> {
  const path = join(month.world.home, 'extrato.csv')
  const rows = lines.map(({ id, cents: amount, status, day }) => {
    const sign = amount < 0 ? '-' : ''
    return [id, `${sign}${brazilian(Math.abs(amount))}`, status, day.split('-').reverse().join('/')].join(';')
  })
  writeFileSync(path, `${['Identificador;Valor (R$);Situação;Data', ...rows].join('\n')}\n`)
  const check = ['history', 'check', '--statement', path, '--profile', account.profile]
  const { run } = inThisProcess(month.world)
  const [json, text] = [await run([...check, '-o', 'json']), await run(check)]
  const compared: Compared[] = JSON.parse(json.stdout)
  const exit = compared.every(({ pixgate }) => pixgate.verdict === 'match') ? 0 : 1
  expect([json.exit, text.exit]).toEqual([exit, exit])
  for (const { amount, pixgate } of compared) {
    if (pixgate.verdict === 'match') expect(cents(amount)).toBe(Math.abs(cents(pixgate.statement?.amount)))
  }
  return { compared, totals: text.stderr.split('\n').filter((line) => / here, .* there$/.test(line)) }
}
