import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk'

/** The settings that enable or disable colour. */
export interface ColourSettings {
  /** `--no-color`. */
  forbidden: boolean
  env: Readonly<Record<string, string | undefined>>
}

/** Colours for one stream. Without a terminal or with NO_COLOR or TERM=dumb there are none, unless FORCE_COLOR is set; `--no-color` always disables them. */
export function styleFor(isTerminal: boolean, colour: ColourSettings): ChalkInstance {
  return new Chalk({ level: colourLevel(isTerminal, colour) })
}

function colourLevel(isTerminal: boolean, { forbidden, env }: ColourSettings): ColorSupportLevel {
  if (forbidden) return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0
    return forced === '2' ? 2 : forced === '3' ? 3 : 1
  }
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  if (!isTerminal || env.TERM === 'dumb') return 0
  return env.COLORTERM === 'truecolor' ? 3 : 1
}
