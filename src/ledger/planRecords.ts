import type { Owner } from './owner.ts'

/** A part of the text of a plan, before its {@link PlanRecord}. */
interface PlanTextRecord {
  type: 'plan-text'
  plan: string
  owner: Owner
  /** From 1. */
  part: number
  text: string
}

export const PLAN_KINDS = ['transfer', 'refund', 'profile'] as const
/** What a plan does: it sends payments, or changes the rules of the account. */
export type PlanKind = (typeof PLAN_KINDS)[number]

/** Records that a plan was made, or came to this ledger. Its text is in the parts before it. */
export interface PlanRecord {
  type: 'plan'
  /** The name, by its text: `plan-0b935d103c904af3`. */
  plan: string
  owner: Owner
  kind: PlanKind
  /** How many payments it has, and their sum. */
  requests: number
  totalCents: number
  maker: string
  /** The maker's signature over the text, as OpenSSH writes it. */
  signature: string
  /** RFC 3339, UTC. */
  expiresAt: string
  parts: number
}

/** Records that a person approved a plan. */
interface PlanApprovalRecord {
  type: 'plan-approval'
  plan: string
  owner: Owner
  approver: string
  signature: string
}

/** Records that a person rejected a plan: nothing of it is sent from then on. */
interface PlanRejectionRecord {
  type: 'plan-rejection'
  plan: string
  owner: Owner
  because: string
}

/** Records that the sending of a plan began, with the approval that was verified. From then on it may be finished. */
interface PlanSendingRecord {
  type: 'plan-sending'
  plan: string
  owner: Owner
  approver: string
  /** The run of a batch; null for a single payment. */
  run: string | null
}

export type PlanStepRecord = PlanTextRecord | PlanRecord | PlanApprovalRecord | PlanRejectionRecord | PlanSendingRecord
