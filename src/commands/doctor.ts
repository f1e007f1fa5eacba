import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Context } from '../context.ts'
import { makePrivateFolder } from '../locks/privateFolder.ts'
import { safeText } from '../text/safeText.ts'
import { t } from '../text/words.ts'
import { EVERYTHING } from '../timeline/ledgerFilter.ts'
import { damageIn, examineRecords } from '../timeline/ledgerRepair.ts'
import { scanLedger } from '../timeline/ledgerScan.ts'
import { nameOf } from '../timeline/transactions.ts'
import { Cancelled, Failure, gravestExitCode } from '../wire/errors.ts'
import { defineCommand } from './command.ts'
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
  const findings = [
    nodeFinding(context),
    certificateFinding(context),
    await dataFinding(context),
    await recordsFinding(context),
    await doubtFinding(context),
  ]
  findings.push(...(await profileFindings(context)), ...(await accountFindings(context)))
  const { terminal, print } = context
  const documents = findings.map(({ name, ok, finding, hint }) => ({ name, ok, finding, hint }))
  const width = Math.max(...findings.map(({ name }) => name.length))
  print.one({ ok: findings.every(({ ok }) => ok), findings: documents }, () =>
    findings.flatMap(({ name, ok, finding, hint }) => [
      `${ok ? terminal.out.green('✓') : terminal.out.red('✗')} ${name.padEnd(width)}  ${safeText(finding)}`,
      ...(hint === null ? [] : [`  ${' '.repeat(width)}  ${terminal.out.cyan('hint:')} ${hint}`]),
    ]),
  )
  return gravestExitCode(findings.map(({ exitCode }) => exitCode))
}

function nodeFinding({ nodeVersion }: Context): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const ok = major > 22 || (major === 22 && minor >= 3) || (major === 20 && minor >= 19)
  const hint = ok ? null : t`Install Node.js 22.3 or newer`
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

async function dataFinding(context: Context): Promise<Finding> {
  const folder = context.dataFolder()
  try {
    makePrivateFolder(folder)
    await access(folder, constants.W_OK)
    return { name: 'data folder', ok: true, finding: folder, hint: null, exitCode: 0 }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const hint = t`Make it writable for you, or name another with \`PIXGATE_DATA_DIR\``
    return { name: 'data folder', ok: false, finding: t`${folder} cannot be written: ${reason}`, hint, exitCode: 2 }
  }
}

/** Every record is held against its checksum, also those that no command would read. */
async function recordsFinding(context: Context): Promise<Finding> {
  const name = 'records'
  try {
    const folder = context.dataFolder()
    const files = [...(await examineRecords(folder, 'timeline')), ...(await examineRecords(folder, 'events'))]
    const damage = damageIn(files)
    const lines = files.reduce((sum, file) => sum + file.lines, 0)
    if (damage.length === 0) return found(name, t`${lines}, all whole`)
    const hint = t`Put the files right from a copy, or run \`pixgate history repair\`, which keeps a copy`
    return { name, ok: false, finding: damage.join('; '), hint, exitCode: 2 }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    const hint = t`Make the folder and its files readable, or name another with \`PIXGATE_DATA_DIR\``
    return { name, ok: false, finding: t`The records cannot be read: ${String(error.code)}`, hint, exitCode: 2 }
  }
}

/** Payments in doubt are no fault of the set-up, but whoever asks should see them. */
async function doubtFinding(context: Context): Promise<Finding> {
  const name = 'in doubt'
  try {
    const around = { folder: context.dataFolder(), notice: (line: string) => context.terminal.alarm(line) }
    const unknown = await scanLedger(around, { ...EVERYTHING, state: 'unknown' })
    const doubtful = unknown.filter(({ intent }) => intent.kind !== 'qr')
    const [first] = doubtful
    if (first === undefined) return found(name, t`no payment`)
    const hint = t`\`pixgate history show ${nameOf(first)}\` shows the first of them`
    return { ...found(name, t`payments whose outcome is unknown: ${doubtful.length}`), hint }
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
