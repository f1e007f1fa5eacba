import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A key that is held down or pressed twice by mistake repeats within this time. */
const REPEAT_MS = 50

/**
 * Discards input that was typed before a prompt appeared, because it cannot be meant as the answer. Returns false if
 * the input ended, so that no answer is possible.
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
  // On a busy machine the time may pass without a read; one more turn of the event loop reads what is available.
  await nextTurn()
  stdin.pause()
  stdin.off('data', discard)
  stdin.off('end', end)
  return !hasEnded
}
