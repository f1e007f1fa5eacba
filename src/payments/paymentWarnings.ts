import type { PaymentContext } from './paymentContext.ts'

/** What was shown so far, by the witness of its context. */
const shown = new WeakMap<PaymentContext['witness'], Set<string>>()

/** Shows a warning about ledger or clock, once: a batch decides many times. */
export function warnOnce({ terminal, witness }: Pick<PaymentContext, 'terminal' | 'witness'>, warning: string): void {
  const warnings = shown.get(witness) ?? new Set()
  if (warnings.has(warning)) return
  shown.set(witness, warnings.add(warning))
  terminal.warn(warning)
}

/** The warnings that were shown: they belong in the documents of the payments that are sent all the same. */
export function paymentWarnings({ witness }: Pick<PaymentContext, 'witness'>): string[] {
  return [...(shown.get(witness) ?? [])]
}
