import { diceOf } from './campaign/dice.ts'

const point = (code: number) => String.fromCodePoint(code)

/** Ranges of code points that a terminal obeys, does not show, or shows in another order. */
const UNSAFE: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xfff0, 0xfffb],
  [0x110bd, 0x110bd],
  [0x13430, 0x1345f],
  [0x1d173, 0x1d17a],
  [0xe0001, 0xe007f],
  [0xe0100, 0xe01ef],
]

/** What has been used against terminals and readers. */
const KNOWN_ATTACKS = [
  '\u001b]0;title\u0007',
  '\u001b[2J\u001b[H',
  '\u001b[31mred\u001b[0m',
  '\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u009b2J',
  'a\rb',
  'a\bb',
  'line\nerror: forged',
  'pay \u202etxt.exe',
  'Ana\u200bLima',
  '\u2066a\u2069',
  `tag${[...'secret'].map((letter) => point(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')}`,
  `z${'\u0301'.repeat(60)}`,
  `z${'\u20dd\u0489'.repeat(30)}`,
  '\u0301'.repeat(20),
  '\ud800',
  'a\udc00b',
  '\u0000',
]

/** Texts that attack a terminal or its reader, the same ones for a seed. */
export function terminalAttacks(count: number, seed: string): string[] {
  const { below: random } = diceOf(seed)
  const made = Array.from({ length: Math.max(0, count - KNOWN_ATTACKS.length) }, () => {
    const pieces = Array.from({ length: 1 + random(4) }, () => {
      const [first, last] = UNSAFE[random(UNSAFE.length)] ?? [0, 0]
      const marks = point(0x300 + random(0x6f)).repeat(random(3) === 0 ? 5 + random(60) : 0)
      return `${point(0x61 + random(26))}${marks}${point(first + random(last - first + 1))}`
    })
    return pieces.join('')
  })
  return [...KNOWN_ATTACKS, ...made].slice(0, count)
}

const TRIGGERS = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']

/** Texts that a spreadsheet takes for formulas, at the start of a cell or behind what may separate cells. */
export const FORMULA_ATTACKS: readonly string[] = [
  ...TRIGGERS.flatMap((trigger) => [
    `${trigger}1+1`,
    ` ${trigger}1+1`,
    `\u3000"${trigger}1+1`,
    `Joao;${trigger}1+1;Ltda`,
  ]),
  'Joao,=1+1,Ltda',
  'Joao\t=1+1\tLtda',
  'a\n=1+1',
  'a\r\n+1+1',
  'x";"=1+1',
  'x","=1+1',
  '"=1+1"',
  "'=1+1",
  "' =1+1",
  ";'=1+1",
  "=cmd|'/c calc'!A1",
  '=HYPERLINK("http://evil.example";"x")',
  '+1-1',
  '-2+3',
  '@SUM(1)',
  '-',
  "O'Neil",
  '="0042"',
]
