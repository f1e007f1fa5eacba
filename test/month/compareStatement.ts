import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
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
  accepted: 'Em processamento',
  unknown: 'Concluído',
  refused: 'Recusado',
}

/** Compares the ledger with the gateway's own statement of the month: all of it matches. Then with statements that are wrong in one line. */
export async function compareStatement(month: Month, account: MonthAccount): Promise<void> {
  const lines = statementOf(account)
  const right = await checked(month, account, lines, 0)
  expect(right.compared.map(({ pixgate }) => pixgate.verdict)).toEqual(lines.map(() => 'match'))
  const sum = reais(lines.reduce((all, line) => all + Math.abs(line.cents), 0))
  expect(right.totals).toEqual([`match: ${lines.length}, ${sum} here, ${sum} there`])

  const [changed, missing, turned] = lines.filter(({ status }) => status === WORDS.paid)
  if (changed === undefined || missing === undefined || turned === undefined) throw new Error('too little was paid')
  const strange = { ...changed, id: '00000000-0000-4000-8000-000000000000', cents: 123_456 }
  const wrong = lines
    .filter((line) => line !== missing)
    .map((line) => (line === changed ? { ...line, cents: line.cents - 1 } : line))
    .map((line) => (line === turned ? { ...line, cents: -line.cents } : line))
  const differing = await checked(month, account, [...wrong, strange], 1)
  const verdicts = differing.compared
    .filter(({ pixgate }) => pixgate.verdict !== 'match')
    .map(({ idTransaction, pixgate }) => [pixgate.verdict, pixgate.statement?.id ?? idTransaction])
  expect(verdicts.toSorted()).toEqual(
    [
      ['differs', changed.id],
      ['differs', turned.id],
      ['only-here', missing.id],
      ['only-there', strange.id],
    ].toSorted(),
  )
  const [here, there] = [changed, turned].reduce(
    ([one, other], line) => [one + Math.abs(line.cents), other + Math.abs(line.cents)],
    [0, 1],
  )
  expect(differing.totals.slice(1)).toEqual([
    `differs: 2, ${reais(here)} here, ${reais(there)} there`,
    `only-here: 1, ${reais(Math.abs(missing.cents))} here, R$ 0,00 there`,
    `only-there: 1, R$ 0,00 here, ${reais(strange.cents)} there`,
  ])
}

/** What the gateway has carried out in the month: an entry for each, also for attempts that failed before another was paid. */
function statementOf(account: MonthAccount): StatementLine[] {
  return paymentsOf(account).flatMap((payment) => {
    const { knownId, kind, state, cents: amount } = payment
    const isCharge = kind === 'qr'
    const isOpen = state === 'accepted' || state === 'not-paid'
    if (knownId === null || !dayOf(payment).startsWith('2026-11-') || (isCharge && isOpen)) return []
    return { id: knownId, cents: isCharge ? amount : -amount, status: WORDS[state], day: dayOf(payment) }
  })
}

async function checked(
  month: Month,
  account: MonthAccount,
  lines: readonly StatementLine[],
  exit: number,
): Promise<{ compared: Compared[]; totals: string[] }> {
  const path = join(month.world.home, 'extrato.csv')
  const rows = lines.map(({ id, cents: amount, status, day }) => {
    const sign = amount < 0 ? '-' : ''
    return [id, `${sign}${brazilian(Math.abs(amount))}`, status, day.split('-').reverse().join('/')].join(';')
  })
  writeFileSync(path, `${['Identificador;Valor (R$);Situação;Data', ...rows].join('\n')}\n`)
  const check = ['history', 'check', '--statement', path]
  const json = await month.run(account, [...check, '-o', 'json'], exit)
  const text = await month.run(account, check, exit)
  const compared: Compared[] = JSON.parse(json.stdout)
  for (const { amount, pixgate } of compared) {
    if (pixgate.verdict === 'match') expect(cents(amount)).toBe(Math.abs(cents(pixgate.statement?.amount)))
  }
  return { compared, totals: text.stderr.split('\n').filter((line) => / here, .* there$/.test(line)) }
}
