import { platform } from 'node:os'
import type { EnvironmentVariables } from '../programInfo.ts'

/** Our own signs beyond ASCII, and what is shown for them where they cannot be. */
const ASCII_SIGNS: Readonly<Record<string, string>> = {
  '—': '-',
  '–': '-',
  '−': '-',
  '─': '-',
  '│': '|',
  '┌': '+',
  '┐': '+',
  '└': '+',
  '┘': '+',
  '•': '*',
  '✓': 'ok',
  '✔': 'ok',
  '✗': 'x',
  '×': 'x',
  '→': '->',
  '…': '...',
  '░': '.',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
}
const SIGNS = new RegExp(`[${Object.keys(ASCII_SIGNS).join('')}]`, 'g')

/**
 * True for a terminal whose locale has no UTF-8: `C`, `POSIX`, or one that names another character set. Where no variable names a locale, as in most
 * containers, terminals show UTF-8 all the same, and so do those of Windows.
 */
export function isAsciiTerminal(isTerminal: boolean, env: EnvironmentVariables): boolean {
  if (!isTerminal || platform() === 'win32') return false
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(Boolean) ?? ''
  return /^(?:C|POSIX)$/.test(locale) || /\.(?!utf-?8)/i.test(locale)
}

/** Text with our own signs in ASCII. Letters stay: they may be a part of a code or name that is copied. */
export function asciiSigns(text: string): string {
  return text.replace(SIGNS, (sign) => ASCII_SIGNS[sign] ?? sign)
}
