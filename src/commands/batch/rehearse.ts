import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readBatchFile } from '../../batch/batchFile.ts'
import { assertNoFaults, checkBatchFile, type FileCheck } from '../../batch/fileCheck.ts'
import type { CheckedRow } from '../../batch/judgeRows.ts'
import { compareBooks, RehearsalFaults, type RehearsedBooks } from '../../batch/rehearsal.ts'
import type { Context } from '../../context.ts'
import { controlSandbox } from '../../gateway/sandboxControl.ts'
import { formatReais } from '../../pix/amount.ts'
import { withoutAccount } from '../../profiles/childEnvironment.ts'
import type { RunningSandbox } from '../../sandbox/server.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { csvLine } from '../../text/csv.ts'
import { languageFor, nameOf, t } from '../../text/translate.ts'
import { readBaseAddress } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { Secret } from '../../wire/secret.ts'
import { type FileOptions, howToRead } from './fileOptions.ts'
import { payeeFinder } from './payeeFinder.ts'
import { type RehearsedRun, rehearseRun } from './rehearsedRun.ts'

/** The options of a rehearsal. */
type RehearseOptions = FileOptions & { seed?: number }

/** The most that `--seed` takes. */
export const SEED_MAX = 2 ** 32 - 1

const ROWS_MAX = 1000
const KILLS_MAX = 10
const CLIENT_ID = 'rehearsal'
/** So long that no transfer settles and no callback URL of the file is ever called. */
const NEVER_MS = 1000 * 24 * 3600 * 1000

/** The steps of `batch transfer --rehearse`: the real file and the real program, with a sandbox and a ledger of its own. */
export async function rehearse(context: Context, path: string, options: RehearseOptions): Promise<number> {
  const { limit = ROWS_MAX, seed = Number.parseInt(context.newId().slice(0, 8), 16) } = options
  context.terminal.note(t`This is a rehearsal: no money moves, and nothing leaves this machine`)
  const folder = await temporaryFolder()
  try {
    const source = path === '-' ? await copyOfInput(context, folder) : path
    const findPayee = payeeFinder(context)
    const file = await readBatchFile(source, 'transfer', {
      ...howToRead(options, path, context.runtime.interrupt),
      findPayee,
    })
    for (const remark of file.remarks) context.terminal.warn(remark)
    const cents = new Map<string, number>()
    const payees = new RehearsedPayees()
    const check = await checkBatchFile(file, (row) => {
      payees.add(row)
      if (cents.size < limit) cents.set(row.id, row.amountCents ?? 0)
    })
    assertNoFaults(check)
    const rows = cents.size
    const expected = { cents, totalCents: [...cents.values()].reduce((sum, each) => sum + each, 0) }
    if (rows < check.count) {
      context.terminal.note(
        rows === 1
          ? t`Rehearsal: only the first of ${check.count} rows is sent; \`--limit\` sends more`
          : t`Rehearsal: the first ${rows} of ${check.count} rows are sent; \`--limit\` sends more`,
      )
    }
    const rehearsalFaults = new RehearsalFaults(seed, rows, KILLS_MAX)
    const secret = context.newId()
    context.terminal.hide(new Secret(secret))
    const sandbox = await openSandbox(context, { secret, rehearsalFaults, balanceCents: expected.totalCents })
    try {
      const ran = await rehearseRun(context, {
        preparations: await payees.preparations(folder),
        firstCommandLine: [
          'batch',
          'transfer',
          resolve(source),
          `--reference=${file.reference}`,
          ...columnWords(options),
        ],
        runArguments: runArguments(options),
        env: environment(context, sandbox, folder, secret),
        rows,
        rehearsalFaults,
      })
      const books = compareBooks(expected, await transfersOf(context, sandbox))
      return showVerdict(
        context,
        verdictOf({ seed, check, ran, books, rows, faults: rehearsalFaults.faults, expected }),
      )
    } finally {
      await sandbox.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyOfInput({ runtime }: Context, folder: string): Promise<string> {
  const path = join(folder, 'input.csv')
  await writeFile(path, runtime.stdin, { mode: 0o600 })
  return path
}

async function temporaryFolder(): Promise<string> {
  const below = tmpdir()
  try {
    return await mkdtemp(join(below, 'pixgate-rehearsal-'))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(
      t`A rehearsal needs a temporary folder, but none can be created in ${below}: ${String(error.code)}`,
      {
        hint: t`Set \`TMPDIR\` to a folder that you can write to`,
      },
    )
  }
}

async function openSandbox(
  context: Context,
  { secret, rehearsalFaults, balanceCents }: { secret: string; rehearsalFaults: RehearsalFaults; balanceCents: number },
): Promise<RunningSandbox> {
  const [{ startSandbox }, { SANDBOX_DEFAULTS }] = await Promise.all([
    import('../../sandbox/server.ts'),
    import('../../sandbox/options.ts'),
  ])
  return startSandbox({
    ...SANDBOX_DEFAULTS,
    port: 0,
    clientId: CLIENT_ID,
    clientSecret: secret,
    now: context.now,
    newId: context.newId,
    balanceCents,
    autoSettleMs: NEVER_MS,
    anyKeyHolder: true,
    misbehave: () => (rehearsalFaults.onCall() ? { on: 'call', how: 'drop-after' } : undefined),
  })
}

/** The environment of this process, without the variables that select an account. */
function environment(context: Context, { url }: RunningSandbox, folder: string, secret: string): NodeJS.ProcessEnv {
  return {
    ...withoutAccount(context.runtime.env),
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: CLIENT_ID,
    PIXGATE_CLIENT_SECRET: secret,
    PIXGATE_CALLBACK_URL: `${url}/rehearsal`,
    PIXGATE_DATA_DIR: join(folder, 'data'),
    PIXGATE_CONFIG_DIR: join(folder, 'config'),
    PIXGATE_LANG: nameOf(languageFor('people')),
  }
}

function columnWords({ map, ignoreColumn, sheet, headerRow, includeHidden, skipHidden }: RehearseOptions): string[] {
  return [
    ...map.map((pair) => `--map=${pair}`),
    ...ignoreColumn.map((column) => `--ignore-column=${column}`),
    ...(sheet === undefined ? [] : [`--sheet=${sheet}`]),
    ...(headerRow === undefined ? [] : [`--header-row=${headerRow}`]),
    ...(includeHidden ? ['--include-hidden'] : []),
    ...(skipHidden ? ['--skip-hidden'] : []),
  ]
}

/** The payees that rows name, which the ledger of the rehearsal must know. */
class RehearsedPayees {
  readonly #lines = new Map<string, string>()

  add(row: CheckedRow): void {
    if (row.kind !== 'transfer' || row.payee === null || this.#lines.has(row.payee)) return
    const { payee, key, keyType, documentValidation } = row
    this.#lines.set(payee, csvLine([payee, key, keyType, documentValidation ?? '']))
  }

  /** The command lines that add them; their file is in this folder. */
  async preparations(folder: string): Promise<string[][]> {
    if (this.#lines.size === 0) return []
    const path = join(folder, 'payees.csv')
    await writeFile(path, `${['name,key,typeKey,owner', ...this.#lines.values()].join('\n')}\n`, { mode: 0o600 })
    return [['payee', 'import', path, '-o', 'json']]
  }
}

/** A rehearsal does not stop at lost answers, however many follow each other. */
function runArguments({ concurrency, rate }: RehearseOptions): string[] {
  const perMinute = rate === undefined ? [] : ['--rate', `${(rate * 60).toFixed(3)}/m`]
  const speed = ['--concurrency', String(concurrency), ...perMinute]
  return [...speed, '--stop-after', '1000000', '--yes', '-o', 'json']
}

async function transfersOf(context: Context, { url }: RunningSandbox): Promise<unknown> {
  const { env, interrupt, abandon } = context.runtime
  const around = { env, interrupt, abandon, accountOptions: '', timeoutMs: context.settings.timeoutMs }
  const state = await controlSandbox(
    readBaseAddress(url, '--rehearse'),
    { method: 'GET', name: 'state', values: {} },
    around,
  )
  return state.transfers
}

function verdictOf(parts: {
  seed: number
  check: FileCheck
  ran: RehearsedRun
  books: RehearsedBooks
  rows: number
  faults: number
  expected: { totalCents: number }
}) {
  const { seed, check, ran, books, rows, faults, expected } = parts
  const { paidOnce, paidTwice, missing, paidCents, isRight } = books
  return {
    rows,
    fileRows: check.count,
    faults,
    kills: ran.kills,
    starts: ran.starts,
    paidOnce,
    paidTwice,
    missing,
    totalCents: expected.totalCents,
    paidCents,
    fingerprint: check.fingerprint,
    seed,
    passed: isRight,
  }
}

type RehearsalVerdict = ReturnType<typeof verdictOf>

const FAILED_EXIT = 70

/** Prints the verdict, and gives its exit code. */
function showVerdict(context: Context, verdict: RehearsalVerdict): number {
  const { out } = context.terminal
  context.print.one({ type: 'rehearsal', ...verdict }, () => labelledLines(verdictRows(verdict, out), out))
  context.terminal.note(t`That was a rehearsal: no money moved`)
  if (!verdict.passed) {
    context.terminal.warn(t`The rehearsal failed: do not send this file, and report the verdict`)
    return FAILED_EXIT
  }
  context.terminal.next(
    t`Compare the fingerprint with the one that the real run shows before it asks; they match unless some of these rows were already sent`,
  )
  return 0
}

function verdictRows(verdict: RehearsalVerdict, out: Context['terminal']['out']): LabelledRow[] {
  const { rows, fileRows, faults, kills, starts, paidOnce, paidTwice, missing, totalCents, paidCents } = verdict
  const bad = (count: number) => (count > 0 ? out.red.bold : out)
  return [
    [
      t`rehearsal`,
      verdict.passed ? t`every payment once` : t`not every payment once`,
      verdict.passed ? out.green : out.red.bold,
    ],
    [t`rows`, t`${rows} of ${fileRows}`],
    [t`lost answers`, String(faults)],
    [t`killed`, String(kills)],
    [t`starts`, String(starts)],
    [t`paid once`, String(paidOnce)],
    [t`paid twice`, String(paidTwice), bad(paidTwice)],
    [t`missing`, String(missing), bad(missing)],
    [
      t`total`,
      t`${formatReais(totalCents)} in the file, ${formatReais(paidCents)} paid`,
      bad(Math.abs(totalCents - paidCents)),
    ],
    [t`fingerprint`, verdict.fingerprint, out.bold],
    [t`seed`, String(verdict.seed)],
  ]
}
