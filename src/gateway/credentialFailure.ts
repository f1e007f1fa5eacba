import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { AuthError } from '../wire/errors.ts'

/** What an answer that says no carries into a failure. */
export interface AnswerFacts {
  httpStatus: number
  code: string | undefined
  details: string[]
}

/** The failure that a 401 is. */
export function credentialsFailure(account: Account, facts: AnswerFacts): AuthError {
  const hint = credentialsHint(account)
  return new AuthError(t`The gateway at ${account.host} does not accept these credentials`, {
    ...facts,
    code: facts.code ?? 'INVALID_CREDENTIALS',
    outcome: 'refused',
    hint,
  })
}

function credentialsHint({ profile, host }: Account): string {
  if (profile === null) {
    return t`Check \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\`: they must be those of ${host}`
  }
  if (profile === LOCAL_PROFILE.name) {
    return t`Start \`pixgate sandbox\` without other credentials, which is what the profile ${profile} is for, or set \`PIXGATE_CLIENT_ID\`, \`PIXGATE_CLIENT_SECRET\` and \`PIXGATE_BASE_URL\``
  }
  return t`Run \`pixgate profile show ${profile}\` and compare it with the dashboard; correct it with \`pixgate profile edit ${profile}\``
}

/** True for the code of a machine whose address is not registered. */
export function isAllowlistComplaint(code: string | null): boolean {
  return code === 'UNAUTHORIZED_IP'
}

/** The failure of a machine whose address is not registered for cash-out. */
export function allowlistFailure(facts: AnswerFacts): AuthError {
  return new AuthError(t`This machine's address is not registered for cash-out`, {
    ...facts,
    outcome: 'refused',
    hint: t`Register it in the dashboard, section gateway/checkout, IP management: the public address that the gateway sees counts`,
  })
}
