import type { ErrorCode } from './faultKinds.ts'

/** Thrown for a request that is answered with an error body; its message becomes `details`. */
export class SandboxError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: ErrorCode, details: string, headers: Readonly<Record<string, string>> = {}) {
    super(details)
    this.name = 'SandboxError'
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The state of the transaction does not allow this: 409. */
export function conflictError(details: string, code: ErrorCode = 'CONFLICT'): SandboxError {
  return new SandboxError(409, code, details)
}
