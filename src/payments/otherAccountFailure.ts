import type { Owner } from '../ledger/owner.ts'
import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import type { ProfileStore } from '../profiles/profile.ts'
import { shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** The failure of resuming what another account sent. `name` is the external id or the run, `owner` who sent it. */
export function otherAccountFailure(
  name: string,
  owner: Owner,
  account: Account,
  { profiles }: ProfileStore,
): UsageError {
  const options = optionsOf(owner, account, profiles)
  return new UsageError(t`${name} was sent to ${owner.baseUrl} with client id ${owner.clientId}`, {
    details: [t`It cannot be resumed with ${account.url} and client id ${account.clientId}`],
    hint:
      options === undefined
        ? t`Set the credentials and the base address with which it was sent`
        : t`Add \`${options}\`, with which it was sent`,
  })
}

/** The options that select an owner's account; undefined if no profile has its address and client id any more. */
function optionsOf(
  { profile, baseUrl, clientId }: Owner,
  account: Account,
  profiles: ProfileStore['profiles'],
): string | undefined {
  if (profile === LOCAL_PROFILE.name) {
    const address = `--base-url ${shellWord(baseUrl)}`
    if (account.profile === LOCAL_PROFILE.name) return address
    return baseUrl === LOCAL_PROFILE.baseUrl ? `--profile ${profile}` : `--profile ${profile} ${address}`
  }
  const same = [...profiles].filter(([, each]) => each.baseUrl === baseUrl && each.clientId === clientId)
  const [name] = same.find(([each]) => each === profile) ?? same[0] ?? []
  return name === undefined ? undefined : `--profile ${name}`
}
