import { PLAN_KINDS } from '../../ledger/planRecords.ts'
import { type KnownPlan, PLAN_STATES, planState } from '../../ledger/plans.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { CENTS, COUNT, enumOf, INSTANT, list, TEXT } from '../../schemas/jsonSchema.ts'
import type { Field } from '../../terminal/fields.ts'
import { translated } from '../../text/translate.ts'
import { shortInstantText } from '../valueText.ts'

/** A plan as the ledger knows it, at a time. */
export interface ListedPlan {
  known: KnownPlan
  nowMs: number
}

/** What is shown of a plan, in the order of its JSON in `plan list`. A new field is a row here. */
export const PLAN_FIELDS = [
  {
    name: 'plan',
    path: 'plan',
    json: ({ known }) => known.made.plan,
    schema: TEXT,
    mask: 'public',
    csv: 1,
    meaning: 'its name, by which `plan show`, `approve`, `reject` and `send` take it',
  },
  {
    name: 'kind',
    path: 'kind',
    json: ({ known }) => known.made.kind,
    schema: enumOf(...PLAN_KINDS),
    mask: 'public',
    column: { drop: 3 },
    csv: 2,
    meaning: '`transfer`, `refund`, or `profile` for a change of the rules of the account',
  },
  {
    name: 'requests',
    path: 'requests',
    json: ({ known }) => known.made.requests,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right', drop: 2 },
    csv: 3,
    meaning: 'how many payments, or changes of rules, it has',
  },
  {
    name: 'total',
    path: 'totalCents',
    json: ({ known }) => known.made.totalCents,
    schema: CENTS,
    mask: 'public',
    column: { align: 'right', text: ({ known }) => formatReais(known.made.totalCents) },
    csv: 4,
    meaning: 'their sum',
  },
  {
    name: 'maker',
    path: 'maker',
    json: ({ known }) => known.made.maker,
    schema: TEXT,
    mask: 'public',
    csv: 5,
    meaning: 'who made it',
  },
  {
    name: 'approvers',
    path: 'approvers',
    json: ({ known }) => known.approvals.map(({ approver }) => approver),
    schema: list(TEXT),
    mask: 'public',
    column: { drop: 1, text: ({ known }) => known.approvals.map(({ approver }) => approver).join(', ') || '-' },
    csv: 6,
    meaning: 'who approved it',
  },
  {
    name: 'state',
    path: 'state',
    json: ({ known, nowMs }) => planState(known, nowMs),
    schema: enumOf(...PLAN_STATES),
    mask: 'public',
    column: {
      text: ({ known, nowMs }) => translated(planState(known, nowMs)),
      colour: ({ known, nowMs }, style) => {
        const state = planState(known, nowMs)
        if (state === 'approved' || state === 'sent') return style.green
        return state === 'open' ? style.yellow : style.red
      },
    },
    csv: 7,
    meaning: '`open`, `approved`, `rejected`, `sent` or `expired`',
  },
  {
    name: 'expires',
    path: 'expiresAt',
    json: ({ known }) => known.made.expiresAt,
    schema: INSTANT,
    mask: 'public',
    column: {
      text: ({ known, nowMs }) => shortInstantText(parseInstant(known.made.expiresAt) ?? null, nowMs),
    },
    csv: 8,
    meaning: 'until when it can be sent',
  },
] as const satisfies readonly Field<ListedPlan, ListedPlan>[]
