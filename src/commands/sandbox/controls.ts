import { type CommandDefinition, defineCommand, type HelpBlock, type HelpItem } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readDuration, readText, wholeNumber, withName } from '../../optionParsers.ts'
import { REFUND_WINDOW_DAYS } from '../../pix/calendar.ts'
import {
  type ControlBody,
  type ControlName,
  isErrorCode,
  type TransactionCallName,
  UNKNOWN_TARGET,
} from '../../sandbox/control.ts'
import { CASH_OUT_CODES, ENDPOINT_NAMES } from '../../sandbox/faultKinds.ts'
import { FAULT_EFFECTS, FAULT_KINDS, FAULT_TIMES_MAX, parseFault, parseFaultTarget } from '../../sandbox/faults.ts'
import {
  CONTROL_TOKEN_OPTION,
  callSandbox,
  runControl,
  showSandboxList,
  withControlToken,
} from '../../steps/callSandbox.ts'
import { pickTransaction, withTransaction } from '../../steps/sandboxTransaction.ts'
import type { Column } from '../../terminal/printer.ts'
import { nearest } from '../../text/suggest.ts'
import { declared, t } from '../../text/translate.ts'
import { wireText } from '../../views/sandboxText.ts'
import type { AnswerFields } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'

const ID_ARGUMENT = {
  name: '<id>',
  description: 'its id or the first 6 characters, request number, external id or code; without it, pick from a list',
  completes: 'ids',
  parse: readText,
  isPicked: true,
} as const
const SAMPLE_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

/** The commands that make a control call and show its answer, by the name of the call. */
export const CONTROL_COMMANDS = {
  pay: defineCommand({
    arguments: [ID_ARGUMENT],
    options: [{ flags: '--late', description: 'pay it even if it has expired or was cancelled' }, CONTROL_TOKEN_OPTION],
    examples: [[`pixgate sandbox pay ${SAMPLE_ID}`, 'the payment is received, pix.received is sent']],
    run: (context, { id, controlToken, ...options }) =>
      runTransactionControl(withControlToken(context, controlToken), 'pay', id, (each) => ({ ...options, id: each })),
  }),
  expire: transactionCommand('expire', 'the payer came too late'),
  cancel: transactionCommand('cancel', 'the order was cancelled'),
  chargeback: transactionCommand(
    'chargeback',
    'takes the amount out of the balance, sends CHARGEBACK to the dashboard webhook',
  ),
  return: transactionCommand('return', 'sends transfer.failed with RETURNED'),
  deliver: defineCommand({
    arguments: [ID_ARGUMENT],
    options: [
      { flags: '--failed', description: 'deliver all webhooks again that were given up' },
      CONTROL_TOKEN_OPTION,
    ],
    examples: [
      [`pixgate sandbox deliver ${SAMPLE_ID}`, 'test that your receiver is idempotent'],
      ['pixgate sandbox deliver --failed', 'your receiver runs again: send what it missed'],
    ],
    run: (context, { id, failed, controlToken }) => {
      const own = withControlToken(context, controlToken)
      if (!failed) return runTransactionControl(own, 'deliver', id, (each) => ({ id: each }))
      if (id === undefined) return deliverFailed(own)
      throw new UsageError(t`\`--failed\` delivers all that were given up, not one transaction`, {
        hint: t`Omit \`--failed\`, or the id`,
      })
    },
  }),
  fail: defineCommand({
    arguments: [ID_ARGUMENT],
    options: [
      {
        flags: '--error-code <code>',
        description: 'error code in transfer.failed (default PIX_KEY_NOT_FOUND)',
        completes: CASH_OUT_CODES,
        parse: readErrorCode,
      },
      CONTROL_TOKEN_OPTION,
    ],
    examples: [[`pixgate sandbox fail ${SAMPLE_ID} --error-code NO_FUNDS`, 'sends transfer.failed']],
    run: (context, { id, controlToken, ...options }) =>
      runTransactionControl(withControlToken(context, controlToken), 'fail', id, (each) => ({ ...options, id: each })),
  }),
  advance: defineCommand({
    arguments: [{ name: '<duration>', description: 'how far: 30s, 10m, 2h or 31d', parse: readDuration }],
    examples: [
      [
        `pixgate sandbox advance ${REFUND_WINDOW_DAYS + 1}d`,
        declared`past the ${REFUND_WINDOW_DAYS}-day refund window`,
      ],
    ],
    options: [CONTROL_TOKEN_OPTION],
    run: (context, { duration, controlToken }) =>
      runControl(withControlToken(context, controlToken), 'advance', { ms: duration }),
  }),
  reset: defineCommand({
    examples: [['pixgate sandbox reset', 'a clean start for the next test']],
    options: [CONTROL_TOKEN_OPTION],
    run: (context, { controlToken }) => runControl(withControlToken(context, controlToken), 'reset', {}),
  }),
}

function transactionCommand(name: TransactionCallName, purpose: string): CommandDefinition {
  return defineCommand({
    arguments: [ID_ARGUMENT],
    examples: [[`pixgate sandbox ${name} ${SAMPLE_ID}`, purpose]],
    options: [CONTROL_TOKEN_OPTION],
    run: (context, { id, controlToken }) =>
      runTransactionControl(withControlToken(context, controlToken), name, id, (each) => ({ id: each })),
  })
}

async function deliverFailed(context: Context): Promise<number> {
  const answer = await callSandbox(context, 'deliver-failed', {})
  const columns = [{ path: 'event' }, { path: 'idTransaction' }, { path: 'url', header: 'url', drop: 1 }]
  return showSandboxList(context, answer, 'deliveries', columns, t`No webhook was given up`)
}

function readErrorCode(typed: string, name: string): string {
  if (isErrorCode(typed)) return typed
  throw new UsageError(t`\`${name}\`: \`${typed}\` is not an error code`, {
    hint: t`Write it in capital letters, like \`${name} NO_FUNDS\``,
  })
}

/**
 * Carries out a control command for a transaction, by the id that was typed; a person picks on a terminal if none was. Throws what
 * `withTransaction` throws.
 */
async function runTransactionControl<Name extends TransactionCallName>(
  context: Context,
  name: Name,
  typed: string | undefined,
  bodyFor: (id: string) => ControlBody<Name>,
): Promise<number> {
  const use = { name, command: `pixgate sandbox ${name}` }
  const run = (id: string) => runControl(context, name, bodyFor(id))
  return typed === undefined ? run(await pickTransaction(context, use)) : withTransaction(context, typed, use, run)
}

const KINDS_HELP: readonly HelpBlock[] = [
  { heading: 'Kinds:', items: FAULT_EFFECTS.map(([kinds, effect]): HelpItem => [kindNames(kinds), effect]) },
  'Without a fault, a transfer to no-funds@fail.pixgate.example is accepted and then fails with NO_FUNDS; so for other codes.',
]

/** Of many kinds only the first is named. */
function kindNames(kinds: readonly string[]): string {
  return kinds.length > 2 ? `${kinds[0]}, …` : kinds.join(', ')
}

export const faultAdd = defineCommand({
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
  examples: [['pixgate sandbox fault list', 'why did that call fail?']],
  acceptsCsv: true,
  options: [CONTROL_TOKEN_OPTION],
  run: (context, { controlToken }) => showFaults(withControlToken(context, controlToken), 'faults', {}),
})

export const faultClear = defineCommand({
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

const FAULT_COLUMNS: readonly Column<AnswerFields>[] = [
  { path: 'kind', header: 'kind' },
  { path: 'on', header: 'on', text: (fault) => wireText(fault, 'on') },
  { path: 'times', header: 'times', align: 'right' },
  { path: 'async', header: 'async', text: (fault) => (fault.async === true ? wireText(fault, 'async') : '') },
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
  const answer = await callSandbox(context, name, body)
  return showSandboxList(context, answer, 'faults', FAULT_COLUMNS, t`No fault is waiting`)
}
