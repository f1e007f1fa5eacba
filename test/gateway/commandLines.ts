import type { ProcessResult } from '../world.ts'

export const PAYMENT_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

/** The command lines that send a POST, and nothing before it. */
export const POSTS = {
  transfer: ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id', 'order-1', '--yes'],
  refund: ['refund', PAYMENT_ID, '--reason', 'ordered twice', '--skip-query', '--yes'],
  qr: ['qr', 'create', '--amount', '10'],
} as const

export const STATUS = ['status', PAYMENT_ID] as const

/** What a command line left for a script: its exit code and the error that stderr's last line holds. */
export interface Ending {
  exit: number
  code?: string
  outcome?: string
  httpStatus?: number | null
  externalId?: string
  hint?: string
  message?: string
}

/** Reads what `-o json` left. */
export function endingOf({ exit, stderr }: ProcessResult): Ending {
  if (exit === 0) return { exit }
  const { code, outcome, httpStatus, externalId, hint, message } = JSON.parse(
    stderr.trim().split('\n').at(-1) ?? '',
  ).error
  return { exit, code, outcome, httpStatus, externalId, hint, message }
}

export const UNKNOWN = { exit: 5, code: 'OUTCOME_UNKNOWN', outcome: 'unknown' }
export const ACCEPTED = { exit: 0 }
/** A query without a usable answer. */
export const UNUSABLE = { exit: 6, code: 'NOT_REACHED', outcome: 'unknown' }
export const NOT_SENT = { exit: 6, code: 'NOT_REACHED', outcome: 'not-sent' }

export function refused(code = 'REFUSED'): Ending {
  return { exit: 1, code, outcome: 'refused' }
}
