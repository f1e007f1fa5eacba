import { hash } from 'node:crypto'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { DigestTable } from './digestTable.ts'
import { canonicalKey } from './keyCells.ts'
import type { RefundFacts } from './refundRows.ts'
import type { TransferFacts } from './transferRows.ts'

/** What a row of either kind of file says. */
export type RowFacts = TransferFacts | RefundFacts

const SLUG_CHARACTERS_MAX = 18
const DIGEST_CHARACTERS = 16
/** 80 bits, which are {@link DIGEST_CHARACTERS} of base 32. */
const DIGEST_HEX_DIGITS = 20
const REFERENCE_CHARACTERS_MAX = 200

/**
 * The id of a row that has none of its own: the same for the same payment, for ever and on any machine.
 *
 * It is `<slug>-<digest>`, at most 35 characters of `a-z`, `0-9` and `-`. The slug is the reference without accents, in
 * small letters, everything else as `-`, cut to 18 characters; `batch` where nothing is left. The digest is the first 80
 * bits of the SHA-256 of the JSON text of an array, written in base 32 with the digits `0-9a-v`:
 *
 *     ["transfer", reference, canonical key, cents, documentValidation or null, equal rows above]
 *     ["refund", reference, originalTransactionId, cents or null, equal rows above]
 *
 * The reference is in Unicode's form NFC. Equal rows are those without an id of their own whose array is the same up to
 * its last member. Nothing else of the file goes in, so a sorted, corrected or shortened file asks for the same payments
 * under the same ids. Changing any of this would pay people twice.
 */
export function derivedId(reference: string, facts: RowFacts, equalAbove: number): string {
  const parts = [facts.kind, reference.normalize('NFC'), ...paymentParts(facts), equalAbove]
  const digits = hash('sha256', JSON.stringify(parts), 'hex').slice(0, DIGEST_HEX_DIGITS)
  return `${slug(reference)}-${BigInt(`0x${digits}`).toString(32).padStart(DIGEST_CHARACTERS, '0')}`
}

/** What makes two rows equal: the destination in one spelling, the amount, and who must own the key. */
export function paymentParts(facts: RowFacts): (string | number | null)[] {
  if (facts.kind === 'refund') return [facts.originalTransactionId, facts.amountCents]
  return [canonicalKey(facts.key, facts.keyType), facts.amountCents, facts.documentValidation]
}

/** Gives the rows of one file their ids, from the first to the last. */
export class RowIds {
  readonly #reference: string
  readonly #equal = new DigestTable()
  readonly #lines = new DigestTable()

  constructor(reference: string) {
    this.#reference = reference
  }

  /** The id of a row, its own or a derived one. */
  idOf(facts: RowFacts): { id: string; isTyped: boolean } {
    const typed = facts.kind === 'transfer' ? facts.typedId : null
    if (typed !== null) return { id: typed, isTyped: true }
    const equal = digestOf(paymentParts(facts))
    const above = this.#equal.get(equal) ?? 0
    this.#equal.set(equal, above + 1)
    return { id: derivedId(this.#reference, facts, above), isTyped: false }
  }

  /** Notes on which line an id stands; gives the line of the first row that has it, if it is another one. */
  clash(id: string, line: number): number | undefined {
    const digest = digestOf([id])
    const first = this.#lines.get(digest)
    if (first === undefined) this.#lines.set(digest, line)
    return first
  }
}

/** The digest by which things are found again in a {@link DigestTable}. */
export function digestOf(parts: readonly (string | number | null)[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer')
}

/**
 * The reference of a file: the one typed, else the file's name without folder and extension. Throws UsageError for a blank
 * one, and where there is no name.
 */
export function referenceOf(typed: string | undefined, fileName: string | null): string {
  const reference = (typed ?? fileName?.replace(/(?!^)\.[^.]*$/, '') ?? '').trim().normalize('NFC')
  if (reference === '' && typed === undefined) {
    throw new UsageError(t`What comes from standard input needs a name, because the ids of its rows depend on it`, {
      hint: t`Add \`--reference\` with the same text each time that these payments are sent, such as \`--reference payroll-2026-11\``,
    })
  }
  if (reference === '' || reference.length > REFERENCE_CHARACTERS_MAX || hasControlCharacter(reference)) {
    throw new UsageError(t`\`--reference\` is empty, longer than ${REFERENCE_CHARACTERS_MAX} characters, or has control characters in it`, {
      hint: t`Type a short name for these payments, such as \`--reference payroll-2026-11\``,
    })
  }
  return reference
}

function slug(reference: string): string {
  const plain = reference.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const dashed = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '')
  return dashed.slice(0, SLUG_CHARACTERS_MAX).replace(/-$/, '') || 'batch'
}
