import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ChalkInstance } from 'chalk'
import { wrapWords } from '../text/cellLayout.ts'
import { t } from '../text/translate.ts'
import { Cancelled, systemCode } from '../wire/errors.ts'
import { hasInnerBreak, type InputStream, type PromptContext, readLine, readSecretLine } from './oneLine.ts'

interface AnswerRules {
  /** The error message for a trimmed answer that is not accepted. It is asked for again in place. */
  faultOf?: (answer: string) => string | undefined
  /** Accepts an empty answer, which `faultOf` does not see. */
  isOptional?: boolean
  /** How often a wrong answer may be given; the last one is returned. The default is any number of times. */
  attemptsMax?: number
}

/** One line of a list to choose from. */
export interface Choice<Value> {
  value: Value
  name: string
  /** What stays on the screen after it was chosen; the name by default. */
  short?: string
  /** Shown while the choice is marked. */
  description?: string
}

/** The prompts of one command. Each throws Cancelled at the end of input and on Ctrl-C, and leaves the terminal as it was. */
export interface Prompts {
  /** Asks a yes/no question; the default is no. */
  confirm(question: string): Promise<boolean>
  /** Asks for a line of text and trims it. */
  askText(question: string, rules?: AnswerRules): Promise<string>
  /** Asks for a secret, showing a dot for each typed character. It is not trimmed. `faultOf` sees it trimmed. */
  askSecret(question: string, faultOf?: (answer: string) => string | undefined): Promise<string>
  /** Lets a person choose from a list. The marked choice is the first one unless another value is given. */
  choose<Value>(question: string, choices: readonly Choice<Value>[], marked?: Value): Promise<Value>
}

interface PromptSetup {
  /** Called only for prompts, because opening stdin takes time. */
  stdin: () => InputStream
  stderr: NodeJS.WritableStream
  columns: number
  rows: number
  style: ChalkInstance
  /** True for a terminal that cannot move its cursor, where a question is one line that is read once. */
  isPlain: boolean
  /** A text with the signs that this terminal can show. */
  shown: (text: string) => string
  /** Cancels a prompt. */
  interrupt: () => AbortSignal
  /** Called before a prompt is drawn. */
  beforePrompt: () => void
}

const YES: readonly string[] = ['y', 'yes', 's', 'sim']
const NO: readonly string[] = ['', 'n', 'no', 'nao', 'não']

/** The prompt draws `> ` before an error. */
const ERROR_MARK_COLUMNS = 2
/** The mark before a question, and an answer after it. */
const QUESTION_MARK_COLUMNS = 8

/** The longest list that is shown at once, and the lines around it. */
const CHOICES_MAX = 16
const LINES_AROUND_CHOICES = 6

/** Prompts on this terminal; nothing is read or written before one is used. */
export function openPrompts(setup: PromptSetup): Prompts {
  const { stdin, stderr, columns, rows, style, isPlain, shown, interrupt, beforePrompt } = setup
  const prefix = { idle: style.cyan('?'), done: style.green('✔') }
  const colours = {
    answer: (text: string) => style.cyan(text),
    message: (text: string) => style.bold(text),
    error: (text: string) => style.red(`> ${text}`),
    help: (text: string) => style.dim(text),
    highlight: (text: string) => style.cyan(text),
    description: (text: string) => style.cyan(text),
  }
  /** An error message for the prompt, which would break it inside words. */
  const errorText = (message: string) => wrapWords(message, columns - ERROR_MARK_COLUMNS)

  async function ask<Value>(prompt: (context: PromptContext) => Promise<Value>, signal = interrupt()): Promise<Value> {
    const input = stdin()
    beforePrompt()
    let watch: ReturnType<typeof watchInput> | undefined
    try {
      if (!(await discardTyped(input))) throw notAnswered()
      watch = watchInput(input)
      return await prompt({ input, output: stderr, signal: AbortSignal.any([signal, watch.over]) })
    } catch (error) {
      // The terminal was closed.
      if (systemCode(error) === 'EIO') throw notAnswered()
      if (!(error instanceof Error) || !/^(Exit|Abort|Cancel)PromptError$/.test(error.name)) throw error
      if (watch?.wasStopped() && !signal.aborted) return ask(prompt, signal)
      // What was typed behind Ctrl-C would become a command of the shell.
      await discardTyped(input)
      throw notAnswered()
    } finally {
      watch?.end()
    }
  }

  /** Asks in one line until an answer is right, or was wrong this often. A secret is not echoed. */
  async function askPlainly(
    question: string,
    faultOf: (answer: string) => string | undefined,
    { attemptsMax = Number.POSITIVE_INFINITY, isSecret = false } = {},
  ): Promise<string> {
    for (let attempts = 0; ; ) {
      const answer = await ask((context) => (isSecret ? readSecretLine : readLine)(context, shown(question)))
      const fault = faultOf(answer)
      if (fault === undefined) return answer
      stderr.write(shown(`${wrapWords(`> ${fault}`, columns)}\n`))
      if (answer.trim() !== '') attempts += 1
      if (attempts === attemptsMax) return answer
    }
  }

  async function askLine(question: string, faultOf: (answer: string) => string | undefined, attemptsMax: number) {
    if (isPlain) {
      return (await askPlainly(question, (typed) => faultOf(typed.trim()), { attemptsMax })).trim()
    }
    const { input } = await import('@inquirer/prompts')
    const giveUp = new AbortController()
    // What is asked for a few times only is typed again, anything else is corrected.
    const validationFailureMode = Number.isFinite(attemptsMax) ? 'clear' : 'keep'
    const theme = { prefix, style: colours, validationFailureMode } as const
    let attempts = 0
    let answer = ''
    let fault: string | undefined
    const validate = (typed: string) => {
      // The prompt ends a moment after the last attempt, and what is typed in that moment is no further one.
      if (fault !== undefined && attempts === attemptsMax) return errorText(fault)
      answer = typed.trim()
      fault = faultOf(answer)
      if (fault === undefined) return true
      if (answer !== '') attempts += 1
      // The error is drawn first, so that it stays on the screen.
      if (attempts === attemptsMax) setImmediate(() => giveUp.abort())
      return errorText(fault)
    }
    try {
      const signal = AbortSignal.any([interrupt(), giveUp.signal])
      return (await ask((context) => input({ message: question, validate, theme }, context), signal)).trim()
    } catch (error) {
      if (giveUp.signal.aborted && error instanceof Cancelled) return answer
      throw error
    }
  }

  return {
    // Not the package's `confirm`: there Tab toggles the answer, so that Tab and Enter would pay.
    async confirm(question) {
      const faultOf = (answer: string) => (isOneOf(YES, answer) || isOneOf(NO, answer) ? undefined : t`Answer y or n`)
      const wrapped = wrapWords(t`${question} (y/N)`, columns - QUESTION_MARK_COLUMNS)
      return isOneOf(YES, await askLine(wrapped, faultOf, Number.POSITIVE_INFINITY))
    },
    askText(question, { faultOf, isOptional = false, attemptsMax = Number.POSITIVE_INFINITY } = {}) {
      return askLine(question, (answer) => faultIn(answer, faultOf, isOptional), attemptsMax)
    },
    async askSecret(question, faultOf) {
      const faultOfSecret = (typed: string) =>
        hasInnerBreak(typed) ? t`The secret was pasted with a line break in it` : faultIn(typed.trim(), faultOf, false)
      if (isPlain) return askPlainly(question, faultOfSecret, { isSecret: true })
      const { password } = await import('@inquirer/prompts')
      const theme = { prefix, style: colours }
      return ask(async (context) => {
        // The prompt itself takes what is before a line break for the whole.
        let pasted = ''
        const note = (keys: Buffer | string) => {
          pasted = String(keys)
        }
        const validate = (typed: string) => {
          const fault = faultOfSecret(hasInnerBreak(pasted) ? pasted : typed)
          return fault === undefined || errorText(t`${fault}. Ctrl-U clears the line`)
        }
        context.input.prependListener('data', note)
        try {
          return await password({ message: question, mask: '•', toggleMask: false, validate, theme }, context)
        } finally {
          context.input.off('data', note)
        }
      })
    },
    async choose(question, choices, marked) {
      if (isPlain) {
        const preset = Math.max(1, choices.findIndex(({ value }) => value === marked) + 1)
        const lines = choices.map(({ name, description }, place) =>
          wrapWords(`  ${place + 1}  ${name}${description === undefined ? '' : ` (${description})`}`, columns),
        )
        const chosen = (answer: string) =>
          choices[(answer === '' ? preset : /^\d+$/.test(answer) ? Number(answer) : 0) - 1]
        const faultOf = (answer: string) =>
          chosen(answer) === undefined ? t`Answer with a number from 1 to ${choices.length}` : undefined
        const text = [question, ...lines, t`Number (${preset}):`].join('\n')
        const choice = chosen(await askLine(text, faultOf, Number.POSITIVE_INFINITY))
        if (choice === undefined) throw notAnswered()
        return choice.value
      }
      const { select } = await import('@inquirer/prompts')
      const keysHelpTip = () => style.dim(t`Choose with the arrow keys and Enter`)
      const theme = { prefix, style: { ...colours, keysHelpTip } }
      const pageSize = Math.max(1, Math.min(CHOICES_MAX, rows - LINES_AROUND_CHOICES))
      const list = { message: question, choices, default: marked, loop: false, pageSize, theme }
      return ask((context) => select(list, context))
    },
  }
}

function faultIn(answer: string, faultOf: AnswerRules['faultOf'], isOptional: boolean): string | undefined {
  if (answer !== '') return faultOf?.(answer)
  return isOptional ? undefined : t`An answer is needed; Ctrl-C cancels`
}

function isOneOf(words: readonly string[], answer: string): boolean {
  return words.includes(answer.toLowerCase())
}

function notAnswered(): Cancelled {
  return new Cancelled(t`The prompt was not answered; nothing was done`, {
    hint: t`Run the command again when you are ready`,
  })
}

function watchInput(input: InputStream) {
  const over = new AbortController()
  let wasStopped = false
  const paused = () => void setImmediate(() => over.abort())
  const goesOn = () => {
    wasStopped = true
    over.abort()
  }
  input.once('pause', paused)
  process.once('SIGCONT', goesOn)
  return {
    /** Aborted when the prompt gets no more keys: after Ctrl-D, and when the process goes on after Ctrl-Z. */
    over: over.signal,
    /** True if the process was stopped, so that the question must be asked again. */
    wasStopped: () => wasStopped,
    end() {
      input.off('pause', paused)
      process.off('SIGCONT', goesOn)
    },
  }
}

/** A key that is held down or pressed twice by mistake repeats within this time. */
const REPEAT_MS = 50
const CTRL_C = 3
const CTRL_D = 4
/** What the terminal makes of a Ctrl-D that was typed before the raw mode was set. */
const EARLY_CTRL_D = 0

/**
 * Discards what was typed while no prompt was shown, because it cannot be meant as the answer, and does not echo it, because
 * it may be a secret. Returns false if no answer is possible: the input ended, or Ctrl-C or Ctrl-D was pressed.
 */
async function discardTyped(stdin: InputStream): Promise<boolean> {
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  const discard = (typed: Buffer | string) => {
    const bytes = Buffer.from(typed)
    if ([CTRL_C, CTRL_D, EARLY_CTRL_D].some((key) => bytes.includes(key))) end()
  }
  stdin.setRawMode?.(true)
  stdin.on('data', discard)
  stdin.on('end', end)
  stdin.resume()
  await sleep(REPEAT_MS)
  // On a busy machine the time may pass without a read; one more turn of the event loop reads what is available.
  await nextTurn()
  stdin.pause()
  stdin.off('data', discard)
  stdin.off('end', end)
  stdin.setRawMode?.(false)
  return !hasEnded
}
