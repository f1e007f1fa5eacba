import type { Context } from '../../context.ts'
import { formatReais } from '../../pix/amount.ts'
import { type ProfileValues, profileEnvironment, type StoredProfile } from '../../profiles/profile.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { askToType } from '../../terminal/typedConfirmation.ts'
import { t } from '../../text/translate.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'

/** A profile that is added (`before` is undefined) or edited. */
interface ProfileChange {
  name: string
  before: StoredProfile | undefined
  after: ProfileValues
}

/** What a person confirms by typing the host of the profile's address. */
interface HostConfirmation {
  host: string
  /** A remote sandbox, or a production profile that becomes less strict. */
  kind: 'sandbox' | 'weaker'
  /** The changes to show. */
  rows: readonly LabelledRow[]
}

/**
 * Asks the user to type the host of the profile's address if the change requires it. Returns the host that was confirmed by
 * the user or by `--confirm-host`. Throws UsageError with code CONFIRMATION_REQUIRED if the confirmation is missing or names
 * another host, Cancelled if the user types another one.
 */
export async function confirmHost(
  { terminal }: Context,
  change: ProfileChange,
  typedHost: string | undefined,
): Promise<string | undefined> {
  const address = readBaseAddress(change.after.baseUrl, 'baseUrl')
  const { host, url } = address
  if (typedHost !== undefined) {
    assertIsHost(typedHost, address, t`Nothing was stored`)
    return host
  }
  const confirmation = confirmationFor(change)
  if (confirmation === null) return undefined
  if (!terminal.canAsk) throw confirmationRequired(change.name, confirmation)
  const about: LabelledRow[] = [[t`profile`, change.name], [t`address`, url], ...confirmation.rows]
  terminal.say(labelledLines(about, terminal.err, terminal.errColumns).join('\n'))
  const question =
    confirmation.kind === 'sandbox'
      ? t`Type the host name to confirm that no real money moves there`
      : t`Type the host name to confirm this change of a production profile`
  await askForHost(terminal, address, question)
  return host
}

/** An address, and its host as a person types it. */
interface HostAddress {
  host: string
  url: string
}

/** A step that makes production less strict, for which a person types the host of the address that it is about: that of the gateway, or of a database. */
interface WeakeningStep {
  address: HostAddress
  /** What it does, as an error says it where no person can be asked. */
  consequence: string
  /** What to show before the question, beside the address. */
  rows: readonly LabelledRow[]
  question: string
  nothingDone: string
}

/**
 * Asks the user to type the host, unless `--confirm-host` names it. Throws UsageError with code CONFIRMATION_REQUIRED, and Cancelled, like
 * {@link confirmHost}.
 */
export async function confirmWeakening(
  { terminal }: Context,
  { address, consequence, rows, question, nothingDone }: WeakeningStep,
  typedHost: string | undefined,
): Promise<void> {
  const { host, url } = address
  if (typedHost !== undefined) {
    assertIsHost(typedHost, address, nothingDone)
    return
  }
  if (!terminal.canAsk) {
    throw new UsageError(consequence, {
      code: 'CONFIRMATION_REQUIRED',
      details: [nothingDone],
      hint: t`Add \`--confirm-host ${host}\` to confirm it`,
    })
  }
  terminal.say(labelledLines([...rows, [t`address`, url]], terminal.err).join('\n'))
  await askForHost(terminal, address, question)
}

function assertIsHost(typedHost: string, { host, url }: HostAddress, nothingDone: string): void {
  if (isHost(typedHost, url)) return
  throw new UsageError(t`\`--confirm-host ${typedHost}\` does not match the host of the address, \`${host}\``, {
    code: 'CONFIRMATION_REQUIRED',
    details: [nothingDone],
    hint: t`Check the address ${url}, then add \`--confirm-host ${host}\``,
  })
}

async function askForHost(terminal: Context['terminal'], { host, url }: HostAddress, question: string): Promise<void> {
  await askToType(terminal, {
    question,
    faultOf: (answer) => (isHost(answer, url) ? undefined : t`Type \`${host}\`, not \`${answer}\`; Ctrl-C stops`),
    mismatch: () =>
      new Cancelled(t`The typed host is not \`${host}\`; nothing was changed`, {
        hint: t`Check the address, then run the command again`,
      }),
  })
}

/** Checks that the host that the change requires was confirmed. Throws UsageError with code CONFIRMATION_REQUIRED. */
export function assertHostConfirmed(change: ProfileChange, confirmedHost: string | undefined): void {
  const confirmation = confirmationFor(change)
  if (confirmation !== null && confirmation.host !== confirmedHost)
    throw confirmationRequired(change.name, confirmation)
}

function confirmationFor({ before, after }: ProfileChange): HostConfirmation | null {
  const { host } = readBaseAddress(after.baseUrl, 'baseUrl')
  const rows = before === undefined ? [] : weakerSettings(before, after)
  const isConfirmed =
    before !== undefined && profileEnvironment(before) === 'sandbox' && before.confirmedSandboxHost === host
  if (after.confirmedSandboxHost !== undefined && !isConfirmed) {
    return { host, kind: 'sandbox', rows: rows.length === 0 ? [[t`environment`, t`sandbox`]] : rows }
  }
  return rows.length === 0 ? null : { host, kind: 'weaker', rows }
}

/** The settings of a production profile that become less strict, with their old and new values. */
export function weakerSettings(before: StoredProfile, after: ProfileValues): LabelledRow[] {
  if (profileEnvironment(before) !== 'production') return []
  const rows: LabelledRow[] = []
  if (after.environment === 'sandbox') rows.push([t`environment`, t`production → sandbox`])
  for (const [label, limit, newLimit] of [
    [t`limit per payment`, before.maxAmountCents, after.maxAmountCents],
    [t`limit per day`, before.maxDayCents, after.maxDayCents],
  ] as const) {
    if (limit === undefined || (newLimit !== undefined && newLimit <= limit)) continue
    rows.push([label, t`${formatReais(limit)} → ${newLimit === undefined ? t`no limit` : formatReais(newLimit)}`])
  }
  if (before.checkCommand !== undefined && after.checkCommand !== before.checkCommand) {
    rows.push([t`check command`, t`${before.checkCommand} → ${after.checkCommand ?? t`none`}`])
  }
  if (before.readOnly === true && after.readOnly !== true) rows.push([t`read-only`, t`yes → no`])
  return rows
}

/** True if the text is the host of this URL, with or without the port. */
function isHost(typed: string, url: string): boolean {
  const { host, hostname } = new URL(url)
  return [host, hostname].includes(typed.trim().toLowerCase())
}

function confirmationRequired(name: string, { host, kind, rows }: HostConfirmation): UsageError {
  const details = [...rows.map(([label, value]) => `${label}: ${value}`), t`Nothing was stored`]
  if (kind === 'sandbox') {
    return new UsageError(t`\`${host}\` is a remote host and counts as production until it is confirmed`, {
      code: 'CONFIRMATION_REQUIRED',
      details,
      hint: t`Add \`--confirm-host ${host}\` if no real money moves there, otherwise \`--environment production\``,
    })
  }
  return new UsageError(t`This change makes the production profile \`${name}\` less strict`, {
    code: 'CONFIRMATION_REQUIRED',
    details,
    hint: t`Add \`--confirm-host ${host}\` to confirm the change`,
  })
}
