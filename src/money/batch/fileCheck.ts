import { t } from '../../text/words.ts'
import type { BatchFile } from './batchFile.ts'
import { Fingerprint } from './fingerprint.ts'
import { type EarlierAmounts, NoticeGathering, type Notices } from './notices.ts'
import type { Fault } from './rowCells.ts'

/** What the whole of a file comes to. It is to be sent only where `faultCount` is 0. */
export interface FileCheck {
  /** Rows without a fault. */
  count: number
  totalCents: number
  /** The first thousand faults, in the order of the lines; `faultCount` counts all. */
  faults: readonly Fault[]
  faultCount: number
  notices: Notices
  /** 16 hex digits that stand for exactly these payments, in any order. */
  fingerprint: string
}

export interface FileCheckOptions {
  earlierAmounts?: EarlierAmounts
  faultsMax?: number
}

const FAULTS_MAX = 1000

/** Reads a file from end to end and keeps no row of it. */
export async function checkBatchFile(file: BatchFile, options: FileCheckOptions = {}): Promise<FileCheck> {
  const { earlierAmounts = () => [], faultsMax = FAULTS_MAX } = options
  const gathering = new NoticeGathering(file.delimiter, earlierAmounts)
  const fingerprint = new Fingerprint()
  const faults: Fault[] = []
  let faultCount = 0
  let count = 0
  let totalCents = 0
  const note = (fault: Fault) => {
    faultCount += 1
    if (faults.length < faultsMax) faults.push(fault)
  }
  for await (const judged of file.judged) {
    if (judged.row === null) {
      judged.faults.forEach(note)
      continue
    }
    const { row } = judged
    const sumCents = totalCents + (row.amountCents ?? 0)
    if (!Number.isSafeInteger(sumCents)) {
      note({ line: row.line, column: 'value', message: t`The total is too large from here on. Split the file` })
      continue
    }
    count += 1
    totalCents = sumCents
    gathering.add(row)
    fingerprint.add(row)
  }
  return { count, totalCents, faults, faultCount, notices: gathering.notices(), fingerprint: fingerprint.toString() }
}
