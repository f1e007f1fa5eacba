import { EVERYTHING, PERMISSION_KINDS, type PlanPermission } from '../../batch/planPermissions.ts'
import type { LastBatch, PlanReview, ReviewedPayment } from '../../batch/planReview.ts'
import type { RunWorker } from '../../batch/sendRows.ts'
import { PAYEE_STATES } from '../../ledger/payees.ts'
import { type KnownPlan, PLAN_STATES, type PlanState } from '../../ledger/plans.ts'
import { PLAN_KINDS, type PlanRecord } from '../../ledger/records.ts'
import type { RevocationRecord } from '../../ledger/rulesInForce.ts'
import { stateText as paymentStateText } from '../../ledger/stateWords.ts'
import { formatReais, reaisFromCents, reaisOrNull } from '../../pix/amount.ts'
import { amountInWords } from '../../pix/amountWords.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { destinationText } from '../../pix/destination.ts'
import type { OpenPlan, Plan } from '../../plans/plan.ts'
import type { Account } from '../../profiles/account.ts'
import type { RuleChange } from '../../profiles/accountRules.ts'
import { settingChangeText, settingLabel } from '../../profiles/settings.ts'
import {
  ADDRESS,
  BOOLEAN,
  CENTS,
  COUNT,
  describe,
  enumOf,
  INSTANT,
  list,
  OBJECT,
  objectOf,
  orNull,
  REAIS,
  shapedBy,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { documentOf, type Field, fieldsOf, schemasBelow, viewOf } from '../../terminal/fields.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { type Cell, layOutCells } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t, translated } from '../../text/translate.ts'
import { ruleChangeDocument, SETTING_CHANGE } from '../accountRuleText.ts'
import { columnRows } from '../batch/batchQuestion.ts'
import { otherCallbackText } from '../payments/paymentQuestion.ts'
import {
  onePage,
  originLines,
  originRows,
  type Report,
  type ReportColumn,
  type ReportOrigin,
  type ReportRow,
} from '../report/reportTable.ts'
import { instantText, shortInstantText } from '../valueText.ts'

/** A signature that a plan has, and whether it is valid: null if this machine has no `ssh-keygen`. */
export interface CheckedSignature {
  principal: string
  verified: boolean | null
  /** What ended it, valid or not: the record that revoked this person, or the maker, since. */
  endedBy: RevocationRecord | null
}

/** The state of a plan. */
export interface PlanStanding {
  approvers: readonly string[]
  state: PlanState
  /** How many of its requests were sent. */
  sentRequests: number
  /** RFC 3339, UTC; null for a plan that the ledger does not know. */
  madeAt: string | null
  rejection: KnownPlan['rejection']
  /** Who sends it at this moment. */
  sender: RunWorker | null
  /** Those that were verified for who looks at it, the maker's first; none in a list. */
  signatures: readonly CheckedSignature[]
  /** Those that the ledger has, with what each approver was shown; none in a list. */
  approvals: KnownPlan['approvals']
}

/** The state of a plan that no one has approved. */
export function standingOfNew(madeAt: string | null): PlanStanding {
  return {
    approvers: [],
    state: 'open',
    sentRequests: 0,
    madeAt,
    rejection: null,
    sender: null,
    signatures: [],
    approvals: [],
  }
}

/** The most payments that are listed, so that they fit a screen. */
export const LISTED_MAX = 8

/** What a plan is, and what a person checks of it, as lines, with at most `limit` of its payments. */
export function planLines(
  open: OpenPlan,
  account: Pick<Account, 'environment' | 'profile'>,
  standing: PlanStanding,
  review: PlanReview,
  { style, columns, limit = LISTED_MAX }: { style: Terminal['out']; columns: number; limit?: number },
): string[] {
  const { payments } = review
  const more = payments.length - limit
  return [
    ...labelledLines(planSummary(open, account, standing, review, style), style, columns),
    ...(payments.length === 0 ? [] : ['', ...paymentLines(payments.slice(0, limit), columns, style)]),
    ...(more > 0
      ? [style.dim(t`and ${more} more; all of them:`), `  pixgate plan show ${commandArgument(open.shown)} --all-rows`]
      : []),
  ]
}

/** What a plan is, and what a person checks of it, without its payments. */
export function planSummary(
  open: OpenPlan,
  account: Pick<Account, 'environment' | 'profile'>,
  standing: PlanStanding,
  review: PlanReview,
  style: Terminal['out'],
): LabelledRow[] {
  return [
    ...planRows(open, account, standing, style),
    ...review.permissions.map((each): LabelledRow => [t`permits`, permissionText(each), style.red.bold]),
    ...reviewRows(review, style),
  ]
}

/** What a plan permits beside its payments, as a sentence. */
export function permissionText({ kind, value, refersTo }: PlanPermission): string {
  switch (kind) {
    case 'in-addition-to':
      if (value === EVERYTHING) return t`also pays what was paid before, because its maker typed \`--again\``
      if (refersTo === null) return t`also pays if ${value} is paid, which this ledger does not know`
      return isPlanState(refersTo.state)
        ? t`also pays if ${value} is paid, which is in a plan, ${translated(refersTo.state)}: ${refersTo.plan ?? ''}`
        : t`also pays although ${value} was paid before, which is ${paymentStateText(refersTo.state)}`
    case 'despite-chargeback':
      return t`refunds ${value} although a chargeback may return the money, too`
    case 'callback-url':
      return otherCallbackText(value)
    case 'long-expiry':
      return t`can be sent until ${instantText(parseInstant(value) ?? null)}, more than 30 days after it was made`
  }
}

function isPlanState(state: string): state is PlanState {
  return PLAN_STATES.some((each) => each === state)
}

function planRows(
  { id, plan, expiresMs, changes }: OpenPlan,
  { environment, profile }: Pick<Account, 'environment' | 'profile'>,
  standing: PlanStanding,
  style: Terminal['out'],
): LabelledRow[] {
  const { account, maker, batch } = plan
  const { state, approvers, madeAt, rejection, signatures, approvals } = standing
  const isBad = state === 'rejected' || state === 'expired' || state === 'interrupted'
  return [
    [t`plan`, t`${id}, made by ${maker}`, style.bold],
    ...(madeAt === null ? [] : [[t`made`, instantText(parseInstant(madeAt) ?? null)] as const]),
    [
      t`state`,
      approvedText(stateText(standing, plan.requests.length), state, approvers),
      isBad ? style.red.bold : style,
    ],
    ...(rejection === null ? [] : [[t`rejected`, rejectionText(rejection), style.red] as const]),
    ...signatureRows(signatures, style),
    ...approvals.map((each): LabelledRow => {
      const isWrong = signatures.some(({ principal, verified }) => principal === each.approver && verified === false)
      return isWrong && !approvers.includes(each.approver)
        ? [t`not approved`, approvalText(each), style.red]
        : [t`approved`, approvalText(each)]
    }),
    [t`expires`, formatInstant(expiresMs)],
    [
      t`environment`,
      t`${translated(environment)}, profile ${profile ?? '-'}, ${account.baseUrl}`,
      environment === 'production' ? style.red.bold : style,
    ],
    ...(batch === undefined ? [] : fileRows(batch)),
    ...(plan.resume === undefined ? [] : resumeRows(plan.resume, plan.kind, style)),
    ...(plan.kind === 'profile' ? ruleRows(plan.profile ?? '', changes, style) : sumRows(plan, style)),
  ]
}

/** When somebody approved a plan, and what the ledger knew then; in a shared ledger also who wrote that, which may be a lie. */
function approvalText({ approver, at, shown, user, machine, storedAtMs }: KnownPlan['approvals'][number]): string {
  const instant = instantText(parseInstant(at) ?? null)
  const when =
    storedAtMs === undefined
      ? t`by ${approver}, ${instant}`
      : t`by ${approver}, ${instant}, written by ${user} on ${machine}`
  return shown === undefined
    ? when
    : t`${when}; shown then: ${shown.newKeys} to new keys, ${shown.paidBefore} to keys that were paid before`
}

function signatureRows(signatures: readonly CheckedSignature[], style: Terminal['out']): LabelledRow[] {
  const names = (is: boolean | null) =>
    signatures
      .flatMap(({ principal, verified, endedBy }) => (verified === is && endedBy === null ? [principal] : []))
      .join(', ')
  const [valid, wrong, unchecked] = [names(true), names(false), names(null)]
  return [
    ...(valid === '' ? [] : [[t`signatures`, t`valid: ${valid}`] as const]),
    ...signatures.flatMap(({ principal, verified, endedBy }): LabelledRow[] =>
      endedBy === null ? [] : [[t`signatures`, endedText(principal, verified, endedBy), style.red]],
    ),
    ...(wrong === '' ? [] : [[t`signatures`, t`not valid: ${wrong}`, style.red.bold] as const]),
    ...(unchecked === ''
      ? []
      : [
          [
            t`signatures`,
            t`not verified, because \`ssh-keygen\` could not be started: ${unchecked}`,
            style.yellow,
          ] as const,
        ]),
  ]
}

/** A signature that counts no more, and who revoked whom, when and why. */
function endedText(signer: string, verified: boolean | null, endedBy: RevocationRecord): string {
  const { principal, user, at, because } = endedBy
  const revoked = t`${principal} was revoked on ${instantText(parseInstant(at) ?? null)} by ${user}: ${because}`
  if (verified === null) return t`not verified: ${signer}; ${revoked}`
  return verified ? t`valid: ${signer}, but ${revoked}` : t`not valid: ${signer}; ${revoked}`
}

/** The file of a batch, and how its maker's machine read it. */
function fileRows(batch: NonNullable<Plan['batch']>): LabelledRow[] {
  return [
    [t`file`, t`${batch.file ?? '-'}, reference ${batch.reference}`],
    ...columnRows(batch),
    ...(batch.read ?? []).map((text): LabelledRow => [t`read`, text]),
  ]
}

/** What is sent once more, which somebody who was told of a new payment would not expect. */
function resumeRows(
  { run, payment, refused, includeUnknown }: NonNullable<Plan['resume']>,
  kind: Plan['kind'],
  style: Terminal['out'],
): LabelledRow[] {
  return [
    [t`resumes`, run ?? payment ?? ''],
    ...(refused ? [[t`refused`, t`What was refused is sent again, as a new attempt`, style.yellow] as const] : []),
    ...(includeUnknown && kind === 'refund'
      ? [[t`unknown`, t`It may have been carried out: the gateway carries it out once more`, style.red.bold] as const]
      : []),
  ]
}

function ruleRows(profile: string, changes: readonly RuleChange[], style: Terminal['out']): LabelledRow[] {
  return [
    [t`rules`, t`of every profile of the account, changed with ${profile}`, style.bold],
    ...changes.map(
      ({ rule, from, to }): LabelledRow => [settingLabel(rule), settingChangeText(rule, from, to), style.yellow],
    ),
  ]
}

function sumRows({ kind, requests, totalCents }: Plan, style: Terminal['out']): LabelledRow[] {
  return [
    [kind === 'transfer' ? t`transfers` : t`refunds`, String(requests.length), style.bold],
    [t`total`, formatReais(totalCents), style.bold],
    [t`in words`, amountInWords(totalCents)],
  ]
}

function approvedText(text: string, state: PlanState, approvers: readonly string[]): string {
  if (approvers.length === 0) return text
  const names = approvers.join(', ')
  return state === 'approved' ? t`approved by ${names}` : t`${text}, approved by ${names}`
}

/** The state of a plan, and how far its sending is. */
export function stateText({ state, sentRequests }: PlanStanding, requests: number): string {
  if (state === 'sending') return t`being sent, ${sentRequests} of ${requests}`
  if (state !== 'interrupted') return translated(state)
  return sentRequests < requests
    ? t`interrupted, ${sentRequests} of ${requests}`
    : t`outcome unknown, ${sentRequests} of ${requests} tried`
}

function rejectionText({ user, at, because }: NonNullable<KnownPlan['rejection']>): string {
  return t`by ${user}, ${instantText(parseInstant(at) ?? null)}: ${because}`
}

/** The warnings about a plan, for its summary and for the question before it is sent. */
export function reviewRows(review: PlanReview, style: Terminal['out']): LabelledRow[] {
  const { newCount, newCents, changedCount, last, warnings, payments } = review
  const isTransfer = payments[0]?.facts.kind === 'transfer'
  return [
    ...(newCount > 0 && isTransfer
      ? [[t`new keys`, t`${newCount} never paid before, ${formatReais(newCents)}`, style.yellow] as const]
      : []),
    ...(changedCount > 0 && isTransfer
      ? [[t`amounts`, t`${changedCount} other than the last payment to the same key`] as const]
      : []),
    ...(last === null ? [] : [[t`last batch`, lastText(last, review)] as const]),
    ...warnings.map((text): LabelledRow => [t`check`, text, style.yellow]),
  ]
}

/** What differs from the last batch of the same kind. */
function lastText(last: LastBatch, { payments, totalCents }: PlanReview): string {
  const more = payments.length - last.count
  const cents = totalCents - last.totalCents
  const about = { reference: last.reference, at: instantText(last.startedMs), total: formatReais(last.totalCents) }
  const what =
    last.count === 1
      ? t`${about.reference}, ${about.at}: 1 payment, ${about.total}`
      : t`${about.reference}, ${about.at}: ${last.count} payments, ${about.total}`
  const count = more === 0 ? t`as many now` : more > 0 ? t`${more} more now` : t`${-more} fewer now`
  const sum = cents >= 0 ? t`${formatReais(cents)} more` : t`${formatReais(-cents)} less`
  const gone =
    last.goneCount === 0
      ? []
      : [last.goneCount === 1 ? t`1 of its receivers is gone` : t`${last.goneCount} of its receivers are gone`]
  return `${what}; ${[count, sum, ...gone].join(', ')}`
}

/** The payments to new targets and the largest, one a line. */
function paymentLines(payments: readonly ReviewedPayment[], columns: number, style: Terminal['out']): string[] {
  const width = Math.max(...payments.map(({ facts }) => formatReais(facts.amountCents).length))
  return payments.flatMap((payment) => {
    const words = fileText(payment)
    const cells: Cell[] = [
      { text: formatReais(payment.facts.amountCents).padStart(width) },
      { text: targetText(payment) },
      ...(payment.externalId === null ? [] : [{ text: safeText(payment.externalId) }]),
      { text: beforeText(payment) },
      ...(words === '' ? [] : [{ text: words }]),
    ]
    const code = payment.facts.kind === 'transfer' && payment.facts.keyType === 'paymentCode' ? payment.facts.key : null
    return [
      ...layOutCells(cells, columns, width),
      ...(code === null ? [] : [style.dim(`${' '.repeat(width + 2)}${safeText(code)}`)]),
    ]
  })
}

/** What the row of the file says, of which the gateway gets nothing. */
function fileText({ fileName, fileReference }: ReviewedPayment): string {
  const words = [fileName, fileReference].filter((each) => each !== null).map(safeText)
  return words.length === 0 ? '' : t`in the file: ${words.join(', ')}`
}

function targetText({ facts }: ReviewedPayment): string {
  return safeText(facts.kind === 'transfer' ? destinationText(facts.key, facts.keyType) : facts.originalTransactionId)
}

function beforeText(payment: ReviewedPayment): string {
  const { facts, payee, unconfirmed, isRepeat } = payment
  const { count, lastCents } = payment.before
  if (isRepeat) return t`repeat`
  if (unconfirmed !== undefined) {
    return unconfirmed.state === 'new' ? t`new payee ${unconfirmed.name}` : t`changed payee ${unconfirmed.name}`
  }
  if (facts.kind === 'refund') return ''
  if (payee !== undefined && count > 0) return t`payee ${payee.name}, ${paidText(payment)}`
  return count === 0 || lastCents === null ? t`new` : paidText(payment)
}

function paidText({ facts, before: { lastCents, lastMs } }: ReviewedPayment): string {
  const last =
    lastCents === null || lastCents === facts.amountCents ? t`as before` : t`before: ${formatReais(lastCents)}`
  return lastMs === null ? last : t`${last}, ${instantText(lastMs)}`
}

/** A plan as a workbook: all of its payments, and what it is. */
export function planReport(
  summary: readonly LabelledRow[],
  open: OpenPlan,
  review: PlanReview,
  origin: ReportOrigin,
): Report {
  const columns: ReportColumn[] = [
    { title: t`Amount (R$)`, kind: 'amount', width: 14 },
    { title: t`Key, or id of what is refunded`, kind: 'id', width: 40 },
    { title: t`External id`, kind: 'id', width: 24 },
    { title: t`Before`, kind: 'text', width: 34 },
    { title: t`Name in the file`, kind: 'text', width: 30 },
    { title: t`Reference in the file`, kind: 'text', width: 20 },
  ]
  const rows = review.payments.map((payment): ReportRow => {
    const { facts, externalId, fileName, fileReference } = payment
    const words = [externalId, beforeText(payment), fileName, fileReference].map((text) => safeText(text ?? ''))
    return { cells: [facts.amountCents, targetText(payment), ...words] }
  })
  return {
    title: t`Plan ${open.id}`,
    lines: originLines(origin),
    tables: [
      {
        ...{ title: t`Payments`, notes: [], columns, isList: true, pages: onePage(rows) },
        totals: () => [[open.plan.totalCents, t`All payments`, null, null, null, null]],
        about: [...summary.map(([label, text]): [string, string] => [label, safeText(text)]), ...originRows(origin)],
      },
    ],
  }
}

export interface ListedPlan {
  known: KnownPlan
  standing: PlanStanding
  nowMs: number
}

const SIGNATURE = objectOf({
  principal: TEXT,
  verified: describe('null where there is no ssh-keygen', orNull(BOOLEAN)),
})
const PERMISSION = objectOf({
  kind: enumOf(...PERMISSION_KINDS),
  value: TEXT,
  refersTo: describe(
    'The payment, or the plan that is not sent yet, that an id names',
    orNull(objectOf({ state: TEXT, plan: orNull(TEXT) })),
  ),
})
const REJECTION = objectOf({ by: TEXT, at: INSTANT, because: TEXT })

/** What the record of a plan, or its text, says of it. */
type PlanFacts = Pick<PlanRecord, 'plan' | 'kind' | 'requests' | 'totalCents' | 'maker' | 'expiresAt'>

interface PlanSource {
  known: { made: PlanFacts }
  standing: PlanStanding
}

const field = fieldsOf<Field<PlanSource, ListedPlan>>('')

const FIRST = [
  field(
    'plan',
    TEXT,
    ({ known }) => known.made.plan,
  )`its name, by which \`plan show\`, \`approve\`, \`reject\` and \`send\` take it`,
  field('kind', enumOf(...PLAN_KINDS), ({ known }) => known.made.kind, {
    column: { drop: 5 },
  })`\`transfer\`, \`refund\`, or \`profile\` for a change of the rules of the account`,
  field('requests', COUNT, ({ known }) => known.made.requests, {
    column: { align: 'right', drop: 4 },
  })`how many payments, or changes of rules, it has`,
  field('total', CENTS, ({ known }) => known.made.totalCents, {
    path: 'totalCents',
    column: {
      align: 'right',
      text: ({ known }) => (known.made.kind === 'profile' ? t`rules` : formatReais(known.made.totalCents)),
    },
  })`their sum`,
  field('maker', TEXT, ({ known }) => known.made.maker)`who made it`,
  field('approvers', list(TEXT), ({ standing }) => [...standing.approvers], {
    column: { drop: 1, text: ({ standing }) => standing.approvers.join(', ') || '-' },
  })`who approved it`,
  field('sentRequests', COUNT, ({ standing }) => standing.sentRequests)`how many of its requests were sent`,
  field('state', enumOf(...PLAN_STATES), ({ standing }) => standing.state, {
    column: {
      text: ({ known, standing }) => stateText(standing, known.made.requests),
      colour: ({ standing: { state } }, style) => {
        if (state === 'approved' || state === 'sent') return style.green
        return state === 'open' || state === 'sending' ? style.yellow : style.red
      },
    },
  })`\`open\`, \`approved\`, \`sending\` while a process sends it, \`interrupted\` if something of it is left and no process sends it, \`sent\`, \`rejected\` or \`expired\``,
]

const MADE = fieldsOf<Field<ListedPlan, ListedPlan>>('')('made', INSTANT, ({ known }) => known.made.at, {
  path: 'madeAt',
  column: { drop: 3, text: ({ known, nowMs }) => shortInstantText(parseInstant(known.made.at) ?? null, nowMs) },
})`when it was made, or came to this ledger`

const LAST = [
  field('expires', INSTANT, ({ known }) => known.made.expiresAt, {
    path: 'expiresAt',
    column: {
      drop: 2,
      text: ({ known, standing: { state }, nowMs }) =>
        state === 'open' || state === 'approved'
          ? shortInstantText(parseInstant(known.made.expiresAt) ?? null, nowMs)
          : '',
    },
  })`until when it can be sent`,
  field(
    'rejected',
    orNull(REJECTION),
    ({ standing: { rejection } }) => rejection && { by: rejection.user, at: rejection.at, because: rejection.because },
    {
      column: { text: ({ standing }) => (standing.rejection === null ? '' : rejectionText(standing.rejection)) },
    },
  )`who rejected it, when and why; null if no one did`,
]

/** What is shown of a plan, in the order of its JSON in `plan list`. A new field is a row here. */
export const PLAN_FIELDS = [...FIRST, MADE, ...LAST]

/** What a list on a screen leaves out: the state says both. */
export const PLAN_ONLY_CSV: readonly string[] = ['sentRequests', 'rejected']

/** A payment of a plan as JSON. */
export const PLANNED_PAYMENT = viewOf<ReviewedPayment>()({
  amount: [REAIS, ({ facts }) => reaisFromCents(facts.amountCents)],
  target: [
    describe('The key of a transfer, or the id of the payment that is refunded', TEXT),
    ({ facts }) => (facts.kind === 'transfer' ? facts.key : facts.originalTransactionId),
  ],
  externalId: [orNull(TEXT), ({ externalId }) => externalId],
  payee: [describe('The payee with this key', orNull(TEXT)), ({ payee }) => payee?.name ?? null],
  payeeState: [orNull(enumOf(...PAYEE_STATES)), ({ payee }) => payee?.state ?? null],
  fileName: [
    describe('As its row in the file says; the gateway does not get it', orNull(TEXT)),
    ({ fileName }) => fileName,
  ],
  fileReference: [orNull(TEXT), ({ fileReference }) => fileReference],
  paidBefore: [
    describe('How many payments the ledger knows to the same target', COUNT),
    ({ before: { count } }) => count,
  ],
  lastAmount: [orNull(REAIS), ({ before: { lastCents } }) => reaisOrNull(lastCents)],
  isUnusual: [BOOLEAN, ({ unusual }) => unusual !== undefined],
  isRepeat: [BOOLEAN, ({ isRepeat }) => isRepeat],
})

interface ShownPlan {
  open: OpenPlan
  standing: PlanStanding
  review: PlanReview
}

const DETAILS = viewOf<ShownPlan>()({
  account: [objectOf({ baseUrl: ADDRESS, clientId: TEXT }), ({ open }) => open.plan.account],
  reference: [describe('Of a batch', orNull(TEXT)), ({ open }) => open.plan.batch?.reference ?? null],
  sourceSha256: [describe('SHA-256 of the file of a batch', orNull(TEXT)), ({ open }) => open.plan.sourceSha256],
  signatures: [
    describe('Those of the maker and of the approvers; empty in what was just made', list(SIGNATURE)),
    ({ standing }) => standing.signatures.map((each) => shapedBy(SIGNATURE, each)),
  ],
  approvals: [
    describe(
      'Those that the ledger has; `shown` is what the approver was shown: payments to keys that were never paid before, and to others',
      list(objectOf({ by: TEXT, at: INSTANT, shown: orNull(objectOf({ newKeys: COUNT, paidBefore: COUNT })) })),
    ),
    ({ standing }) => standing.approvals.map(({ approver: by, at, shown = null }) => ({ by, at, shown })),
  ],
  permissions: [
    describe('What it permits beside its payments', list(PERMISSION)),
    ({ review }) => review.permissions.map((each) => shapedBy(PERMISSION, each)),
  ],
  read: [
    describe(
      'How the file of a batch was read, as its maker says',
      orNull(objectOf({ columns: OBJECT, remarks: list(TEXT) })),
    ),
    ({ open }) => (open.plan.batch === undefined ? null : readDocument(open.plan.batch)),
  ],
  warnings: [list(TEXT), ({ review }) => [...review.warnings]],
  newKeys: [COUNT, ({ review }) => review.newCount],
  rules: [
    describe('The rules that a plan of the kind `profile` changes', list(SETTING_CHANGE)),
    ({ open }) => open.changes.map(ruleChangeDocument),
  ],
  payments: [list(PLANNED_PAYMENT.schema), ({ review }) => review.payments.map(PLANNED_PAYMENT.documentOf)],
})

/** The schemas of the members of {@link planDocument}. */
export const PLAN_MEMBERS = {
  ...schemasBelow(PLAN_FIELDS, ''),
  madeAt: describe('null for a plan in a file that this ledger does not know', orNull(INSTANT)),
  ...DETAILS.members,
}

/** A plan as JSON, with each of its payments. */
export function planDocument(open: OpenPlan, standing: PlanStanding, review: PlanReview) {
  const { kind, requests, totalCents, maker, expiresAt } = open.plan
  const made = { plan: open.id, kind, requests: requests.length, totalCents, maker, expiresAt }
  const source = { known: { made }, standing }
  return {
    ...documentOf(FIRST, source),
    madeAt: standing.madeAt,
    ...documentOf(LAST, source),
    ...DETAILS.documentOf({ open, standing, review }),
  }
}

function readDocument({ columns, fields, read = [] }: NonNullable<Plan['batch']>) {
  const names = Object.entries(fields).map(([field, place]) => [field, columns[place] ?? ''])
  return { columns: Object.fromEntries(names) as Record<string, string>, remarks: [...read] }
}
