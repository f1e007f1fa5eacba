import { expect, it } from 'vitest'
import { mayBeSameName, nameWords, statedName } from '../../src/reconcile/partyName.ts'
import { daysOf, isBalanceText } from '../../src/reconcile/tableFile.ts'

function agrees(description: string, name: string): boolean | null {
  const stated = statedName(description, null)
  return stated === null ? null : mayBeSameName(stated, nameWords(name))
}

it.each([
  ['PIX TRANSF MARIA A21/11', 'Maria Aparecida da Silva'],
  ['PIX TRANSF ANA SOU12/11', 'Ana Souza Lima'],
  ['PIX TRANSF CRISTIA12/11', 'Cristiane Prado'],
  ['Pix - Enviado 21/11 14:05 MARIA APARECIDA DA SILV', 'Maria Aparecida da Silva'],
  ['Transfe Pix Des: Joao Pereira Alves 21/11', 'João Pereira Alves'],
  ['Transferência enviada pelo Pix - PADARIA DO ZÉ LTDA - 12.345.678/0001-95 - BCO X (0237)', 'Padaria do Ze'],
  ['Pix enviado: "Cp :60701190-Maria da Silva"', 'MARIA DA SILVA'],
  ['PIX ENVIADO BANCO DE ALIMENTOS', 'Banco de Alimentos Ltda'],
  ['PIX RECEBIDO M SILVA', 'M. Silva'],
  ['PIX RECEBIDO MARIA SILVA', 'Maria Aparecida da Silva'],
  ['PIX RECEBIDO MARIA A SILVA', 'Maria Aparecida da Silva'],
  ['PIX ENVIADO SILVA E FILHOS LTDA', 'Silva & Filhos'],
])('finds in %s the name %s', (description, name) => {
  expect(agrees(description, name)).toBe(true)
})

it.each([
  ['PIX TRANSF JOAO P 21/11', 'Maria Aparecida da Silva'],
  ['PIX TRANSF MARIA S21/11', 'Mariana Souza'],
  ['PIX ENVIADO MARIA DA SILVA', 'Maria dos Santos'],
  ['PIX ENVIADO SILVA', 'Maria Silva'],
  ['PIX ENVIADO PADARIA CENTRAL', 'Padaria do Zé'],
])('finds in %s another name than %s', (description, name) => {
  expect(agrees(description, name)).toBe(false)
})

it.each([
  '',
  'PIX ENVIADO',
  'Pix - Recebido 21/11 14:05',
  'SISPAG PIX QR-CODE',
  'Transferência enviada pelo Pix',
  'TED 001.1234 12345678901',
])('finds no name in %j', (description) => {
  expect(agrees(description, 'Maria')).toBe(null)
})

it('knows a name with letters of any script', () => {
  expect(agrees('PIX ENVIADO 山田太郎', '山田太郎')).toBe(true)
  expect(agrees('PIX ENVIADO 山田太郎', 'Maria')).toBe(false)
})

it('knows what is a balance', () => {
  const balances = [
    'SALDO',
    'Saldo Anterior',
    'S A L D O',
    'SALDO TOTAL DISPONÍVEL DIA',
    'Saldo do dia',
    '(=) Saldo em 21/11',
    'SDO CTA/APL AUTOMATICAS',
  ]
  expect(balances.filter((text) => !isBalanceText(text))).toEqual([])
  const payments = ['SALDO DEVEDOR EMPRESTIMO', 'PIX RECEBIDO SALDO ANTERIOR', 'Saldanha Ltda', 'TARIFA SALDO']
  expect(payments.filter(isBalanceText)).toEqual([])
})

it('takes a day from the description only shortly before the day of the line', () => {
  expect(daysOf('2026-11-23', 'PIX TRANSF MARIA A21/11')).toEqual(['2026-11-23', '2026-11-21'])
  expect(daysOf('2026-11-23', 'PIX 21/11/26 14:05')).toEqual(['2026-11-23', '2026-11-21'])
  expect(daysOf('2027-01-02', 'PIX TRANSF MARIA A31/12')).toEqual(['2027-01-02', '2026-12-31'])
  expect(daysOf('2026-11-23', 'PARCELA 02/12, NF 31/02, 24/11, 21/11/2025, 10/11')).toEqual(['2026-11-23'])
  expect(daysOf(null, '21/11')).toEqual([])
})
