import { type DeliveryAnswer, isTooSlow, LISTENER_HEADER } from '../wire/signature.ts'

/** What one answer proves about its receiver. */
export type AnswerCause =
  | 'listener'
  | 'no-answer'
  | 'slow'
  | 'not-200'
  | 'redirect'
  | 'login'
  | 'csrf'
  | 'rate-limit'
  | 'wrong-path'
  | 'wrong-method'
  | 'too-large'
  | 'content-type'
  | 'crash'

/** The answer to a webhook, with as much of it as is known. */
export interface KnownAnswer extends Pick<DeliveryAnswer, 'status' | 'ms'> {
  headers?: Readonly<Record<string, string | string[] | undefined>>
  /** The beginning of its body. */
  body?: string
}

const LOGIN_PATH = /\b(?:log-?in|sign-?in|auth|sso|entrar|session)\b/i
const CSRF = /csrf|xsrf|cross.site request|authenticity.?token|page expired/i

/** What an answer to a genuine webhook proves by itself; null if it is 200 in time, or a refusal that says no more. */
export function causeOfAnswer(answer: KnownAnswer): AnswerCause | null {
  const { status, headers = {}, body = '' } = answer
  if (status === null) return 'no-answer'
  if (status !== 200 && headers[LISTENER_HEADER.toLowerCase()] !== undefined) return 'listener'
  if (isTooSlow(answer)) return 'slow'
  if (status >= 300 && status < 400) return LOGIN_PATH.test(String(headers.location ?? '')) ? 'login' : 'redirect'
  if (status >= 500) return 'crash'
  if (status >= 200 && status < 300) return status === 200 ? null : 'not-200'
  if (status === 429) return 'rate-limit'
  if (status === 419 || ([400, 403, 422].includes(status) && CSRF.test(body))) return 'csrf'
  if (headers['www-authenticate'] !== undefined || status === 407) return 'login'
  const byStatus: Readonly<Record<number, AnswerCause>> = {
    404: 'wrong-path',
    405: 'wrong-method',
    413: 'too-large',
    415: 'content-type',
  }
  return byStatus[status] ?? null
}

const ERROR_WORDS =
  /\b(?:error|erro|invalid|inv[áa]lid[ao]|unauthori[sz]ed|forbidden|denied|refused|rejected)\b|"(?:ok|success)"\s*:\s*false/i

/** True if the body of an answer says that something was wrong. */
export function saysError(body: string): boolean {
  return ERROR_WORDS.test(body)
}
