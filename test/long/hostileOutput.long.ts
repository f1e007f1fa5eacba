import { afterAll, describe, expect, it } from 'vitest'
import {
  FORMS,
  formOf,
  judgePlan,
  judgeProfiles,
  judgeServers,
  listingCommands,
  OutputJudge,
  singleCommands,
  wordsIn,
} from '../cli/hostileCommands.ts'
import { hostileOutside } from '../cli/hostileOutside.ts'
import { hostileParties } from '../cli/hostileParties.ts'
import { people } from '../cli/planPeople.ts'
import { terminalAttacks } from '../hostileTexts.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'

const SEED = process.env.SEED ?? 'texts'
/** In how many of the eight forms a command about one thing is run for each text; the lists are printed in all. */
const FORMS_OF_EACH = Number(process.env.FORMS ?? 1)
const COUNT = Number(process.env.TEXTS ?? 300)
/** What a terminal obeys, hides or shows in another order, but for the colours, cursor movements and line ends of pixgate itself. */
const UNSAFE = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{13430}-\u{1345f}\x80-\x9f]|\p{M}{9}/u
/** Sequences that set a title, draw a link or ask the terminal for an answer; pixgate writes none. */
const COMMANDS = /\u001b[\]PX^_]|\u001b\[[0-9;]*[cnt]|\u0007/
const { maria, joao } = people(afterAll, 'maria', 'joao')

describe(`${COUNT} hostile texts of the seed ${SEED}`, () => {
  it('make no output of any command unsafe, in a pipe or on a terminal, in two languages, as text or JSON', {
    timeout: 60 * 60_000,
  }, async () => {
    const texts = terminalAttacks(COUNT, SEED)
    const outside = await hostileOutside(texts)
    const parties = await hostileParties(outside, texts, { maker: maria, approver: joao })
    const judge = new OutputJudge(outside)
    for (const form of FORMS) {
      for (const words of listingCommands(outside, parties, texts)) await judge.run(form, words)
      await judgePlan(judge, form, parties, `plan-${FORMS.indexOf(form)}`)
      await judgeServers(judge, form, outside, texts)
      await judgeProfiles(judge, form, outside, texts)
    }
    for (const [place, text] of texts.entries()) {
      for (const [turn, words] of singleCommands(outside, text, place).entries()) {
        for (let each = 0; each < FORMS_OF_EACH; each += 1) await judge.run(formOf(place + turn + each), words)
      }
    }
    process.stderr.write(`${judge.count} outputs\n`)
    expect(judge.found).toEqual([])
  })

  itOnTerminal('make no list on a terminal unsafe', { timeout: 60 * 60_000 }, async () => {
    const texts = terminalAttacks(COUNT, SEED)
    const outside = await hostileOutside(texts)
    const parties = await hostileParties(outside, texts, { maker: maria, approver: joao, typedEach: 100 })
    for (const [turn, words] of listingCommands(outside, parties, texts).entries()) {
      for (const form of [formOf(turn), formOf(turn + 1)]) {
        const { raw } = await onTerminal(outside.world, wordsIn(form, words), { columns: 200 }).ended
        expect([words, UNSAFE.exec(raw)?.[0], COMMANDS.exec(raw)?.[0]]).toEqual([words, undefined, undefined])
      }
    }
  })
})
