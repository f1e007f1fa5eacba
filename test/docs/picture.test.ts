import { join } from 'node:path'
import { expect, it } from 'vitest'
import { terminalPicture } from '../../scripts/terminalPicture.ts'
import { sandboxWorld } from '../world.ts'
import type { Cell, Screen } from './screen.ts'
import { typeOnScreen } from './typing.ts'

const PICTURE = join(import.meta.dirname, '..', '..', 'docs', 'terminal.svg')
const PAYMENT = ['transfer', '--key', 'maria@example.com', '--amount', '1.500,00', '--external-id']
/** What differs each time, and what the picture has in its place. */
const STABLE = [
  { pattern: /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/, text: '1d29f3b2-3fcc-4a91-85e2-5953fe2fa409' },
  { pattern: /http:\/\/127\.0\.0\.1:\d+/, text: 'http://127.0.0.1:4010' },
]
const EARLIER = '  Earlier: invoice-2041, 23/11/2026 14:05:09 BRT, by maria on desk, paid'

function plain(text: string): Cell[] {
  return [...text].map((character) => ({ character, styles: [] }))
}

function textOf(line: readonly Cell[]): string {
  return line.map(({ character }) => character).join('')
}

/** What a person sees who types this line, with the line itself. */
function typed(words: readonly string[], screen: Screen): (readonly Cell[])[] {
  const prompt = [{ character: '$', styles: [32] }, ...plain(` pixgate ${words.join(' ')}`)]
  return [prompt, ...screen.lines().map(stable)]
}

function stable(line: readonly Cell[]): readonly Cell[] {
  // Prompts are coloured only if the tests themselves run on a terminal.
  const [mark, ...question] = line
  if (mark?.character === '✔') {
    return [{ character: '✔', styles: [32] }, ...question.map(({ character }) => ({ character, styles: [1] }))]
  }
  return STABLE.reduce<readonly Cell[]>((cells, { pattern, text }) => {
    const match = pattern.exec(textOf(cells))
    if (match === null) return cells
    return [...cells.slice(0, match.index), ...plain(text), ...cells.slice(match.index + match[0].length)]
  }, line)
}

// `npm run guides` makes the picture.
it('shows in the picture of the README what the terminal shows', async () => {
  const world = await sandboxWorld()
  const first = await typeOnScreen(world, [...PAYMENT, 'invoice-2041'], ['y'])
  const second = await typeOnScreen(world, [...PAYMENT, 'invoice-2042'], [])
  expect([first.exit, second.exit]).toEqual([0, 2])
  const refused = typed([...PAYMENT, 'invoice-2042'], second.screen)
  const [earlier, hint] = ['  Earlier', 'hint:'].map((begin) =>
    refused.findIndex((line) => textOf(line).startsWith(begin)),
  )
  const lines = [
    ...typed([...PAYMENT, 'invoice-2041'], first.screen),
    [],
    ...refused.slice(0, earlier),
    plain(EARLIER),
    ...refused.slice(hint),
  ]
  const title = 'A transfer is sent after a question; the same payment under another id is refused'
  await expect(terminalPicture(lines, title)).toMatchFileSnapshot(PICTURE)
})
