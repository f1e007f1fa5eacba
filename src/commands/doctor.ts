import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { readBuildInfo } from '../buildInfo.ts'
import { defineCommand } from '../commandDefinition.ts'
import { type Context, now } from '../context.ts'
import { testCredentials } from '../gateway/client.ts'
import { extraCertificatesFault } from '../gateway/connections.ts'
import { chainEnd } from '../ledger/chain.ts'
import { ledgerFiles } from '../ledger/ledgerFile.ts'
import { LIST_START, lastPaymentSeq, listPayments, type PaymentFilter } from '../ledger/paymentList.ts'
import { loadPayment } from '../ledger/payments.ts'
import { accountRules } from '../ledger/rulesInForce.ts'
import type { LedgerAddress } from '../ledger/team/ledgerAddress.ts'
import type { LedgerServer } from '../ledger/team/ledgerServer.ts'
import type { TeamLedger } from '../ledger/team/teamLedger.ts'
import { hasAccountLedger, ledgerPassword, openSharedLedger, sharedLedgerOf } from '../openLedgers.ts'
import { hintedId, unknownOutcomeHint } from '../payments/attemptOutcomes.ts'
import { olderLedger } from '../payments/currentLedger.ts'
import { DAY_MS, formatInstant } from '../pix/calendar.ts'
import { parseDuration } from '../pix/duration.ts'
import { only } from '../pix/expectedError.ts'
import type { Account } from '../profiles/account.ts'
import { recordedApprovers } from '../profiles/approvers.ts'
import type { AccountLedger } from '../profiles/profile.ts'
import { readProfiles } from '../profiles/store.ts'
import { VERSION } from '../programInfo.ts'
import { type ActiveAccount, activeAccount } from '../steps/activeAccount.ts'
import { compareWitness, ledgerProblems } from '../steps/integrityCheck.ts'
import { TRANSFER_WAIT } from '../steps/optionSets.ts'
import { securePrivateFile, securePrivateFolder, syncFolder } from '../storage/privateFolder.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { wrapWords } from '../text/cellLayout.ts'
import { safeText } from '../text/safeText.ts'
import { hintCommands } from '../text/shellWord.ts'
import { declared, t, translated } from '../text/translate.ts'
import type { Printed } from '../views/outputSchemas.ts'
import { isLoopbackHost, withoutBrackets } from '../wire/baseAddress.ts'
import { Cancelled, Failure, isSystemError, NotReached, UsageError, worstExitCode } from '../wire/errors.ts'

const BUILD_AGE_MAX_MS = 183 * DAY_MS

/** At most this many payments are counted. */
const COUNTED_MAX = 10_000

const LISTENER_CONNECT_MS = 1000

/** What the finding about unknown outcomes is called in JSON. */
const UNKNOWN = 'unknown'

export const doctor = defineCommand({
  examples: [
    ['pixgate doctor', 'when something does not work'],
    ['pixgate doctor -o json', 'for a script'],
  ],
  run: examine,
})

async function examine(context: Context): Promise<number> {
  await forgoMissingSecret(context)
  const findings = [
    await found('node', async () => nodeText(context)),
    passed('pixgate', buildText()),
    await found(declared`certificates`, async () => certificateText(context)),
    await found(declared`data folder`, () => folderText(context)),
    ...(await recordsFindings(context)),
    await found(declared`lost records`, () => witnessText(context)),
    ...(await sharedLedgerFindings(context)),
    await found(UNKNOWN, () => unknownText(context)),
    passed(declared`config folder`, context.configFolder()),
    await found(declared`active profile`, () => activeProfileText(context)),
    ...(await accountFindings(context)),
    // The other findings say why it cannot be told.
    ...(await revokedFileFindings(context).catch(onFailure(() => []))),
  ]
  const { terminal, print } = context
  const documents = findings.map(({ name, ok, finding, hint }) => ({ name, ok, finding, hint }))
  print.one<Printed<'doctor'>>({ ok: findings.every(({ ok }) => ok), findings: documents }, () =>
    findingLines(terminal, findings),
  )
  return worstExitCode(findings.map(({ exitCode }) => exitCode))
}

/** What was found of one thing, by its English name, and the result as a sentence. `exitCode` is 0 if it is right. */
type Finding = Printed<'doctor'>['findings'][number] & { exitCode: number }

/** What is right; with a hint it is a warning. */
type Found = string | readonly [finding: string, hint: string | null]

function passed(name: string, result: Found): Finding {
  const [finding, hint] = typeof result === 'string' ? [result, null] : result
  return { name, ok: true, finding, hint, exitCode: 0 }
}

/** A handler for `catch` that throws what is no failure, and Cancelled. */
function onFailure<Instead>(instead: (failure: Failure) => Instead): (error: unknown) => Instead {
  return only(Failure, (failure) => {
    if (failure instanceof Cancelled) throw failure
    return instead(failure)
  })
}

/** Makes a finding of the failure that prevented one. Throws like {@link onFailure}. */
function failedAs(name: string): (error: unknown) => Finding {
  return onFailure(({ message, hint, exitCode }) => ({ name, ok: false, finding: message, hint, exitCode }))
}

/** What is found of one thing, or the failure that says what is wrong with it. Throws like {@link onFailure}. */
function found(name: string, find: () => Promise<Found>): Promise<Finding> {
  return find()
    .then((result) => passed(name, result))
    .catch(failedAs(name))
}

/** Marks, names and findings in columns; the commands of a hint are on lines of their own, where they can be copied. */
function findingLines(terminal: Context['terminal'], findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ name }) => shownName(name).length))
  const hang = ' '.repeat(width + 4)
  const wrapped = (text: string) => wrapWords(text, terminal.textColumns - hang.length).replaceAll('\n', `\n${hang}`)
  return findings.flatMap(({ name, ok, finding, hint }) => [
    `${markOf(terminal, ok, hint)} ${shownName(name).padEnd(width)}  ${wrapped(safeText(finding))}`,
    ...(hint === null ? [] : [`${hang}${wrapped(`${terminal.out.cyan(t`hint:`)} ${hint}`)}`]),
    ...hintCommands(hint ?? '').map((command) => `  ${command}`),
  ])
}

/** The name of a finding for people: `unknown` alone would not say what is unknown. */
function shownName(name: string): string {
  return name === UNKNOWN ? t`unknown outcomes` : translated(name)
}

/** A finding that is right, but has a hint is a warning. */
function markOf({ out }: Context['terminal'], ok: boolean, hint: string | null): string {
  if (!ok) return out.red('✗')
  return hint === null ? out.green('✓') : out.yellow('!')
}

function nodeText({ nodeVersion }: Context): string {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const version = t`Node.js ${nodeVersion}`
  if (major > 22 || (major === 22 && minor >= 16) || (major === 20 && minor >= 19)) return version
  throw new UsageError(version, { hint: t`Install Node.js 22.16 or newer` })
}

/** A build that is older than half a year is a warning: it lacks what was repaired since in pixgate and in what it contains. */
function buildText(): Found {
  const { built } = readBuildInfo()
  const isOld = now() - Date.parse(built) > BUILD_AGE_MAX_MS
  const hint = isOld ? t`Install a newer version; an old one lacks what was repaired since` : null
  return [t`${VERSION}, built on ${built}`, hint]
}

function certificateText({ runtime: { env } }: Context): string {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new UsageError(t`not checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0`, {
      hint: t`Unset it, and set \`NODE_EXTRA_CA_CERTS\` to trust your own certificate authority`,
    })
  }
  const fault = extraCertificatesFault(env.NODE_EXTRA_CA_CERTS)
  if (fault === undefined) return t`checked`
  const hint = t`Write the path of a file with lines like \`-----BEGIN CERTIFICATE-----\`, or unset it`
  throw new UsageError(fault, { hint })
}

/** Owner, mode and links of the data folder and the ledger's files; looser modes are corrected. */
async function folderText(context: Context): Promise<string> {
  const folder = context.dataFolder()
  try {
    const corrected = [...securePrivateFolder(folder), ...ledgerFiles(folder).flatMap(securePrivateFile)]
    await tryToWrite(join(folder, `doctor-${context.newId()}`))
    syncFolder(folder)
    return corrected.length === 0 ? folder : t`${folder}. ${corrected.join('. ')}`
  } catch (error) {
    if (!isSystemError(error)) throw error
    const { reason, hint } = systemTrouble(error, folder, 'PIXGATE_DATA_DIR')
    throw new UsageError(t`${folder} cannot be written: ${reason}`, { hint })
  }
}

/** As much as the ledger grows with a payment, its tables and its log included. */
const TRIED_BYTES = 1024 * 1024

/** Writes to the disk and removes it: only so one is seen on which no payment could be recorded. Throws the system's error. */
async function tryToWrite(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(Buffer.alloc(TRIED_BYTES))
    await file.sync()
  } finally {
    await file.close()
    await rm(path)
  }
}

/** Every record is compared with its checksum, every table with the records, and the rows of every run with what was confirmed. */
async function recordsFindings(context: Context): Promise<Finding[]> {
  const runs: string[] = []
  const records = await found(declared`ledger`, async () => {
    if (!(await hasAccountLedger(context))) return t`none yet`
    const problems = await ledgerProblems(context, (sentence) => runs.push(sentence))
    if (problems.length > 0) {
      const hint = t`Run \`pixgate history check\` to see what is damaged, then restore your newest backup of the ledger`
      throw new UsageError(problems.join('; '), { hint })
    }
    const { seq: count } = await context.read(chainEnd)
    return count === 1 ? t`1 record, its checksum matches` : t`${count} records, all checksums match`
  })
  const hint = t`Run \`pixgate history check\` to see which records do not count`
  return [records, ...runs.map((sentence) => passed(declared`runs`, [sentence, hint]))]
}

/** Whether records are missing that this machine had written. */
async function witnessText(context: Context): Promise<string> {
  const verdict = await compareWitness(context)
  if (verdict.is === 'current') return t`none`
  throw olderLedger(context.dataFolder(), verdict, (await context.ledger()).environment.sharedAt)
}

/** The transfers and refunds that are in a state. */
async function paymentsIn(context: Context, filter: PaymentFilter) {
  return context.read((database) => {
    const last = lastPaymentSeq(database)
    return (['transfer', 'refund'] as const).flatMap((kind) =>
      listPayments(database, { ...filter, kind }, LIST_START, last, COUNTED_MAX),
    )
  })
}

/** Payments with an unknown outcome are not a fault of the setup, but a person should see them. */
async function unknownText(context: Context): Promise<Found> {
  const unknown = await paymentsIn(context, { state: 'unknown' })
  if (unknown[0] === undefined) return t`none`
  const { id } = unknown[0]
  const first = await context.read((database) => loadPayment(database, id))
  const finding = t`payments with an unknown outcome: ${unknown.length}, the first is ${hintedId(first)}`
  const { readOnly } = await activeAccount(context)
  const show = `pixgate history show ${hintedId(first)}`
  const hint = readOnly ? t`Ask a person who may pay about it; \`${show}\` says all that is known` : null
  return [finding, hint ?? unknownOutcomeHint(first)]
}

async function activeProfileText(context: Context): Promise<string> {
  const { active, profiles } = await readProfiles(context.configFolder(), (line) => context.terminal.warn(line))
  return active ?? (profiles.size === 0 ? t`none stored` : t`none of the ${profiles.size} stored`)
}

/** A profile without a secret is examined as far as that goes; the secret is not reported as missing. */
async function forgoMissingSecret(context: Context): Promise<void> {
  // The findings about the account say why there is none.
  const account = await activeAccount(context).catch(only(Failure, () => undefined))
  if (account?.secretKind === 'none') context.forgoSecret()
}

async function accountFindings(context: Context): Promise<Finding[]> {
  const account = await context.account().catch(failedAs(declared`credentials`))
  if ('finding' in account) return [account]
  const { profile, url, environment, clientId, sources, secretKind } = account
  const gateway = declared`gateway`
  return [
    passed(declared`profile`, profile ?? t`none, the credentials are in the environment`),
    passed(declared`address`, t`${url}, ${translated(environment)} (${sources.address})`),
    passed(
      declared`credentials`,
      secretKind === 'none'
        ? t`client id ${clientId} (${sources.clientId}), no secret, so nothing is sent with it`
        : t`client id ${clientId} (${sources.clientId}), secret (${sources.clientSecret})`,
    ),
    passed(declared`callback URL`, await callbackText(account)),
    await found(declared`waiting for events`, () => waitingForEventsText(context, account)),
    secretKind === 'none'
      ? passed(gateway, t`not asked, because the profile has no secret`)
      : await found(gateway, () => gatewayText(context)),
  ]
}

/** The callback URL. Whether something listens can be told of this machine alone. */
async function callbackText({ callbackUrl, sources }: Account): Promise<Found> {
  if (callbackUrl === null) return t`none, so commands need \`--callback-url\``
  const { hostname, port, protocol } = new URL(callbackUrl)
  const listenerPort = Number(port || (protocol === 'https:' ? 443 : 80))
  const source = sources.callbackUrl ?? ''
  if (!isLoopbackHost(hostname) || (await isListening(withoutBrackets(hostname), listenerPort))) {
    return t`${callbackUrl} (${source})`
  }
  return [
    t`${callbackUrl} (${source}); there is no listener, so no event arrives`,
    t`Run \`pixgate webhook listen --port ${listenerPort}\`, or start your own receiver`,
  ]
}

function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port })
  return once(socket, 'connect', { signal: AbortSignal.timeout(LISTENER_CONNECT_MS) })
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

/** How many payments were accepted and have no event yet, and since when. Banks may hold a transfer for a while, so that alone is no warning. */
async function waitingForEventsText(context: Context, account: Account): Promise<Found> {
  const { url: baseUrl, clientId, environment } = account
  const waiting = await paymentsIn(context, { account: { baseUrl, clientId, environment }, state: 'accepted' })
  if (waiting.length === 0) return t`no payment`
  const sinceMs = Math.min(...waiting.map(({ dayMs }) => dayMs))
  const finding =
    waiting.length === 1
      ? t`1 payment, since ${formatInstant(sinceMs)}`
      : t`${waiting.length} payments, the first since ${formatInstant(sinceMs)}`
  const isLate = context.now() - sinceMs > parseDuration(TRANSFER_WAIT)
  return [finding, isLate ? t`Run \`pixgate history --state accepted\` to see them` : null]
}

/** Earlier versions read a file of revoked keys beside the list of approvers. One that is still there revokes nothing, which somebody should know. */
async function revokedFileFindings(context: Context): Promise<Finding[]> {
  if (!(await hasAccountLedger(context))) return []
  const account = await activeAccount(context)
  const { approvers } = await context.read((database) => accountRules(database, account))
  const file = approvers && `${recordedApprovers(approvers).file}.revoked`
  if (file === null || !existsSync(file)) return []
  const finding = t`${file} is not read: the keys in it can still approve`
  const profile = account.profile ?? 'shop'
  const hint = t`Remove the file, and revoke each person with \`pixgate profile edit ${profile} --revoke joao --because "left the company"\``
  return [passed(declared`approvers`, [finding, hint])]
}

async function gatewayText(context: Context): Promise<string> {
  const failure = await testCredentials(await context.gateway())
  if (failure !== undefined) throw failure
  return t`reachable, and it accepts the credentials`
}

const CONNECT_MS = 10_000
/** A certificate that ends sooner is a warning: everybody stops paying when it does. */
const CERTIFICATE_LEFT_MIN_MS = 14 * DAY_MS
/** Clocks that differ by more than this are a warning; the server's time is the one that counts. */
const CLOCK_DIFFERENCE_MAX_MS = 60_000

/** What `doctor` finds out about the shared ledger of the account; nothing if its ledger is that of this machine. Throws Cancelled. */
async function sharedLedgerFindings(context: Context): Promise<Finding[]> {
  const name = declared`shared ledger`
  const shared = await sharedLedgerOf(context).catch(failedAs(name))
  if (shared === undefined) return []
  if ('finding' in shared) return [shared]
  const team = await openSharedLedger(context, shared)
  try {
    // At once: each of the two may wait for a server that is not reached.
    const findings = await Promise.all([
      serverFindings(context, shared).catch((error) => [failedAs(name)(error)]),
      copyFindings(team),
    ])
    const rules = await ruleFindings(context, team)
    return [
      ...findings.flat(),
      ...(await refusedFindings(context, team)),
      ...(await eventFindings(context, team)),
      ...rules,
      passed(declared`waiting here`, waitingText(team, shared)),
    ]
  } finally {
    await team.close()
  }
}

/** Whether the server is reached, what the login may do there, and how. Throws what it throws. */
async function serverFindings(
  context: Context,
  { address: text, password: source }: AccountLedger,
): Promise<Finding[]> {
  const [{ connectServer }, { readLedgerAddress }] = await Promise.all([
    import('../ledger/team/ledgerServer.ts'),
    import('../ledger/team/ledgerAddress.ts'),
  ])
  const address = readLedgerAddress(text)
  const password = await ledgerPassword(context, address, source)
  const beforeMs = context.now()
  const deadlineMs = performance.now() + Math.min(CONNECT_MS, context.settings.timeoutMs)
  const server = await connectServer(address, { password, deadlineMs })
  const afterMs = context.now()
  server.close()
  return [
    passed(declared`shared ledger`, rightsText(address, server, await activeAccount(context))),
    passed(declared`ledger TLS`, encryptionText(address, server, afterMs)),
    passed(declared`ledger version`, t`that of this pixgate, on PostgreSQL ${server.state.version}`),
    passed(declared`ledger clock`, clockText(server.state.nowMs, beforeMs, afterMs)),
  ]
}

function rightsText(
  { url }: LedgerAddress,
  { state: { login, mayWrite } }: LedgerServer,
  { readOnly, secretKind }: Pick<ActiveAccount, 'readOnly' | 'secretKind'>,
): Found {
  if (mayWrite) return t`${url} is reached; ${login} may add records and change none`
  // It cannot send anyway.
  if (readOnly || secretKind === 'none') return t`${url} is reached; ${login} may only read`
  return [
    t`${url} is reached; ${login} may only read, so nothing can be sent`,
    t`Ask the administrator for a login of the role \`pixgate_member\` if it is to send payments`,
  ]
}

function encryptionText({ host }: LedgerAddress, { encryption }: LedgerServer, nowMs: number): Found {
  if (encryption === null) return t`not needed, the server is on this machine`
  const { protocol, validUntilMs } = encryption
  const isEnding = validUntilMs < nowMs + CERTIFICATE_LEFT_MIN_MS
  return [
    t`${protocol}; the certificate is verified for ${host}, and valid until ${formatInstant(validUntilMs)}`,
    isEnding ? t`Renew the certificate of the server; without it nothing can be sent` : null,
  ]
}

/** The server told its time between two times of this machine. */
function clockText(serverMs: number, beforeMs: number, afterMs: number): Found {
  const aheadMs = serverMs > afterMs ? serverMs - afterMs : Math.min(0, serverMs - beforeMs)
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds === 0) return t`the same as that of this machine`
  const isFar = Math.abs(aheadMs) > CLOCK_DIFFERENCE_MAX_MS
  return [
    aheadMs > 0
      ? t`the server is ${seconds} s ahead of this machine; its time counts`
      : t`the server is ${seconds} s behind this machine; its time counts`,
    isFar ? t`Let both machines set their clocks from the network` : null,
  ]
}

/** How far the copy of this machine is. If the server must not be used, that was said before. */
async function copyFindings(team: TeamLedger): Promise<Finding[]> {
  const state = await team.state().catch(
    only(Failure, (failure) => {
      if (failure instanceof NotReached) throw failure
    }),
  )
  return state === undefined ? [] : [await found(declared`ledger copy`, () => copyText(team, state))]
}

async function copyText(team: TeamLedger, state: Awaited<ReturnType<TeamLedger['state']>>): Promise<Found> {
  const { records, behind, contactMs, stop } = state
  if (stop !== null) throw stop
  const age = contactMs === null ? t`never brought up to date` : t`as of ${formatInstant(contactMs)}`
  const kept = records === 1 ? t`1 record` : t`${records} records`
  if (behind === null) return t`${kept}, ${age}; the server was not reached`
  if (behind < 0) {
    const { olderServer } = await import('../ledger/team/serverErrors.ts')
    throw olderServer(await team.read(chainEnd))
  }
  if (behind === 0) return t`${kept}, all that the server has`
  return [t`${kept}, ${age}; the server has ${behind} more`, t`Run \`pixgate history\` to bring it up to date`]
}

/** The unreadable records, and those without a valid signature: each, or all of a login with many. */
async function refusedFindings(context: Context, team: TeamLedger): Promise<Finding[]> {
  const [{ namedRefusals, refusedHint, refusedRecords }, { judgeSigned }] = await Promise.all([
    import('../ledger/refusedRecords.ts'),
    import('../ruleApprovals.ts'),
  ])
  await judgeSigned(context, team, await activeAccount(context), true)
  const name = declared`ledger records`
  return team.read((database) => {
    const all = refusedRecords(database)
    const left = all.filter(({ setAside }) => setAside === null)
    if (left.length === 0) {
      return all.length === 0
        ? []
        : [passed(name, t`all can be read, but for those that the owner set aside: ${all.length}`)]
    }
    return namedRefusals(left).map(({ first, last, sentence }) => {
      const hint = refusedHint(database, first, last)
      return failedAs(name)(new UsageError(sentence, { hint }))
    })
  })
}

/** The events that no secret of this machine has signed. */
async function eventFindings(context: Context, team: TeamLedger): Promise<Finding[]> {
  const { doubtfulEventTexts, verifyEvents } = await import('../eventSignatures.ts')
  const account = await activeAccount(context)
  const verified = context.account().then(({ clientSecret }) => verifyEvents(team, account, [clientSecret]))
  // The account has a finding of its own.
  await verified.catch(onFailure(() => undefined))
  const texts = await doubtfulEventTexts(team, account)
  return texts.map((text) => passed(declared`events`, [text, t`Run \`pixgate history check\` to verify them again`]))
}

/** The changes of rules that would make one less strict and do not count here. */
async function ruleFindings(context: Context, team: TeamLedger): Promise<Finding[]> {
  const { uncountedRules } = await import('../ruleApprovals.ts')
  const uncounted = await uncountedRules(context, team, await activeAccount(context))
  return uncounted.map(({ sentence, change, hint }) => passed(declared`rules`, [`${sentence} (${change})`, hint]))
}

/** Only the login under which something happened hands it over. */
function waitingText(team: TeamLedger, { address }: AccountLedger): Found {
  const waiting = team.waiting()
  if (waiting.length === 0) return t`nothing`
  const other = waiting.find(({ login }) => login !== team.environment.user)?.login
  const logins = [...new Set(waiting.map(({ login }) => login))].map(
    (login) => t`${waiting.filter((each) => each.login === login).length} of ${login}`,
  )
  return [
    t`answers or events that the shared ledger lacks: ${logins.join(', ')}`,
    other === undefined
      ? t`Run \`pixgate history\` when the server is reached again`
      : t`Run \`pixgate ledger join ${loginAs(address, other)}\` to hand over what waits of ${other}, then join again with your own login`,
  ]
}

function loginAs(address: string, login: string): string {
  const url = new URL(address)
  url.username = encodeURIComponent(login)
  return url.href
}
