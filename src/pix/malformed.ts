/**
 * Text that is not what it should be. `message` says what is wrong with it, as one sentence without a full stop;
 * `hint` says what to type instead. Thrown by every reader in this folder, and by nothing else.
 */
export class Malformed extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.name = 'Malformed'
    this.hint = hint
  }
}
