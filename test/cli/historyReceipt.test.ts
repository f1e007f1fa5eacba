import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Owner } from '../../src/ledger/accounts.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { control, failureOf, inThisProcess } from './payments.ts'
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
    endToEndId: 'E12345678202611211200abcdefghijk',
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

const COMPANY = ['--company', 'Padaria São João Ltda', '--company-document', '11.222.333/0001-81']

/** Stores the account of these payments with its company, as another profile. */
async function withCompany(world: World): Promise<World> {
  const account = ['--base-url', 'http://127.0.0.1:4010', '--client-id', 'local', '--client-secret-env', 'SECRET']
  await world.json(['profile', 'add', 'shop', ...account, ...COMPANY])
  return world
}

async function framed(world: World, args: readonly string[]): Promise<string[]> {
  const { exit, stdout, stderr } = await world.run(['history', 'show', ...args, '--receipt'])
  expect([exit, stderr]).toEqual([0, ''])
  const lines = stdout.trimEnd().split('\n')
  expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  return lines.slice(1, -1).map((line) => line.replace(/^│ (.*?) *│$/, '$1'))
}

it('shows what a supplier needs, in Portuguese, with the company that paid', async () => {
  expect(await framed(await withCompany(await withTransfers()), ['paid', '--lang', 'pt-BR'])).toEqual([
    'TRANSFERÊNCIA PIX - SANDBOX, SEM DINHEIRO DE VERDADE',
    '',
    'valor               R$ 1.500,00',
    '                    mil e quinhentos reais',
    'data                21/11/2026 09:00:03 (horário de Brasília)',
    '',
    'pagador             Padaria São João Ltda',
    'CPF/CNPJ            11.222.333/0001-81',
    '',
    'recebedor           Maria Conceição',
    'chave Pix           maria@example.com',
    'CPF/CNPJ            529.982.247-25',
    'instituição         Banco do Brasil',
    '',
    'id fim a fim (E2E)  E12345678202611211200abcdefghijk',
    'id da transação     id-paid',
    'id externo          paid',
  ])
})

it('speaks English, and names the profile if it has no company', async () => {
  expect(await framed(await withTransfers(), ['paid'])).toEqual([
    'PIX TRANSFER - SANDBOX, NO REAL MONEY',
    '',
    'amount          R$ 1.500,00',
    '                one thousand five hundred reais',
    'date            21/11/2026 09:00:03 (São Paulo)',
    '',
    'payer           local',
    '',
    'receiver        Maria Conceição',
    'PIX key         maria@example.com',
    'CPF/CNPJ        529.982.247-25',
    'bank            Banco do Brasil',
    '',
    'end-to-end id   E12345678202611211200abcdefghijk',
    'transaction id  id-paid',
    'external id     paid',
  ])
})

it('writes a PDF of one A5 page in Portuguese, whose table of contents is right', async () => {
  const world = await withCompany(await withTransfers({ environment: 'production' }))
  const path = join(world.home, 'slip.pdf')
  const ran = await world.run(['history', 'show', 'paid', '--receipt', '--pdf', path])
  expect([ran.exit, ran.stderr, ran.stdout]).toEqual([
    0,
    `Written to ${path}\n`,
    expect.stringContaining('PIX TRANSFER - RECEIPT'),
  ])
  const pdf = readFileSync(path, 'latin1')
  expect(pdf).toMatch(/^%PDF-1\.4\n[\s\S]*\n%%EOF\n$/)
  const start = Number(/startxref\n(\d+)\n/.exec(pdf)?.[1])
  expect(pdf.slice(start, start + 5)).toBe('xref\n')
  const offsets = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  expect(offsets.map((offset) => pdf.slice(offset, offset + 7))).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((number) => `${number} 0 obj`),
  )
  const [, length, stream] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(pdf) ?? []
  expect(stream?.length).toBe(Number(length))
  expect(pdf).toContain('/MediaBox [0 0 420 595]')
  expect(textsOf(path)).toEqual([
    ['13.00', 'Padaria São João Ltda'],
    ['9.00', '11.222.333/0001-81'],
    ['10.00', 'COMPROVANTE DE TRANSFERÊNCIA PIX'],
    ['28.00', 'R$ 1.500,00'],
    ['9.00', 'mil e quinhentos reais'],
    ['9.00', 'data'],
    ['10.00', '21/11/2026 09:00:03 (horário de Brasília)'],
    ['9.00', 'pagador'],
    ['10.00', 'Padaria São João Ltda'],
    ['9.00', 'CPF/CNPJ'],
    ['10.00', '11.222.333/0001-81'],
    ['9.00', 'recebedor'],
    ['10.00', 'Maria Conceição'],
    ['9.00', 'chave Pix'],
    ['10.00', 'maria@example.com'],
    ['9.00', 'CPF/CNPJ'],
    ['10.00', '529.982.247-25'],
    ['9.00', 'instituição'],
    ['10.00', 'Banco do Brasil'],
    ['9.00', 'id fim a fim (E2E)'],
    ['10.00', 'E12345678202611211200abcdefghijk'],
    ['9.00', 'id da transação'],
    ['10.00', 'id-paid'],
    ['9.00', 'id externo'],
    ['10.00', 'paid'],
  ])
})

/** The texts on the page of a PDF, each with the size of its letters. */
function textsOf(path: string): string[][] {
  const texts = readFileSync(path, 'latin1').matchAll(/\/F\d ([\d.]+) Tf [\d.]+ [\d.]+ Td \((.*)\) Tj/g)
  return [...texts].map(([, size = '', text = '']) => [size, text.replaceAll('\\', '')])
}

it('writes the PDF in the language that a person chose, whatever the system speaks', async () => {
  const world = await withTransfers()
  const path = join(world.home, 'slip.pdf')
  const titleOf = async (words: readonly string[], env: Record<string, string> = {}) => {
    await world.run(['history', 'show', 'paid', '--receipt', '--pdf', path, ...words], { env })
    return textsOf(path).find(([size]) => size === '10.00')?.[1]
  }
  const [english, portuguese] = [
    'PIX TRANSFER - SANDBOX, NO REAL MONEY',
    'TRANSFERÊNCIA PIX - SANDBOX, SEM DINHEIRO DE VERDADE',
  ]
  expect(await titleOf([], { LANG: 'en_US.UTF-8' })).toBe(portuguese)
  expect(await titleOf(['-o', 'json'])).toBe(portuguese)
  expect(await titleOf(['--lang', 'en'])).toBe(english)
  expect(await titleOf([], { PIXGATE_LANG: 'en' })).toBe(english)
  await world.json(['lang', 'en'])
  expect(await titleOf([])).toBe(english)
})

it('fits on its page, however much there is to say', async () => {
  const world = inThisProcess(emptyWorld())
  const externalId = 'nota-'.repeat(50)
  await writeTransfer(world, { externalId, at: SENT, answer: { status: 'COMPLETED' }, facts: { key: 'k'.repeat(900) } })
  const path = join(world.home, 'slip.pdf')
  await world.json(['history', 'show', externalId, '--receipt', '--pdf', path])
  const places = readFileSync(path, 'latin1').matchAll(/Tf ([\d.]+) ([\d.]+) Td/g)
  const heights = [...places].map(([, , y]) => Number(y))
  expect(heights.length).toBeGreaterThan(20)
  expect(Math.min(...heights)).toBeGreaterThan(39)
})

it('is refused with options that have no use, and with a file that cannot be written', async () => {
  const world = await withTransfers()
  const cases: [args: string[], message: string][] = [
    [['--pdf', join(world.home, 'slip.pdf')], '`--pdf` is given without `--receipt`'],
    [['--receipt', '--lang', 'fr'], '`fr` is not a valid language for `--lang`'],
    [['--receipt', '--pdf', world.home], `\`--pdf ${world.home}\` cannot be written: it is a folder (EISDIR)`],
  ]
  for (const [args, message] of cases) {
    const failure = failureOf(await world.run(['history', 'show', 'paid', ...args, '-o', 'json']))
    expect([failure.exit, failure.message]).toEqual([2, message])
  }
})

it('is whole, its documents formatted for people', async () => {
  const world = await withTransfers()
  expect(await world.json(['history', 'show', 'paid', '--receipt'])).toMatchObject({
    idTransaction: 'id-paid',
    externalId: 'paid',
    amount: 1500,
    amountInWords: 'mil e quinhentos reais',
    endToEndId: 'E12345678202611211200abcdefghijk',
    payer: { name: null, taxId: null },
    paidAt: '2026-11-21T12:00:03.000Z',
    receiver: { key: 'maria@example.com', name: 'Maria Conceição', taxId: '52998224725', bank: 'Banco do Brasil' },
    pixgate: {
      kind: 'transfer',
      environment: 'sandbox',
      baseUrl: 'http://127.0.0.1:4010',
      requestedBy: null,
      approvedBy: null,
      knownBy: 'event',
    },
  })
  const { stdout } = await world.run(['history', 'show', 'paid', '--receipt'])
  expect(stdout).toMatch(/PIX key {9}maria@example\.com .*\n.*CPF\/CNPJ {8}529\.982\.247-25 /)
})

it('is refused if nothing says that the money moved', async () => {
  const world = await withTransfers()
  await writeCharge(world, { requestNumber: 'order-1', at: SENT })
  const why = async (id: string) => {
    const { exit, message } = failureOf(await world.run(['history', 'show', id, '--receipt', '-o', 'json']))
    return [exit, message]
  }
  const nobody = (id: string, reason: string) => [1, `There is no receipt for ${id}: ${reason}`]
  expect(await why('open')).toEqual(nobody('open', 'it was accepted, and its event has not arrived'))
  expect(await why('failed')).toEqual(nobody('failed', 'its event says ERROR'))
  expect(await why('order-1')).toEqual([1, 'order-1 is a charge, and only transfers and refunds have a receipt'])
})

it('names the answer that says so; a person, in its first line, only if that is asked for', async () => {
  const world = await withTransfers()
  await world.json(['history', 'settle', 'open', '--as', 'paid', '--because', 'the receiver called'])
  const path = join(world.home, 'slip.pdf')
  const refused = failureOf(await world.run(['history', 'show', 'open', '--receipt', '--pdf', path, '-o', 'json']))
  expect(refused).toMatchObject({
    exit: 2,
    message: 'There is no receipt for open: only a person says that it was paid',
    details: expect.stringMatching(/^Recorded by .+: the receiver called$/),
    hint: expect.stringContaining('--on-my-word'),
  })
  expect(existsSync(path)).toBe(false)
  const onWord = ['open', '--on-my-word', '--pdf', path]
  expect(await world.json(['history', 'show', '--receipt', ...onWord])).toMatchObject({
    receiver: { name: null, taxId: null, bank: null },
    pixgate: { knownBy: 'person', source: expect.stringContaining(': the receiver called') },
  })
  const { stdout } = await world.run(['history', 'show', '--receipt', 'open', '--on-my-word'])
  const words = stdout.replaceAll(/[│\s]+/g, ' ')
  expect(words).toMatch(
    /^┌─+┐ according to \S.*, \d\d\/\d\d\/\d{4} [\d:]+ BRT; not confirmed by the gateway PIX TRANSFER - /,
  )
  expect(textsOf(path)[0]?.[1]).toMatch(/^segundo .+; não confirmado pelo gateway$/)
  // An answer or an event needs nobody's word.
  expect((await framed(world, ['paid', '--on-my-word']))[0]).toBe('PIX TRANSFER - SANDBOX, NO REAL MONEY')
  await writeTransfer(world, { externalId: 'done', at: SENT, answer: { status: 'COMPLETED' } })
  expect(await world.json(['history', 'show', 'done', '--receipt'])).toMatchObject({
    pixgate: { knownBy: 'answer', source: 'The gateway answered COMPLETED at 21/11/2026 09:00:00 BRT' },
  })
})

const [NO, WORD] = [
  ['exit 1', 'exit 1'],
  ['exit 2', 'person'],
] as const
const ANSWER = ['answer', 'answer'] as const
const EVENT = ['event', 'event'] as const
const ANSWERS = {
  final: { status: 'COMPLETED' },
  open: { status: 'PROCESSING' },
  none: { outcome: 'unknown', idTransaction: null, status: null },
} as const
const EVENTS = { paid: true, failed: true, none: null, 'unsigned paid': false, 'unsigned failed': false } as const

/** What the receipt rests on, or the exit code without one, for each answer: without `--on-my-word`, and with it. */
const PROOFS = [
  // event, what a person settled, then the final answer, the open one, none
  ['paid', null, EVENT, EVENT, EVENT],
  ['paid', 'paid', EVENT, EVENT, EVENT],
  // The person is contradicted.
  ['paid', 'not-paid', EVENT, EVENT, EVENT],
  ['failed', null, NO, NO, NO],
  ['failed', 'paid', NO, NO, NO],
  ['failed', 'not-paid', NO, NO, NO],
  ['none', null, ANSWER, NO, NO],
  ['none', 'paid', ANSWER, WORD, WORD],
  ['none', 'not-paid', NO, NO, NO],
  // Anybody can send an event without a signature.
  ['unsigned paid', null, ANSWER, NO, NO],
  ['unsigned paid', 'paid', ANSWER, WORD, WORD],
  ['unsigned paid', 'not-paid', NO, NO, NO],
  ['unsigned failed', null, ANSWER, NO, NO],
  ['unsigned failed', 'paid', ANSWER, WORD, WORD],
  ['unsigned failed', 'not-paid', NO, NO, NO],
] as const

it('rests on a signed event, an answer or a word, in this order, and never on what a signed event denies', async () => {
  const world = inThisProcess(emptyWorld())
  const seen = []
  for (const [event, settled, ...proofs] of PROOFS) {
    for (const [place, answer] of (['final', 'open', 'none'] as const).entries()) {
      const externalId = `${event} ${settled ?? ''} ${answer}`.replaceAll(' ', '-')
      await writeTransfer(world, { externalId, at: SENT, answer: ANSWERS[answer] })
      const isSigned = EVENTS[event]
      if (isSigned !== null) {
        const isPaid = event.endsWith('paid')
        const data = { externalId, statusTransaction: isPaid ? 'PAID_OUT' : 'ERROR', value: 10.5 }
        const body = { event: isPaid ? 'transfer.completed' : 'transfer.failed', data }
        await writeEvent(world, ARRIVED, body, {}, isSigned)
      }
      if (settled !== null) {
        await world.run(['history', 'settle', externalId, '--as', settled, '--because', 'the bank says so'])
      }
      const show = async (...words: string[]) => {
        const ran = await world.run(['history', 'show', externalId, '--receipt', ...words, '-o', 'json'])
        return ran.exit === 0 ? JSON.parse(ran.stdout).pixgate.knownBy : `exit ${ran.exit}`
      }
      seen.push([externalId, await show(), await show('--on-my-word'), ...(proofs[place] ?? [])])
    }
  }
  expect(seen.filter(([, plain, onWord, ...right]) => `${plain} ${onWord}` !== right.join(' '))).toEqual([])
  const denied = await world.run(['history', 'show', 'failed-paid-final', '--receipt', '-o', 'json'])
  expect(failureOf(denied).message).toBe('There is no receipt for failed-paid-final: its event says ERROR')
})

it('names the receiver of a refund only as an event of the charge does', async () => {
  const world = inThisProcess(await sandboxWorld())
  const charge = await world.json([
    'qr',
    'create',
    '--amount',
    '5',
    '--checkout-user',
    'caixa loja',
    '--request-number',
    'order-7',
  ])
  const paid = String(charge.idTransaction)
  await control(world.url, 'pay', { id: paid })
  const refund = await world.json(['refund', paid, '--reason', 'broken', '--yes'])
  const id = String(refund.idTransaction)
  await world.json(['history', 'settle', id, '--as', 'paid', '--because', 'the buyer called'])
  const receipt = ['history', 'show', id, '--receipt', '--on-my-word']
  expect(await world.json(receipt)).toMatchObject({ receiver: { name: null } })
  expect((await world.run(receipt)).stdout).toMatch(/│ order +order-7 /)
  expect(await world.json(['history', 'show', id])).toMatchObject({ pixgate: { payee: paid } })
  const data = { idTransaction: paid, status: 'PAID', value: 5, payerName: 'Posto 7 de Setembro Ltda' }
  await writeEvent(world, ARRIVED, { event: 'pix.received', data }, { baseUrl: world.url })
  const named = { receiver: { name: 'Posto 7 de Setembro Ltda' } }
  expect(await world.json(receipt)).toMatchObject(named)
  expect(await world.json(['history', 'show', id])).toMatchObject({ pixgate: { payee: 'Posto 7 de Setembro Ltda' } })
})
