import type { AccountRuleRecord, FirstWriter, LedgerRecord } from '../../../src/ledger/records.ts'
import type { Database } from '../../../src/storage/sqlite.ts'
import type { ExpectedRow } from './paymentRows.ts'
import { plainAddress } from './spelling.ts'

type RuleRecord = LedgerRecord<AccountRuleRecord & FirstWriter>

/** Which record sets each rule of each account, as the records say, and as far as this machine has verified the plans that some of them name. */
export class RuleSeats {
  readonly #records: RuleRecord[] = []
  readonly #seats = new Set<string>()
  /** How many records name a plan, which is verified. */
  planned = 0

  /** How many rules were ever set. */
  get count(): number {
    return this.#seats.size
  }

  /** Takes the next record. */
  add(record: RuleRecord): void {
    this.#records.push(record)
    const isOwn = record.firstBy === undefined
    if (isOwn || (record.isPast !== true && record.to !== null)) this.#seats.add(seatOf(record))
    if (isOwn && record.plan !== undefined) this.planned += 1
  }

  /** The row of the rule that a record is about. */
  row(database: Database, record: RuleRecord, account: number | null): ExpectedRow | undefined {
    const holder = this.#holders(database).get(seatOf(record))
    return holder && { account, rule: record.rule, seq: holder.seq }
  }

  /** A record of this ledger counts, one of another ledger if it was in force there; while a second person approves, what asks for less needs an approval. */
  #holders(database: Database): Map<string, RuleRecord> {
    const rows = database.all('SELECT seq FROM rule_approval WHERE is_valid = 1')
    const approved = new Set(rows.map((row) => row.seq))
    const holders = new Map<string, RuleRecord>()
    for (const record of this.#records) {
      const here = holders.get(seatOf(record))?.to ?? null
      const isApprovalNeeded = (holders.get(seatOf({ ...record, rule: 'approvalFromCents' }))?.to ?? null) !== null
      const counts = asksForMore(record, here)
        ? record.firstBy === undefined || (record.isPast !== true && record.to !== null)
        : record.firstBy === undefined && (!isApprovalNeeded || approved.has(record.seq))
      if (counts) holders.set(seatOf(record), record)
    }
    return holders
  }
}

function seatOf({ owner: { baseUrl, clientId }, rule }: Pick<RuleRecord, 'owner' | 'rule'>): string {
  return JSON.stringify([plainAddress(baseUrl), clientId, rule])
}

/** True if a rule asks for as much as it does here, or for more. */
function asksForMore({ rule, to }: RuleRecord, here: RuleRecord['to']): boolean {
  if (here === null || to === here) return true
  if (typeof to !== 'number' || typeof here !== 'number') return rule === 'approvers' && peopleOf(to) === peopleOf(here)
  return rule === 'payeeWaitMs' ? to > here : rule === 'approvalFromCents' && to < here
}

/** The text of a list of approvers, wherever its file is. */
function peopleOf(value: RuleRecord['to']): unknown {
  return typeof value === 'string' ? JSON.parse(value).list : null
}
