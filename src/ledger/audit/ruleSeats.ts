import type { PlanStepRecord } from '../planRecords.ts'
import type { FirstWriter, LedgerRecord } from '../records.ts'
import type { AccountRuleRecord } from '../settingRecords.ts'
import type { ExpectedRow } from './paymentRows.ts'
import { plainAddress } from './spelling.ts'

type RuleRecord = LedgerRecord<AccountRuleRecord & FirstWriter>

/** Which record sets each rule of each account, as the records say. */
export class RuleSeats {
  /** The records about the plans that change rules. */
  readonly #steps = new Map<string, LedgerRecord<PlanStepRecord>[]>()
  readonly #holders = new Map<string, RuleRecord>()

  /** How many rules were ever set. */
  get count(): number {
    return this.#holders.size
  }

  /** Takes the next record. A record of this ledger always counts, one of another ledger if it was in force there and asks for more than is asked here. */
  add(record: RuleRecord): void {
    const seat = seatOf(record)
    const holder = this.#holders.get(seat)
    const isOwn = record.firstBy === undefined
    if (isOwn && !asksForMore(record, holder?.to ?? null) && this.#needsApproval(record) && !this.#isApproved(record))
      return
    if (isOwn || (record.isPast !== true && record.to !== null && asksForMore(record, holder?.to ?? null)))
      this.#holders.set(seat, record)
  }

  /** Takes a record about a plan, which may allow a rule that asks for less. */
  addPlanStep(record: LedgerRecord<PlanStepRecord>): void {
    this.#steps.set(record.plan, [...(this.#steps.get(record.plan) ?? []), record])
  }

  /** True if a second person approves what is sent from an account. */
  #needsApproval(record: RuleRecord): boolean {
    const holder = this.#holders.get(seatOf({ ...record, rule: 'approvalFromCents' }))
    return holder !== undefined && holder.to !== null
  }

  #isApproved({ plan = '', rule, to }: RuleRecord): boolean {
    const steps = this.#steps.get(plan) ?? []
    const made = steps.find((step) => step.type === 'plan')
    const sending = steps.find((step) => step.type === 'plan-sending')
    if (made === undefined || sending === undefined) return false
    const before = steps.filter(({ seq }) => seq < sending.seq)
    const isRejected = before.some(({ type }) => type === 'plan-rejection')
    const isSeconded = before.some((step) => step.type === 'plan-approval' && step.approver !== made.maker)
    const isMeant = made.changes?.some((change) => change.rule === rule && change.to === to)
    return !isRejected && isSeconded && isMeant === true && Date.parse(sending.at) < Date.parse(made.expiresAt)
  }

  /** The row of the rule that a record is about. */
  row(record: RuleRecord, account: number | null): ExpectedRow | undefined {
    const holder = this.#holders.get(seatOf(record))
    return holder && { account, rule: record.rule, seq: holder.seq }
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
