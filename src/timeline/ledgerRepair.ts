import { join } from 'node:path'
import { JOURNAL_FILE } from './journalReading.ts'
import { damageSentence, MISSING } from './logDamage.ts'
import { type ExaminedFile, examineLog, isSound } from './logExamination.ts'
import { logLine } from './logFile.ts'
import { type LostLine, type RepairedFile, repairFile } from './logRepair.ts'
import { journalLook, timelineLook } from './recordLook.ts'
import type { OutcomeRecord, TimelineRecord } from './records.ts'
import type { TimelineSurroundings } from './timeline.ts'
import { TIMELINE_FILE } from './timelineFile.ts'

/** The two logs of a machine, by the names of their locks. */
export type LogName = 'timeline' | 'events'

/** Stands as the code of an answer that was lost. */
const LOST_CODE = 'DAMAGED_RECORD'

/** Holds every line of a log against its checksum. Throws the system's error. */
export function examineRecords(folder: string, name: LogName): Promise<ExaminedFile[]> {
  return examineLog(pathOf(folder, name), name === 'timeline' ? timelineLook() : journalLook())
}

/** A sentence for each file that is damaged. */
export function damageIn(files: readonly ExaminedFile[]): string[] {
  return files.filter((file) => !isSound(file)).map((file) => damageSentence(file.path, damagedLinesOf(file)))
}

function damagedLinesOf({ damaged, lines, isMissing, isShorter }: ExaminedFile): number[] {
  if (isMissing) return [MISSING]
  return [...damaged.map(({ line }) => line), ...(isShorter ? [lines + 1] : [])]
}

/**
 * Puts the damaged files of a log right, each after a copy was kept beside it. What a lost line told of a payment makes its
 * outcome unknown. What may have been the only record of a payment stays damaged, which keeps everything that moves money
 * from being sent, unless the loss is accepted. Throws the system's error.
 */
export async function repairLog(
  around: TimelineSurroundings,
  name: LogName,
  isLossAccepted: boolean,
): Promise<RepairedFile[]> {
  return around.exclusively(async () => {
    const repaired: RepairedFile[] = []
    const stamp = new Date(around.now()).toISOString().replace(/[-:.]/g, '')
    const look = name === 'timeline' ? timelineLook() : journalLook()
    const inTimeline = (lost: LostLine) => doubtInPlaceOf(around, lost) ?? (isLossAccepted ? '' : null)
    const inPlaceOf = name === 'timeline' ? inTimeline : () => ''
    // Events are evidence of payments that other records tell of.
    const rules = { look, inPlaceOf, isLossAccepted: isLossAccepted || name === 'events' }
    for (const file of await examineRecords(around.folder, name)) {
      if (isSound(file)) continue
      if (file.isMissing && !rules.isLossAccepted) repaired.push(untouched(file))
      else repaired.push(await repairFile(file, `${file.path}.damaged-${stamp}`, rules))
    }
    return repaired
  })
}

function untouched({ path, isMissing, isShorter }: ExaminedFile): RepairedFile {
  return { path, copy: null, mended: [], lost: [], kept: [], isMissing, isShorter, isSound: false }
}

/**
 * What was lost may have been an answer, a further attempt or what a person found: from here on nobody knows. Null where it
 * may have been more than that.
 */
function doubtInPlaceOf({ newId, now, user, machine }: TimelineSurroundings, { legible }: LostLine): string | null {
  if (legible.of === undefined) return null
  const doubt: TimelineRecord<OutcomeRecord> = {
    id: newId(),
    at: new Date(now()).toISOString(),
    user,
    machine,
    type: 'outcome',
    of: legible.of,
    outcome: 'unknown',
    idTransaction: null,
    status: null,
    code: LOST_CODE,
    httpStatus: null,
    amountCents: null,
  }
  return logLine(JSON.stringify(doubt))
}

function pathOf(folder: string, name: LogName): string {
  return join(folder, name === 'timeline' ? TIMELINE_FILE : JOURNAL_FILE)
}
