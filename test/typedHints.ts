import { hintCommands } from '../src/text/shellWord.ts'
import { isObject } from '../src/wire/answers.ts'
import { lacksArgument, unknownWord, wordsOf } from './commandTree.ts'

/**
 * Throws if a hint that a command line printed names a command that cannot be typed as it is: with a word that the command tree does not
 * know, without a required argument, or `profile edit` without the option that changes something.
 */
export function assertHintsCanBeTyped(stderr: string): void {
  const commands = hintsIn(stderr).flatMap(hintCommands)
  const wrong = commands.filter((line) => {
    const words = wordsOf(line)
    return unknownWord(words) !== undefined || lacksArgument(words) || isBareEdit(line)
  })
  if (wrong.length > 0) throw new Error(`a hint names what cannot be typed: ${wrong.join(', ')}\n${stderr}`)
}

/** The hints in text, and that of an error in JSON. */
function hintsIn(stderr: string): string[] {
  const inText = [...stderr.matchAll(/^\s*(?:hint:|→) (.*)$/gm)].map(([, hint = '']) => hint)
  return [...inText, ...stderr.split('\n').flatMap(hintInJson)]
}

function hintInJson(line: string): string[] {
  if (!line.startsWith('{"error":')) return []
  const document: unknown = JSON.parse(line)
  const error = isObject(document) ? document.error : undefined
  return isObject(error) && typeof error.hint === 'string' ? [error.hint] : []
}

/** True for a `profile edit` that changes nothing. */
export function isBareEdit(line: string): boolean {
  return /^pixgate profile edit \S+$/.test(line) && !line.endsWith(' --help')
}
