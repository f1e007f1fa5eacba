import { expect, it } from 'vitest'
import { compareBatch, compareRuns } from './compareBatch.ts'
import { compareAll, compareFilters, compareFound, compareHistory, paymentsOf } from './compareHistory.ts'
import { compareReport } from './compareReport.ts'
import { compareStatement } from './compareStatement.ts'
import { compareCharges, compareRefunds } from './compareStatus.ts'
import { openMonth } from './monthWorld.ts'
import { playMonth } from './playMonth.ts'

it("shows a month in every view exactly as the gateway's books do, to the cent", { timeout: 180_000 }, async () => {
  const month = await openMonth()
  const played = await playMonth(month)
  const { shop, branch, sandbox } = month
  const accounts = [shop, branch, sandbox]
  const payments = accounts.flatMap(paymentsOf)
  // One on either side of the month.
  expect(payments).toHaveLength(222)
  expect(payments.filter(({ state }) => state === 'refused')).toHaveLength(36)

  for (const account of accounts) await compareHistory(month, account)
  for (const account of accounts) await compareReport(month, account)
  await compareFilters(month, shop)
  await compareAll(month)
  const { payroll, suppliers, last, branchPayroll, trial } = played
  await compareFound(month, shop, [payroll, suppliers, last])
  await compareRuns(month, [payroll, suppliers, last, branchPayroll, trial])
  for (const batch of [payroll, suppliers, last]) await compareBatch(month, batch)
  await compareRefunds(month, played)
  await compareCharges(month)
  for (const account of accounts) await compareStatement(month, account)
})
