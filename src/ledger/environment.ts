/** What the ledger needs to know about the process that uses it. */
export interface LedgerEnvironment {
  folder: string
  /** The system's name of the user, with the login behind `sudo`, such as `finance (maria)`; and of the machine. */
  user: string
  machine: string
  pid: number
  now(): number
  newId(): string
  /** Shows a sentence to a person, such as a file mode that was corrected. */
  notice(line: string): void
  /** For how long a command waits for other programs that write. */
  timeoutMs: number
  /**
   * For the copy of a ledger that several machines share, the address of its server as it was chosen. A request then carries the time until which it may
   * be sent, and the rows of a run are records.
   */
  sharedAt?: string
}
