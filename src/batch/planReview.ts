import { type KnownPayee, payeesWithKey, type UnconfirmedPayee } from '../ledger/payees.ts'
import type { KnownPlan } from '../ledger/plans.ts'
import { runRowPages } from '../ledger/runRows.ts'
import { runsOfAccount } from '../ledger/runs.ts'
import { comparableTarget } from '../ledger/samePayment.ts'
import { type Conflict, findConflict } from '../payments/paymentRules.ts'
import { singlePayment } from '../payments/proposal.ts'
import { formatReais } from '../pix/amount.ts'
import { formatInstant, parseInstant, REPEAT_DAYS } from '../pix/calendar.ts'
import { isOwnReference } from '../pix/tableWords.ts'
import type { OpenPlan, PlannedRequest } from '../plans/plan.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { permissionsOf } from './planPermissions.ts'
import { findUnusualAmount, type PaidToTarget, paidToTarget, type UnusualRow } from './runPreview.ts'

/** The most changed payees that the warnings of a plan name, so that they fit a screen. */
const NAMED_PAYEES_MAX = 3

/** A payment of a plan, with what this machine's ledger says about it. */
export interface ReviewedPayment {
  facts: PlannedRequest['facts']
  externalId: string | null
  before: PaidToTarget
  unusual: UnusualRow | undefined
  /** True if an equal payment was made within the last {@link REPEAT_DAYS} days, or has an unknown outcome. */
  isRepeat: boolean
  /** Whose key it goes to: of several payees one to whom no payment is confirmed since it was added or changed. */
  payee: KnownPayee | undefined
  /** The same payee, if no payment to it is confirmed. */
  unconfirmed: UnconfirmedPayee | undefined
  /** What its row says: nothing that the gateway gets. */
  fileName: string | null
  fileReference: string | null
}

/** The last batch of the same kind that has a target in common with a plan, compared with it: any other says nothing about the plan. */
export interface LastBatch {
  reference: string
  startedMs: number
  count: number
  totalCents: number
  /** How many of its targets the plan no longer pays. */
  goneCount: number
}

/** What a person checks of a plan, computed from its requests and the ledger of this machine. */
export type PlanReview = ReturnType<typeof reviewPlan>

/** Reviews the payments of a plan. If its sending began, its own payments are no repeats. Throws DamagedRecord. */
export function reviewPlan(
  database: Database,
  reviewer: Account,
  open: OpenPlan,
  { known, isShared, nowMs }: { known: KnownPlan | undefined; isShared: boolean; nowMs: number },
) {
  const { plan, requests } = open
  const sending = known?.sending ?? null
  const words = fileWords(plan)
  // The limits are those of the machine that sends.
  const account = { ...reviewer, maxAmountCents: null, maxDayCents: null }
  const payments = requests.map(({ facts, externalId }, index): ReviewedPayment => {
    const before = paidToTarget(database, account, facts)
    const isKnown = before.count > 0 && sending === null
    const line = plan.rows?.[index]?.line ?? index + 1
    const payees = facts.kind === 'transfer' ? payeesWithKey(database, account, facts) : []
    const unconfirmed = payees.find((payee): payee is UnconfirmedPayee => payee.state !== 'confirmed')
    return {
      facts,
      externalId,
      before,
      unusual: isKnown && facts.kind === 'transfer' ? findUnusualAmount(database, account, line, facts) : undefined,
      isRepeat: sending === null && isRepeat(database, account, { facts, externalId }, nowMs),
      payee: unconfirmed ?? payees[0],
      unconfirmed,
      ...words(index),
    }
  })
  const isNew = ({ before }: ReviewedPayment) => before.count === 0
  const isMarked = (payment: ReviewedPayment) => isNew(payment) || payment.unconfirmed !== undefined
  const added = payments.filter(isNew)
  return {
    /** First to new targets and to payees without a confirmed payment, then the largest. */
    payments: payments.toSorted(
      (one, other) =>
        Number(isMarked(other)) - Number(isMarked(one)) || other.facts.amountCents - one.facts.amountCents,
    ),
    totalCents: plan.totalCents,
    newCount: added.length,
    newCents: added.reduce((cents, { facts }) => cents + facts.amountCents, 0),
    /** Payments to a target that got another amount last time. */
    changedCount: payments.filter(
      ({ before, facts }) => before.lastCents !== null && before.lastCents !== facts.amountCents,
    ).length,
    last:
      plan.batch === undefined || plan.kind === 'profile' || added.length === payments.length
        ? null
        : lastBatch(database, account, requests, plan.kind, sending),
    /** Warnings about the plan, as sentences. */
    warnings: warningsOf(payments, plan),
    permissions: permissionsOf(database, open, parseInstant(known?.made.at ?? '') ?? nowMs, {
      account,
      isShared,
      nowMs,
    }),
  }
}

/** Reads the name and the reference in the row of a request. */
function fileWords({
  batch,
  rows,
}: OpenPlan['plan']): (index: number) => Pick<ReviewedPayment, 'fileName' | 'fileReference'> {
  const name = batch?.fields.name
  const reference = batch?.columns.findIndex(isOwnReference)
  const cell = (index: number, place: number | undefined) => rows?.[index]?.cells[place ?? -1]?.trim() || null
  return (index) => ({ fileName: cell(index, name), fileReference: cell(index, reference) })
}

function isRepeat(database: Database, account: Account, { facts, externalId }: PlannedRequest, nowMs: number): boolean {
  const intended = { ...singlePayment({ facts, externalId }), payment: null, run: null }
  const conflict = findConflict(database, account, intended, nowMs)
  const repeats: readonly Conflict['why'][] = ['unknown', 'repeat', 'external-id']
  return conflict !== undefined && repeats.includes(conflict.why)
}

function lastBatch(
  database: Database,
  account: Account,
  requests: readonly PlannedRequest[],
  kind: 'transfer' | 'refund',
  sending: KnownPlan['sending'],
): LastBatch | null {
  const paid = new Set(requests.map(({ facts }) => comparableTarget(facts)))
  for (const { record } of runsOfAccount(database, account, kind)) {
    const { run, reference, at, rows: count, totalCents } = record
    if (run === sending?.run) continue
    const targets = targetsOf(database, run)
    const gone = [...targets].filter((target) => !paid.has(target))
    if (gone.length === targets.size) continue
    return { reference, startedMs: parseInstant(at) ?? 0, count, totalCents, goneCount: gone.length }
  }
  return null
}

function targetsOf(database: Database, run: string): Set<string | null> {
  const targets = new Set<string | null>()
  for (const rows of runRowPages(database, run)) for (const { facts } of rows) targets.add(comparableTarget(facts))
  return targets
}

function warningsOf(payments: readonly ReviewedPayment[], { kind, resume }: OpenPlan['plan']): string[] {
  const added = payments.filter(({ before }) => before.count === 0)
  const unusual = payments.flatMap((each) => each.unusual ?? [])
  const repeats = payments.filter((each) => each.isRepeat)
  const phones = payments.filter(
    ({ facts }) => facts.kind === 'transfer' && facts.keyType === 'phoneNumber' && facts.documentValidation === null,
  )
  const [firstUnusual] = unusual
  const payees = (state: UnconfirmedPayee['state']) =>
    new Map(
      payments.flatMap(({ unconfirmed }) => (unconfirmed?.state === state ? [[unconfirmed.name, unconfirmed]] : [])),
    )
  const [changed, newPayees] = [payees('changed'), payees('new')]
  return [
    ...[...changed.values()]
      .slice(0, NAMED_PAYEES_MAX)
      .map(
        ({ name, changedBy, changedMs }) =>
          t`Changed payee ${name}: its key or owner was changed by ${changedBy}, ${formatInstant(changedMs)}, and no payment is confirmed since`,
      ),
    ...(changed.size > NAMED_PAYEES_MAX ? [t`Changed payees without a confirmed payment since: ${changed.size}`] : []),
    ...(newPayees.size > 0 ? [t`New payees without a confirmed payment: ${newPayees.size}`] : []),
    ...(added.length > 0 && kind === 'transfer' ? [t`First payments to a key: ${added.length}`] : []),
    ...(repeats.length > 0
      ? [t`Repeats of a payment of the last ${REPEAT_DAYS} days, or of one with an unknown outcome: ${repeats.length}`]
      : []),
    ...(firstUnusual === undefined
      ? []
      : [
          t`Amounts far above earlier payments to the same key: ${unusual.length}, such as ${formatReais(firstUnusual.amountCents)} to ${firstUnusual.key}, which usually gets ${formatReais(firstUnusual.medianCents)}`,
        ]),
    ...(phones.length > 0 ? [t`Phone keys without the document of their owner: ${phones.length}`] : []),
    ...(kind === 'refund' ? [notQueriedText(resume)] : []),
  ]
}

/** What is left of a batch is sent as it was confirmed. */
function notQueriedText(resume: OpenPlan['plan']['resume']): string {
  return resume?.run == null
    ? t`The payments that are refunded were not queried; sending queries them`
    : t`The payments that are refunded were not queried for this plan, and sending does not query them`
}
