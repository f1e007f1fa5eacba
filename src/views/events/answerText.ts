import type { AnswerCause } from '../../listener/answerCause.ts'
import { t } from '../../text/translate.ts'

/** What one answer to a webhook proves. */
export const ANSWER_CAUSES: Readonly<Record<AnswerCause, () => string>> = {
  slow: () => t`It answers after 5 s, when the service has given up and delivers again`,
  'not-200': () => t`It answers 2xx other than 200, so the service delivers again`,
  redirect: () => t`It redirects, and webhooks do not follow redirects`,
  login: () => t`It asks for a login before it verifies the signature`,
  csrf: () => t`A CSRF check refuses it before the signature is verified`,
  'rate-limit': () => t`It limits how often it answers, and webhooks come in bursts`,
  'wrong-method': () => t`This path does not accept POST`,
  'too-large': () => t`The body is longer than it allows`,
  'content-type': () => t`It does not accept \`application/json\` here`,
  crash: () => t`It fails with 5xx instead of answering`,
  'wrong-path': () => t`There is nothing at this path`,
  listener: () => t`It is a listener of pixgate, which shows there why it has refused it`,
  'no-answer': () => t`It does not answer`,
}

/** What to do about it. */
export const ANSWER_FIXES: Readonly<Record<AnswerCause, () => string[]>> = {
  slow: () => [t`Store the event, answer 200, and do the work afterwards`],
  'not-200': () => [t`Answer 200`],
  redirect: () => [t`Use the address that it points to`],
  login: () => [t`Let webhooks pass without a login: their signature says who sent them`],
  csrf: () => [t`Exempt this path from the CSRF check`],
  'rate-limit': () => [t`Exempt this path from the limit`],
  'wrong-method': () => [t`Check the path and the method of its route`],
  'too-large': () => [t`Allow bodies of 1 MiB`],
  'content-type': () => [t`Accept \`application/json\``],
  crash: () => [t`Look at its log`],
  'wrong-path': () => [t`Check the path of the URL`],
  listener: () => [t`Look at its lines, or at \`pixgate webhook verify --last-refused\``],
  'no-answer': () => [t`Answer 200 within 5 s, also to what it does not know`],
}
