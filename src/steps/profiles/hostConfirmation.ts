import type { Context } from '../../context.ts'
import { type ProfileValues, profileEnvironment, type StoredProfile } from '../../profiles/profile.ts'
import { settingsInEffect } from '../../profiles/settingChanges.ts'
import { isWeakerSetting, PROFILE_SETTINGS, settingChangeText, settingLabel } from '../../profiles/settings.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { askToType } from '../../terminal/typedConfirmation.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** A profile that is added (`before` is undefined) or edited. */
interface ProfileChange {
  name: string
  before: StoredProfile | undefined
  after: ProfileValues
}

/** A step that makes production less strict, for which a person types the host of the address that it is about: that of the gateway, or of a database. */
interface WeakeningStep {
  url: string
  /** What it does, as an error says it where no person can be asked. */
  consequence: string
  /** What to type there; to confirm it, if it is absent. */
  hint?: string
  /** What to show before the question, above the address. */
  rows?: readonly LabelledRow[]
  /** What changes: below the address, and in the error. */
  changes?: readonly LabelledRow[]
  question: string
  nothingDone: string
}

/**
 * Asks the user to type the host of the profile's address if the change requires it. Returns the host that was confirmed by
 * the user or by `--confirm-host`. Throws UsageError with code CONFIRMATION_REQUIRED if the confirmation is missing or names
 * another host, Cancelled if the user types another one.
 */
export async function confirmHost(
  context: Context,
  change: ProfileChange,
  typedHost: string | undefined,
): Promise<string | undefined> {
  const url = change.after.baseUrl
  const step = stepOf(change)
  if (step !== null) await confirmWeakening(context, step, typedHost)
  else if (typedHost !== undefined) assertIsHost(typedHost, url, t`Nothing was stored`)
  else return undefined
  return new URL(url).host
}

/** Checks that the host that the change requires was confirmed. Throws UsageError with code CONFIRMATION_REQUIRED. */
export function assertHostConfirmed(change: ProfileChange, confirmedHost: string | undefined): void {
  const step = stepOf(change)
  if (step !== null && new URL(step.url).host !== confirmedHost) throw confirmationRequired(step)
}

/** A remote sandbox, or a production profile that becomes less strict; null for any other change. */
function stepOf({ name, before, after }: ProfileChange): WeakeningStep | null {
  const { host } = new URL(after.baseUrl)
  const changes = before === undefined ? [] : weakerSettings(before, after)
  const about = { url: after.baseUrl, rows: [[t`profile`, name]] as const, nothingDone: t`Nothing was stored` }
  const isConfirmed =
    before !== undefined && profileEnvironment(before) === 'sandbox' && before.confirmedSandboxHost === host
  if (after.confirmedSandboxHost !== undefined && !isConfirmed) {
    return {
      ...about,
      consequence: t`\`${host}\` is a remote host and counts as production until it is confirmed`,
      hint: t`Add \`--confirm-host ${host}\` if no real money moves there, otherwise \`--environment production\``,
      changes: changes.length === 0 ? [[t`environment`, t`sandbox`]] : changes,
      question: t`Type the host name to confirm that no real money moves there`,
    }
  }
  if (changes.length === 0) return null
  return {
    ...about,
    consequence: t`This change makes the production profile \`${name}\` less strict`,
    hint: t`Add \`--confirm-host ${host}\` to confirm the change`,
    changes,
    question: t`Type the host name to confirm this change of a production profile`,
  }
}

/** The settings of a production profile that become less strict, with their old and new values. */
export function weakerSettings(before: StoredProfile, after: ProfileValues): LabelledRow[] {
  if (profileEnvironment(before) !== 'production') return []
  const [old, next] = [settingsInEffect(before), settingsInEffect(after)]
  return PROFILE_SETTINGS.filter((name) => isWeakerSetting(name, old[name], next[name])).map((name) => [
    settingLabel(name),
    settingChangeText(name, old[name] ?? null, next[name] ?? null),
  ])
}

/**
 * Asks the user to type the host, unless `--confirm-host` names it. Throws UsageError with code CONFIRMATION_REQUIRED if that is missing or names
 * another host, Cancelled if the user types another one.
 */
export async function confirmWeakening(
  { terminal }: Context,
  step: WeakeningStep,
  typedHost: string | undefined,
): Promise<void> {
  const { url, rows = [], changes = [], question, nothingDone } = step
  const { host } = new URL(url)
  if (typedHost !== undefined) {
    assertIsHost(typedHost, url, nothingDone)
    return
  }
  if (!terminal.canAsk) throw confirmationRequired(step)
  const about: LabelledRow[] = [...rows, [t`address`, url], ...changes]
  terminal.say(labelledLines(about, terminal.err, terminal.errColumns).join('\n'))
  await askToType(terminal, {
    question,
    faultOf: (answer) => (isHost(answer, url) ? undefined : t`Type \`${host}\`, not \`${answer}\`; Ctrl-C stops`),
    mismatch: t`The typed host is not \`${host}\`; nothing was changed`,
    hint: t`Check the address, then run the command again`,
  })
}

function confirmationRequired({ url, consequence, hint, changes = [], nothingDone }: WeakeningStep): UsageError {
  return new UsageError(consequence, {
    code: 'CONFIRMATION_REQUIRED',
    details: [...changes.map(([label, value]) => `${label}: ${value}`), nothingDone],
    hint: hint ?? t`Add \`--confirm-host ${new URL(url).host}\` to confirm it`,
  })
}

function assertIsHost(typedHost: string, url: string, nothingDone: string): void {
  if (isHost(typedHost, url)) return
  const { host } = new URL(url)
  throw new UsageError(t`\`--confirm-host ${typedHost}\` does not match the host of the address, \`${host}\``, {
    code: 'CONFIRMATION_REQUIRED',
    details: [nothingDone],
    hint: t`Check the address ${url}, then add \`--confirm-host ${host}\``,
  })
}

/** True if the text is the host of this URL, with or without the port. */
export function isHost(typed: string, url: string): boolean {
  const { host, hostname } = new URL(url)
  return [host, hostname].includes(typed.trim().toLowerCase())
}
