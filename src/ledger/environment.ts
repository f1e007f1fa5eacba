/** What the ledger needs to know about the process that uses it. */
export interface LedgerEnvironment {
  folder: string
  /** The system's name of the user, and of the machine. */
  user: string
  machine: string
  pid: number
  now(): number
  newId(): string
  /** Shows a sentence to a person, such as a file mode that was corrected. */
  notice(line: string): void
  /** For how long a command waits for other programs that write. */
  timeoutMs: number
}
