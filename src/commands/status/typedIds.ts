import type { Context } from '../../context.ts'
import { pickAnyPayment, type Resolved, resolveId } from '../namedPayment.ts'

const COMMAND = 'pixgate status'

/**
 * The ids to look up for those that were typed: of a charge the one by which the gateway knows it, as it is recorded; an id that names nothing in the
 * ledger as typed. Throws UsageError and Cancelled.
 */
export async function resolveTypedIds(context: Context, typed: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const id of typed) {
    const resolved = await resolveId(context, id, { command: COMMAND, account: null })
    ids.push(resolved === undefined ? id : lookedUpId(resolved, id))
  }
  return ids
}

/** The id of a payment that a person picks. Throws UsageError without a terminal; Cancelled. */
export async function pickId(context: Context): Promise<string> {
  const named = await pickAnyPayment(context, COMMAND)
  return lookedUpId({ named, isTyped: false }, '')
}

function lookedUpId({ named, isTyped }: Resolved, typed: string): string {
  switch (named.is) {
    case 'external':
      return named.charge.id
    case 'run':
      return named.run.record.run
    case 'payment': {
      const { facts, summary, id } = named.payment
      if (facts.kind === 'qr' && summary.idTransaction !== null) return summary.idTransaction
      return isTyped ? typed : id
    }
  }
}
