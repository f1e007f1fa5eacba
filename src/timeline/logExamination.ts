import type { FileHandle } from 'node:fs/promises'
import { isShorterThanIndexed } from './lineIndex.ts'
import { eachLine, judgeTail, linePieces } from './lineScan.ts'
import type { Look } from './recordLook.ts'
import { indexPath, openSegment } from './segments.ts'

/** Where a damaged line stands in its file, its line end apart. */
export interface DamagedPlace {
  line: number
  start: number
  end: number
}

/** A file of a log whose every line was held against its checksum. */
export interface ExaminedFile {
  path: string
  /** What is remembered of it where it was sealed. */
  index: string
  lines: number
  damaged: DamagedPlace[]
  /** True for a sealed file that is gone. */
  isMissing: boolean
  /** True where lines at the end of a sealed file are gone. */
  isShorter: boolean
}

/** True where nothing of a file is damaged. */
export function isSound({ damaged, isMissing, isShorter }: ExaminedFile): boolean {
  return damaged.length === 0 && !isMissing && !isShorter
}

/** Reads all files of the log at this path, whatever is remembered of them. Throws the system's error. */
export async function examineLog(path: string, look: Look): Promise<ExaminedFile[]> {
  const files: ExaminedFile[] = []
  for (let number = 1; ; number++) {
    const segment = await openSegment(path, number)
    const examined = { path: segment.path, index: indexPath(path, number), lines: 0, damaged: [], isShorter: false }
    const file: ExaminedFile = { ...examined, isMissing: segment.isSealed && segment.file === undefined }
    files.push(file)
    if (segment.file !== undefined) {
      try {
        await examineLines(segment.file, file, { look, isSealed: segment.isSealed })
        file.isShorter = segment.isSealed && (await isShorterThanIndexed(segment.file, file.index))
      } finally {
        await segment.file.close()
      }
    }
    if (!segment.isSealed) return files
  }
}

async function examineLines(
  file: FileHandle,
  examined: ExaminedFile,
  { look, isSealed }: { look: Look; isSealed: boolean },
): Promise<void> {
  for await (const { bytes, offset, isTail } of linePieces(file, 0)) {
    // What is torn off the last file is cut off when the next record is written.
    if (isTail && !isSealed && judgeTail(bytes) === 'torn') continue
    eachLine(bytes, (start, end, isWhole, lineStart) => {
      examined.lines += 1
      const isDamaged = !isWhole || look(bytes, start, end) === undefined
      const place = { line: examined.lines, start: offset + lineStart, end: offset + end }
      if (isDamaged) examined.damaged.push(place)
    })
  }
}
