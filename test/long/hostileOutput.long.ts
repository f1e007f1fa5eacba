import { describe, expect, it } from 'vitest'
import { unsafeOutputs } from '../cli/hostileCommands.ts'
import { hostileOutside } from '../cli/hostileOutside.ts'
import { terminalAttacks } from '../hostileTexts.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'

const SEED = process.env.SEED ?? 'texts'
/** What a terminal obeys, hides or shows in another order, but for the colours, cursor movements and line ends of pixgate itself. */
const UNSAFE = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{13430}-\u{1345f}\x80-\x9f]|\p{M}{9}/u
/** Sequences that set a title, draw a link or ask the terminal for an answer; pixgate writes none. */
const COMMANDS = /\u001b[\]PX^_]|\u001b\[[0-9;]*[cnt]|\u0007/

describe(`300 hostile texts of the seed ${SEED}`, () => {
  it('make no output of any command unsafe', async () => {
    const texts = terminalAttacks(300, SEED)
    expect(await unsafeOutputs(await hostileOutside(texts), texts, texts.length)).toEqual([])
  })

  itOnTerminal('make no list on a terminal unsafe', async () => {
    const texts = terminalAttacks(300, SEED)
    const { world, batch, accepted } = await hostileOutside(texts)
    for (const words of [
      ['batch', 'show', batch.run],
      ['batch', 'list'],
      ['history', '--all-rows'],
      ['history', '--all-rows', '-o', 'csv'],
      ['history', '--all-rows', '-o', 'csv', '--excel'],
      ['history', '--all-rows', '-o', 'json'],
      ['webhook', 'events'],
      ['webhook', 'events', 'show', '1', '-o', 'json'],
      ['history', 'show', accepted[0] ?? ''],
      ['status', accepted[0] ?? ''],
    ]) {
      const { raw } = await onTerminal(world, words, { columns: 200 }).ended
      expect([words, UNSAFE.exec(raw)?.[0], COMMANDS.exec(raw)?.[0]]).toEqual([words, undefined, undefined])
    }
  })
})
