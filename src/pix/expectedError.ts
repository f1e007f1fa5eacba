/**
 * Thrown for text that cannot be parsed. `message` says what is wrong, as one sentence without a full stop; `hint` says what
 * to do instead.
 */
export class Malformed extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.name = 'Malformed'
    this.hint = hint
  }
}

/** What `work` returns, or the error of this kind that it throws. Throws any other error. */
export function valueOrError<Value, Fault extends Error>(kind: ErrorKind<Fault>, work: () => Value): Value | Fault {
  try {
    return work()
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
}

/** What `work` returns, or `instead` if it throws an error of this kind. Throws any other error. */
export function valueOr<Value, Instead>(instead: Instead, kind: ErrorKind<Error>, work: () => Value): Value | Instead {
  const value = valueOrError(kind, work)
  return value instanceof kind ? instead : value
}

/** A handler for `catch` of a promise: takes errors of this kind, and throws any other. */
export function only<Fault extends Error, Instead>(kind: ErrorKind<Fault>, instead: (fault: Fault) => Instead) {
  return (error: unknown): Instead => {
    if (error instanceof kind) return instead(error)
    throw error
  }
}

type ErrorKind<Fault extends Error> = abstract new (...given: never[]) => Fault
