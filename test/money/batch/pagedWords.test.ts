import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { inPage, PagedWords } from '../../../src/money/batch/pagedWords.ts'

const PAGE_WORDS = 1024
/** More than are held in memory. */
const PAGES = 3000

/** A place in each page, the pages in an order that jumps. */
function places(): number[] {
  return Array.from({ length: PAGES }, (_, turn) => ((turn * 1009) % PAGES) * PAGE_WORDS + (turn % PAGE_WORDS))
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-words-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

it('keeps more than it holds in memory, and leaves no file behind', () => {
  const folder = temporaryFolder()
  const words = new PagedWords()
  for (const place of places()) words.changedPage(place)[inPage(place)] = place + 1
  for (const place of places()) words.changedPage(place)[(inPage(place) + 1) % PAGE_WORDS] = 7
  for (const place of places().reverse()) {
    const page = words.page(place)
    expect([page[inPage(place)], page[(inPage(place) + 1) % PAGE_WORDS]]).toEqual([place + 1, 7])
  }
  expect(words.page(PAGES * PAGE_WORDS)[0]).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})

it('says where there is no room', () => {
  const folder = join(temporaryFolder(), 'gone')
  vi.stubEnv('TMPDIR', folder)
  expect(existsSync(folder)).toBe(false)
  const words = new PagedWords()
  const fill = () => {
    for (const place of places()) words.changedPage(place)[inPage(place)] = 1
  }
  expect(fill).toThrow(`cannot be kept in ${folder}: ENOENT`)
})
