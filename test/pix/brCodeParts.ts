import { crc16 } from '../../src/pix/brCode.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

export const UUID = '123e4567-e12b-12d1-a456-426655440000'
/** The published static code with a random key, and the published dynamic one. */
export const STATIC = vectors.brCodesValid[0]?.code ?? ''
export const DYNAMIC = vectors.brCodesValid[1]?.code ?? ''

/** A field as the format has it, written here once more so that the reader is not judged by its own writer. */
export function field(id: string, value: string): string {
  return id + String([...value].length).padStart(2, '0') + value
}

export function withCrc(text: string): string {
  return `${text}6304${crc16(`${text}6304`)}`
}

export const PIX = field('00', 'br.gov.bcb.pix')
export const KEY = field('01', UUID)
export const URL = field('25', 'pix.example.com/x')
export const WITHDRAWAL = field('03', '12345678')
export const RECURRENCE = field('80', PIX + field('25', 'pix.example.com/rec/y'))

/** The parts of a sound static code by id; a test replaces some, or leaves some out with an empty text. */
export function code(parts: Record<string, string> = {}): string {
  const sound: Record<string, string> = {
    '00': field('00', '01'),
    '01': '',
    '26': field('26', PIX + KEY),
    '52': field('52', '0000'),
    '53': field('53', '986'),
    '54': '',
    '58': field('58', 'BR'),
    '59': field('59', 'Fulano de Tal'),
    '60': field('60', 'BRASILIA'),
    '62': field('62', field('05', '***')),
    '80': '',
  }
  const ids = [...new Set([...Object.keys(sound), ...Object.keys(parts)])].sort()
  return withCrc(ids.map((id) => parts[id] ?? sound[id]).join(''))
}

/** A sound code whose CRC begins with a zero, which many writers lose. */
export function codeWithZeroInCrc(): string {
  for (let number = 0; ; number += 1) {
    const candidate = code({ '62': field('62', field('05', `order${number}`)) })
    if (candidate.at(-4) === '0') return candidate
  }
}
