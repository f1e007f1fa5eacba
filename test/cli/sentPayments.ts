import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { storeEvent } from '../../src/ledger/events.ts'
import type { QrPayment, TransferPayment } from '../../src/ledger/facts.ts'
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts'
import type { AnswerRecord, Owner, RunPlace } from '../../src/ledger/records.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import type { World } from '../world.ts'

/** Whose payments are written unless it is stated: those of the built-in profile. */
const OWNER: Owner = {
  profile: 'local',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
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

/** Works with the ledger of a world's machine, as this user and at this time. */
async function withLedger<Result>(
  world: World,
  { at, user = 'maria' }: Pick<Written, 'at' | 'user'>,
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const ledger = openLedger({
    folder: join(world.home, 'data'),
    user,
    machine: 'desk-1',
    pid: process.pid,
    now: () => Date.parse(at),
    newId: () => randomUUID(),
    notice: () => undefined,
    timeoutMs: 5000,
  })
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}

/** Writes a transfer that was accepted, whose idTransaction is `id-` and its externalId. Gives its UUID. */
export function writeTransfer(
  world: World,
  { externalId, ...own }: Written & { externalId: string; facts?: Partial<TransferPayment> },
): Promise<string> {
  const facts: TransferPayment = {
    kind: 'transfer',
    key: 'maria@example.com',
    keyType: 'email',
    amountCents: 1050,
    documentValidation: null,
    callbackUrl: 'http://127.0.0.1:1/',
    ...own.facts,
  }
  return write(world, own, facts, externalId, { idTransaction: `id-${externalId}`, status: 'PROCESSING' })
}

/** Writes a charge that was created, whose idTransaction is `id-` and its request number. Gives its UUID. */
export function writeCharge(
  world: World,
  { requestNumber, ...own }: Written & { requestNumber: string; facts?: Partial<QrPayment> },
): Promise<string> {
  const facts: QrPayment = { kind: 'qr', requestNumber, amountCents: 1050, payer: null, ...own.facts }
  return write(world, own, facts, null, { idTransaction: `id-${requestNumber}`, status: 'PENDING' })
}

/** Writes a genuine webhook with this body. */
export function writeEvent(world: World, at: string, body: object, owner: Partial<Owner> = {}): Promise<void> {
  const text = JSON.stringify(body)
  const facts = readEventFacts(text)
  if (facts === undefined) throw new Error('the body is JSON')
  return withLedger(world, { at }, (ledger) =>
    ledger.write((writer) => {
      storeEvent(writer, {
        facts,
        body: Buffer.from(text),
        target: '/',
        headers: [],
        owner: { ...OWNER, ...owner },
        isSigned: true,
        via: 'listen',
        receivedAtMs: Date.parse(at),
      })
    }),
  )
}

function write(
  world: World,
  own: Written,
  facts: TransferPayment | QrPayment,
  externalId: string | null,
  answer: Partial<AnswerRecord>,
): Promise<string> {
  return withLedger(world, own, (ledger) =>
    ledger.write((writer) => {
      const payment = randomUUID()
      const { id } = writer.append({
        type: 'attempt',
        payment,
        number: 1,
        owner: { ...OWNER, ...own.owner },
        facts,
        externalId,
        body: externalId === null ? null : '{}',
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
    }),
  )
}
