import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { AuthError } from '../wire/errors.ts'

/** The parts of a refusal that go into a failure. */
export interface AnswerFacts {
  httpStatus: number
  code: string | undefined
  details: string[]
}

/** The failure for HTTP 401. */
export function credentialsFailure(account: Account, facts: AnswerFacts): AuthError {
  const hint = credentialsHint(account)
  return new AuthError(t`The gateway at ${account.host} rejected the credentials`, {
    ...facts,
    code: facts.code ?? 'INVALID_CREDENTIALS',
    outcome: 'refused',
    hint,
  })
}

function credentialsHint({ profile, host }: Account): string {
  if (profile === null) {
    return t`Check \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\`: they must belong to ${host}`
  }
  if (profile === LOCAL_PROFILE.name) {
    return t`Start \`pixgate sandbox\` with its default credentials, or set \`PIXGATE_CLIENT_ID\`, \`PIXGATE_CLIENT_SECRET\` and \`PIXGATE_BASE_URL\``
  }
  return t`Compare \`pixgate profile show ${profile}\` with the dashboard, then fix it with \`pixgate profile edit ${profile}\``
}

/** True for the error code of a machine whose IP address is not registered. */
export function isAllowlistComplaint(code: string | null): boolean {
  return code === 'UNAUTHORIZED_IP'
}

/** The failure for a machine whose IP address is not registered for cash-out. */
export function allowlistFailure(facts: AnswerFacts): AuthError {
  return new AuthError(t`The IP address of this machine is not registered for cash-out`, {
    ...facts,
    outcome: 'refused',
    hint: t`Register the public IP address in the dashboard, under gateway/checkout, IP management`,
  })
}
