import { setMaxListeners } from 'node:events'
import { mapConcurrent } from '../gateway/retry.ts'
import { knownOriginal } from '../ledger/originals.ts'
import { type RunRowState, replaceRunRow, runRowsTo, runTargets } from '../ledger/runRows.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { refundedCents } from '../payments/paymentRules.ts'
import { assertKnownRefundable, assertRefundable, isAllRefunded } from '../payments/refundable.ts'
import { formatReais } from '../pix/amount.ts'
import { REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import type { CellFault } from '../spreadsheet/tableRecords.ts'
import { t } from '../text/translate.ts'
import { NotFound, Refused } from '../wire/errors.ts'
import { assertNoFaults, FAULTS_MAX } from './batchFile.ts'

interface LookUpOptions {
  run: string
  skipQuery: boolean
  concurrency: number
}

interface Original {
  id: string
  refundedCents: number
  originalCents: number | null
  leftCents: number | null
}

const PAGE_ORIGINALS = 100

/**
 * Looks up every payment that the rows of an unaccepted run refund, once each, and compares the rows with it: it must be PAID, not too old,
 * and what its rows return together not more than is left. The rows get their amounts. Throws UsageError with a fault for each row that
 * cannot be refunded, and the Failure of a gateway that cannot be queried.
 */
export async function lookUpOriginals(context: PaymentContext, options: LookUpOptions): Promise<void> {
  const { ledger, terminal, interrupt } = context
  // Every running query adds a listener to this signal.
  setMaxListeners(0, interrupt)
  const faults: CellFault[] = []
  let [faultCount, withoutDate, done] = [0, 0, 0]
  let after = ''
  for (;;) {
    const page = await ledger.read((database) => runTargets(database, options.run, after, PAGE_ORIGINALS))
    if (page.length === 0) break
    after = page.at(-1) ?? after
    await mapConcurrent(page, options.concurrency, async (id) => {
      const found = await lookUpOriginal(context, options, id)
      if (found.lacksDate) withoutDate += 1
      faultCount += found.faults.length
      faults.push(...found.faults.slice(0, Math.max(0, FAULTS_MAX - faults.length)))
      done += 1
      terminal.progress(done === 1 ? t`Looked up 1 payment` : t`Looked up ${done} payments`)
    })
  }
  assertNoFaults({ faults: faults.sort((one, other) => one.line - other.line), faultCount, count: 1 })
  if (withoutDate === 0) return
  terminal.warn(
    t`Payments without a payment date from the gateway: ${withoutDate}. Their ${REFUND_WINDOW_DAYS}-day limit was not checked`,
  )
}

async function lookUpOriginal(
  { ledger, account, gateway, now }: PaymentContext,
  { run, skipQuery }: LookUpOptions,
  target: string,
): Promise<{ faults: CellFault[]; lacksDate: boolean }> {
  const { refunded, known, rows } = await ledger.read((database) => ({
    refunded: refundedCents(database, account, target),
    known: knownOriginal(database, account, target),
    rows: runRowsTo(database, run, target).filter(({ row }) => !row.isLeftOut),
  }))
  // An id that the ledger knows is sent as it is recorded, any other as typed.
  const id = known.id ?? typedOriginalId(rows) ?? target
  const judge = async () => {
    if (skipQuery) return assertKnownRefundable(id, known, refunded, now())
    const { fields, nowMs } = await gateway.consult(id, { isOneOfMany: true })
    return assertRefundable(id, fields, known, refunded, nowMs)
  }
  try {
    const { amountCents: originalCents, leftCents, paidAtMs } = await judge()
    const original = { id, refundedCents: refunded, originalCents, leftCents }
    const faults = amountFaults(original, rows)
    if (faults.length === 0 && (originalCents !== null || known.id !== null)) {
      await ledger.writeHere(({ database }) => {
        for (const { row } of rows) replaceRunRow(database, run, withAmount(row, original))
      })
    }
    return { faults, lacksDate: !skipQuery && paidAtMs === null }
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Refused)) throw error
    return { faults: rows.map(({ row }) => fault(row.line, error.message)), lacksDate: false }
  }
}

function withAmount(row: RunRowState['row'], { id, originalCents, leftCents, refundedCents: refunded }: Original) {
  if (row.facts.kind !== 'refund') return { ...row, originalCents }
  const facts = { ...row.facts, originalTransactionId: id }
  if (facts.amountCents !== null || leftCents === null) return { ...row, originalCents, facts }
  return { ...row, originalCents, facts: { ...facts, amountCents: leftCents, isWhole: refunded === 0 } }
}

function typedOriginalId([first]: readonly RunRowState[]): string | null {
  return first?.row.facts.kind === 'refund' ? first.row.facts.originalTransactionId : null
}

function amountFaults({ id, refundedCents: refunded, leftCents }: Original, rows: readonly RunRowState[]): CellFault[] {
  const faults: CellFault[] = []
  let sumCents = 0
  for (const { row } of rows) {
    const { line, facts } = row
    const { amountCents } = facts
    if (amountCents === null && rows.length > 1) {
      faults.push(
        fault(line, t`It refunds all of ${id}, but other rows refund it too: write an amount in each of them`),
      )
    } else if (isAllRefunded(null, refunded)) {
      faults.push(fault(line, t`All of ${id} was already refunded`))
    } else if (amountCents === null && leftCents === null && refunded > 0) {
      faults.push(fault(line, t`${formatReais(refunded)} of ${id} was refunded before, so an amount is required`))
    }
    sumCents += amountCents ?? 0
    if (leftCents === null || sumCents <= leftCents) continue
    const left = formatReais(Math.max(0, leftCents))
    const message =
      rows.length > 1
        ? t`Together with the rows above, ${formatReais(sumCents)} of ${id} would be refunded, but only ${left} is left`
        : t`${formatReais(sumCents)} is more than the ${left} that is left of ${id}`
    faults.push({ ...fault(line, message), column: 'amount' })
  }
  return faults
}

function fault(line: number, message: string): CellFault {
  return { line, column: 'originalTransactionId', message }
}
