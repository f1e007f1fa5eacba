import { EventEmitter, once } from 'node:events'
import { rm } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { defineCommand, type RunCommandLine } from '../commandDefinition.ts'
import type { Context, Runtime } from '../context.ts'
import { stateText } from '../ledger/stateWords.ts'
import { stateFromStatus } from '../ledger/statusMeaning.ts'
import { type Delivery, startListenerServer } from '../listener/listenerServer.ts'
import { centsFromJson, formatReais } from '../pix/amount.ts'
import { withoutAccount } from '../profiles/childEnvironment.ts'
import { SANDBOX_DEFAULTS } from '../sandbox/sandboxOptions.ts'
import { startSandbox } from '../sandbox/sandboxServer.ts'
import { onLoopback } from '../steps/foregroundServer.ts'
import { makeTemporaryFolder } from '../storage/temporaryFolder.ts'
import type { OutputStream, Terminal } from '../terminal/terminal.ts'
import { wrapWords } from '../text/cellLayout.ts'
import { languageFor, languageNow, nameOf, setCatalogue, t } from '../text/translate.ts'
import { type AnswerFields, objectsIn, readObject, statusOf } from '../wire/answers.ts'
import { Cancelled } from '../wire/errors.ts'

const SETTLE_MS = 300

export const demo = defineCommand({
  examples: [['pixgate demo', 'see all of it in a few seconds']],
  run: async (context, _, runLine) => play(context, keepingLanguage(runLine)),
})

/** Runs command lines that choose the language of this process, such as English for JSON, and then goes on in that of the demo. */
function keepingLanguage(runLine: RunCommandLine): RunCommandLine {
  return async (argv, runtime) => {
    const { catalogue } = languageFor('people')
    const isForProgram = languageNow().catalogue !== catalogue
    try {
      return await runLine(argv, runtime)
    } finally {
      setCatalogue(catalogue, isForProgram)
    }
  }
}

async function play(context: Context, runLine: RunCommandLine): Promise<number> {
  const clientId = context.newId()
  const clientSecret = context.newId()
  const inbox = new Inbox(context.runtime.interrupt)
  const listener = await onLoopback((place) =>
    startListenerServer({
      ...place,
      rules: { id: context.newId(), path: null, isOwnName: () => false },
      secrets: [clientSecret],
      allowUnsigned: false,
      now: context.now,
      sink: {
        keep: async () => ({ record: null, n: null, duplicate: false }),
        onDelivery: (delivery) => inbox.put(delivery),
        onNotStored: (error) => {
          throw error
        },
      },
    }),
  )
  const listenerUrl = `http://127.0.0.1:${listener.port}/`
  const sandbox = await onLoopback((place) =>
    startSandbox({
      ...SANDBOX_DEFAULTS,
      ...place,
      clientId,
      clientSecret,
      autoSettleMs: SETTLE_MS,
      now: context.now,
      newId: context.newId,
    }),
  )
  const folder = await makeTemporaryFolder('pixgate-demo-')
  try {
    const env = {
      ...withoutAccount(context.runtime.env),
      PIXGATE_BASE_URL: sandbox.url,
      PIXGATE_CLIENT_ID: clientId,
      PIXGATE_CLIENT_SECRET: clientSecret,
      PIXGATE_CALLBACK_URL: listenerUrl,
      PIXGATE_DATA_DIR: folder,
      PIXGATE_CONFIG_DIR: folder,
      PIXGATE_LANG: nameOf(languageFor('people')),
    }
    const runner = demoRunner(
      { ...context.runtime, env, hidesAdvice: true },
      context.terminal,
      context.print.format === 'text',
      runLine,
    )
    runner.say(
      t`A sandbox at ${sandbox.url} and a listener at ${listenerUrl}, both on this machine and for this demo only`,
    )
    const steps = await playSteps(runner, inbox)
    return finish(context, runner, steps)
  } finally {
    await Promise.all([sandbox.close(), listener.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

function finish(context: Context, runner: DemoRunner, steps: readonly DemoStep[]): number {
  const ok = steps.every((step) => step.ok)
  if (context.print.format === 'json') context.print.one({ ok, steps }, () => [])
  runner.blank()
  if (ok) {
    runner.say(t`All ${steps.length} steps ended as the specification says; nothing is left behind`)
    runner.blank()
    runner.say(t`Next, do it by hand. In one terminal, the gateway:`)
    runner.commands('pixgate sandbox')
    runner.say(t`In another one, a code, and its payer, who picks it from a list:`)
    runner.commands('pixgate qr create --amount 25,00', 'pixgate sandbox pay', 'pixgate history')
    runner.say(t`With an account of yours:`)
    runner.commands('pixgate profile add')
    return 0
  }
  for (const step of steps) {
    if (!step.ok) context.terminal.say(t`The step "${step.name}" did not end as specified: ${step.detail}`)
  }
  return 1
}

interface DemoStep {
  name: string
  ok: boolean
  detail: string
}

const REQUEST_NUMBER = 'order-1'
const PAID_OUT_ID = 'invoice-1'
const FAILED_ID = 'invoice-2'
/** 10,000.00 at the start, 25.00 received, 10.00 refunded, 7.50 paid out. */
const FINAL_BALANCE_CENTS = 1_000_750

/** Plays the life of one payment, and checks every step against the specification. Stops at the first that is wrong. */
async function playSteps(runner: DemoRunner, inbox: Inbox): Promise<DemoStep[]> {
  const steps: DemoStep[] = []
  for (const { name, commands, judge } of scenes(runner, inbox)) {
    runner.title(steps.length + 1, name)
    let exit = 0
    for (const argv of commands(await idOf(runner, PAYMENT))) exit = await runner.perform(argv)
    const { ok, detail } = await judge(exit)
    inbox.assertNotInterrupted()
    if (ok) runner.good(detail)
    else runner.bad(detail)
    steps.push({ name, ok, detail })
    if (!ok) break
  }
  return steps
}

interface Scene {
  name: string
  /** What is typed, with the id of the payment if there is one yet. */
  commands: (paymentId: string) => string[][]
  /** Judges the step by the exit code of the last command and what followed from it. */
  judge: (exit: number) => Promise<Omit<DemoStep, 'name'>>
}

function scenes(runner: DemoRunner, inbox: Inbox): readonly Scene[] {
  const expecting = (event: string, status: string, subject: Subject) => async (exit: number) =>
    exit === 0
      ? judgeEvent(await inbox.take(event), { event, status, id: await idOf(runner, subject) })
      : { ok: false, detail: t`exit ${exit}` }
  const transfer = (key: string, amount: string, id: string) => {
    return ['transfer', '--key', key, '--amount', amount, '--external-id', id, '--yes']
  }
  return [
    {
      name: t`A QR code is created and drawn`,
      commands: () => [['qr', 'create', '--amount', '25,00', '--request-number', REQUEST_NUMBER]],
      async judge(exit) {
        const payment = (await rowOf(runner, PAYMENT)) ?? {}
        const ok = exit === 0 && payment.status === 'PENDING' && centsFromJson(payment.amount) === 2500
        return { ok, detail: t`exit ${exit}; the payment is ${stateText(stateFromStatus('qr', statusOf(payment)))}` }
      },
    },
    {
      name: t`The payer pays it`,
      commands: (id) => [['sandbox', 'pay', id]],
      judge: expecting('pix.received', 'PAID', PAYMENT),
    },
    {
      name: t`The payment is looked up`,
      commands: (id) => [['status', id, '--expect', 'PAID']],
      judge: async (exit) => ({ ok: exit === 0, detail: t`exit ${exit}; the payment is ${stateText('paid')}` }),
    },
    {
      name: t`Part of it is refunded`,
      commands: (id) => [['refund', id, '--amount', '10,00', '--reason', t`one item was out of stock`, '--yes']],
      judge: expecting('refund.status', 'COMPLETED', ['refunds', () => true]),
    },
    {
      name: t`A supplier is paid`,
      commands: () => [transfer('maria@example.com', '7,50', PAID_OUT_ID)],
      judge: expecting('transfer.completed', 'PAID_OUT', ['transfers', ({ externalId }) => externalId === PAID_OUT_ID]),
    },
    {
      name: t`A transfer is accepted, and then fails`,
      commands: () => [['sandbox', 'fault', 'NO_FUNDS', '--async'], transfer('joao@example.com', '12,00', FAILED_ID)],
      judge: expecting('transfer.failed', 'NO_FUNDS', ['transfers', ({ externalId }) => externalId === FAILED_ID]),
    },
    {
      name: t`No cent is lost`,
      commands: () => [['sandbox', 'state']],
      async judge(exit) {
        const cents = centsFromJson((await runner.ask(['sandbox', 'state']))?.balance)
        const shown = cents === undefined ? '—' : formatReais(cents)
        const ok = exit === 0 && cents === FINAL_BALANCE_CENTS
        return { ok, detail: t`the balance is ${shown}: R$ 10.000,00 + 25,00 − 10,00 − 7,50` }
      },
    },
  ]
}

/** Checks that the expected event has arrived with a valid signature; `status` may be its error code. */
function judgeEvent(
  delivery: Delivery | undefined,
  { event, status, id }: { event: string; status: string; id: string },
): Omit<DemoStep, 'name'> {
  if (delivery === undefined) return { ok: false, detail: t`no event \`${event}\` arrived` }
  const { facts, isSigned } = delivery
  const got = facts?.errorCode ?? facts?.status ?? null
  if (!isSigned) return { ok: false, detail: t`the signature of \`${event}\` is wrong` }
  const ok = got === status && facts?.idTransaction === id
  return { ok, detail: t`the event \`${event}\` arrived with a valid signature: ${String(got)}` }
}

/** A transaction in the state of the sandbox: its list, and how it is known there. */
type Subject = readonly [list: string, isMeant: (row: AnswerFields) => boolean]

const PAYMENT: Subject = ['payments', () => true]

async function idOf(runner: DemoRunner, subject: Subject): Promise<string> {
  return String((await rowOf(runner, subject))?.idTransaction)
}

async function rowOf(runner: DemoRunner, [list, isMeant]: Subject): Promise<AnswerFields | undefined> {
  return objectsIn((await runner.ask(['sandbox', 'state']))?.[list]).find(isMeant)
}

const WAIT_MS = 4000

/** The webhooks received so far, taken out by event name. */
class Inbox {
  readonly #deliveries: Delivery[] = []
  readonly #arrivals = new EventEmitter()
  readonly #interrupt: AbortSignal

  constructor(interrupt: AbortSignal) {
    this.#interrupt = interrupt
  }

  put(delivery: Delivery): void {
    this.#deliveries.push(delivery)
    this.#arrivals.emit('delivery')
  }

  /** Throws Cancelled if the user has interrupted the demo. */
  assertNotInterrupted(): void {
    if (this.#interrupt.aborted) throw new Cancelled(t`Interrupted`, { hint: t`Run \`pixgate demo\` again` })
  }

  /** Takes the next delivery of this event, waiting a few seconds for it; undefined if none came. Throws Cancelled. */
  async take(event: string): Promise<Delivery | undefined> {
    const signal = AbortSignal.any([this.#interrupt, AbortSignal.timeout(WAIT_MS)])
    for (;;) {
      const index = this.#deliveries.findIndex(({ facts }) => facts?.event === event)
      if (index !== -1) return this.#deliveries.splice(index, 1)[0]
      this.assertNotInterrupted()
      if (signal.aborted) return undefined
      await once(this.#arrivals, 'delivery', { signal }).catch(() => undefined)
    }
  }
}

const INDENT = '  '

type DemoRunner = ReturnType<typeof demoRunner>

/** Runs command lines through the real command tree and indents their output under them; all of it goes nowhere unless it `isVisible`. */
function demoRunner(runtime: Runtime, terminal: Terminal, isVisible: boolean, runLine: RunCommandLine) {
  const { out } = terminal
  const line = (text: string) => {
    if (isVisible) terminal.data(text)
  }
  const wrapped = (text: string, indent: string) => {
    const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
    return wrapWords(text, columns - indent.length).replaceAll('\n', `\n${indent}`)
  }
  /** A line below a title, which begins with a mark. */
  const below = (mark: string, text: string) => line(`${INDENT}${mark} ${wrapped(text, `${INDENT}  `)}`)

  /** A stream like the other, whose lines appear indented on stdout. */
  const indented = (like: OutputStream): OutputStream => {
    let atLineStart = true
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const text = chunk.toString('utf8')
        const prefix = atLineStart ? INDENT : ''
        atLineStart = text.endsWith('\n')
        const body = atLineStart ? text.slice(0, -1) : text
        if (isVisible) runtime.stdout.write(prefix + body.replaceAll('\n', `\n${INDENT}`) + (atLineStart ? '\n' : ''))
        done()
      },
    })
    return Object.assign(stream, { isTTY: like.isTTY, columns: (like.columns ?? 80) - INDENT.length })
  }

  return {
    /** Writes a sentence, wrapped at the width of the terminal. */
    say: (sentence: string) => line(wrapped(sentence, '')),
    blank: () => line(''),
    /** Commands to type, each on a line of its own. */
    commands(...lines: readonly string[]) {
      for (const each of lines) line(`${INDENT}${out.cyan(each)}`)
    },
    title(number: number, text: string) {
      line('')
      line(out.bold(`${number}. ${text}`))
    },
    good: (text: string) => below(out.green('✓'), text),
    bad: (text: string) => below(out.red('✗'), text),
    /** Shows a command line and runs it, with its output. Returns the exit code. */
    async perform(argv: readonly string[]): Promise<number> {
      below(out.cyan('$'), out.cyan(commandText(argv)))
      return runLine(argv, { ...runtime, stdout: indented(runtime.stdout), stderr: indented(runtime.stderr) })
    },
    /** Runs a command line without showing it, for its JSON; undefined if it printed none. */
    async ask(argv: readonly string[]): Promise<AnswerFields | undefined> {
      const texts: string[] = []
      const streams = { stdout: collecting(texts), stderr: collecting([]) }
      await runLine([...argv, '-o', 'json'], { ...runtime, ...streams })
      return readObject(texts.join(''))
    },
  }
}

function collecting(texts: string[]): OutputStream {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(chunk.toString('utf8'))
      done()
    },
  })
}

function commandText(argv: readonly string[]): string {
  return ['pixgate', ...argv].map((word) => (/^[\w@.,:+/=-]+$/.test(word) ? word : `'${word}'`)).join(' ')
}
