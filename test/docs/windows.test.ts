import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REFUND_WINDOW_DAYS, REPEAT_DAYS } from '../../src/pix/calendar.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGES = [
  'README.md',
  'README.pt-BR.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** A count of days in digits: of a refund if it is how old a payment may be, else of a repeat. Other counts are written as words. */
const DAYS = /(?<refund>more than |há mais de )?\b\d+(?= (?:days|dias)\b)/g

// `npm run guides` writes the numbers.
it.each(PAGES)('says in %s for how many days a payment is a repeat and can be refunded', async (page) => {
  const path = join(ROOT, page)
  const text = readFileSync(path, 'utf8').replace(DAYS, (_, refund: string | undefined) =>
    refund === undefined ? `${REPEAT_DAYS}` : `${refund}${REFUND_WINDOW_DAYS}`,
  )
  await expect(text).toMatchFileSnapshot(path)
})
