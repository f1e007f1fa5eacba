import type { AnswerCause } from '../../listener/answerCause.ts'
import { t } from '../../text/translate.ts'

/** What one answer to a webhook proves, and what to do about it. */
const TEXTS: Readonly<Record<AnswerCause, { cause: () => string; fix: () => string }>> = {
  slow: {
    cause: () => t`It answers after 5 s, when the service has given up and delivers again`,
    fix: () => t`Store the event, answer 200, and do the work afterwards`,
  },
  'not-200': {
    cause: () => t`It answers 2xx other than 200, so the service delivers again`,
    fix: () => t`Answer 200`,
  },
  redirect: {
    cause: () => t`It redirects, and webhooks do not follow redirects`,
    fix: () => t`Use the address that it points to`,
  },
  login: {
    cause: () => t`It asks for a login before it verifies the signature`,
    fix: () => t`Let webhooks pass without a login: their signature says who sent them`,
  },
  csrf: {
    cause: () => t`A CSRF check refuses it before the signature is verified`,
    fix: () => t`Exempt this path from the CSRF check`,
  },
  'rate-limit': {
    cause: () => t`It limits how often it answers, and webhooks come in bursts`,
    fix: () => t`Exempt this path from the limit`,
  },
  'wrong-method': {
    cause: () => t`This path does not accept POST`,
    fix: () => t`Check the path and the method of its route`,
  },
  'too-large': {
    cause: () => t`The body is longer than it allows`,
    fix: () => t`Allow bodies of 1 MiB`,
  },
  'content-type': {
    cause: () => t`It does not accept \`application/json\` here`,
    fix: () => t`Accept \`application/json\``,
  },
  crash: {
    cause: () => t`It fails with 5xx instead of answering`,
    fix: () => t`Look at its log`,
  },
  'wrong-path': {
    cause: () => t`There is nothing at this path`,
    fix: () => t`Check the path of the URL`,
  },
  listener: {
    cause: () => t`It is a listener of pixgate, which shows there why it has refused it`,
    fix: () => t`Look at its lines, or at \`pixgate webhook verify --last-refused\``,
  },
  'no-answer': {
    cause: () => t`It does not answer`,
    fix: () => t`Answer 200 within 5 s, also to what it does not know`,
  },
}

/** True for what one answer proves by itself. */
export function isAnswerCause(cause: string): cause is AnswerCause {
  return cause in TEXTS
}

/** What an answer proves, in a sentence. */
export function answerCauseText(cause: AnswerCause): string {
  return TEXTS[cause].cause()
}

/** What to do about it. */
export function answerFixText(cause: AnswerCause): string {
  return TEXTS[cause].fix()
}
