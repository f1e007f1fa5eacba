import { t } from '../text/translate.ts'
import { isSameAccount } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'
import { type Account, LOCAL_PROFILE, limitsOf } from './account.ts'
import { profileEnvironment } from './profile.ts'
import { readProfilesNow } from './store.ts'

/**
 * An account with the limits that its profile has now: what somebody sets while a question is open binds. Throws UsageError if the profile was
 * removed or is another account by now. An account that no stored profile gives is returned as it is.
 */
export function currentAccount(account: Account, configFolder: string): Account {
  const { profile } = account
  if (profile === null || profile === LOCAL_PROFILE.name) return account
  const stored = readProfilesNow(configFolder).profiles.get(profile)
  if (stored === undefined) throw changedProfile(profile, t`It was removed while this command ran`)
  const isSame =
    isSameAccount(stored, { baseUrl: account.url, clientId: account.clientId }) &&
    profileEnvironment(stored) === account.environment
  if (!isSame)
    throw changedProfile(profile, t`Its address, client id or environment was changed while this command ran`)
  return { ...account, ...limitsOf(stored) }
}

function changedProfile(profile: string, detail: string): UsageError {
  return new UsageError(t`The profile ${profile} is not what it was when this command began, so nothing was sent`, {
    details: [detail],
    hint: t`Check it with \`pixgate profile show ${profile}\`, then run the command again`,
  })
}
