import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import type { Owner } from '../../src/ledger/records.ts'
import { lettersOf, pixelsOf } from '../../src/terminal/bitmapFont.ts'
import { emptyWorld, type World } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'
import { writeCharge, writeEvent, writeTransfer } from './sentPayments.ts'

const SENT = '2026-11-21T12:00:00.000Z'
const ARRIVED = '2026-11-21T12:00:05.000Z'
const BODY = {
  event: 'transfer.completed',
  data: {
    idTransaction: 'id-paid',
    externalId: 'paid',
    status: 'PAID_OUT',
    value: 1500,
    destinationName: 'Maria Conceição',
    destinationTaxId: '52998224725',
    destinationBank: 'Banco do Brasil',
    timestamp: '2026-11-21T12:00:03Z',
  },
}

async function withTransfers(owner: Partial<Owner> = {}): Promise<World> {
  const world = inThisProcess(emptyWorld())
  const facts = { amountCents: 150000 }
  for (const externalId of ['paid', 'open', 'failed'])
    await writeTransfer(world, { externalId, at: SENT, facts, owner })
  await writeEvent(world, ARRIVED, BODY, owner)
  const failed = { idTransaction: 'id-failed', statusTransaction: 'ERROR', value: 1500 }
  await writeEvent(world, ARRIVED, { event: 'transfer.failed', data: failed }, owner)
  return world
}

it('frames what a supplier asks for', async () => {
  const { exit, stdout, stderr } = await (await withTransfers()).run(['history', 'show', 'paid', '--receipt'])
  expect([exit, stderr]).toEqual([0, ''])
  const lines = stdout.trimEnd().split('\n')
  expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  expect(lines.slice(1, -1).map((line) => line.replace(/^│ (.*?) *│$/, '$1'))).toEqual([
    'PIX TRANSFER - SANDBOX, NO REAL MONEY',
    '',
    'amount       R$ 1.500,00',
    '             mil e quinhentos reais',
    'date         21/11/2026 09:00:03 BRT',
    '',
    'to           Maria Conceição',
    'PIX key      m***@example.com',
    'CPF/CNPJ     ***.982.247-**',
    'bank         Banco do Brasil',
    '',
    'from         local',
    'gateway      http://127.0.0.1:4010',
    'id           id-paid',
    'external id  paid',
    '',
    "             The gateway's event transfer.completed of 21/11/2026",
    '             09:00:05 BRT says so',
  ])
})

it('is whole in JSON, and where that is wished', async () => {
  const world = await withTransfers()
  expect(await world.json(['history', 'show', 'paid', '--receipt'])).toMatchObject({
    idTransaction: 'id-paid',
    externalId: 'paid',
    amount: 1500,
    amountInWords: 'mil e quinhentos reais',
    paidAt: '2026-11-21T12:00:03.000Z',
    receiver: { key: 'maria@example.com', name: 'Maria Conceição', taxId: '52998224725', bank: 'Banco do Brasil' },
    pixgate: { environment: 'sandbox', knownBy: 'event' },
  })
  const { stdout } = await world.run(['history', 'show', 'paid', '--receipt', '--unmask'])
  expect(stdout).toMatch(/PIX key {6}maria@example\.com .*\n.*CPF\/CNPJ {5}52998224725 /)
})

it('draws it as an image', async () => {
  const world = await withTransfers({ environment: 'production' })
  const path = join(world.home, 'slip.png')
  writeFileSync(path, 'what stood there before')
  const ran = await world.run(['history', 'show', 'paid', '--receipt', '--png', path])
  expect([ran.exit, ran.stderr]).toEqual([0, `Written to ${path}\n`])
  expect(ran.stdout).toContain('PIX TRANSFER - RECEIPT')
  const image = PNG.sync.read(readFileSync(path))
  const dark = image.data.filter((value, at) => at % 4 === 0 && value === 0).length
  expect([image.width > 600, image.height > 300, dark > 5000]).toEqual([true, true, true])
})

it('has a letter of its own for everything in Portuguese', () => {
  const drawings = lettersOf(
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇ$,.:/*@+-',
  )
  const pictures = new Set(drawings.map((letter) => JSON.stringify(pixelsOf(letter))))
  expect(pictures.size).toBe(drawings.length)
  expect(pixelsOf('漢')).toEqual(pixelsOf('?'))
})

it('is refused where nobody says that the money moved', async () => {
  const world = await withTransfers()
  await writeCharge(world, { requestNumber: 'order-1', at: SENT })
  const why = async (id: string) => {
    const { exit, message } = failureOf(await world.run(['history', 'show', id, '--receipt', '-o', 'json']))
    return [exit, message]
  }
  const nobody = (id: string, reason: string) => [1, `It is not known that ${id} was paid: ${reason}`]
  expect(await why('open')).toEqual(nobody('open', 'it was accepted, and its event has not arrived'))
  expect(await why('failed')).toEqual(nobody('failed', 'its event says ERROR'))
  expect(await why('order-1')).toEqual([1, 'order-1 names a charge, and only transfers and refunds have a receipt'])
})

it('names the person or the answer that says so', async () => {
  const world = await withTransfers()
  await world.json(['history', 'settle', 'open', '--as', 'paid', '--because', 'the receiver called'])
  expect(await world.json(['history', 'show', 'open', '--receipt'])).toMatchObject({
    receiver: { name: null, taxId: null, bank: null },
    pixgate: { knownBy: 'person', source: expect.stringContaining(': the receiver called') },
  })
  await writeTransfer(world, { externalId: 'done', at: SENT, answer: { status: 'COMPLETED' } })
  expect(await world.json(['history', 'show', 'done', '--receipt'])).toMatchObject({
    pixgate: { knownBy: 'answer', source: "The gateway's answer COMPLETED of 21/11/2026 09:00:00 BRT says so" },
  })
})
