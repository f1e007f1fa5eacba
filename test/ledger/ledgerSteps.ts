import fc from 'fast-check'
import type { Owner } from '../../src/ledger/accounts.ts'
import { storeForward } from '../../src/ledger/events.ts'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import { ownCharge } from '../../src/ledger/originals.ts'
import { addRunRow } from '../../src/ledger/runRows.ts'
import { acceptRun, addUnacceptedRun } from '../../src/ledger/runs.ts'
import { DEFAULT_SENDING } from '../../src/steps/batch/batchOptions.ts'
import type { Outcome } from '../../src/wire/errors.ts'
import type { MemoryLedger, TestAttempt } from './memoryLedger.ts'
import { OWNER, REFUND, TRANSFER } from './paymentHistory.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const CALLBACK = 'https://shop.example.com/'

const OWNERS: readonly Owner[] = [
  OWNER,
  { ...OWNER, clientId: 'c-2' },
  { ...OWNER, environment: 'sandbox', baseUrl: 'http://localhost:4010' },
]
/** A refund of all that is left. */
export const WHOLE_REFUND: MoneyPayment = {
  kind: 'refund',
  originalTransactionId: 'ORIGINAL-1',
  amountCents: null,
  isWhole: true,
  refundReason: 'damaged',
  callbackUrl: CALLBACK,
  idField: 'originalTransactionId',
}
const FACTS: readonly MoneyPayment[] = [
  TRANSFER,
  { ...TRANSFER, amountCents: 2500 },
  {
    kind: 'transfer',
    key: 'maria@example.com',
    keyType: 'email',
    amountCents: 1000,
    documentValidation: '11222333000181',
    callbackUrl: CALLBACK,
    payee: null,
    payeeDisplayName: null,
  },
  {
    kind: 'transfer',
    key: '+5511987654321',
    keyType: 'phoneNumber',
    amountCents: 700,
    documentValidation: null,
    callbackUrl: CALLBACK,
    payee: null,
    payeeDisplayName: null,
  },
  REFUND,
  WHOLE_REFUND,
]
const OUTCOMES: readonly Outcome[] = ['not-sent', 'refused', 'accepted', 'accepted-before', 'unknown']
const CODES = ['DUPLICATE_EXTERNAL_ID', 'SENDER_ENDED', 'PIX_KEY_NOT_FOUND'] as const

const owner = fc.constantFrom(...OWNERS)
/** Refunds return what has one of the last two, a charge or what only events tell. */
const id = fc.option(fc.constantFrom('id-1', 'id-2', 'ID-2', 'id-3', 'original-1', 'Original-2'))
const externalId = fc.constantFrom('invoice-1', 'invoice-2', 'Invoice-2')
const cents = fc.option(fc.constantFrom(400, 1000, 2500))
const which = fc.nat(5)
const step = fc.oneof(
  fc.record({
    do: fc.constant('pay' as const),
    facts: fc.constantFrom(...FACTS),
    externalId,
    owner,
    isInRun: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('charge' as const),
    owner,
    payer: fc.option(fc.constantFrom('Padaria do Zé', 'Ana 52998224725 a@b.com', '12ABC34501DE35 123456789012345')),
  }),
  fc.record({ do: fc.constant('retry' as const), which }),
  fc.record({ do: fc.constant('resend' as const), which }),
  fc.record({
    do: fc.constant('answer' as const),
    which,
    outcome: fc.constantFrom(...OUTCOMES),
    idTransaction: id,
    code: fc.option(fc.constantFrom(...CODES)),
    amountCents: cents,
    status: fc.option(fc.constantFrom('PENDING', 'PROCESSING')),
  }),
  fc.record({
    do: fc.constant('find' as const),
    which,
    as: fc.constantFrom('paid' as const, 'not-paid', 'returned'),
  }),
  // The clock can go back.
  fc.record({
    do: fc.constant('wait' as const),
    ms: fc.constantFrom(1, MINUTE_MS, 12 * HOUR_MS, 25 * HOUR_MS, -1, -MINUTE_MS, -13 * HOUR_MS),
  }),
  // The gateway says that the clock is right.
  fc.record({ do: fc.constant('confirm' as const), environment: fc.constantFrom('production', 'sandbox') }),
  fc.record({
    do: fc.constant('event' as const),
    name: fc.constantFrom('transfer.completed', 'transfer.failed', 'refund.status', 'pix.received'),
    status: fc.option(fc.constantFrom('PAID_OUT', 'COMPLETED', 'ERROR', 'RETURNED', 'PROCESSING', 'PAID')),
    idTransaction: id,
    externalId: fc.option(externalId),
    originalTransactionId: fc.option(fc.constantFrom('original-1', 'original-2')),
    amountCents: cents,
    errorCode: fc.option(fc.constantFrom('DUPLICATE_EXTERNAL_ID', 'AC03')),
    owner,
    isSigned: fc.boolean(),
    taxId: fc.option(fc.constantFrom('529.982.247-25', '11222333000181')),
    body: fc.constantFrom('AAAA', 'BBBB', 'CCCC', 'DDDD'),
  }),
  fc.record({ do: fc.constant('forward' as const), which, status: fc.option(fc.constantFrom(204, 500)) }),
  fc.record({
    do: fc.constant('query' as const),
    owner,
    idTransaction: fc.constantFrom('original-1', 'ORIGINAL-1', 'original-2', 'id-1', 'ID-2'),
    status: fc.constantFrom('PAID', 'REFUNDED', 'EXPIRED', 'PENDING'),
    amountCents: cents,
    paidAtMs: fc.option(fc.constant(1_700_000_000_000)),
  }),
  fc.record({ do: fc.constant('profile' as const), owner }),
)

/** Something that happens to a ledger. */
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Everything that can happen to a ledger, in any order. */
export const steps = fc.array(step, { maxLength: 40 })
/** The same, often enough for several pages of records. */
export const longSteps = fc.array(step, { maxLength: 600, size: 'max' })

const SUBJECTS = {
  'transfer.completed': 'transfer',
  'transfer.failed': 'transfer',
  'refund.status': 'refund',
  'pix.received': 'payment',
} as const

/** Lets steps happen to a ledger, one after the other. */
export function takeSteps(ledger: MemoryLedger, taken: readonly Step[]): void {
  const take = stepTaker(ledger)
  for (const each of taken) take(each)
}

/** Lets one step after the other happen to a ledger. */
export function stepTaker(ledger: MemoryLedger): (step: Step) => void {
  const attempts: TestAttempt[] = []
  let events = 0
  return (each) => {
    switch (each.do) {
      case 'pay':
        attempts.push(payment(ledger, each, attempts.length))
        break
      case 'charge':
        attempts.push(charge(ledger, each, attempts.length))
        break
      case 'wait':
        ledger.nowMs += each.ms
        break
      case 'confirm':
        ledger.confirmClock(each.environment)
        break
      case 'event': {
        const { do: _, name, status, body, ...facts } = each
        const { n } = ledger.event(status, {
          ...facts,
          event: name,
          subject: SUBJECTS[name],
          name: 'João',
          bodyBase64: body,
        })
        events = Math.max(events, n)
        break
      }
      case 'forward':
        if (events > 0) forward(ledger, (each.which % events) + 1, each.status)
        break
      case 'query': {
        const { do: _, ...said } = each
        const account = { url: said.owner.baseUrl, clientId: said.owner.clientId }
        const payment = ownCharge(ledger.writer.database, account, said.idTransaction)?.payment ?? null
        ledger.writer.append({ type: 'query', payment, ...said })
        break
      }
      case 'profile': {
        const changes = [{ setting: 'maxDayCents', from: null, to: 100_000 } as const]
        const named = { ...each.owner, profile: 'shop' }
        ledger.writer.append({ type: 'profile-change', owner: named, action: 'edit', changes })
        break
      }
      default: {
        const chosen = attempts[each.which % Math.max(1, attempts.length)]
        if (chosen !== undefined) goOn(ledger, attempts, chosen, each)
      }
    }
  }
}

function payment(
  ledger: MemoryLedger,
  { facts, externalId: typed, owner: of, isInRun }: Extract<Step, { do: 'pay' }>,
  count: number,
): TestAttempt {
  const sent = facts.kind === 'transfer' ? typed : null
  if (!isInRun) return ledger.attempt(facts, { owner: of, externalId: sent })
  const run = `run-${count}`
  const { writer } = ledger
  const nothing = () => undefined
  const sender = { id: 'process-1', afterSeq: 0, open: ledger.open, leave: nothing, release: nothing }
  addUnacceptedRun(writer, sender, '/nowhere', {
    run,
    kind: facts.kind,
    owner: of,
    file: 'payroll.csv',
    reference: 'payroll',
    columns: ['key'],
    fields: { key: 0 },
    isDryRun: false,
  })
  const row = {
    line: 2,
    rowId: typed,
    isTypedId: true,
    facts,
    cells: ['Ana Müller', typed],
    originalCents: null,
    isLeftOut: false,
  }
  addRunRow(ledger.database, run, row)
  const { amountCents } = facts
  acceptRun(writer, {
    run,
    kind: facts.kind,
    owner: of,
    file: 'payroll.csv',
    reference: 'payroll',
    isReferenceTyped: true,
    sending: DEFAULT_SENDING,
    columns: ['key'],
    fields: { key: 0 },
    ignored: [],
    rows: 1,
    totalCents: amountCents ?? 0,
    fingerprint: '0123456789abcdef',
  })
  const place = { run, line: 2, reference: 'payroll', isDerivedId: false }
  return ledger.attempt(facts, { owner: of, externalId: sent, place, rowId: typed })
}

function charge(
  ledger: MemoryLedger,
  { owner: of, payer }: Extract<Step, { do: 'charge' }>,
  count: number,
): TestAttempt {
  const facts = { kind: 'qr' as const, requestNumber: `order-${count}`, amountCents: 1000, payer, payerName: null }
  return ledger.attempt(TRANSFER, { owner: of, facts, externalId: null, body: null, rowId: null })
}

function forward(ledger: MemoryLedger, n: number, status: number | null): void {
  const error = status === null ? 'refused' : null
  storeForward(ledger.writer, { n, event: `event-${n}`, url: 'http://127.0.0.1:3000/', status, ms: 5, body: '', error })
}

function goOn(
  ledger: MemoryLedger,
  attempts: TestAttempt[],
  chosen: TestAttempt,
  each: Extract<Step, { do: 'retry' | 'resend' | 'answer' | 'find' }>,
): void {
  if (each.do === 'find') ledger.find(chosen, each.as)
  else if (each.do === 'answer') {
    const { do: _, which: __, outcome, ...said } = each
    ledger.answer(chosen, outcome, said)
  } else {
    const kind = ledger.database.get('SELECT kind FROM payment WHERE id = ?', chosen.payment)?.kind
    if (kind === 'qr') return
    if (each.do === 'resend') ledger.resend(chosen)
    else attempts.push(ledger.retry(chosen, `retry-${attempts.length}`))
  }
}
