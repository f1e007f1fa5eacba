import { formatDuration } from '../pix/duration.ts'
import { t } from '../text/words.ts'
import type { BaseAddress } from '../wire/address.ts'
import { type AnswerFields, readComplaint, readObject } from '../wire/answers.ts'
import { Cancelled, type Failure, NotFound, NotReached, OutcomeUnknown, Refused, UsageError } from '../wire/errors.ts'
import { connect, type Environment, routeTo } from './connections.ts'
import { ExchangeFailed, exchange, type HttpRequest } from './exchange.ts'
import { unreachable } from './unreachable.ts'

const ANSWER_BYTES_MAX = 256 * 1024 * 1024

/** What a control call needs of the world around it. */
export interface ControlSurroundings {
  env: Environment
  timeoutMs: number
  interrupt: AbortSignal
  abandon: AbortSignal
}

/**
 * Sends a control command to a sandbox on this machine: `POST /sandbox/<action>` with the body, or a GET without one. Gives
 * its answer. Throws NotFound, Refused if it makes no sense, UsageError if it is malformed, NotReached if the sandbox was not
 * reached or a GET got no answer, OutcomeUnknown if a POST may have left and got no answer, Cancelled on Ctrl-C.
 */
export async function controlSandbox(
  address: BaseAddress,
  action: string,
  body: AnswerFields | undefined,
  around: ControlSurroundings,
): Promise<AnswerFields> {
  const url = `${address.url}/sandbox/${action}`
  const headers = { 'content-type': 'application/json' }
  const request: HttpRequest =
    body === undefined
      ? { method: 'GET', url, headers: {} }
      : { method: 'POST', url, headers, body: JSON.stringify(body) }
  const dispatcher = await connect(routeTo(url, around.env))
  try {
    const answer = await exchange(dispatcher, request, { ...around, bytesMax: ANSWER_BYTES_MAX })
    const fields = readObject(answer.body.toString('utf8'))
    if (answer.httpStatus === 200 && fields !== undefined) return fields
    throw controlFailure(address, answer.httpStatus, fields)
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error
    throw unanswered(address, error, body !== undefined, around.timeoutMs)
  } finally {
    void dispatcher.destroy()
  }
}

function unanswered(address: BaseAddress, failed: ExchangeFailed, isCommand: boolean, timeoutMs: number): Failure {
  const { fault, mayHaveLeft, code } = failed
  const hint = t`Run \`pixgate sandbox state\` to see what happened before you repeat the command`
  if (fault === 'interrupted') {
    return mayHaveLeft && isCommand
      ? new Cancelled(t`Interrupted after the command was sent; the sandbox may have carried it out`, {
          outcome: 'unknown',
          hint,
        })
      : new Cancelled(t`Interrupted; the sandbox was not changed`, { hint: t`Run the command again` })
  }
  if (!mayHaveLeft) return unreachable(address, fault, code, timeoutMs)
  const message = unansweredText(address, failed, timeoutMs)
  if (isCommand) {
    return new OutcomeUnknown(message, { details: [t`The command was sent, and its outcome is unknown`], hint })
  }
  return new NotReached(message, { outcome: 'unknown', hint: t`Check that a sandbox runs at ${address.url}` })
}

function unansweredText({ host }: BaseAddress, { fault, code }: ExchangeFailed, timeoutMs: number): string {
  if (fault === 'timeout') return t`The sandbox at ${host} did not answer within ${formatDuration(timeoutMs)}`
  if (fault === 'too-large') return t`The answer of the sandbox at ${host} is too large`
  return t`The connection to the sandbox at ${host} broke before its whole answer arrived (${code})`
}

function controlFailure(address: BaseAddress, httpStatus: number, fields: AnswerFields | undefined): Failure {
  const { code, description } = readComplaint(fields)
  const message = t`${description ?? t`The sandbox answered HTTP ${httpStatus}`}`
  const facts = { httpStatus, code: code ?? undefined }
  if (code === 'TRANSACTION_NOT_FOUND') {
    return new NotFound(message, { ...facts, hint: t`Run \`pixgate sandbox state\` to list what exists` })
  }
  if (httpStatus === 409 || httpStatus === 422) {
    return new Refused(message, { ...facts, hint: t`Run \`pixgate sandbox state\` to see its state` })
  }
  if (httpStatus === 400) return new UsageError(message, { ...facts, hint: t`Correct it, then try again` })
  return new NotReached(t`What answers at ${address.host} is not a sandbox`, {
    ...facts,
    outcome: 'unknown',
    hint: t`Name the address that \`pixgate sandbox\` printed with \`--base-url\``,
  })
}
