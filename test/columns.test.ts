import { join } from 'node:path'
import { expect, it } from 'vitest'
import { columnsPage, statesPageInPortuguese } from '../scripts/columnsPage.ts'
import { PAYMENT_KINDS } from '../src/ledger/facts.ts'
import { isFinding, SHOWN_STATES } from '../src/ledger/paymentState.ts'
import { stateTable } from '../src/ledger/stateWords.ts'
import { findingFromStatus } from '../src/ledger/statusMeaning.ts'
import { ROW_FIELDS } from '../src/views/batch/rowFields.ts'
import { RUN_FIELDS } from '../src/views/batch/runFields.ts'
import { EVENT_FIELDS } from '../src/views/events/eventFields.ts'
import { PAYEE_FIELDS } from '../src/views/payees/payeeText.ts'
import { PAYMENT_FIELDS } from '../src/views/payments/paymentFields.ts'
import { PLAN_FIELDS } from '../src/views/plans/planText.ts'

// `npm run columns` updates the page.
it('has an up-to-date page of the columns', async () => {
  await expect(columnsPage()).toMatchFileSnapshot(join(import.meta.dirname, '..', 'docs', 'columns.md'))
})

it('has an up-to-date page of the states in Portuguese', async () => {
  await expect(statesPageInPortuguese()).toMatchFileSnapshot(
    join(import.meta.dirname, '..', 'docs', 'pt-BR', 'estados.md'),
  )
})

it('has each state of each kind once, with statuses that mean it', () => {
  const pairs = stateTable().flatMap(({ state, kinds }) => kinds.map((kind) => `${kind} ${state}`))
  const impossible = ['qr accepted', 'transfer pending', 'refund pending']
  const possible = PAYMENT_KINDS.flatMap((kind) => SHOWN_STATES.map((state) => `${kind} ${state}`))
  expect(pairs.toSorted()).toEqual(possible.filter((pair) => !impossible.includes(pair)).toSorted())
  for (const { state, statuses } of stateTable().filter((each) => each.state !== 'refused')) {
    const meant = state !== 'being-sent' && isFinding(state) ? state : null
    expect(statuses.map((status) => [status, findingFromStatus(status)])).toEqual(
      statuses.map((status) => [status, meant]),
    )
  }
})

it.each([
  ['payments', PAYMENT_FIELDS],
  ['rows of a run', ROW_FIELDS],
  ['runs', RUN_FIELDS],
  ['plans', PLAN_FIELDS],
  ['payees', PAYEE_FIELDS],
  ['webhooks', EVENT_FIELDS],
])('has no name and no path of %s twice', (_list, fields) => {
  for (const key of ['name', 'path'] as const) {
    const values: string[] = fields.map((field) => field[key])
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([])
  }
})
