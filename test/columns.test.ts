import { join } from 'node:path'
import { expect, it } from 'vitest'
import { columnsPage } from '../scripts/columnsPage.ts'
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
