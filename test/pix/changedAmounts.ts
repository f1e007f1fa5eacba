import { centsFromJson, parseAmount, plainAmount, reaisFromCents } from '../../src/pix/amount.ts'

/** The amounts in cents of a range, every one or each `step`-th, that text or JSON does not bring back as they were. */
export function changedAmounts(first: number, last: number, step = 1): number[] {
  const changed: number[] = []
  for (let cents = first; cents <= last; cents += step) {
    const typed = parseAmount(plainAmount(cents))
    const json = JSON.stringify(reaisFromCents(typed))
    if (typed !== cents || centsFromJson(JSON.parse(json)) !== cents || parseAmount(json) !== cents) changed.push(cents)
  }
  return changed
}
