export type InputStream = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(mode: boolean): unknown }

/** What a prompt reads from and writes to. */
export interface PromptContext {
  input: InputStream
  output: NodeJS.WritableStream
  signal: AbortSignal
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_U = '\u0015'
const BACKSPACES: readonly string[] = ['\b', '\u007f']
/** What a terminal writes around a paste. */
const PASTE_MARKS = /\u001b\[20[01]~/g

/** A question was given up; named as the error of the package that draws prompts. */
class AbortedPrompt extends Error {
  override readonly name = 'AbortPromptError'
}

/** Writes a question and reads one line, which the terminal itself echoes and corrects. Throws an AbortPromptError if there is none. */
export async function readLine(context: PromptContext, question: string): Promise<string> {
  context.output.write(`${question} `)
  let typed = ''
  await takeKeys(context, (keys) => {
    typed += keys
    return /[\r\n]/.test(keys)
  })
  return typed.split(/[\r\n]/, 1)[0] ?? ''
}

/** The same of a secret, which is not echoed. What was pasted behind a line break stays in it, so that its loss can be named. */
export async function readSecretLine(context: PromptContext, question: string): Promise<string> {
  const { input, output } = context
  // Before the question is shown: an answer that is typed at once must not be echoed.
  input.setRawMode?.(true)
  try {
    output.write(`${question} `)
    let typed = ''
    await takeKeys(context, (keys) => {
      for (const key of keys.replace(PASTE_MARKS, '')) {
        if (key === CTRL_C || key === CTRL_D) throw new AbortedPrompt()
        if (BACKSPACES.includes(key)) typed = typed.slice(0, -1)
        else typed = key === CTRL_U ? '' : typed + key
      }
      return /[\r\n]/.test(typed)
    })
    return typed.replace(/[\r\n]+$/, '')
  } finally {
    input.setRawMode?.(false)
    output.write('\n')
  }
}

/** True for what was pasted with a line break in it. */
export function hasInnerBreak(typed: string): boolean {
  return /[\r\n]\s*\S/.test(typed.replace(PASTE_MARKS, ''))
}

/** Gives what is typed to `take` until that returns true. */
async function takeKeys({ input, signal }: PromptContext, take: (keys: string) => boolean): Promise<void> {
  let stop = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => reject(new AbortedPrompt())
      const read = (keys: Buffer | string) => {
        try {
          if (take(String(keys))) resolve()
        } catch (error) {
          reject(error)
        }
      }
      stop = () => {
        input.off('data', read).off('end', giveUp).off('error', reject)
        signal.removeEventListener('abort', giveUp)
        input.pause()
      }
      if (signal.aborted) giveUp()
      signal.addEventListener('abort', giveUp)
      input.on('data', read).on('end', giveUp).on('error', reject).resume()
    })
  } finally {
    stop()
  }
}
