import type {
  AccountRuleRecord,
  ApproverRevocationRecord,
  FirstWriter,
  LedgerRecord,
} from '../../../src/ledger/records.ts'
import type { Database } from '../../../src/storage/sqlite.ts'
import type { ExpectedRow } from './paymentRows.ts'
import { plainAddress } from './spelling.ts'

type RuleRecord = LedgerRecord<AccountRuleRecord & FirstWriter>
type RevocationRecord = LedgerRecord<ApproverRevocationRecord & FirstWriter>

/** Who holds a rule: the record that set it, and the people who were revoked from its list since. */
interface Holder {
  record: RuleRecord
  revoked: RevocationRecord[]
}

/** Which record sets each rule of each account, as the records say, and as far as this machine has verified the plans that some of them name. */
export class RuleSeats {
  readonly #records: (RuleRecord | RevocationRecord)[] = []
  readonly #seats = new Set<string>()
  /** How many records are looked at on this machine: those that name a plan, and all of a shared ledger. */
  claims = 0

  /** How many records hold a rule. */
  count(database: Database): number {
    const revoked = [...this.#holders(database).values()].map((holder) => holder.revoked.length)
    return revoked.reduce((sum, each) => sum + each, this.#seats.size)
  }

  /** Takes the next record. */
  add(record: RuleRecord | RevocationRecord): void {
    this.#records.push(record)
    if (record.type === 'approver-revocation') return
    const isOwn = record.firstBy === undefined
    if (isOwn || (record.isPast !== true && record.to !== null)) this.#seats.add(seatOf(record))
    if (isOwn && isClaim(record)) this.claims += 1
  }

  /** The row of the rule that a record is about. */
  row(database: Database, record: RuleRecord, account: number | null): ExpectedRow | undefined {
    const holder = this.#holders(database).get(seatOf(record))
    return holder && { account, rule: record.rule, seq: holder.record.seq }
  }

  /** True if somebody is revoked by a record. */
  isRevoking(database: Database, { seq }: RevocationRecord): boolean {
    return [...this.#holders(database).values()].some(({ revoked }) => revoked.some((each) => each.seq === seq))
  }

  /** A record of this ledger counts, one of another ledger if it was in force there; while a second person approves, what asks for less needs an approval, and in a shared ledger another login's never counts. */
  #holders(database: Database): Map<string, Holder> {
    const rows = database.all('SELECT seq FROM rule_approval WHERE is_valid = 1')
    const approved = new Set(rows.map((row) => row.seq))
    const holders = new Map<string, Holder>()
    for (const record of this.#records) {
      if (record.type === 'approver-revocation') {
        const list = holders.get(seatOf({ ...record, rule: 'approvers' }))
        const names = new Set(peopleOf(list).map((line) => line.split(' ')[0]))
        if (record.isPast !== true && names.has(record.principal) && names.size > 2) list?.revoked.push(record)
        continue
      }
      const here = holders.get(seatOf(record))
      const isApprovalNeeded =
        (holders.get(seatOf({ ...record, rule: 'approvalFromCents' }))?.record.to ?? null) !== null
      const isOfMachine = record.storedAtMs === undefined
      const counts = asksForMore(record, here)
        ? record.firstBy === undefined || (record.isPast !== true && record.to !== null)
        : record.firstBy === undefined &&
          (approved.has(record.seq) ? record.plan !== undefined || !isApprovalNeeded : !isApprovalNeeded && isOfMachine)
      if (counts) holders.set(seatOf(record), { record, revoked: [] })
    }
    return holders
  }
}

/** True if what a record says is looked at. */
export function isClaim({ plan, storedAtMs }: RuleRecord): boolean {
  return plan !== undefined || storedAtMs !== undefined
}

function seatOf({ owner: { baseUrl, clientId }, rule }: Pick<RuleRecord, 'owner' | 'rule'>): string {
  return JSON.stringify([plainAddress(baseUrl), clientId, rule])
}

/** True if a rule asks for as much as it does here, or for more. */
function asksForMore(record: RuleRecord, holder: Holder | undefined): boolean {
  const { rule, to } = record
  const here = holder?.record.to ?? null
  if (here === null || (to === here && holder?.revoked.length === 0)) return true
  if (typeof to !== 'number' || typeof here !== 'number')
    return rule === 'approvers' && String(peopleOf({ record, revoked: [] })) === String(peopleOf(holder))
  return rule === 'payeeWaitMs' ? to > here : rule === 'approvalFromCents' && to < here
}

/** The lines of a list of approvers, wherever its file is, without the people who were revoked. */
function peopleOf(holder: Holder | undefined): string[] {
  const { to } = holder?.record ?? {}
  const { list }: { list: string } = typeof to === 'string' ? JSON.parse(to) : { list: '' }
  const lines = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.filter((line) => holder?.revoked.every(({ principal }) => !line.startsWith(`${principal} `))).sort()
}
