import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Context } from '../context.ts'
import { hasLedger, ledgerFiles, refuseOldLog } from '../ledger/open.ts'
import { ALL_PAYMENTS, LIST_START, lastPaymentSeq, listPayments } from '../ledger/paymentList.ts'
import { loadPayment } from '../ledger/payments.ts'
import { olderLedger } from '../ledger/witness.ts'
import { securePrivateFile, securePrivateFolder } from '../storage/privateFolder.ts'
import { hintCommands } from '../text/hintCommands.ts'
import { safeText } from '../text/safeText.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/words.ts'
import { wrapWords } from '../views/wrap.ts'
import { Cancelled, Failure, gravestExitCode, isSystemError } from '../wire/errors.ts'
import { defineCommand } from './command.ts'
import { compareWitness, ledgerProblems } from './history/integrityCheck.ts'
import { refuseCsv } from './optionValues.ts'

/** One thing that was looked at. `exitCode` is 0 where it is well. */
interface Finding {
  name: string
  ok: boolean
  finding: string
  hint: string | null
  exitCode: number
}

/** An id that no gateway has: the answer shows whether the credentials are accepted. */
const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000'

/** So many payments with an unknown outcome are counted. */
const UNKNOWN_MAX = 10_000

/** What a gateway says of an id that it does not have, to somebody whose credentials it accepts. */
const HEARD_CODES: readonly string[] = ['TRANSACTION_NOT_FOUND', 'INVALID_TRANSACTION_ID']

/** `pixgate doctor`: what is set up, what is wrong, how to mend it. */
export const doctor = defineCommand({
  description: 'Look at the environment, the credentials and the way to the gateway; sends one harmless query',
  examples: [
    ['pixgate doctor', 'when something does not work'],
    ['pixgate doctor -o json', 'for a script'],
  ],
  run: examine,
})

async function examine(context: Context): Promise<number> {
  refuseCsv(context)
  const findings = [nodeFinding(context), certificateFinding(context), await folderFinding(context)]
  findings.push(await recordsFinding(context), await witnessFinding(context), oldLogFinding(context))
  findings.push(await unknownFinding(context), ...(await profileFindings(context)), ...(await accountFindings(context)))
  const { terminal, print } = context
  const documents = findings.map(({ name, ok, finding, hint }) => ({ name, ok, finding, hint }))
  print.one({ ok: findings.every(({ ok }) => ok), findings: documents }, () => findingLines(terminal, findings))
  return gravestExitCode(findings.map(({ exitCode }) => exitCode))
}

/** Marks, names and findings in columns; the commands of a hint are on lines of their own, where they can be copied. */
function findingLines(terminal: Context['terminal'], findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const hang = ' '.repeat(width + 4)
  const wrapped = (text: string) => wrapWords(text, terminal.textColumns - hang.length).replaceAll('\n', `\n${hang}`)
  return findings.flatMap(({ name, ok, finding, hint }) => [
    `${markOf(terminal, ok, hint)} ${name.padEnd(width)}  ${wrapped(safeText(finding))}`,
    ...(hint === null ? [] : [`${hang}${wrapped(`${terminal.out.cyan('hint:')} ${hint}`)}`]),
    ...hintCommands(hint ?? '').map((command) => `  ${command}`),
  ])
}

/** What is well but has a hint is a warning. */
function markOf({ out }: Context['terminal'], ok: boolean, hint: string | null): string {
  if (!ok) return out.red('✗')
  return hint === null ? out.green('✓') : out.yellow('!')
}

function nodeFinding({ nodeVersion }: Context): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const ok = major > 22 || (major === 22 && minor >= 16) || (major === 20 && minor >= 19)
  const hint = ok ? null : t`Install Node.js 22.16 or newer`
  return { name: 'node', ok, finding: t`Node.js ${nodeVersion}`, hint, exitCode: ok ? 0 : 2 }
}

function certificateFinding({ world }: Context): Finding {
  const ok = world.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0'
  return {
    name: 'certificates',
    ok,
    finding: ok ? t`checked` : t`not checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0`,
    hint: ok ? null : t`Unset it; name your own certificate authority with \`NODE_EXTRA_CA_CERTS\``,
    exitCode: ok ? 0 : 2,
  }
}

/** Owner, mode and links of the data folder and the ledger's files; looser modes are corrected. */
async function folderFinding(context: Context): Promise<Finding> {
  const name = 'data folder'
  const folder = context.dataFolder()
  try {
    const corrected = [...securePrivateFolder(folder), ...ledgerFiles(folder).flatMap(securePrivateFile)]
    await access(folder, constants.W_OK)
    return found(name, corrected.length === 0 ? folder : t`${folder}. ${corrected.join('. ')}`)
  } catch (error) {
    if (!isSystemError(error)) return failed(name, error)
    const hint = t`Make it writable for you, or set \`PIXGATE_DATA_DIR\` to another folder`
    return { name, ok: false, finding: t`${folder} cannot be written: ${error.code}`, hint, exitCode: 2 }
  }
}

/** Every record is compared with its checksum, and every table with the records. */
async function recordsFinding(context: Context): Promise<Finding> {
  const name = 'ledger'
  try {
    if (!hasLedger(context.dataFolder())) return found(name, t`none yet`)
    const problems = await ledgerProblems(context)
    if (problems.length > 0) {
      const hint = t`Run \`pixgate history check\` to see what is damaged, then restore your newest backup of the ledger`
      return { name, ok: false, finding: problems.join('; '), hint, exitCode: 2 }
    }
    const ledger = await context.ledger()
    const records = await ledger.read((database) => database.get('SELECT count(*) AS records FROM record')?.records)
    return found(name, t`${String(records)} records, all checksums match`)
  } catch (error) {
    return failed(name, error)
  }
}

/** Whether records are missing that this machine had written. */
async function witnessFinding(context: Context): Promise<Finding> {
  const name = 'lost records'
  try {
    const verdict = await compareWitness(context)
    return verdict.is === 'current' ? found(name, t`none`) : failed(name, olderLedger(context.dataFolder(), verdict))
  } catch (error) {
    return failed(name, error)
  }
}

function oldLogFinding(context: Context): Finding {
  const name = 'earlier log'
  try {
    refuseOldLog(context.dataFolder())
    return found(name, t`none`)
  } catch (error) {
    return failed(name, error)
  }
}

/** Payments with an unknown outcome are no fault of the set-up, but a person should see them. */
async function unknownFinding(context: Context): Promise<Finding> {
  const name = 'unknown'
  try {
    const ledger = await context.ledger()
    const unknown = await ledger.read((database) => {
      const last = lastPaymentSeq(database)
      const rows = (['transfer', 'refund'] as const).flatMap((kind) =>
        listPayments(database, { ...ALL_PAYMENTS, state: 'unknown', kind }, LIST_START, last, UNKNOWN_MAX),
      )
      return rows.map(({ id }) => loadPayment(database, id))
    })
    const [first] = unknown
    if (first === undefined) return found(name, t`none`)
    const hint =
      first.facts.kind === 'transfer'
        ? t`Run \`pixgate resume ${commandArgument(first.name)}\` to find out what became of the first one`
        : t`Find out whether the payer received it, then run \`pixgate history settle ${first.id}\``
    return { ...found(name, t`payments whose outcome is unknown: ${unknown.length}`), hint }
  } catch (error) {
    return failed(name, error)
  }
}

async function profileFindings(context: Context): Promise<Finding[]> {
  const folder = context.configFolder()
  const findings = [found('config folder', folder)]
  try {
    const { readProfiles } = await import('../profiles/store.ts')
    const { active, profiles } = await readProfiles(folder, (line) => context.terminal.warn(line))
    const stored = profiles.size === 0 ? t`none stored` : t`none, of ${profiles.size} stored`
    findings.push(found('active profile', active ?? stored))
  } catch (error) {
    findings.push(failed('active profile', error))
  }
  return findings
}

async function accountFindings(context: Context): Promise<Finding[]> {
  try {
    const { profile, url, environment, clientId, callbackUrl, sources } = await context.account()
    const callback =
      callbackUrl === null
        ? t`none, so commands need \`--callback-url\``
        : t`${callbackUrl} (${sources.callbackUrl ?? ''})`
    return [
      found('profile', profile ?? t`none, the credentials are in the environment`),
      found('address', t`${url}, ${environment} (${sources.address})`),
      found('credentials', t`client id ${clientId} (${sources.clientId}), secret (${sources.clientSecret})`),
      found('callback URL', callback),
      await gatewayFinding(context),
    ]
  } catch (error) {
    return [failed('credentials', error)]
  }
}

async function gatewayFinding(context: Context): Promise<Finding> {
  try {
    const gateway = await context.gateway()
    await gateway.consult(NO_SUCH_ID)
  } catch (error) {
    // A gateway that looks for an id, or calls it malformed, has accepted the credentials.
    const isHeard = error instanceof Failure && HEARD_CODES.includes(error.code)
    if (!isHeard) return failed('gateway', error)
  }
  return found('gateway', t`reached, and it accepts the credentials`)
}

function found(name: string, finding: string): Finding {
  return { name, ok: true, finding, hint: null, exitCode: 0 }
}

function failed(name: string, error: unknown): Finding {
  if (!(error instanceof Failure) || error instanceof Cancelled) throw error
  return { name, ok: false, finding: error.message, hint: error.hint, exitCode: error.exitCode }
}
