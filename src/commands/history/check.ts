import type { Context } from '../../context.ts'
import { readMapping } from '../../money/batch/header.ts'
import { formatReais } from '../../pix/amount.ts'
import type { Account } from '../../profiles/account.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { EVERYTHING, INTENT_KINDS, type LedgerFilter } from '../../timeline/ledgerFilter.ts'
import { scanLedger } from '../../timeline/ledgerScan.ts'
import { isOf, type Transaction } from '../../timeline/transactions.ts'
import { cellText, valueAt } from '../../views/fields.ts'
import { gravestExitCode, UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { mapConcurrent } from '../mapConcurrent.ts'
import { notBlank, oneOf } from '../optionValues.ts'
import { readTextInput } from '../textInput.ts'
import { PERIOD_OPTIONS, readPeriod, type TypedPeriod } from './filterOptions.ts'
import { checkPayment, isAskable, isToCheck } from './gatewayCheck.ts'
import { listColumns } from './listTable.ts'
import { shownDocument } from './maskedDocument.ts'
import { comparedDocument, compareStatement } from './statementCheck.ts'
import { readStatement, STATEMENT_FIELDS } from './statementReading.ts'

interface CheckOptions extends TypedPeriod {
  statement?: string
  map?: string[]
  kind?: string
  unmask?: boolean
}

const CONCURRENCY = 8
/** Codes that were paid are asked for again for so long, unless a period is named. */
const PAID_MS = 7 * 86_400_000
const QUERIES_A_MINUTE = 100

/** `pixgate history check`: the ledger against the gateway, or against a statement. */
export const historyCheck = defineCommand({
  description:
    'Say what is unknown, what is late and what differs: exit 0 if nothing is, 1 if something is late or differs, 5 if something is unknown. Nothing is recorded',
  options: [
    ...PERIOD_OPTIONS,
    { flags: '--kind <kind>', description: `only ${INTENT_KINDS.join(', ')}`, completes: INTENT_KINDS },
    {
      flags: '--statement <file>',
      description: 'compare with a CSV of the bank or the gateway; its dates are the period; - for stdin',
    },
    {
      flags: '--map <pairs>',
      description: 'which columns are id, amount, status, date: id=Código,amount=Valor',
      repeatable: true,
    },
    { flags: '--unmask', description: 'show keys and tax documents of people whole' },
  ],
  examples: [
    ['pixgate history check', 'what is open, and codes that were paid within 7 days'],
    ['pixgate history check --since 1d -o json', 'what was asked for since yesterday, in a script'],
    [
      'pixgate history check --statement november.csv --map "id=Transação,amount=Valor,date=Data"',
      'in both, only here, only there, amount differs',
    ],
  ],
  run: check,
})

async function check(context: Context, options: CheckOptions): Promise<number> {
  const period = readPeriod(context, options)
  const kind = options.kind === undefined ? null : oneOf(INTENT_KINDS, options.kind, '--kind')
  if (options.statement !== undefined) return checkStatement(context, options, { ...EVERYTHING, ...period, kind })
  if (options.map !== undefined) {
    throw new UsageError(t`\`--map\` stands without \`--statement\``, {
      hint: t`Add \`--statement <file>\`, whose columns it names`,
    })
  }
  return checkGateway(context, options, { ...EVERYTHING, ...period, kind })
}

async function checkGateway(context: Context, { unmask }: CheckOptions, filter: LedgerFilter): Promise<number> {
  const { terminal, print } = context
  const account = await context.account()
  const paidSinceMs = filter.sinceMs === null && filter.beforeMs === null ? context.now() - PAID_MS : 0
  const all = (await ledger(context, filter)).filter((each) => isToCheck(each, paidSinceMs))
  const own = all.filter((each) => isOf(each, account))
  noteOthers(context, all.length - own.length, account)
  noteQueries(context, own.filter(isAskable).length)
  let done = 0
  const results = await mapConcurrent(own, CONCURRENCY, async (transaction) => {
    const result = await checkPayment(context, account, transaction)
    done += 1
    terminal.passing(t`Checked ${done} of ${own.length}`)
    return result
  })
  const documents = results.map(({ document }) => shownDocument(context, document, unmask))
  if (documents.length === 0 && print.format === 'text') terminal.note(t`Nothing is open`)
  else await print.list(documents, withVerdict(context, [{ path: 'pixgate.gateway.status' }]))
  noteVerdicts(context, documents)
  if (results.some(({ verdict }) => verdict === 'unknown')) {
    terminal.next(
      t`\`pixgate resume <external-id>\` finds out what is unknown, or \`pixgate history settle\` records what you found`,
    )
  }
  return gravestExitCode(results.map(({ exitCode }) => exitCode))
}

async function checkStatement(context: Context, options: CheckOptions, filter: LedgerFilter): Promise<number> {
  const { terminal, print } = context
  const mapping = readMapping(options.map ?? [], STATEMENT_FIELDS)
  const text = await readTextInput(context, notBlank(options.statement ?? '', '--statement'), 'statement')
  const statement = await readStatement(text, mapping)
  const isNamed = filter.sinceMs !== null || filter.beforeMs !== null
  const period = isNamed ? filter : statement
  const account = await context.namedAccount()
  // A payment on the first day of a statement may have been asked for on the day before.
  const all = await ledger(context, EVERYTHING)
  const own = account === undefined ? all : all.filter((each) => isOf(each, account))
  const compared = compareStatement(statement.rows, own, { ...period, kind: filter.kind })
  const documents = compared.map((each) => shownDocument(context, comparedDocument(each), options.unmask))
  const shown = print.format === 'text' ? documents.filter((each) => verdictOf(each) !== 'match') : documents
  if (shown.length > 0 || print.format !== 'text') {
    await print.list(
      shown,
      withVerdict(context, [
        { path: 'pixgate.statement.line' },
        { path: 'pixgate.statement.amount', text: statementAmount },
      ]),
    )
  }
  noteVerdicts(context, documents)
  if (period.sinceMs === null && period.beforeMs === null) {
    terminal.note(
      t`No dates are known, so all that was ever asked for was compared: \`--month\` or \`--map date=…\` narrows it`,
    )
  }
  return compared.every(({ verdict }) => verdict === 'match') ? 0 : 1
}

async function ledger(context: Context, filter: LedgerFilter): Promise<Transaction[]> {
  const notice = (line: string) => context.terminal.alarm(line)
  return scanLedger({ folder: context.dataFolder(), notice }, filter)
}

function withVerdict(context: Context, more: readonly Column[]): Column[] {
  return [...listColumns(context), ...more, { path: 'pixgate.verdict' }]
}

function statementAmount(document: Document): string {
  const amount = valueAt(document, 'pixgate.statement.amount')
  return typeof amount === 'number' ? formatReais(Math.round(amount * 100)) : '—'
}

function verdictOf(document: Document): string {
  return cellText(valueAt(document, 'pixgate.verdict')) || 'not-asked'
}

function noteVerdicts({ terminal }: Context, documents: readonly Document[]): void {
  const counts = new Map<string, number>()
  for (const document of documents) counts.set(verdictOf(document), (counts.get(verdictOf(document)) ?? 0) + 1)
  for (const [verdict, count] of counts) terminal.note(t`${verdict}: ${count}`)
}

function noteOthers({ terminal }: Context, count: number, { url }: Account): void {
  if (count === 0) return
  terminal.note(
    t`Payments of other accounts than the one at ${url}: ${count}. They are checked with their \`--profile\``,
  )
}

function noteQueries({ terminal }: Context, count: number): void {
  if (count <= QUERIES_A_MINUTE) return
  const minutes = Math.ceil(count / QUERIES_A_MINUTE)
  terminal.note(t`${count} queries take about ${minutes} minutes; \`--since 1d\` checks fewer payments`)
}
