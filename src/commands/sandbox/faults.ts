import type { Context } from '../../context.ts'
import { readText, wholeNumber, withName } from '../../optionParsers.ts'
import { type ControlBody, type ControlName, UNKNOWN_TARGET } from '../../sandbox/controlCalls.ts'
import { ENDPOINT_NAMES } from '../../sandbox/faultKinds.ts'
import { FAULT_EFFECTS, FAULT_KINDS, FAULT_TIMES_MAX, parseFault, parseFaultTarget } from '../../sandbox/faults.ts'
import { cellText } from '../../terminal/documentFields.ts'
import type { Column } from '../../terminal/printer.ts'
import { nearest } from '../../text/suggest.ts'
import { t } from '../../text/translate.ts'
import { objectsIn } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, type HelpBlock, type HelpItem } from '../command.ts'
import {
  CONTROL_TOKEN_OPTION,
  callSandbox,
  controlDescription,
  noteSandbox,
  runControl,
  withControlToken,
} from './callSandbox.ts'

const KINDS_HELP: readonly HelpBlock[] = [
  { heading: 'Kinds:', items: FAULT_EFFECTS.map(([kinds, effect]): HelpItem => [kindNames(kinds), effect]) },
  'Without a fault, a transfer to no-funds@fail.pixgate.example is accepted and then fails with NO_FUNDS; so for other codes.',
]

/** Of many kinds only the first is named. */
function kindNames(kinds: readonly string[]): string {
  return kinds.length > 2 ? `${kinds[0]}, …` : kinds.join(', ')
}

export const faultAdd = defineCommand({
  description: controlDescription('fault'),
  arguments: [{ name: '<kind>', description: 'what goes wrong, see below', completes: FAULT_KINDS, parse: readText }],
  options: [
    { flags: '--times <n>', description: 'how many times', default: '1', parse: wholeNumber(1, FAULT_TIMES_MAX) },
    { flags: '--async', description: 'accept the transfer, then make it fail with this code' },
    {
      flags: '--on <target>',
      description: 'transfer, refund, qr or status, or an id, name or key',
      completes: ENDPOINT_NAMES,
      parse: readText,
    },
    CONTROL_TOKEN_OPTION,
  ],
  details: KINDS_HELP,
  examples: [
    ['pixgate sandbox fault drop-after --on transfer', 'the next transfer is carried out, and its answer is lost'],
    ['pixgate sandbox fault NO_FUNDS --async', 'the next transfer is accepted and then fails'],
    ['pixgate sandbox fault webhook:twice --times 3', 'the next three events are delivered twice'],
  ],
  run: (context, { controlToken, ...body }) => addFault(withControlToken(context, controlToken), body),
})

export const faultList = defineCommand({
  description: controlDescription('faults'),
  examples: [['pixgate sandbox fault list', 'why did that call fail?']],
  acceptsCsv: true,
  options: [CONTROL_TOKEN_OPTION],
  run: (context, { controlToken }) => showFaults(withControlToken(context, controlToken), 'faults', {}),
})

export const faultClear = defineCommand({
  description: `${controlDescription('clear-faults')}; shows those that are left`,
  arguments: [
    {
      name: '[n]',
      description: 'its place in `pixgate sandbox fault list`, from 1; without it, all',
      parse: wholeNumber(1, FAULT_TIMES_MAX),
    },
  ],
  examples: [
    ['pixgate sandbox fault clear', 'nothing goes wrong from here'],
    ['pixgate sandbox fault clear 1', 'only the oldest one'],
  ],
  acceptsCsv: true,
  options: [CONTROL_TOKEN_OPTION],
  run: (context, { controlToken, ...body }) =>
    showFaults(withControlToken(context, controlToken), 'clear-faults', body),
})

const FAULT_COLUMNS: readonly Column[] = [
  { path: 'kind', header: 'kind' },
  { path: 'on', header: 'on', text: ({ on }) => cellText(on) || t`any` },
  { path: 'times', header: 'times', align: 'right' },
  { path: 'async', header: 'async', text: (fault) => (fault.async === true ? t`yes` : '') },
]

async function addFault(context: Context, body: ControlBody<'fault'>): Promise<number> {
  const { kind, async, on } = body
  const parsed = withName('<kind>', () => parseFault(kind, async))
  if (on !== undefined) withName('--on', () => parseFaultTarget(on, parsed))
  try {
    return await runControl(context, 'fault', body)
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== UNKNOWN_TARGET || on === undefined) throw error
    const [meant] = nearest(on, ENDPOINT_NAMES)
    throw new UsageError(t`\`--on\`: \`${on}\` is neither an endpoint nor the id or name of a transaction`, {
      hint:
        meant === undefined
          ? t`Use \`transfer\`, \`refund\`, \`qr\` or \`status\`, or an id that \`pixgate sandbox state\` lists`
          : t`Type \`--on ${meant}\``,
    })
  }
}

async function showFaults<Name extends ControlName>(
  context: Context,
  name: Name,
  body: ControlBody<Name>,
): Promise<number> {
  const { faults } = await callSandbox(context, name, body)
  const found = objectsIn(faults)
  await context.print.list(found, FAULT_COLUMNS)
  if (found.length === 0) context.terminal.note(t`No fault is waiting`)
  await noteSandbox(context)
  return 0
}
