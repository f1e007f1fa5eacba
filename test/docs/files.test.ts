import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesPage } from './filesPage.ts'

// `npm run columns` updates the pages.
it.each([
  ['en', 'files.md'],
  ['pt', 'pt-BR/arquivos.md'],
] as const)('has an up-to-date page of the files that are read: %s %s', async (language, page) => {
  await expect(filesPage(language)).toMatchFileSnapshot(join(import.meta.dirname, '..', '..', 'docs', page))
})
