import type { ServerIdentity } from './team/serverIdentity.ts'

/** Records that a machine saw that the ledger was restored or replaced: nobody pays until the owner of the ledger ends it. */
export interface LedgerStoppedRecord {
  type: 'ledger-stopped'
  /** The server that was found, and the one that the machine knew; null if it had noted none. */
  server: ServerIdentity
  known: ServerIdentity | null
  /** How many records the machine's copy has. */
  records: number
  /** True if the server lacks some of them. */
  lacksRecords: boolean
  /** The role that owns the ledger. */
  tableOwner: string
}

/** Records that a machine has handed over what the server lacked, and uses the server as it is from now on. */
interface MachineHeardRecord {
  type: 'machine-heard'
  server: ServerIdentity
}

/** Records that the owner of the ledger ended a stop. The server takes it from nobody else. */
export interface LedgerResumedRecord {
  type: 'ledger-resumed'
  server: ServerIdentity
  /** Whose copies may have records that the ledger lacks. */
  notHeardFrom: readonly LedgerMachine[]
}

/** A machine as the records know it, by the login that its records are stored under. */
export interface LedgerMachine {
  login: string
  machine: string
}

/** Keeps a refusal or a finding that the server lost without effect, because the payment was sent again meanwhile. */
interface SupersededRecord {
  type: 'superseded'
  record: unknown
}

/** What a shared ledger records of itself. */
export type TeamRecord = LedgerStoppedRecord | MachineHeardRecord | LedgerResumedRecord | SupersededRecord
