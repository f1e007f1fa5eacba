import { isSameName, SANDBOX_NAME } from '../pix/payeeName.ts'
import type { Database } from '../storage/sqlite.ts'
import type { Owner } from './accounts.ts'
import type { PaymentKind } from './facts.ts'
import { loadPayment, type Payment } from './payments.ts'
import { nameOf } from './runs.ts'

/** The names of who is paid, side by side; null for what is not known. */
export type PayeeNames = ReturnType<typeof comparedNames>

type Environment = Owner['environment']

/** The names of a row of a run, from its cells and from the events of its payment, if it has one. Throws DamagedRecord. */
export function rowNames(
  database: Database,
  namePlace: number | undefined,
  cells: readonly string[],
  payment: { id: string; kind: PaymentKind } | null,
  environment: Environment,
): PayeeNames {
  const inEvent = payment === null ? null : eventName(database, payment.id, payment.kind)
  return comparedNames(namePlace === undefined ? null : nameOf(cells[namePlace] ?? ''), inEvent, environment)
}

/** The names of a payment. */
export function paymentNames({ nameInFile, personName, owner }: Payment): PayeeNames {
  return comparedNames(nameInFile, personName, owner.environment)
}

/** True for a name that a sandbox made up; in production every name is somebody's. */
export function isMadeUp(name: string, environment: Environment): boolean {
  return environment === 'sandbox' && name.startsWith(SANDBOX_NAME)
}

function comparedNames(inFile: string | null, inEvent: string | null, environment: Environment) {
  const isUnknown = inFile === null || inEvent === null || isMadeUp(inEvent, environment)
  return {
    /** In the row of the file that the payment comes from. */
    inFile,
    /** In an event of the gateway; a refund goes to who paid the charge. */
    inEvent,
    /** Null unless both are known; the sandbox makes names up. */
    differ: isUnknown ? null : !isSameName(inFile, inEvent),
  }
}

/** Most payments of a run that was just sent have no event yet, and loading one costs more than asking for that. */
function eventName(database: Database, payment: string, kind: PaymentKind): string | null {
  const hasEvent = database.has('SELECT 1 FROM event WHERE payment = ? LIMIT 1', payment)
  return hasEvent || kind === 'refund' ? loadPayment(database, payment).personName : null
}
