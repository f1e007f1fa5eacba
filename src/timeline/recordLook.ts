import { readObject } from '../wire/answers.ts'
import { readJournalLine } from './journalReading.ts'
import { type Glance, Glancer, glanceAtRecord } from './lineGlance.ts'
import { isRecord, isRunRecord } from './recordShape.ts'

/** What is seen of a line from the bytes of its JSON; undefined for what is no line of this log. */
export type Look = (bytes: Buffer, start: number, end: number) => Glance | undefined

/** A look at lines of the timeline, which must come one after the other. */
export function timelineLook(): Look {
  const glancer = new Glancer()
  return (bytes, start, end) => {
    const seen = glancer.look(bytes, start, end)
    if (seen !== undefined) return seen
    const value = readObject(bytes.toString('utf8', start, end))
    return isRecord(value) || isRunRecord(value) ? glanceAtRecord(value) : undefined
  }
}

/** The same for the journal, which may hold what a later version wrote. */
export function journalLook(): Look {
  const glancer = new Glancer()
  return (bytes, start, end) =>
    glancer.look(bytes, start, end) ?? glanceAtRecord(readJournalLine(bytes.toString('utf8', start, end)))
}
