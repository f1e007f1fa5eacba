import { Cancelled, Failure } from '../wire/errors.ts'

/** One thing that was checked, by its English name, and the result as a sentence. `exitCode` is 0 if it is right. */
export interface Check {
  name: string
  ok: boolean
  finding: string
  hint: string | null
  exitCode: number
}

/** A check that found nothing wrong; with a hint it is a warning. */
export function passedCheck(name: string, finding: string, hint: string | null = null): Check {
  return { name, ok: true, finding, hint, exitCode: 0 }
}

/** A check that failed, with the sentence and the exit code of its error. Throws what is no failure, and Cancelled. */
export function failedCheck(name: string, error: unknown): Check {
  if (!(error instanceof Failure) || error instanceof Cancelled) throw error
  return { name, ok: false, finding: error.message, hint: error.hint, exitCode: error.exitCode }
}
