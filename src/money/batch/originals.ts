import type { Gateway } from '../../gateway/client.ts'
import { retryWhenLimited } from '../../gateway/retryWhenLimited.ts'
import { formatReais } from '../../pix/amount.ts'
import { t } from '../../text/words.ts'
import { Failure, NotFound, Refused } from '../../wire/errors.ts'
import { checkRefundable } from '../refundable.ts'
import type { CheckedRow } from './batchFile.ts'
import type { OriginalFacts } from './keptRow.ts'
import type { Fault } from './rowCells.ts'

type RefundRow = Extract<CheckedRow, { kind: 'refund' }>

/** What looking up the payments of a refund file needs. */
export interface OriginalsDesk {
  /** Null where nothing is to be asked. */
  consult: Gateway['consult'] | null
  /** What this machine has returned of a payment, or may have, in cents; Infinity where it was all. */
  returnedCents(originalTransactionId: string): number
  concurrency: number
  now(): number
  /** Waits until the limit of queries may have room again. */
  waitForLimit(): Promise<void>
  progress(done: number, all: number): void
}

/** What is known of the payments that rows return. */
export interface Originals {
  /** What a row returns. */
  factsOf(row: RefundRow): OriginalFacts
  totalCents: number
  /** Rows that return all of a payment whose amount nobody knows. */
  unknownAmounts: number
  /** Payments of which the gateway does not say when they were paid. */
  withoutDate: number
  faults: readonly Fault[]
}

interface Original {
  id: string
  rows: { line: number; amountCents: number | null }[]
  returnedCents: number
  paidCents: number | null
  leftCents: number | null
}

/**
 * Looks up every payment that the rows return, once each, and holds the rows against it: it must be PAID, within 30 days,
 * and what its rows return together not more than is left. Throws the Failure of a gateway that cannot be asked.
 */
export async function checkOriginals(rows: AsyncIterable<RefundRow>, desk: OriginalsDesk): Promise<Originals> {
  const originals = new Map<string, Original>()
  for await (const { originalTransactionId: id, line, amountCents } of rows) {
    const returnedCents = desk.returnedCents(id)
    const original = originals.get(id) ?? { id, rows: [], returnedCents, paidCents: null, leftCents: null }
    original.rows.push({ line, amountCents })
    originals.set(id, original)
  }
  const faults: Fault[] = []
  let [done, withoutDate] = [0, 0]
  const queue = originals.values()
  const worker = async () => {
    for (const original of queue) {
      const looked = await lookUp(original, desk)
      if (looked instanceof Failure) {
        for (const { line } of original.rows) faults.push(fault(line, looked.message))
      } else {
        if (looked.lacksDate) withoutDate += 1
        faults.push(...amountFaults(original))
      }
      done += 1
      desk.progress(done, originals.size)
    }
  }
  await Promise.all(Array.from({ length: desk.concurrency }, worker))
  const factsOf = ({ originalTransactionId, amountCents }: RefundRow) =>
    factsFor(originals.get(originalTransactionId), amountCents)
  const amounts = [...originals.values()].flatMap((each) =>
    each.rows.map(({ amountCents }) => factsFor(each, amountCents).amountCents),
  )
  return {
    factsOf,
    totalCents: amounts.reduce<number>((sum, cents) => sum + (cents ?? 0), 0),
    unknownAmounts: amounts.filter((cents) => cents === null).length,
    withoutDate,
    faults: faults.sort((one, other) => one.line - other.line),
  }
}

/** Asks for a payment, again where only the limit of queries stood in the way. Gives the Failure that is its rows' fault. */
async function lookUp(original: Original, desk: OriginalsDesk): Promise<{ lacksDate: boolean } | Failure> {
  const { id, returnedCents } = original
  if (desk.consult === null) return { lacksDate: false }
  try {
    const { fields } = await retryWhenLimited(desk.consult, id, desk.waitForLimit)
    const refundable = checkRefundable(id, fields, null, returnedCents, desk.now())
    original.paidCents = refundable.amountCents
    original.leftCents = refundable.leftCents
    return { lacksDate: refundable.paidAtMs === null }
  } catch (error) {
    if (error instanceof NotFound || error instanceof Refused) return error
    throw error
  }
}

function amountFaults({ id, rows, returnedCents, leftCents }: Original): Fault[] {
  const faults: Fault[] = []
  let sumCents = 0
  for (const { line, amountCents } of rows) {
    if (amountCents === null && rows.length > 1) {
      faults.push(
        fault(line, t`It returns all of ${id}, which other lines return too: write an amount on each of them`),
      )
    } else if (returnedCents === Number.POSITIVE_INFINITY) {
      faults.push(fault(line, t`All of ${id} was returned from this machine already`))
    } else if (amountCents === null && leftCents === null && returnedCents > 0) {
      faults.push(
        fault(line, t`${formatReais(returnedCents)} of ${id} was returned before, so the amount must be named`),
      )
    }
    sumCents += amountCents ?? 0
    if (leftCents === null || sumCents <= leftCents) continue
    const left = formatReais(Math.max(0, leftCents))
    const message =
      rows.length > 1
        ? t`Together with the lines above ${formatReais(sumCents)} of ${id} is returned, but only ${left} is left`
        : t`${formatReais(sumCents)} is more than what is left of ${id}, which is ${left}`
    faults.push({ ...fault(line, message), column: 'amount' })
  }
  return faults
}

function factsFor(original: Original | undefined, amountCents: number | null): OriginalFacts {
  const { paidCents = null, leftCents = null, returnedCents = 0 } = original ?? {}
  const isWhole = amountCents === null && returnedCents === 0
  return { paidCents, amountCents: amountCents ?? leftCents, isWhole }
}

function fault(line: number, message: string): Fault {
  return { line, column: 'originalTransactionId', message }
}
