import type { Span } from './logFile.ts'
import type { LogReader } from './logReader.ts'

/** Who does not fetch so many records will read them. */
const KEPT_MAX = 1024

/** Records with where they stand. */
interface Group {
  span: Span
  records: readonly object[]
}

/**
 * What this process itself has written to a log, for a reader that need not read it then. Only what stands in the file
 * right where the reader is counts, so whatever another process wrote is never passed over.
 */
export class OwnRecords {
  #groups: Group[] = []
  #count = 0
  /** The last that was written in this turn, while the lock keeps others from writing behind it. */
  #last: Span | undefined

  /** Takes in what is on the disk now; until {@link release} nobody else may write to the log. */
  add(span: Span, records: readonly object[]): void {
    if (this.#count > KEPT_MAX) this.#forget()
    this.#groups.push({ span, records })
    this.#count += records.length
    this.#last = span
  }

  /** From now on others may write behind it. */
  release(): void {
    this.#last = undefined
  }

  /** Gives away what a reader would read next; undefined where that is not known here. */
  takeAt(reader: LogReader): Group | undefined {
    const [group] = this.#groups
    if (group !== undefined && reader.isAt(group.span.file, group.span.start)) {
      this.#count -= group.records.length
      return this.#groups.shift()
    }
    // What stands elsewhere was read already, or will be.
    this.#forget()
    return undefined
  }

  /** True where nothing stands behind a reader, because it has come to what was written last. */
  endsAt(reader: LogReader): boolean {
    return this.#last !== undefined && reader.isAt(this.#last.file, this.#last.end)
  }

  #forget(): void {
    this.#groups = []
    this.#count = 0
  }
}
