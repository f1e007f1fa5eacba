import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pageWorld, writeMonth } from './pageWorld.ts'
import { typePage } from './typedPage.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface GuidePage {
  page: string
  prepare?: typeof writeMonth
}

/** Every page that shows what commands print, and what must be in the ledger. `npm run guides` writes what they print now. */
const PAGES: readonly GuidePage[] = [
  { page: 'README.md' },
  { page: 'docs/refund-a-customer.md' },
  { page: 'docs/pay-suppliers.md' },
  { page: 'docs/payees.md' },
  { page: 'docs/find-a-payment.md' },
  { page: 'docs/unknown-outcomes.md' },
  { page: 'docs/close-the-month.md', prepare: writeMonth },
  { page: 'docs/check-a-statement.md', prepare: writeMonth },
  { page: 'docs/profiles-and-secrets.md' },
  { page: 'docs/run-unattended.md' },
  { page: 'docs/keep-the-ledger.md' },
  { page: 'docs/security.md' },
  { page: 'docs/second-person.md' },
  { page: 'docs/receive-webhooks.md' },
]

/** The pages in Portuguese, whose commands run in that language. */
const PORTUGUESE_PAGES: readonly GuidePage[] = [
  { page: 'README.pt-BR.md' },
  { page: 'docs/pt-BR/devolver.md' },
  { page: 'docs/pt-BR/pagar-fornecedores.md' },
  { page: 'docs/pt-BR/encontrar-um-pagamento.md' },
  { page: 'docs/pt-BR/resultado-desconhecido.md' },
  { page: 'docs/pt-BR/fechar-o-mes.md', prepare: writeMonth },
  { page: 'docs/pt-BR/seguranca.md' },
  { page: 'docs/pt-BR/aprovar.md' },
]

it.each(PAGES)('$page shows what its commands print', async ({ page, prepare }) => {
  const path = join(ROOT, page)
  await expect(await typePage(path, await pageWorld({ prepare }))).toMatchFileSnapshot(path)
})

it.each(PORTUGUESE_PAGES)('$page shows what its commands print in Portuguese', async ({ page, prepare }) => {
  const path = join(ROOT, page)
  await expect(await typePage(path, await pageWorld({ prepare, language: 'pt-BR' }))).toMatchFileSnapshot(path)
})

it.each([
  ['English', PAGES, 15],
  ['Portuguese', PORTUGUESE_PAGES, 10],
])('lets a reader type one %s page after the other: none repeats a payment of another', (_name, pages, least) => {
  const created = pages.flatMap(({ page }) => {
    const lines = readFileSync(join(ROOT, page), 'utf8').match(/^\$ pixgate (?:transfer|qr create) .*$/gm) ?? []
    const ids = lines.flatMap((line) => line.match(/--(?:external-id|request-number) \S+/) ?? [])
    const payments = lines.flatMap((line) => line.match(/--key \S+.* --amount \S+/) ?? [])
    return [...new Set([...ids, ...payments])]
  })
  expect(created.length).toBeGreaterThan(least)
  expect(created.filter((each, index) => created.indexOf(each) !== index)).toEqual([])
})
