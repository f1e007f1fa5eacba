import type { Context } from '../../context.ts'
import { controlSandbox } from '../../gateway/sandboxControl.ts'
import { centsFromJson } from '../../pix/amount.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { typedAddress } from '../../profiles/addressEnvironment.ts'
import { CONTROL_CALLS, type ControlBody, type ControlName } from '../../sandbox/controlCalls.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { cellText } from '../../views/documentFields.ts'
import { amountText, statusColour } from '../../views/valueText.ts'
import { readBaseAddress } from '../../wire/address.ts'
import type { AnswerFields } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'

/** The description of the command of a control call. */
export function controlDescription(name: ControlName): string {
  const { summary } = CONTROL_CALLS[name]
  return `Sandbox: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
}

/**
 * Carries out a control command and shows what the sandbox answers: a short table on a terminal, JSON in a pipe or with
 * `-o json`.
 */
export async function runControl<Name extends ControlName>(
  context: Context,
  name: Name,
  body: ControlBody<Name>,
): Promise<number> {
  const answer = await callSandbox(context, name, body)
  const { print, terminal } = context
  if (print.format === 'text' && terminal.outIsTerminal) print.one(answer, () => answerLines(context, answer))
  else print.json(answer)
  return 0
}

/** Omits null fields and lists, which only the JSON output shows. */
function answerLines({ terminal }: Context, answer: AnswerFields): string[] {
  const rows = Object.entries(answer).flatMap(([name, value]): LabelledRow[] => {
    if (value === null || typeof value === 'object') return []
    if (name === 'amount' || name === 'value' || name === 'balance') {
      return [[name, amountText(centsFromJson(value) ?? null)]]
    }
    const colour = name === 'status' ? statusColour(String(value), terminal.out) : undefined
    return [[name, cellText(value), colour]]
  })
  return labelledLines(rows, terminal.out)
}

/** Makes a control call to the sandbox of this command line. Throws UsageError beyond loopback. */
export async function callSandbox<Name extends ControlName>(
  context: Context,
  name: Name,
  values: ControlBody<Name>,
): Promise<AnswerFields> {
  const { settings, runtime } = context
  const address =
    typedAddress(settings.baseUrl, runtime.env) ?? readBaseAddress(LOCAL_PROFILE.baseUrl, LOCAL_PROFILE.name)
  if (!address.isLoopback) {
    throw new UsageError(
      t`\`${address.host}\` is not on this machine, and only a sandbox on this machine can be controlled`,
      {
        hint: t`Set \`--base-url\` to the address that \`pixgate sandbox\` printed`,
      },
    )
  }
  const { method } = CONTROL_CALLS[name]
  return controlSandbox(
    address,
    { method, name, values },
    {
      env: runtime.env,
      timeoutMs: settings.timeoutMs,
      interrupt: runtime.interrupt,
      abandon: runtime.abandon,
    },
  )
}
