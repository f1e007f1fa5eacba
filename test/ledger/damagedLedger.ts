import { join } from 'node:path'
import { storeEvent } from '../../src/ledger/events.ts'
import type { RefundPayment, TransferPayment } from '../../src/ledger/facts.ts'
import { addRunRow } from '../../src/ledger/runRows.ts'
import { acceptRun, addUnacceptedRun } from '../../src/ledger/runs.ts'
import { DEFAULT_SENDING } from '../../src/steps/batch/batchOptions.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { PaymentWorld } from '../payments/paymentWorld.ts'
import { eventContent, OWNER } from './paymentHistory.ts'

/** So many transfers, and as many refunds. */
export const PAYMENTS = 15
/** So many rows of a batch, all of which were sent. */
export const ROWS = 10
export const RUN = 'run-1'
export const REFERENCE = 'payroll'

/** A transfer of the ledger, by its number. Each amount goes to three people. */
export function transfer(number: number): TransferPayment {
  return {
    kind: 'transfer',
    key: `person.${number}@example.com`,
    keyType: 'email',
    amountCents: 1000 + (number % 5),
    documentValidation: null,
    callbackUrl: 'https://shop.example.com/',
    payee: null,
    payeeDisplayName: null,
  }
}

/** A refund of the ledger, by its number. */
export function refund(number: number): RefundPayment {
  return {
    kind: 'refund',
    originalTransactionId: `0b935d10-3c90-4af3-8776-${String(number).padStart(12, '0')}`,
    amountCents: 400,
    isWhole: false,
    refundReason: 'damaged',
    callbackUrl: 'https://shop.example.com/',
    idField: 'originalTransactionId',
  }
}

/** Writes a ledger with transfers, refunds, events and a batch, all accepted; the path of its file. */
export async function writtenLedger(home: string): Promise<string> {
  const world = new PaymentWorld(home)
  for (let number = 0; number < PAYMENTS; number++) {
    const idTransaction = `id-${number}`
    const answer = { idTransaction, status: 'PROCESSING' }
    await world.pay(transfer(number), 'accepted', { externalId: `order-${number}` }, answer)
    await world.pay(
      refund(number),
      'accepted',
      { originalCents: 10_000 },
      { ...answer, idTransaction: `refund-${number}` },
    )
    if (number % 3 === 0) await storeResult(world, number, idTransaction)
  }
  await sendBatch(world)
  await world.ledger.close()
  const file = join(world.folder, 'ledger.db')
  const open = await loadSqlite()
  const database = open(file)
  // The package for Node.js 20 does this only when the process ends.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return file
}

/** Stores the event that a transfer was paid. */
async function storeResult(world: PaymentWorld, number: number, idTransaction: string): Promise<void> {
  const differences = { idTransaction, externalId: `order-${number}`, amountCents: transfer(number).amountCents }
  const { bodyBase64: _, target, headers, owner, isSigned, via, ...facts } = eventContent('PAID_OUT', differences)
  const body = Buffer.from(`event ${number}`)
  const delivery = { body, target, headers, owner, isSigned, via, receivedAtMs: world.nowMs }
  await world.ledger.write((writer) => storeEvent(writer, { ...delivery, facts: { ...facts, happenedAt: null } }))
}

/** Sends a batch whose rows are all equal, so that only their ids tell that they were sent. */
async function sendBatch(world: PaymentWorld): Promise<void> {
  const sender = await world.ledger.sender()
  const columns = { columns: ['key', 'value'], fields: { key: 0, value: 1 } }
  const run = {
    run: RUN,
    kind: 'transfer',
    owner: OWNER,
    file: 'payroll.csv',
    reference: REFERENCE,
    ...columns,
  } as const
  const facts = transfer(100)
  const lines = Array.from({ length: ROWS }, (_, index) => index + 1)
  await world.ledger.write((writer) => {
    addUnacceptedRun(writer, sender, world.folder, { ...run, isDryRun: false })
    for (const line of lines) {
      const place = { line, rowId: `row-${line}`, isTypedId: false, cells: ['a', 'b'] }
      addRunRow(writer.database, RUN, { ...place, originalCents: null, isLeftOut: false, facts })
    }
    const order = { isReferenceTyped: true, sending: DEFAULT_SENDING, ignored: [] }
    acceptRun(writer, {
      ...run,
      ...order,
      rows: ROWS,
      totalCents: ROWS * facts.amountCents,
      fingerprint: '0123456789abcdef',
    })
  })
  for (const line of lines) {
    const place = { run: RUN, line, reference: REFERENCE, isDerivedId: true }
    await world.pay(facts, 'accepted', { externalId: `row-${line}`, place }, { idTransaction: `row-id-${line}` })
  }
}
