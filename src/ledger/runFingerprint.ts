import { hash } from 'node:crypto'
import { type PaymentParts, paymentParts } from './facts.ts'

/** What a person confirms of a run: how many payments, their sum, and which. */
export interface RunSums {
  rows: number
  /** Without those whose amount is not known. */
  totalCents: number
  /** 16 hex digits that identify exactly these payments, in any order. */
  fingerprint: string
}

/** True if two runs have the same payments. */
export function isSameSums(one: RunSums, other: RunSums): boolean {
  return one.rows === other.rows && one.totalCents === other.totalCents && one.fingerprint === other.fingerprint
}

const SHOWN_DIGITS = 16
const MODULUS = 1n << 256n

/**
 * Counts payments, and makes a fingerprint of them that does not depend on their order and needs none of them kept: the SHA-256 of their count
 * and the sum, modulo 2²⁵⁶, of the SHA-256 of each one's id, canonical key or original, cents and documentValidation.
 */
export class RunSum {
  rows = 0
  totalCents = 0
  #digests = 0n

  add(id: string, payment: PaymentParts): void {
    const digest = hash('sha256', JSON.stringify([payment.kind, id, ...paymentParts(payment)]), 'hex')
    this.#digests = (this.#digests + BigInt(`0x${digest}`)) % MODULUS
    this.rows += 1
    this.totalCents += payment.amountCents ?? 0
  }

  get sums(): RunSums {
    const { rows, totalCents } = this
    const digest = hash('sha256', `${rows}:${this.#digests.toString(16)}`)
    return { rows, totalCents, fingerprint: digest.slice(0, SHOWN_DIGITS) }
  }
}
