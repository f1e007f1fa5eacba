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
