/** As records write a time: `2026-11-21T03:04:05.678Z`. */
export const INSTANT_CHARACTERS = 24

const DAY_CHARACTERS = 10
const FORM = Buffer.from('0000-00-00T00:00:00.000Z')
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Reads times out of bytes; those of one day, which stand together in a log, without asking the calendar. */
export class InstantReader {
  readonly #day = Buffer.alloc(DAY_CHARACTERS)
  #midnightMs = Number.NaN

  /** In ms since the epoch; undefined for what is no time of this form. */
  instantAt(bytes: Buffer, at: number): number | undefined {
    const isSameDay = this.#isSameDay(bytes, at)
    if (!hasForm(bytes, at, isSameDay ? DAY_CHARACTERS : 0)) return undefined
    if (!isSameDay) {
      bytes.copy(this.#day, 0, at, at + DAY_CHARACTERS)
      this.#midnightMs = Date.parse(this.#day.toString('latin1'))
    }
    const hours = twoDigits(bytes, at + 11)
    const minutes = twoDigits(bytes, at + 14)
    const seconds = twoDigits(bytes, at + 17)
    if (Number.isNaN(this.#midnightMs) || hours > 23 || minutes > 59 || seconds > 59) return undefined
    const ms = twoDigits(bytes, at + 20) * 10 + (bytes[at + 22] ?? 0) - DIGIT_0
    return this.#midnightMs + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000 + ms
  }

  #isSameDay(bytes: Buffer, at: number): boolean {
    for (let index = DAY_CHARACTERS - 1; index >= 0; index--) {
      if (bytes[at + index] !== this.#day[index]) return false
    }
    return true
  }
}

function hasForm(bytes: Buffer, at: number, from: number): boolean {
  for (let index = from; index < INSTANT_CHARACTERS; index++) {
    const byte = bytes[at + index] ?? 0
    const isRight = FORM[index] === DIGIT_0 ? byte >= DIGIT_0 && byte <= DIGIT_9 : byte === FORM[index]
    if (!isRight) return false
  }
  return true
}

function twoDigits(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) - DIGIT_0) * 10 + (bytes[at + 1] ?? 0) - DIGIT_0
}
