import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A key that is held or pressed twice by mistake repeats within this time. */
const REPEAT_MS = 50

/**
 * Reads away what was typed before a question stands: whoever typed it cannot have meant it as the answer. Returns false where
 * the input ended, so that nobody can answer.
 */
export async function discardTypedAhead(stdin: NodeJS.ReadableStream): Promise<boolean> {
  let hasEnded = false
  const discard = () => undefined
  const end = () => {
    hasEnded = true
  }
  stdin.on('data', discard)
  stdin.on('end', end)
  stdin.resume()
  await sleep(REPEAT_MS)
  // A busy machine may have let the time pass without reading; a turn of the event loop reads what is there.
  await nextTurn()
  stdin.pause()
  stdin.off('data', discard)
  stdin.off('end', end)
  return !hasEnded
}
