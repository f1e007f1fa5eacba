import { hash } from 'node:crypto'
import { type PaymentParts, paymentParts } from './rowIds.ts'

const SHOWN_DIGITS = 16
const MODULUS = 1n << 256n

/**
 * A fingerprint of payments that does not depend on their order, and needs none of them kept: the SHA-256 of their count
 * and the sum, modulo 2²⁵⁶, of the SHA-256 of each one's id, canonical key or original, cents and documentValidation.
 */
export class Fingerprint {
  #sum = 0n
  #count = 0

  add(id: string, payment: PaymentParts): void {
    const digest = hash('sha256', JSON.stringify([payment.kind, id, ...paymentParts(payment)]), 'hex')
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % MODULUS
    this.#count += 1
  }

  /** 16 hex digits. */
  toString(): string {
    return hash('sha256', `${this.#count}:${this.#sum.toString(16)}`, 'hex').slice(0, SHOWN_DIGITS)
  }
}
