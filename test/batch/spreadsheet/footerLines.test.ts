import { describe, expect, it } from 'vitest'
import { type BatchKind, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'

const NAMES_FIRST = 'nome;key;value\nAna;a@b.co;10,00\nRui;b@b.co;20,50\n'
const KEYS_FIRST = 'key;value;nome\na@b.co;10,00;Ana\nb@b.co;20,50;Rui\n'
const REFUNDS = 'originalTransactionId;amount;refundReason\n21d59d0e-7c55-4a8b-9d5d-3c1a6b0f9a10;1,00;x\n'

/** Which lines of a file are left out as footers, and which have faults. */
async function read(text: string, kind: BatchKind = 'transfer') {
  const file = await readBatchFile(Buffer.from(text), kind, { reference: 'folha', isFull: kind === 'refund' })
  const { faults, linesBelow } = await judgeBatchFile(file)
  return {
    leftOut: linesBelow.map(({ line }) => line),
    faults: [...new Set(faults.map(({ line }) => line))],
  }
}

describe('text below the payments', () => {
  it.each([
    'Gerado em 22/11/2026 por Maria',
    'Emitido por Maria da Silva;;',
    'Obs.: pagar até sexta',
    'Relatório de 22/11/2026 14:05',
    'Página 1 de 2',
    '__________________',
    '\nMaria da Silva;;\nDiretora Financeira',
    'TOTAL;;30,50\nMaria da Silva',
    'Gerado por Maria\nTOTAL;;30,50',
  ])('is left out: %j', async (footer) => {
    for (const rows of footer.includes('TOTAL') ? [NAMES_FIRST] : [NAMES_FIRST, KEYS_FIRST]) {
      const { leftOut, faults } = await read(`${rows}${footer}\n`)
      expect([leftOut.length > 0, faults]).toEqual([true, []])
    }
    if (!footer.includes('TOTAL')) expect(await read(`${REFUNDS}${footer}`, 'refund')).toMatchObject({ faults: [] })
  })

  it.each([
    ['a key', '\nGerado por maria@example.com'],
    ['a key', '\nResponsável: 529.982.247-25'],
    ['a key', '\nTelefone (11) 98765-4321'],
    ['a key', '\nchave 7d9f0335-8dcc-4054-9bf9-0dbd61d36906'],
    ['an amount', '\nPago R$ 30'],
    ['an amount', '\nGerado em 22/11/2026, saldo de 12,50'],
    ['an amount', '\n1043;;'],
    ['what may be the beginning of a payment', '\nNF 1043;;'],
    ['what may be the beginning of a payment', 'Maria da Silva;;'],
    ['what may be the beginning of a payment', 'Padaria do'],
    ['text in several cells', '\nGerado em 22/11/2026;;Maria'],
    ['a second text', 'Gerado em 22/11/2026;por Maria;'],
    ['the word for a total', '\nTotal de 2 pagamentos'],
  ])('is a fault with %s: %j', async (_, line) => {
    for (const rows of [NAMES_FIRST, KEYS_FIRST]) {
      const { leftOut, faults } = await read(`${rows}${line}\n`)
      expect([leftOut, faults.length]).toEqual([[], 1])
    }
  })

  it('is a fault above a payment, and below more than 50 such lines', async () => {
    expect(await read(`${NAMES_FIRST}\nGerado em 22/11/2026 por Maria\nEva;c@b.co;1,00`)).toEqual({
      leftOut: [],
      faults: [5],
    })
    expect((await read(`${NAMES_FIRST}${'Gerado por Maria\n'.repeat(51)}`)).faults).toEqual(
      Array.from({ length: 51 }, (_, index) => index + 4),
    )
  })
})
