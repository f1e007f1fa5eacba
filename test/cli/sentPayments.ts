import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Owner } from '../../src/ledger/accounts.ts'
import { storeEvent } from '../../src/ledger/events.ts'
import {
  type PaymentFacts,
  type QrPayment,
  type RefundPayment,
  requestBody,
  type TransferPayment,
} from '../../src/ledger/facts.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { AnswerRecord, RunPlace } from '../../src/ledger/records.ts'
import { addRunRow } from '../../src/ledger/runRows.ts'
import { acceptRun, addUnacceptedRun } from '../../src/ledger/runs.ts'
import { DEFAULT_SENDING } from '../../src/steps/batch/batchOptions.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import { withLedger, writeTo } from '../ledger/storedLedger.ts'
import type { World } from '../world.ts'

/** Whose payments are written unless it is stated: those of the built-in profile. */
const OWNER: Owner = {
  profile: 'local',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
}

const TRANSFER_FACTS: TransferPayment = {
  kind: 'transfer',
  key: 'maria@example.com',
  keyType: 'email',
  amountCents: 1050,
  documentValidation: null,
  callbackUrl: 'http://127.0.0.1:1/',
  payee: null,
  payeeDisplayName: null,
}

/** A payment as it is written, with what is not the default. */
interface Written {
  /** RFC 3339, UTC. */
  at: string
  user?: string
  owner?: Partial<Owner>
  place?: RunPlace
  answer?: Partial<AnswerRecord>
}

/** Who writes, and when. */
function by({ at, user }: Pick<Written, 'at' | 'user'>) {
  return { ...(user === undefined ? {} : { user }), now: () => Date.parse(at) }
}

/** Writes a transfer that was accepted, whose idTransaction is `id-` and its externalId. Gives its UUID. */
export function writeTransfer(
  world: World,
  { externalId, ...own }: Written & { externalId: string; facts?: Partial<TransferPayment> },
): Promise<string> {
  const facts: TransferPayment = { ...TRANSFER_FACTS, ...own.facts }
  return write(world, own, facts, externalId, { idTransaction: `id-${externalId}`, status: 'PROCESSING' })
}

/** Writes a charge that was created, whose idTransaction is `id-` and its request number. Gives its UUID. */
export function writeCharge(
  world: World,
  { requestNumber, ...own }: Written & { requestNumber: string; facts?: Partial<QrPayment> },
): Promise<string> {
  const facts: QrPayment = { kind: 'qr', requestNumber, amountCents: 1050, payer: null, payerName: null, ...own.facts }
  return write(world, own, facts, null, { idTransaction: `id-${requestNumber}`, status: 'PENDING' })
}

/** Writes a batch of one row that was confirmed, and of which nothing was sent. */
export function writeRun(world: World, { run, at, file }: { run: string; at: string; file: string }): Promise<void> {
  const about = { run, kind: 'transfer', owner: OWNER, file, reference: run, columns: [], fields: {} } as const
  const plan = async (ledger: Ledger) => {
    const sender = await ledger.sender()
    await ledger.write((writer) => {
      addUnacceptedRun(writer, sender, join(world.home, 'data'), { ...about, isDryRun: false })
      const facts = TRANSFER_FACTS
      const row = { line: 2, rowId: run, isTypedId: true, facts, cells: [], originalCents: null, isLeftOut: false }
      addRunRow(writer.database, run, row)
      const order = { isReferenceTyped: true, sending: DEFAULT_SENDING, ignored: [] }
      acceptRun(writer, { ...about, ...order, rows: 1, totalCents: facts.amountCents, fingerprint: '0123456789abcdef' })
    })
  }
  return withLedger(world, plan, by({ at }))
}

/** Writes a refund that was accepted. Gives its UUID. */
export function writeRefund(
  world: World,
  { originalTransactionId, ...own }: Written & { originalTransactionId: string; facts?: Partial<RefundPayment> },
): Promise<string> {
  const facts: RefundPayment = {
    kind: 'refund',
    originalTransactionId,
    amountCents: 100,
    isWhole: false,
    refundReason: 'x',
    callbackUrl: 'http://127.0.0.1:1/',
    idField: 'originalTransactionId',
    ...own.facts,
  }
  return write(world, own, facts, null, { status: 'PROCESSING' })
}

/** Writes a webhook with this body, genuine unless it is said to have no signature. */
export function writeEvent(
  world: World,
  at: string,
  body: object,
  owner: Partial<Owner> = {},
  isSigned = true,
): Promise<void> {
  const text = JSON.stringify(body)
  const facts = readEventFacts(text)
  if (facts === undefined) throw new Error('the body is JSON')
  return writeTo(
    world,
    (writer) => {
      storeEvent(writer, {
        facts,
        body: Buffer.from(text),
        target: '/',
        headers: [],
        owner: { ...OWNER, ...owner },
        isSigned,
        via: 'listen',
        receivedAtMs: Date.parse(at),
      })
    },
    by({ at }),
  )
}

function write(
  world: World,
  own: Written,
  facts: PaymentFacts,
  externalId: string | null,
  answer: Partial<AnswerRecord>,
): Promise<string> {
  return writeTo(
    world,
    (writer) => {
      const payment = randomUUID()
      const { id } = writer.append({
        type: 'attempt',
        payment,
        number: 1,
        owner: { ...OWNER, ...own.owner },
        facts,
        externalId,
        body: facts.kind === 'qr' ? null : requestBody(facts, externalId),
        place: own.place ?? null,
        rowId: externalId,
        sender: 'ended',
      })
      writer.append({
        type: 'answer',
        payment,
        attempt: id,
        outcome: 'accepted',
        idTransaction: null,
        status: null,
        code: null,
        message: null,
        httpStatus: 200,
        amountCents: null,
        ...answer,
        ...own.answer,
      })
      return payment
    },
    by(own),
  )
}
