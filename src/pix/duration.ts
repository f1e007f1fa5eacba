import { t } from '../text/translate.ts'
import { Malformed } from './expectedError.ts'

export const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const BY_NAME: ReadonlyMap<string, number> = new Map(Object.entries(UNIT_MS))
/** The longest duration. */
export const DURATION_MS_MAX = 365 * UNIT_MS.d

/**
 * Parses a duration to ms: a whole number and a unit, such as `500ms`, `30s`, `10m`, `2h` or `7d`, at most 365 days.
 * Throws Malformed for any other text and for zero.
 */
export function parseDuration(text: string): number {
  const typed = text.trim()
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(typed)
  const unitMs = BY_NAME.get(match?.[2] ?? '')
  if (match === null || unitMs === undefined) throw malformedDuration(typed)
  const durationMs = Number(match[1]) * unitMs
  if (durationMs > DURATION_MS_MAX) {
    throw new Malformed(t`The duration \`${typed}\` is too long`, t`Use at most \`365d\``)
  }
  if (durationMs === 0) {
    throw new Malformed(t`The duration is zero`, t`Type a whole number and a unit, like \`30s\``)
  }
  return durationMs
}

/** A duration in the form in which it may be typed, by its largest unit up to hours: `90m`, `24h`. */
export function plainDuration(durationMs: number): string {
  const unit = (['h', 'm', 's'] as const).find((name) => durationMs % UNIT_MS[name] === 0) ?? 'ms'
  return `${durationMs / UNIT_MS[unit]}${unit}`
}

/** Formats a duration by its two largest units: `500 ms`, `1.5 s`, `1 m 30 s`, `2 h`, `3 d 4 h`. */
export function formatDuration(durationMs: number): string {
  const sign = durationMs < 0 ? '-' : ''
  const ms = Math.round(Math.abs(durationMs))
  if (ms < 1000) return `${sign}${ms} ms`
  if (ms < 60_000) return `${sign}${Math.floor(ms / 100) / 10} s`
  const units: [number, string][] = [
    [Math.floor(ms / UNIT_MS.d), 'd'],
    [Math.floor(ms / UNIT_MS.h) % 24, 'h'],
    [Math.floor(ms / UNIT_MS.m) % 60, 'm'],
    [Math.floor(ms / UNIT_MS.s) % 60, 's'],
  ]
  const first = units.findIndex(([count]) => count > 0)
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0)
  return sign + shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

function malformedDuration(typed: string): Malformed {
  const hint = t`Type a whole number and a unit (ms, s, m, h or d), like \`30s\``
  if (typed === '') return new Malformed(t`The duration is empty`, hint)
  if (!/^\d+$/.test(typed)) return new Malformed(t`\`${typed}\` is not a duration`, hint)
  return new Malformed(t`The duration \`${typed}\` has no unit`, t`Type \`${typed}s\` for seconds`)
}
