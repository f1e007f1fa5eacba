import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { readBuildInfo } from '../buildInfo.ts'
import { type Context, now } from '../context.ts'
import { checkCredentials } from '../gateway/credentialCheck.ts'
import { chainEnd } from '../ledger/chain.ts'
import { ledgerFiles } from '../ledger/ledgerFile.ts'
import { ALL_PAYMENTS, LIST_START, lastPaymentSeq, listPayments } from '../ledger/paymentList.ts'
import { loadPayment } from '../ledger/payments.ts'
import { hasAccountLedger } from '../openLedgers.ts'
import { olderLedger } from '../payments/ledgerFailures.ts'
import { unknownOutcomeHint } from '../payments/unknownOutcome.ts'
import { readProfiles } from '../profiles/store.ts'
import { VERSION } from '../programInfo.ts'
import { securePrivateFile, securePrivateFolder } from '../storage/privateFolder.ts'
import { hintCommands } from '../text/commandsInHint.ts'
import { safeText } from '../text/safeText.ts'
import { declared, t, translated } from '../text/translate.ts'
import { wrapWords } from '../text/wrapWords.ts'
import { Cancelled, isSystemError, worstExitCode } from '../wire/errors.ts'
import { defineCommand } from './command.ts'
import { type Check, failedCheck, passedCheck } from './doctorCheck.ts'
import { compareWitness, ledgerProblems } from './history/integrityCheck.ts'
import { activeAccount } from './history/paymentPages.ts'
import { sharedLedgerChecks } from './sharedLedgerChecks.ts'

/** Half a year. */
const BUILD_AGE_MAX_MS = 183 * 24 * 3600 * 1000

/** At most this many payments with an unknown outcome are counted. */
const UNKNOWN_MAX = 10_000

/** What the check of unknown outcomes is called in JSON. */
const UNKNOWN = 'unknown'

export const doctor = defineCommand({
  examples: [
    ['pixgate doctor', 'when something does not work'],
    ['pixgate doctor -o json', 'for a script'],
  ],
  run: examine,
})

async function examine(context: Context): Promise<number> {
  const checks = [nodeCheck(context), buildCheck(), certificateCheck(context), await folderCheck(context)]
  checks.push(await recordsCheck(context), await witnessCheck(context))
  checks.push(...(await sharedLedgerChecks(context)))
  checks.push(await unknownCheck(context), ...(await profileChecks(context)), ...(await accountChecks(context)))
  const { terminal, print } = context
  const documents = checks.map(({ name, ok, finding, hint }) => ({ name, ok, finding, hint }))
  print.one({ ok: checks.every(({ ok }) => ok), findings: documents }, () => checkLines(terminal, checks))
  return worstExitCode(checks.map(({ exitCode }) => exitCode))
}

/** Marks, names and findings in columns; the commands of a hint are on lines of their own, where they can be copied. */
function checkLines(terminal: Context['terminal'], checks: readonly Check[]): string[] {
  const width = Math.max(...checks.map(({ name }) => shownName(name).length))
  const hang = ' '.repeat(width + 4)
  const wrapped = (text: string) => wrapWords(text, terminal.textColumns - hang.length).replaceAll('\n', `\n${hang}`)
  return checks.flatMap(({ name, ok, finding, hint }) => [
    `${markOf(terminal, ok, hint)} ${shownName(name).padEnd(width)}  ${wrapped(safeText(finding))}`,
    ...(hint === null ? [] : [`${hang}${wrapped(`${terminal.out.cyan(t`hint:`)} ${hint}`)}`]),
    ...hintCommands(hint ?? '').map((command) => `  ${command}`),
  ])
}

/** The name of a check for people: `unknown` alone would not say what is unknown. */
function shownName(name: string): string {
  return name === UNKNOWN ? t`unknown outcomes` : translated(name)
}

/** A check that passed with a hint is a warning. */
function markOf({ out }: Context['terminal'], ok: boolean, hint: string | null): string {
  if (!ok) return out.red('✗')
  return hint === null ? out.green('✓') : out.yellow('!')
}

function nodeCheck({ nodeVersion }: Context): Check {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const ok = major > 22 || (major === 22 && minor >= 16) || (major === 20 && minor >= 19)
  const hint = ok ? null : t`Install Node.js 22.16 or newer`
  return { name: 'node', ok, finding: t`Node.js ${nodeVersion}`, hint, exitCode: ok ? 0 : 2 }
}

/** A build that is older than half a year is a warning: it lacks what was repaired since in pixgate and in what it contains. */
function buildCheck(): Check {
  const { built } = readBuildInfo()
  const isOld = now() - Date.parse(built) > BUILD_AGE_MAX_MS
  const hint = isOld ? t`Install a newer version; an old one lacks what was repaired since` : null
  return { name: 'pixgate', ok: true, finding: t`${VERSION}, built on ${built}`, hint, exitCode: 0 }
}

function certificateCheck({ runtime }: Context): Check {
  const ok = runtime.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0'
  return {
    name: declared`certificates`,
    ok,
    finding: ok ? t`checked` : t`not checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0`,
    hint: ok ? null : t`Unset it, and set \`NODE_EXTRA_CA_CERTS\` to trust your own certificate authority`,
    exitCode: ok ? 0 : 2,
  }
}

/** Owner, mode and links of the data folder and the ledger's files; looser modes are corrected. */
async function folderCheck(context: Context): Promise<Check> {
  const name = declared`data folder`
  const folder = context.dataFolder()
  try {
    const corrected = [...securePrivateFolder(folder), ...ledgerFiles(folder).flatMap(securePrivateFile)]
    await access(folder, constants.W_OK)
    return passedCheck(name, corrected.length === 0 ? folder : t`${folder}. ${corrected.join('. ')}`)
  } catch (error) {
    if (!isSystemError(error)) return failedCheck(name, error)
    const hint = t`Make it writable, or set \`PIXGATE_DATA_DIR\` to another folder`
    return { name, ok: false, finding: t`${folder} cannot be written: ${error.code}`, hint, exitCode: 2 }
  }
}

/** Every record is compared with its checksum, and every table with the records. */
async function recordsCheck(context: Context): Promise<Check> {
  const name = declared`ledger`
  try {
    if (!(await hasAccountLedger(context))) return passedCheck(name, t`none yet`)
    const problems = await ledgerProblems(context)
    if (problems.length > 0) {
      const hint = t`Run \`pixgate history check\` to see what is damaged, then restore your newest backup of the ledger`
      return { name, ok: false, finding: problems.join('; '), hint, exitCode: 2 }
    }
    const ledger = await context.ledger()
    const { seq: records } = await ledger.read(chainEnd)
    const finding = records === 1 ? t`1 record, its checksum matches` : t`${records} records, all checksums match`
    return passedCheck(name, finding)
  } catch (error) {
    if (error instanceof Cancelled) throw error
    return failedCheck(name, error)
  }
}

/** Whether records are missing that this machine had written. */
async function witnessCheck(context: Context): Promise<Check> {
  const name = declared`lost records`
  try {
    const verdict = await compareWitness(context)
    return verdict.is === 'current'
      ? passedCheck(name, t`none`)
      : failedCheck(name, olderLedger(context.dataFolder(), verdict, (await context.ledger()).environment.sharedAt))
  } catch (error) {
    return failedCheck(name, error)
  }
}

/** Payments with an unknown outcome are not a fault of the setup, but a person should see them. */
async function unknownCheck(context: Context): Promise<Check> {
  const name = UNKNOWN
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
    if (first === undefined) return passedCheck(name, t`none`)
    const finding = t`payments with an unknown outcome: ${unknown.length}, the first is ${first.givenId}`
    return { ...passedCheck(name, finding), hint: unknownOutcomeHint(first) }
  } catch (error) {
    return failedCheck(name, error)
  }
}

async function profileChecks(context: Context): Promise<Check[]> {
  const folder = context.configFolder()
  const checks = [passedCheck(declared`config folder`, folder)]
  try {
    const { active, profiles } = await readProfiles(folder, (line) => context.terminal.warn(line))
    const stored = profiles.size === 0 ? t`none stored` : t`none of the ${profiles.size} stored`
    checks.push(passedCheck(declared`active profile`, active ?? stored))
  } catch (error) {
    checks.push(failedCheck(declared`active profile`, error))
  }
  return checks
}

async function accountChecks(context: Context): Promise<Check[]> {
  try {
    const hasSecret = (await activeAccount(context)).secretKind !== 'none'
    if (!hasSecret) context.forgoSecret()
    const { profile, url, environment, clientId, callbackUrl, sources } = await context.account()
    const callback =
      callbackUrl === null
        ? t`none, so commands need \`--callback-url\``
        : t`${callbackUrl} (${sources.callbackUrl ?? ''})`
    return [
      passedCheck(declared`profile`, profile ?? t`none, the credentials are in the environment`),
      passedCheck(declared`address`, t`${url}, ${translated(environment)} (${sources.address})`),
      passedCheck(
        declared`credentials`,
        hasSecret
          ? t`client id ${clientId} (${sources.clientId}), secret (${sources.clientSecret})`
          : t`client id ${clientId} (${sources.clientId}), no secret: it plans, approves and reads the ledger`,
      ),
      passedCheck(declared`callback URL`, callback),
      hasSecret
        ? await gatewayCheck(context)
        : passedCheck(declared`gateway`, t`not asked, because the profile has no secret`),
    ]
  } catch (error) {
    return [failedCheck(declared`credentials`, error)]
  }
}

async function gatewayCheck(context: Context): Promise<Check> {
  try {
    const failure = await checkCredentials(await context.gateway())
    if (failure !== undefined) return failedCheck(declared`gateway`, failure)
  } catch (error) {
    return failedCheck(declared`gateway`, error)
  }
  return passedCheck(declared`gateway`, t`reachable, and it accepts the credentials`)
}
