import { defineCommand, defineOptions, type OptionsOf } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { mapConcurrent } from '../gateway/retry.ts'
import { possibleEvents } from '../ledger/events.ts'
import { paymentsBeingSent } from '../ledger/processes.ts'
import { readText } from '../optionParsers.ts'
import { formatReais } from '../pix/amount.ts'
import type { Expectation, ExpectationVerdict } from '../reconcile/expectations.ts'
import { directionOf, signedCents } from '../reconcile/tableFile.ts'
import { activeAccount } from '../steps/activeAccount.ts'
import { hintAtOutcome, transferHoldText } from '../steps/finalEvent.ts'
import { findInLedger, type LookUpResult, lookUp } from '../steps/lookUp.ts'
import { pickAnyPayment, type Resolved, resolveId } from '../steps/namedPayment.ts'
import {
  BARE_WAIT,
  DEFAULT_WAIT,
  INTERVAL_OPTION,
  readWait,
  TRANSFER_WAIT,
  UNMASK_OPTION,
} from '../steps/optionSets.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t, translated } from '../text/translate.ts'
import { PAYMENT_LIST, shownDocument } from '../views/payments/paymentFields.ts'
import {
  EXPECTED_COLUMNS,
  EXPECTED_TEXT_COLUMNS,
  STATUS_COLUMNS,
  type StatusItem,
  statusItem,
  statusLines,
  statusTextColumns,
} from '../views/payments/statusText.ts'
import { FINAL_PAYMENT_STATUSES } from '../wire/answers.ts'
import { UsageError, worstExitCode } from '../wire/errors.ts'

const COMMAND = 'pixgate status'
const CONCURRENCY = 8

const NOTHING_EXPECTED = { amountCents: null, direction: null, isJudged: false, isLocal: false, outcome: null }

const VERDICTS: readonly ExpectationVerdict[] = ['match', 'differs', 'missing']

const OPTIONS = defineOptions(
  {
    flags: '--wait [duration]',
    description: `wait until the status is final (default ${DEFAULT_WAIT}, of a transfer ${TRANSFER_WAIT})`,
    preset: BARE_WAIT,
    parse: (typed) => ({ waitMs: readWait(typed, DEFAULT_WAIT), transferWaitMs: readWait(typed, TRANSFER_WAIT) }),
  },
  INTERVAL_OPTION,
  {
    flags: '--expect <STATUS>',
    description: 'exit 1 if the status is different',
    parse: (typed, name) => readText(typed, name).toUpperCase(),
    completes: FINAL_PAYMENT_STATUSES,
  },
  {
    flags: '--from <file>',
    description:
      'ids, one a line; a CSV or workbook with idTransaction and what you expect as amount and status; or the results of a batch; - for stdin',
    parse: readText,
  },
  UNMASK_OPTION,
)

type StatusOptions = OptionsOf<typeof OPTIONS>

export const status = defineCommand({
  arguments: [
    {
      name: '[id...]',
      description:
        'idTransaction or its beginning, external id of any attempt, request number, run; without it, pick from a list',
      completes: 'ids',
    },
  ],
  options: OPTIONS,
  usualOptions: ['--wait', '--expect'],
  examples: [
    ['pixgate status 0b935d10-3c90-4af3-8776-dd18622a7941', 'look up one payment'],
    [
      'pixgate status 0b935d10-3c90-4af3-8776-dd18622a7941 --wait=5m --expect PAID',
      'wait until it is paid, in a script',
    ],
    ['pixgate status --from payments.csv -o csv', 'compare payments with what you expect'],
  ],
  acceptsCsv: true,
  run: showStatus,
})

async function showStatus(
  context: Context,
  { id: typedIds, ...options }: StatusOptions & { id: string[] },
): Promise<number> {
  const { waitMs, transferWaitMs } = options.wait ?? { waitMs: null, transferWaitMs: null }
  const listed = await readList(context, options)
  assertIds(typedIds)
  const isPicked = typedIds.length === 0 && options.from === undefined
  const ids = isPicked ? [await pickId(context)] : await resolveTypedIds(context, typedIds)
  const typed = ids.map((idTransaction) => ({ ...NOTHING_EXPECTED, idTransaction, status: options.expect ?? null }))
  const expectations = [...typed, ...listed]
  if (expectations.length === 0) {
    throw new UsageError(t`\`--from ${options.from ?? ''}\` contains no ids`, {
      hint: t`Give one id a line, or a CSV with a header that names \`idTransaction\``,
    })
  }
  const expected = context.print.format === 'text' ? EXPECTED_TEXT_COLUMNS : EXPECTED_COLUMNS
  const states = context.print.format === 'text' ? statusTextColumns(context.now()) : STATUS_COLUMNS
  const columns = options.from === undefined ? states : expected
  const active = once(() => activeAccount(context))
  const isWhole = options.from === undefined
  const subjects = await mapConcurrent(expectations, 1, (each) => findInLedger(context, each, isWhole, active))
  const isOne = ids.length === 1 && options.from === undefined
  const asStream = waitMs !== null && !isOne && context.print.format === 'json'
  if (waitMs !== null)
    context.terminal.note(t`Waiting until the status is final; Ctrl-C stops the wait, not the payment`)

  const lookUpOptions = {
    isWhole,
    waitMs,
    transferWaitMs,
    onTransferWait: once(() => context.terminal.note(transferHoldText(transferWaitMs ?? 0))),
    intervalMs: options.interval,
    isList: options.from !== undefined,
  }
  const results = await mapConcurrent(subjects, CONCURRENCY, async (subject) => {
    const result = await lookUp(context, subject, lookUpOptions)
    if (asStream) context.print.item(shownDocument(result.document, options.unmask), () => [])
    return result
  })
  const exitCode = worstExitCode(results.map((result) => result.exitCode))
  const [first] = results
  if (isOne && first !== undefined) return showOne(context, first, options.unmask)
  if (!asStream) {
    const items = results.map((result) => statusItem(result, options.unmask))
    await context.print.list<StatusItem>(items, { columns, ...PAYMENT_LIST })
    for (const { failure, judgement, expectation } of results) {
      if (failure !== null && judgement === null) {
        context.terminal.warn(t`${expectation.idTransaction}: ${failure.message}`)
      }
    }
  }
  if (options.from !== undefined) noteVerdicts(context, results)
  return exitCode
}

function once<Result>(call: () => Result): () => Result {
  let made: { result: Result } | undefined
  return () => {
    made ??= { result: call() }
    return made.result
  }
}

async function showOne(context: Context, result: LookUpResult, unmask: boolean): Promise<number> {
  if (result.failure !== null) throw result.failure
  const { document, payment } = result
  const { terminal, print } = context
  if (print.format === 'csv')
    await print.list<StatusItem>([statusItem(result, unmask)], {
      columns: STATUS_COLUMNS,
      ...PAYMENT_LIST,
    })
  else {
    print.one(document, () => statusLines(terminal, result))
  }
  if (print.format === 'text' && result.isAnswered) {
    for (const warning of document.pixgate?.warnings ?? []) terminal.warn(warning)
  }
  const { run } = document
  const ledger = await context.ledger()
  if (payment !== null) {
    hintAtOutcome(context, payment, await ledger.read((database) => possibleEvents(database, payment)))
  } else if (run !== undefined && result.state === 'unknown') {
    const { runProgress } = await import('../batch/runTally.ts')
    const { showNext } = await import('../views/batch/runScreen.ts')
    const sending = await paymentsBeingSent(ledger)
    showNext(context, run, await ledger.read((database) => runProgress(database, run, sending.keys())))
  }
  return result.exitCode
}

function noteVerdicts({ terminal, print }: Context, results: readonly LookUpResult[]): void {
  if (print.format === 'json') return
  for (const { document } of results) {
    for (const warning of document.pixgate?.warnings ?? []) terminal.warn(warning)
  }
  for (const verdict of VERDICTS) {
    const members = results.filter(({ judgement }) => judgement?.verdict === verdict)
    if (members.length === 0) continue
    const expected = formatReais(expectedCents(members))
    const found = formatReais(members.reduce((sum, result) => sum + foundCents(result), 0n))
    terminal.note(t`${translated(verdict)}: ${members.length}, expected ${expected}, found ${found}`)
  }
  const uncompared = results.filter(({ judgement, expectation }) => judgement === null && expectation.isJudged)
  if (uncompared.length > 0) {
    const expected = formatReais(expectedCents(uncompared))
    terminal.warn(t`Not compared, because the query failed: ${uncompared.length}, expected ${expected}`)
  }
}

function expectedCents(results: readonly LookUpResult[]): bigint {
  return results.reduce((sum, { expectation: { amountCents, direction } }) => {
    return sum + BigInt(signedCents(amountCents ?? 0, direction))
  }, 0n)
}

/** What moved, or is moving, if an amount was expected; with the sign of its direction if the expected amount has one. */
function foundCents({ document, amountCents, expectation, state }: LookUpResult): bigint {
  const kind = document.pixgate?.kind ?? 'qr'
  const isMoving = kind !== 'qr' && (state === 'accepted' || state === null)
  const hasMoved = state === 'paid' || state === 'returned' || isMoving
  if (expectation.amountCents === null || !hasMoved) return 0n
  return BigInt(signedCents(amountCents ?? 0, expectation.direction === null ? null : directionOf(kind)))
}

/** What `--from` lists; nothing without it. */
async function readList(context: Context, { from: path, expect }: StatusOptions): Promise<readonly Expectation[]> {
  if (path === undefined) return []
  const { terminal } = context
  const [{ readExpectations }, { assertNoFaults, readNamedInput }] = await Promise.all([
    import('../reconcile/expectationList.ts'),
    import('../steps/tableInput.ts'),
  ])
  const list = await readExpectations(await readNamedInput(context, path, 'idList'), expect ?? null)
  for (const remark of list.remarks) terminal.warn(remark)
  assertNoFaults(list.faults, (count) =>
    count === 1 ? t`The file has a fault, so no query was sent` : t`The file has ${count} faults, so no query was sent`,
  )
  if (list.unused.length > 0) {
    terminal.warn(
      t`Only the columns \`amount\` and \`status\` are compared, so these are not: ${list.unused.join(', ')}`,
    )
  }
  if (list.withoutId.length > 0) {
    terminal.warn(t`Rows without an id cannot be looked up: line ${list.withoutId.join(', ')}`)
  }
  return list.expectations
}

function assertIds(typed: readonly string[]): void {
  const wrong = typed.find((id) => id.trim() === '' || hasControlCharacter(id))
  if (wrong === undefined) return
  throw new UsageError(t`The id \`${wrong}\` is blank or contains a control character`, {
    hint: t`Copy the \`idTransaction\` again, as the gateway gave it`,
  })
}

/**
 * The ids to look up for those that were typed: of a charge the one by which the gateway knows it, as it is recorded; an id that names nothing in the
 * ledger as typed. Throws UsageError and Cancelled.
 */
async function resolveTypedIds(context: Context, typed: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const id of typed) {
    const resolved = await resolveId(context, id, { command: COMMAND, account: null })
    ids.push(resolved === undefined ? id : lookedUpId(resolved, id))
  }
  return ids
}

/** The id of a payment that a person picks. Throws UsageError without a terminal; Cancelled. */
async function pickId(context: Context): Promise<string> {
  const named = await pickAnyPayment(context, COMMAND)
  return lookedUpId({ named, isTyped: false }, '')
}

function lookedUpId({ named, isTyped }: Resolved, typed: string): string {
  switch (named.is) {
    case 'external':
      return named.charge.id
    case 'run':
      return named.run.record.run
    case 'payment': {
      const { facts, summary, id } = named.payment
      if (facts.kind === 'qr' && summary.idTransaction !== null) return summary.idTransaction
      return isTyped ? typed : id
    }
  }
}
