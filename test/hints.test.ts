import { describe, expect, it } from 'vitest'
import { hintCommands } from '../src/text/shellWord.ts'
import { isOptionOfAny, lacksArgument, unknownWord, wordsOf } from './commandTree.ts'
import { type SourceText, sourceTexts } from './sourceTexts.ts'
import { isBareEdit } from './typedHints.ts'

const texts = sourceTexts()
const advice = texts.filter(({ isAdvice }) => isAdvice)

/** Words with which a hint begins: what the user does. */
const VERBS = new Set(
  (
    'Accept Add Allow Ask Begin Change Check Choose Compare Continue Copy Correct Create Crop Cut Did Find Format Give Import ' +
    'Do Enter Export Fix Free Keep List Pipe Record Replace See Select Separate Try ' +
    'Scroll Install Leave Look Make Move Name Omit Open Pay Put Quote Redirect Register Remove Repair Report Restore Run Save Say Send Set Shorten ' +
    'Start Stop Swap Type Unlock Unset Update Use Wait Write'
  ).split(' '),
)

function places(broken: (text: SourceText) => boolean, among = advice): string[] {
  return among.filter(broken).map(({ place, text }) => `${place} ${text}`)
}

/** The text in backticks. */
function codeOf(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

function commandsOf(text: string): string[] {
  return codeOf(text).filter((code) => /^pixgate(?: |$)/.test(code))
}

describe('what hints and next steps say', () => {
  it('finds them in the source', () => {
    expect(texts.length).toBeGreaterThan(1500)
    expect(advice.length).toBeGreaterThan(400)
  })

  it('begins with a verb', () => {
    // Some add to another hint, which they begin with.
    const isBegun = (text: string) => /^VALUE; /.test(text)
    expect(places(({ text }) => !isBegun(text) && !VERBS.has(/^\w+/.exec(text)?.[0] ?? ''))).toEqual([])
  })

  it('never suggests a verdict about a payment, unless an event must prove it', () => {
    expect(places(({ text }) => /--as[ =`]*(?:paid|not-paid|returned)(?! --event)/.test(text))).toEqual([])
  })

  it('has no placeholder and no alternative in a command or an option', () => {
    const isTyped = (code: string) => /^(?:pixgate |-)/.test(code)
    expect(places(({ text }) => codeOf(text).some((code) => isTyped(code) && /[|<>…]/.test(code)))).toEqual([])
  })

  it('names commands with the arguments that they require', () => {
    expect(places(({ text }) => commandsOf(text).some((line) => lacksArgument(wordsOf(line))))).toEqual([])
  })

  it('changes a profile only with an option', () => {
    expect(places(({ text }) => commandsOf(text).some(isBareEdit))).toEqual([])
  })

  it('names only options that exist', () => {
    const flags = (text: string) => codeOf(text).flatMap((code) => /^--[a-z][a-z-]+/.exec(code)?.[0] ?? [])
    expect(places(({ text }) => flags(text).some((flag) => !isOptionOfAny(flag)))).toEqual([])
  })
})

it('names only commands and options that exist in every text for people', () => {
  const unknown = (text: string) => commandsOf(text).some((line) => unknownWord(wordsOf(line)) !== undefined)
  expect(texts.filter(({ text }) => commandsOf(text).length > 0).length).toBeGreaterThan(90)
  expect(places(({ text }) => unknown(text), texts)).toEqual([])
})

it.each([
  ['Run `pixgate history` to look it up', ['pixgate history']],
  ['Run `pixgate resume a`, or `pixgate history show a`, or `--yes`', ['pixgate resume a', 'pixgate history show a']],
  ["Run `pixgate resume 'a`b'` or `pixgate status x`", ["pixgate resume 'a`b'", 'pixgate status x']],
  ["Run `pixgate resume 'a'\\''b`c'`", ["pixgate resume 'a'\\''b`c'"]],
  ['Run `pixgate demo`, then `pixgate demo` again', ['pixgate demo']],
  ['Set `PIXGATE_DATA_DIR` for `pixgatex`', []],
])('finds the commands to copy in: %s', (hint, commands) => {
  expect(hintCommands(hint)).toEqual(commands)
})
