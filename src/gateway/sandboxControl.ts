import type { EnvironmentVariables } from '../programInfo.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { type AnswerFields, readAnswerError, readObject } from '../wire/answers.ts'
import type { BaseAddress } from '../wire/baseAddress.ts'
import {
  AuthError,
  Cancelled,
  type Failure,
  NotFound,
  NotReached,
  OutcomeUnknown,
  Refused,
  UsageError,
} from '../wire/errors.ts'
import { connect, routeTo, unreachableFailure } from './connections.ts'
import { ExchangeFailed, exchange, type HttpRequest } from './exchange.ts'
import { unansweredText } from './gatewayErrors.ts'

/** The variable that holds the token for controlling a sandbox from beyond its machine. */
export const CONTROL_TOKEN_VARIABLE = 'PIXGATE_CONTROL_TOKEN'

const ANSWER_BYTES_MAX = 256 * 1024 * 1024

interface ControlDependencies {
  env: EnvironmentVariables
  timeoutMs: number
  /** The options that select this sandbox, for commands in hints: `-p dev `, or nothing. */
  accountOptions: string
  interrupt: AbortSignal
  abandon: AbortSignal
}

/** A control call: `POST /sandbox/<name>` with a body, or a GET whose values are the texts, flags and numbers of its query. */
interface ControlRequest {
  method: 'GET' | 'POST'
  name: string
  values: object
}

/**
 * Makes a control call to a sandbox on this machine and returns its answer. Throws NotFound, Refused if the state does not allow
 * the call, UsageError if its body is malformed, AuthError without the control token, NotReached if the sandbox was not reached
 * or a GET got no answer, OutcomeUnknown if a POST may have been sent and got no answer, Cancelled on Ctrl-C.
 */
export async function controlSandbox(
  address: BaseAddress,
  { method, name, values }: ControlRequest,
  dependencies: ControlDependencies,
): Promise<AnswerFields> {
  const url = `${address.url}/sandbox/${name}`
  const token = dependencies.env[CONTROL_TOKEN_VARIABLE]
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const request: HttpRequest =
    method === 'GET'
      ? { method, url: url + queryOf(values), headers }
      : { method, url, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(values) }
  const dispatcher = await connect(routeTo(url, dependencies.env))
  try {
    const answer = await exchange(dispatcher, request, { ...dependencies, bytesMax: ANSWER_BYTES_MAX })
    const fields = readObject(answer.body.toString('utf8'))
    if (answer.httpStatus === 200 && fields !== undefined) return fields
    throw controlFailure(address, answer.httpStatus, fields, values, dependencies.accountOptions)
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error
    throw unansweredFailure(address, error, method === 'POST', dependencies)
  } finally {
    void dispatcher.destroy()
  }
}

function queryOf(values: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}

function unansweredFailure(
  address: BaseAddress,
  failed: ExchangeFailed,
  isCommand: boolean,
  { timeoutMs, accountOptions }: ControlDependencies,
): Failure {
  const { fault, mayHaveLeft, code } = failed
  const hint = t`Check \`${stateCommand(accountOptions)}\` before you repeat the command`
  if (fault === 'interrupted') {
    return mayHaveLeft && isCommand
      ? new Cancelled(t`Interrupted after the command was sent; the sandbox may have carried it out`, {
          outcome: 'unknown',
          hint,
        })
      : new Cancelled(t`Interrupted; the sandbox was not changed`, { hint: t`Run the command again` })
  }
  if (!mayHaveLeft) return unreachableFailure(address, fault, code, timeoutMs)
  const message = unansweredText(fault, timeoutMs)
  if (isCommand) {
    return new OutcomeUnknown(message, { details: [t`The command was sent; its outcome is unknown`], hint })
  }
  return new NotReached(message, { outcome: 'unknown', hint: t`Check that a sandbox is running at ${address.url}` })
}

function stateCommand(accountOptions: string): string {
  return `pixgate sandbox state ${accountOptions}`.trimEnd()
}

function controlFailure(
  address: BaseAddress,
  httpStatus: number,
  fields: AnswerFields | undefined,
  values: object,
  accountOptions: string,
): Failure {
  const state = stateCommand(accountOptions)
  const { code, description } = readAnswerError(fields)
  const message = t`${description ?? t`The sandbox answered HTTP ${httpStatus}`}`
  const facts = { httpStatus, code: code ?? undefined }
  if (code === 'TRANSACTION_NOT_FOUND') {
    return new NotFound(message, { ...facts, hint: t`List all transactions with \`${state}\`` })
  }
  if (code === 'CODE_ENDED' && 'id' in values) {
    const command = `pixgate sandbox pay ${accountOptions}--late ${commandArgument(String(values.id))}`
    return new Refused(message, { ...facts, hint: t`Pay it all the same with \`${command}\`` })
  }
  if (httpStatus === 409 || httpStatus === 422) {
    return new Refused(message, { ...facts, hint: t`Check the current state with \`${state}\`` })
  }
  if (httpStatus === 403) {
    const hint = t`Add \`--control-token\` with the token that the sandbox was started with, or set \`${CONTROL_TOKEN_VARIABLE}\``
    return new AuthError(message, { ...facts, hint })
  }
  if (code === 'AMBIGUOUS_ID')
    return new UsageError(message, {
      ...facts,
      hint: t`Use the whole transaction id, which \`${state}\` lists`,
    })
  if (httpStatus === 400) return new UsageError(message, { ...facts, hint: t`Correct the value and try again` })
  return new NotReached(t`The server at ${address.host} is not a sandbox`, {
    ...facts,
    outcome: 'unknown',
    hint: t`Set \`--base-url\` to the address that \`pixgate sandbox\` printed`,
  })
}
