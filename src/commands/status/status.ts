import type { Context } from '../../context.ts'
import type { Account } from '../../profiles/account.ts'
import type { Document } from '../../terminal/printer.ts'
import { type LabelledRow, labelled, type Terminal } from '../../terminal/terminal.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'
import { foldLedger } from '../../timeline/transactions.ts'
import { cellText, valueAt } from '../../views/fields.ts'
import { amountText, instantText, statusColour } from '../../views/payment.ts'
import { FINAL_PAYMENT_STATUSES, readPaymentState } from '../../wire/answers.ts'
import { gravestExitCode, NotFound, UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { mapConcurrent } from '../mapConcurrent.ts'
import { DEFAULT_WAIT, INTERVAL_OPTION, notBlank, waitMsOf } from '../optionValues.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Expectation } from './expectations.ts'
import { ledgerEntry, ledgerOf, lookUp, type Result } from './lookUp.ts'

interface StatusOptions {
  wait?: string | true
  interval: number
  expect?: string
  from?: string
  fresh?: boolean
}

const CONCURRENCY = 8

const COLUMNS = [
  { path: 'idTransaction' },
  { path: 'status', text: (document: Document) => String(document.status ?? errorCodeIn(document)) },
  { path: 'amount', text: (document: Document) => amountText(readPaymentState(document).amountCents) },
  { path: 'paidAt', text: (document: Document) => instantText(readPaymentState(document).paidAtMs) },
]

/** `pixgate status`: what the gateway says of one or many payments. */
export const status = defineCommand({
  description: 'Ask the gateway for the status of payments, inside its limit of 100 queries a minute',
  arguments: [{ name: '[id...]', description: 'transaction ids, as the gateway gave them', completes: 'ids' }],
  options: [
    { flags: '--wait [duration]', description: `wait until the status is final (default ${DEFAULT_WAIT})` },
    INTERVAL_OPTION,
    { flags: '--expect <STATUS>', description: 'exit 1 if the status is another', completes: FINAL_PAYMENT_STATUSES },
    {
      flags: '--from <file>',
      description: 'ids, or a CSV with idTransaction and what you expect as amount and status; - for stdin',
    },
    { flags: '--fresh', description: 'with --from: ask for all again, also after an interrupted run' },
  ],
  examples: [
    ['pixgate status 0b935d10-3c90-4af3-8776-dd18622a7941', 'look one payment up'],
    [
      'pixgate status 0b935d10-3c90-4af3-8776-dd18622a7941 --wait=5m --expect PAID',
      'wait until it is paid, in a script',
    ],
    ['pixgate status --from payments.csv -o csv', 'check a month against what you expect; again goes on after Ctrl-C'],
  ],
  run: showStatus,
})

async function showStatus(
  context: Context,
  { id: typedIds, ...options }: StatusOptions & { id: string[] },
): Promise<number> {
  const waitMs = waitMsOf(options.wait)
  const file = await readFile(context, options)
  const expectations = readAllExpectations(typedIds, options, file)
  const intervalMs = options.interval
  const named = await context.namedAccount()
  const timeline = await context.timeline()
  const names = expectations.map(({ idTransaction }) => idTransaction)
  const ledger = ledgerOf(foldLedger(await timeline.read({ names })), named)
  const isAsked = expectations.some(({ idTransaction }) => ledgerEntry(ledger, idTransaction) === undefined)
  const account = isAsked ? await context.account() : null
  const checkpoint = file === null || account === null ? null : await checkpointOf(context, file, account, options)
  const isOne = typedIds.length === 1 && options.from === undefined
  const asStream = waitMs !== null && !isOne && context.print.format === 'json'
  if (waitMs !== null)
    context.terminal.note(t`Waiting until the status is final; Ctrl-C stops the wait, not the payment`)

  const results = await mapConcurrent(expectations, CONCURRENCY, async (expectation) => {
    const result = await lookUp(context, expectation, ledger, { waitMs, intervalMs, checkpoint })
    if (asStream) context.print.item(result.document, () => [])
    return result
  })
  if (results.every(({ failure }) => failure === null || failure instanceof NotFound)) await checkpoint?.drop()
  const exitCode = gravestExitCode(results.map((result) => result.exitCode))
  const [first] = results
  if (isOne && first !== undefined) return showOne(context, first)
  if (!asStream) {
    const columns = options.from === undefined ? COLUMNS : [...COLUMNS, { path: 'pixgate.verdict' }]
    await context.print.list(
      results.map((result) => result.document),
      columns,
    )
  }
  return exitCode
}

async function showOne(context: Context, result: Result): Promise<number> {
  if (result.failure !== null) throw result.failure
  const state = readPaymentState(result.document)
  const { out } = context.terminal
  const knownBy = cellText(valueAt(result.document, 'pixgate.knownBy'))
  if (context.print.format === 'csv') await context.print.list([result.document], COLUMNS)
  else {
    context.print.one(result.document, () =>
      labelled(
        [
          [t`id`, cellText(result.document.idTransaction) || result.idTransaction],
          [t`status`, state.status ?? '—', statusColour(state.status, out)],
          [t`amount`, amountText(state.amountCents)],
          ...(knownBy === 'gateway'
            ? [[t`paid at`, instantText(state.paidAtMs)] as const]
            : ledgerRows(result.document, knownBy, out)),
        ],
        out,
      ),
    )
  }
  if (isInDoubt(result.document)) {
    context.terminal.next(
      t`It may or may not have been carried out: \`pixgate history show ${result.idTransaction}\` tells more`,
    )
    const { externalId } = result.document
    if (typeof externalId === 'string') context.terminal.next(t`Settle it with \`pixgate resume ${externalId}\``)
  }
  return result.exitCode
}

/** A file of ids, and what was read in it. */
interface IdFile {
  text: string
  expectations: Expectation[]
}

async function readFile(context: Context, options: StatusOptions): Promise<IdFile | null> {
  if (options.from === undefined) return null
  const [{ readTextInput }, { readExpectations }] = await Promise.all([
    import('../textInput.ts'),
    import('./expectationFile.ts'),
  ])
  const text = await readTextInput(context, notBlank(options.from, '--from'), 'idList')
  const { expectations, unusedColumns } = readExpectations(text, expectedStatusOf(options))
  if (unusedColumns.length > 0) {
    context.terminal.warn(
      t`Only the columns \`amount\` and \`status\` are compared, so these are not: ${unusedColumns.join(', ')}`,
    )
  }
  return { text, expectations }
}

async function checkpointOf(
  { terminal, dataFolder, now }: Context,
  { text }: IdFile,
  account: Account,
  { fresh }: StatusOptions,
): Promise<Checkpoint> {
  const { openCheckpoint } = await import('./checkpoint.ts')
  const checkpoint = await openCheckpoint(dataFolder(), text, account, now, fresh === true)
  if (checkpoint.size > 0) {
    terminal.note(
      t`${checkpoint.size} of them were asked for within the last hour by a run that did not end, and are not asked for again; \`--fresh\` asks for all`,
    )
  }
  return checkpoint
}

function expectedStatusOf({ expect }: StatusOptions): string | null {
  return expect === undefined ? null : notBlank(expect, '--expect').toUpperCase()
}

/** What this machine knows itself, and how certain that is. */
function ledgerRows(document: Document, knownBy: string, out: Terminal['out']): LabelledRow[] {
  const state = cellText(valueAt(document, 'pixgate.state'))
  return [
    [
      t`account`,
      t`${cellText(valueAt(document, 'pixgate.environment'))}, ${cellText(valueAt(document, 'pixgate.baseUrl'))}`,
    ],
    [t`state`, isInDoubt(document) ? t`in doubt` : state, isInDoubt(document) ? out.red.bold : undefined],
    [t`known by`, knownBy],
  ]
}

function isInDoubt(document: Document): boolean {
  return valueAt(document, 'pixgate.state') === 'unknown'
}

function readAllExpectations(typedIds: string[], options: StatusOptions, file: IdFile | null): Expectation[] {
  const status = expectedStatusOf(options)
  if (options.fresh === true && file === null) {
    throw new UsageError(t`\`--fresh\` stands without \`--from\``, {
      hint: t`Typed ids are always asked for: leave \`--fresh\` out`,
    })
  }
  const typed = typedIds.map((idTransaction) => ({ idTransaction, amountCents: null, status, isJudged: false }))
  const all = [...typed, ...(file?.expectations ?? [])]
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
