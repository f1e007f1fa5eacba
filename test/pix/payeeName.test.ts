import { expect, it } from 'vitest'
import { isSameName } from '../../src/pix/payeeName.ts'

it.each([
  ['Padaria do Zé', 'PADARIA DO ZE'],
  ['João  da Silva ', 'JOÃO DA SILVA'],
  ['Joa\u0303o da Silva', 'João da Silva'],
  ['Padaria do Zé Ltda.', 'PADARIA DO ZE'],
  ['Padaria do Zé LTDA - ME', 'PADARIA DO ZE EPP'],
  ['Banco Exemplo S.A.', 'BANCO EXEMPLO S/A'],
  ['Banco Exemplo S. A.', 'BANCO EXEMPLO SA'],
  ['Banco Exemplo', 'BANCO EXEMPLO SOCIEDADE ANÔNIMA'],
  ['Zé Consertos Eireli', 'Zé Consertos'],
  ['Zé Consertos (MEI)', 'ze consertos'],
  ['Oi S.A.', 'OI'],
  ['Silva & Filhos', 'SILVA E FILHOS LIMITADA'],
  ["Sant'Ana D’Ávila", 'SANTANA DAVILA'],
  ['J.B. Comércio', 'JB COMERCIO'],
  ['Fulano de Tal', '50.123.456 FULANO DE TAL'],
  ['Fulano de Tal', 'FULANO DE TAL 52998224725'],
  ['Padaria do Zé Comércio de Pães e Doces', 'PADARIA DO ZE COMERC'],
  ['J. B. Comércio', 'JB COMERCIO DE DOCES'],
  ['Maria Aparecida', 'MARIA APARECIDA DE SOUZA'],
])('takes `%s` and `%s` for the same', (one, other) => {
  expect([isSameName(one, other), isSameName(other, one)]).toEqual([true, true])
})

it.each([
  ['Padaria do Zé', 'FULANO DE TAL'],
  ['Maria da Silva', 'SILVA MARIA DA'],
  ['Maria', 'MARIA APARECIDA DE SOUZA'],
  ['Bartolomeu', 'BARTOLOMEU DE GUSMAO'],
  ['Ana Lima', 'ANA LIMA PEREIRA'],
  ['Padaria do Zé', 'PADARIA DO ZECA'],
  ['M. A. Souza', 'MARIA APARECIDA SOUZA'],
  ['Maria Aparecida Souza', 'MARIA APARECIDA LIMA'],
  ['Ltda', 'ME'],
  ['', 'FULANO DE TAL'],
])('takes `%s` and `%s` for different ones', (one, other) => {
  expect([isSameName(one, other), isSameName(other, one)]).toEqual([false, false])
})
