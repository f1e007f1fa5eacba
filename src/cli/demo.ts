import { rm } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { defineCommand, type RunCommandLine } from '../commandDefinition.ts'
import type { Context, Runtime } from '../context.ts'
import { stateText } from '../ledger/stateWords.ts'
import { stateFromStatus } from '../ledger/statusMeaning.ts'
import { BODY_BYTES_MAX, type Delivery, startListenerServer } from '../listener/listenerServer.ts'
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
      rules: { id: context.newId(), path: null, bodyBytesMax: BODY_BYTES_MAX, isOwnName: () => false },
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
    const runner = new DemoRunner(
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
  const scenes = [drawCode, payCode, lookUp, returnPart, payOut, payOutWithoutFunds, compareBalance]
  for (const scene of scenes) {
    const step = await scene(runner, inbox, steps.length + 1)
    inbox.assertNotInterrupted()
    if (step.ok) runner.good(step.detail)
    else runner.bad(step.detail)
    steps.push(step)
    if (!step.ok) break
  }
  return steps
}

async function drawCode(runner: DemoRunner, _inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`A QR code is created and drawn`
  runner.title(number, name)
  const exit = await runner.perform(['qr', 'create', '--amount', '25,00', '--request-number', REQUEST_NUMBER])
  const payment = await paymentOf(runner)
  const ok = exit === 0 && payment?.status === 'PENDING' && centsFromJson(payment.amount) === 2500
  return {
    name,
    ok,
    detail: t`exit ${exit}; the payment is ${stateText(stateFromStatus('qr', statusOf(payment ?? {})))}`,
  }
}

async function payCode(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`The payer pays it`
  runner.title(number, name)
  const id = await paymentId(runner)
  const exit = await runner.perform(['sandbox', 'pay', id])
  return eventStep(inbox, { name, exit, event: 'pix.received', expected: 'PAID', id })
}

async function lookUp(runner: DemoRunner, _inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`The payment is looked up`
  runner.title(number, name)
  const exit = await runner.perform(['status', await paymentId(runner), '--expect', 'PAID'])
  return { name, ok: exit === 0, detail: t`exit ${exit}; the payment is ${stateText('paid')}` }
}

async function returnPart(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`Part of it is refunded`
  runner.title(number, name)
  const id = await paymentId(runner)
  const exit = await runner.perform([
    'refund',
    id,
    '--amount',
    '10,00',
    '--reason',
    t`one item was out of stock`,
    '--yes',
  ])
  const refundId = await idOf(runner, 'refunds', 'originalTransactionId', id)
  return eventStep(inbox, { name, exit, event: 'refund.status', expected: 'COMPLETED', id: refundId })
}

async function payOut(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`A supplier is paid`
  runner.title(number, name)
  const argv = ['transfer', '--key', 'maria@example.com', '--amount', '7,50', '--external-id', PAID_OUT_ID, '--yes']
  const exit = await runner.perform(argv)
  const id = await idOf(runner, 'transfers', 'externalId', PAID_OUT_ID)
  return eventStep(inbox, {
    name,
    exit,
    event: 'transfer.completed',
    expected: 'PAID_OUT',
    id,
  })
}

async function payOutWithoutFunds(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`A transfer is accepted, and then fails`
  runner.title(number, name)
  await runner.perform(['sandbox', 'fault', 'NO_FUNDS', '--async'])
  const argv = ['transfer', '--key', 'joao@example.com', '--amount', '12,00', '--external-id', FAILED_ID, '--yes']
  const exit = await runner.perform(argv)
  const id = await idOf(runner, 'transfers', 'externalId', FAILED_ID)
  return eventStep(inbox, { name, exit, event: 'transfer.failed', expected: 'NO_FUNDS', id })
}

async function compareBalance(runner: DemoRunner, _inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`No cent is lost`
  runner.title(number, name)
  const exit = await runner.perform(['sandbox', 'state'])
  const state = await runner.ask(['sandbox', 'state'])
  const cents = centsFromJson(state?.balance)
  const shown = cents === undefined ? '—' : formatReais(cents)
  const ok = exit === 0 && cents === FINAL_BALANCE_CENTS
  return { name, ok, detail: t`the balance is ${shown}: R$ 10.000,00 + 25,00 − 10,00 − 7,50` }
}

interface ExpectedEvent {
  name: string
  exit: number
  event: string
  expected: string
  id: string
}

/** Checks that the command exited with 0 and that the expected event arrives with a valid signature. */
async function eventStep(inbox: Inbox, { name, exit, event, expected, id }: ExpectedEvent): Promise<DemoStep> {
  if (exit !== 0) return { name, ok: false, detail: t`exit ${exit}` }
  const delivery = await inbox.take(event)
  if (delivery === undefined) return { name, ok: false, detail: t`no event \`${event}\` arrived` }
  const { facts, isSigned } = delivery
  const got = facts?.errorCode ?? facts?.status ?? null
  if (!isSigned) return { name, ok: false, detail: t`the signature of \`${event}\` is wrong` }
  const ok = got === expected && facts?.idTransaction === id
  return { name, ok, detail: t`the event \`${event}\` arrived with a valid signature: ${String(got)}` }
}

async function paymentOf(runner: DemoRunner): Promise<AnswerFields | undefined> {
  return rowOf(runner, 'payments', 'requestNumber', REQUEST_NUMBER)
}

async function paymentId(runner: DemoRunner): Promise<string> {
  return idOf(runner, 'payments', 'requestNumber', REQUEST_NUMBER)
}

async function idOf(runner: DemoRunner, list: string, key: string, value: string): Promise<string> {
  return String((await rowOf(runner, list, key, value))?.idTransaction)
}

async function rowOf(runner: DemoRunner, list: string, key: string, value: string): Promise<AnswerFields | undefined> {
  const rows = (await runner.ask(['sandbox', 'state']))?.[list]
  return objectsIn(rows).find((row) => row[key] === value)
}

const WAIT_MS = 4000

/** The webhooks received so far, taken out by event name. */
class Inbox {
  #deliveries: Delivery[] = []
  #wake: () => void = () => undefined
  readonly #interrupt: AbortSignal

  constructor(interrupt: AbortSignal) {
    this.#interrupt = interrupt
  }

  put(delivery: Delivery): void {
    this.#deliveries.push(delivery)
    this.#wake()
  }

  /** Throws Cancelled if the user has interrupted the demo. */
  assertNotInterrupted(): void {
    if (this.#interrupt.aborted) throw new Cancelled(t`Interrupted`, { hint: t`Run \`pixgate demo\` again` })
  }

  /** Takes the next delivery of this event, waiting a few seconds for it; undefined if none came. Throws Cancelled. */
  async take(event: string): Promise<Delivery | undefined> {
    const deadline = AbortSignal.any([this.#interrupt, AbortSignal.timeout(WAIT_MS)])
    for (;;) {
      const index = this.#deliveries.findIndex(({ facts }) => facts?.event === event)
      if (index !== -1) return this.#deliveries.splice(index, 1)[0]
      this.assertNotInterrupted()
      if (deadline.aborted) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        deadline.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
}

const INDENT = '  '

/** Runs command lines through the real command tree and indents their output under them. */
class DemoRunner {
  readonly #runtime: Runtime
  readonly #terminal: Terminal
  readonly #isVisible: boolean
  readonly #runLine: RunCommandLine

  constructor(runtime: Runtime, terminal: Terminal, isVisible: boolean, runLine: RunCommandLine) {
    this.#runtime = runtime
    this.#terminal = terminal
    this.#isVisible = isVisible
    this.#runLine = runLine
  }

  /** Writes a sentence, wrapped at the width of the terminal. */
  say(sentence: string): void {
    this.#line(this.#wrapped(sentence, ''))
  }

  #wrapped(text: string, indent: string): string {
    const columns = this.#terminal.outIsTerminal ? this.#terminal.columns : Number.POSITIVE_INFINITY
    return wrapWords(text, columns - indent.length).replaceAll('\n', `\n${indent}`)
  }

  #line(text: string): void {
    if (this.#isVisible) this.#terminal.data(text)
  }

  /** Commands to type, each on a line of its own. */
  commands(...lines: readonly string[]): void {
    for (const line of lines) this.#line(`${INDENT}${this.#terminal.out.cyan(line)}`)
  }

  blank(): void {
    this.say('')
  }

  title(number: number, text: string): void {
    this.blank()
    this.#line(this.#terminal.out.bold(`${number}. ${text}`))
  }

  good(line: string): void {
    this.#below(this.#terminal.out.green('✓'), line)
  }

  bad(line: string): void {
    this.#below(this.#terminal.out.red('✗'), line)
  }

  /** A line below a title, which begins with a mark. */
  #below(mark: string, text: string): void {
    this.#line(`${INDENT}${mark} ${this.#wrapped(text, `${INDENT}  `)}`)
  }

  /** Shows a command line and runs it, with its output. Returns the exit code. */
  async perform(argv: readonly string[]): Promise<number> {
    this.#below(this.#terminal.out.cyan('$'), this.#terminal.out.cyan(commandText(argv)))
    const out = this.#indented(this.#runtime.stdout)
    const err = this.#indented(this.#runtime.stderr)
    return this.#runLine(argv, { ...this.#runtime, stdout: out, stderr: err })
  }

  /** Runs a command line without showing it, for its JSON; undefined if it printed none. */
  async ask(argv: readonly string[]): Promise<AnswerFields | undefined> {
    const texts: string[] = []
    const stdout = collecting(texts)
    await this.#runLine([...argv, '-o', 'json'], { ...this.#runtime, stdout, stderr: collecting([]) })
    return readObject(texts.join(''))
  }

  /** A stream like the other, whose lines appear indented on stdout, or nowhere in JSON mode. */
  #indented(like: OutputStream): OutputStream {
    const { stdout } = this.#runtime
    const isVisible = this.#isVisible
    let atLineStart = true
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const text = chunk.toString('utf8')
        const prefix = atLineStart ? INDENT : ''
        atLineStart = text.endsWith('\n')
        const body = atLineStart ? text.slice(0, -1) : text
        if (isVisible) stdout.write(prefix + body.replaceAll('\n', `\n${INDENT}`) + (atLineStart ? '\n' : ''))
        done()
      },
    })
    return Object.assign(stream, { isTTY: like.isTTY, columns: (like.columns ?? 80) - INDENT.length })
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
