import type { Context } from '../context.ts'
import { CONTROL_TOKEN_VARIABLE, controlSandbox } from '../gateway/sandboxControl.ts'
import { readText } from '../optionParsers.ts'
import { findProfile, LOCAL_PROFILE } from '../profiles/account.ts'
import { addressEnvironment, type ProfileStore, profileEnvironment, typedAddress } from '../profiles/profile.ts'
import { readProfiles } from '../profiles/store.ts'
import { CONTROL_CALLS, type ControlBody, type ControlName } from '../sandbox/control.ts'
import { accountOptions } from '../settings.ts'
import type { Column } from '../terminal/printer.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { stateRow } from '../views/payments/paymentCells.ts'
import { transactionState, wireLabel, wireText } from '../views/sandboxText.ts'
import { type AnswerFields, objectsIn } from '../wire/answers.ts'
import type { BaseAddress } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'
import { Secret } from '../wire/secret.ts'

/** True for the name of a control call. */
export function isControl(name: unknown): name is ControlName {
  return typeof name === 'string' && Object.hasOwn(CONTROL_CALLS, name)
}

/** Carries out a control command and shows what the sandbox answers. */
export async function runControl<Name extends ControlName>(
  context: Context,
  name: Name,
  body: ControlBody<Name>,
): Promise<number> {
  const answer = await callSandbox(context, name, body)
  context.print.one(answer, () => controlAnswerLines(context, answer))
  await noteSandbox(context)
  return 0
}

/** The answer of a control call, without null fields and lists, which only the JSON output shows. */
export function controlAnswerLines({ terminal }: Context, answer: AnswerFields): string[] {
  const state = transactionState(answer)
  const rows = Object.entries(answer).flatMap(([name, value]): LabelledRow[] => {
    if (value === null || typeof value === 'object') return []
    if (name === 'status' && state !== undefined) return [stateRow(state, terminal.out)]
    return [[wireLabel(name), wireText(answer, name)]]
  })
  return labelledLines(rows, terminal.out)
}

/** Shows the list of this name in the answer of a control call, or says that there is nothing in it. */
export async function showSandboxList(
  context: Context,
  answer: AnswerFields,
  name: string,
  columns: readonly Column<AnswerFields>[],
  nothing = '',
): Promise<number> {
  const found = objectsIn(answer[name])
  await context.print.list(found, { columns })
  if (found.length === 0 && nothing !== '') context.terminal.note(nothing)
  await noteSandbox(context)
  return 0
}

/** Makes a control call to the sandbox of this command line. Throws UsageError beyond loopback. */
export async function callSandbox<Name extends ControlName>(
  context: Context,
  name: Name,
  values: ControlBody<Name>,
): Promise<AnswerFields> {
  const { settings, runtime } = context
  const address = await sandboxAddress(context)
  const { method } = CONTROL_CALLS[name]
  return controlSandbox(
    address,
    { method, name, values },
    {
      env: runtime.env,
      timeoutMs: settings.timeoutMs,
      accountOptions: accountOptions(settings),
      interrupt: runtime.interrupt,
      abandon: runtime.abandon,
    },
  )
}

/** Says which sandbox answered. */
export async function noteSandbox(context: Context): Promise<void> {
  const { url } = await sandboxAddress(context)
  context.terminal.note(t`The sandbox at ${url}`)
}

/** The sandbox of this command line: the address that is typed, else that of the profile. Throws UsageError beyond loopback, and for production. */
export async function sandboxAddress(context: Context): Promise<BaseAddress> {
  const { settings, runtime, terminal, configFolder } = context
  const isProfileTyped = settings.profile !== undefined && settings.baseUrl === undefined
  const typed = isProfileTyped ? undefined : typedAddress(settings.baseUrl, runtime.env)
  if (typed?.isLoopback === false) throw beyondThisMachine(typed, typedHint())
  for (const line of typed?.notices ?? []) context.notice(line)
  const store = await readProfiles(configFolder(), (line) => terminal.warn(line))
  if (typed !== undefined) return sandboxOnly(typed, store)
  const selected = settings.profile ?? (runtime.env.PIXGATE_PROFILE || store.active)
  const profile = findProfile(selected || LOCAL_PROFILE.name, store)
  const { name, address } = profile
  if (name === LOCAL_PROFILE.name) return sandboxOnly(address, store)
  const hint = t`Add \`-p ${LOCAL_PROFILE.name}\` to control the sandbox at ${LOCAL_PROFILE.baseUrl}`
  if (!address.isLoopback) throw beyondThisMachine(address, hint)
  if (profileEnvironment(profile) === 'sandbox') return address
  throw new UsageError(t`The profile \`${name}\` is for production, and only a sandbox can be controlled`, { hint })
}

/** The address, unless a production profile uses it. Throws UsageError. */
function sandboxOnly(address: BaseAddress, store: ProfileStore): BaseAddress {
  if (addressEnvironment(address, store) === 'sandbox') return address
  throw new UsageError(t`A profile for production uses ${address.url}, and only a sandbox can be controlled`, {
    hint: typedHint(),
  })
}

function typedHint(): string {
  return t`Set \`--base-url\` to the address that \`pixgate sandbox\` printed`
}

function beyondThisMachine({ host }: BaseAddress, hint: string): UsageError {
  return new UsageError(t`\`${host}\` is not on this machine, and only a sandbox on this machine can be controlled`, {
    hint,
  })
}

/** The option of all commands that control a sandbox. */
export const CONTROL_TOKEN_OPTION = {
  flags: '--control-token <token>',
  description: `the sandbox's control token, if it has one (env ${CONTROL_TOKEN_VARIABLE})`,
  parse: readText,
} as const

/** The same context with the control token that was typed. */
export function withControlToken(context: Context, token: string | undefined): Context {
  if (token === undefined) return context
  context.terminal.hide(new Secret(token))
  const env = { ...context.runtime.env, [CONTROL_TOKEN_VARIABLE]: token }
  return { ...context, runtime: { ...context.runtime, env } }
}
