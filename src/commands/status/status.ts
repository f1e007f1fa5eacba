import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { isFinalStatus, waitForPayment } from '../../gateway/waitForPayment.ts'
import { durationOption } from '../../settings.ts'
import type { Document } from '../../terminal/printer.ts'
import { labelled } from '../../terminal/terminal.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'
import { amountText, instantText, statusColour } from '../../views/payment.ts'
import { type AnswerFields, readPaymentState, statusOf } from '../../wire/answers.ts'
import { Failure, gravestExitCode, UsageError } from '../../wire/errors.ts'
import { failureDocument } from '../../wire/failureDocument.ts'
import { examples } from '../examples.ts'
import { DEFAULT_WAIT, notBlank, waitMsOf } from '../optionValues.ts'
import { type Expectation, judge, readExpectations, type Verdict } from './expectations.ts'
import { inOrder } from './inOrder.ts'

interface StatusOptions {
  wait?: string | true
  interval: string
  expect?: string
  from?: string
}

/** What became of one id: the document for it and the exit code that it alone would give. */
interface Result {
  idTransaction: string
  document: Document
  fields: AnswerFields | null
  verdict: Verdict | null
  failure: Failure | null
  exitCode: number
}

const CONCURRENCY = 8

const COLUMNS = [
  { path: 'idTransaction' },
  { path: 'status', text: (document: Document) => String(document.status ?? errorCodeIn(document)) },
  { path: 'amount', text: (document: Document) => amountText(readPaymentState(document).amountCents) },
  { path: 'paidAt', text: (document: Document) => instantText(readPaymentState(document).paidAtMs) },
]

/** `pixgate status`: what the gateway says of one or many payments. */
export function status(run: Run): Command {
  return new Command('status')
    .summary('what is known of one or many transactions')
    .description('Ask the gateway for the status of payments, inside its limit of 100 queries a minute')
    .argument('[id...]', 'transaction ids, as the gateway gave them')
    .option('--wait [duration]', `wait until the status is final (default ${DEFAULT_WAIT})`)
    .option('--interval <duration>', 'pause between two queries of a wait', '2s')
    .option('--expect <STATUS>', 'exit 1 if the status is another')
    .option('--from <file>', 'ids, or a CSV with idTransaction and what you expect as amount and status; - for stdin')
    .addHelpText(
      'after',
      examples(
        ['pixgate status 0b935d10-3c90-4af3-8776-dd18622a7941', 'look one payment up'],
        [
          'pixgate status 0b935d10-3c90-4af3-8776-dd18622a7941 --wait=5m --expect PAID',
          'wait until it is paid, in a script',
        ],
        ['pixgate status --from payments.csv -o csv', 'check a month against what you expect'],
      ),
    )
    .action(run(showStatus))
}

async function showStatus(context: Context, typedIds: string[], options: StatusOptions): Promise<number> {
  const waitMs = waitMsOf(options.wait)
  const expectations = await readAllExpectations(context, typedIds, options)
  const intervalMs = durationOption(options.interval, '--interval')
  await context.account()
  const isOne = typedIds.length === 1 && options.from === undefined
  const asStream = waitMs !== null && !isOne && context.print.format === 'json'
  if (waitMs !== null)
    context.terminal.note(t`Waiting until the status is final; Ctrl-C stops the wait, not the payment`)

  const results = await inOrder(expectations, CONCURRENCY, async (expectation) => {
    const result = await lookUp(context, expectation, waitMs, intervalMs)
    if (asStream) context.print.item(result.document, () => [])
    return result
  })
  const exitCode = gravestExitCode(results.map((result) => result.exitCode))
  const [first] = results
  if (isOne && first !== undefined) return showOne(context, first)
  if (!asStream) {
    const columns = options.from === undefined ? COLUMNS : [...COLUMNS, { path: 'pixgate.verdict' }]
    context.print.list(
      results.map((result) => result.document),
      columns,
    )
  }
  return exitCode
}

function showOne(context: Context, result: Result): number {
  if (result.failure !== null) throw result.failure
  const state = readPaymentState(result.fields ?? {})
  const { out } = context.terminal
  if (context.print.format === 'csv') context.print.list([result.document], COLUMNS)
  else {
    context.print.one(result.document, () =>
      labelled(
        [
          [t`id`, result.idTransaction],
          [t`status`, state.status ?? '—', statusColour(state.status, out)],
          [t`amount`, amountText(state.amountCents)],
          [t`paid at`, instantText(state.paidAtMs)],
        ],
        out,
      ),
    )
  }
  return result.exitCode
}

async function lookUp(
  context: Context,
  expectation: Expectation,
  waitMs: number | null,
  intervalMs: number,
): Promise<Result> {
  const { idTransaction } = expectation
  const account = await context.account()
  const about = { profile: account.profile, environment: account.environment, baseUrl: account.url }
  try {
    const gateway = await context.gateway()
    const wait = {
      waitMs: waitMs ?? 0,
      intervalMs,
      interrupt: context.world.interrupt,
      now: context.now,
      onTrouble: (message: string) => context.terminal.note(t`${idTransaction}: ${message}`),
    }
    const { fields } =
      waitMs === null ? await gateway.consult(idTransaction) : await waitForPayment(gateway, idTransaction, wait)
    const known = statusOf(fields)
    const verdict = judge(expectation, fields)
    const pixgate = { ...about, knownBy: 'gateway', ...(verdict === null ? {} : { verdict }), warnings: [] }
    const document = { idTransaction, ...fields, status: known, pixgate }
    const isPending = waitMs !== null && !isFinalStatus(known)
    return {
      idTransaction,
      document,
      fields,
      verdict,
      failure: null,
      exitCode: isPending ? 8 : verdict === 'differs' ? 1 : 0,
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'CANCELLED') throw error
    const verdict = expectation.isJudged ? 'missing' : null
    const pixgate = { ...about, ...(verdict === null ? {} : { verdict }) }
    const document = { idTransaction, error: failureDocument(error), ...(verdict === null ? {} : { pixgate }) }
    return { idTransaction, document, fields: null, verdict, failure: error, exitCode: error.exitCode }
  }
}

async function readAllExpectations(
  context: Context,
  typedIds: string[],
  options: StatusOptions,
): Promise<Expectation[]> {
  const expectedStatus = options.expect === undefined ? null : notBlank(options.expect, '--expect').toUpperCase()
  const typed = typedIds.map((idTransaction) => ({
    idTransaction,
    amountCents: null,
    status: expectedStatus,
    isJudged: false,
  }))
  const fromFile =
    options.from === undefined
      ? []
      : readExpectations(await context.readInput(notBlank(options.from, '--from')), expectedStatus)
  const all = [...typed, ...fromFile]
  if (all.length === 0 && options.from !== undefined) {
    throw new UsageError(t`\`--from ${options.from}\` holds no ids`, {
      hint: t`Give one id a line, or a CSV with a header that names \`idTransaction\``,
    })
  }
  if (all.length === 0) {
    throw new UsageError(t`\`pixgate status\` needs an id`, {
      hint: t`Write \`pixgate status <id>\` with the \`idTransaction\` that the gateway gave, or \`--from <file>\``,
    })
  }
  for (const { idTransaction } of typed) {
    if (idTransaction.trim() !== '' && !hasControlCharacter(idTransaction)) continue
    throw new UsageError(t`The id \`${idTransaction}\` is blank or has a control character in it`, {
      hint: t`Copy the \`idTransaction\` again, as the gateway gave it`,
    })
  }
  return all
}

function errorCodeIn(document: Document): string {
  const { error } = document
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '—'
}
