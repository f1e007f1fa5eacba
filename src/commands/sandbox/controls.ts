import type { Context } from '../../context.ts'
import { readDuration, readText, wholeNumber, withName } from '../../optionParsers.ts'
import { CASH_OUT_CODE_NAMES } from '../../sandbox/cashOutErrors.ts'
import { type ControlBody, isErrorCode, type TransactionCallName } from '../../sandbox/controlCalls.ts'
import {
  FAULT_EFFECTS,
  FAULT_ENDPOINTS,
  FAULT_KINDS,
  FAULT_TIMES_MAX,
  parseFault,
  parseFaultTarget,
} from '../../sandbox/faults.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { type CommandDefinition, defineCommand } from '../command.ts'
import { controlDescription, runControl } from './callSandbox.ts'

const ID_ARGUMENT = {
  name: '<id>',
  description: 'its id or the first 6 characters, request number, external id or code',
  completes: 'ids',
  parse: readText,
} as const
const SAMPLE_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

const KIND_CELLS = 18

/** The kinds in a column, on a line of their own if they are too long for it; of many only the first. */
function effectText([kinds, effect]: (typeof FAULT_EFFECTS)[number]): string {
  const names = kinds.length > 2 ? `${kinds[0]}, …` : kinds.join(', ')
  return names.length < KIND_CELLS
    ? `  ${names.padEnd(KIND_CELLS)}${effect}`
    : `  ${names}\n${' '.repeat(KIND_CELLS + 2)}${effect}`
}

const KINDS_HELP = `Kinds:
${FAULT_EFFECTS.map(effectText).join('\n')}

Without a fault, a transfer to an e-mail key such as no-funds@fail.pixgate.example is accepted and then fails with that
code (NO_FUNDS); returned@fail.pixgate.example is paid and then returned.`

/** The commands that make a control call and show its answer, by the name of the call. */
export const CONTROL_COMMANDS = {
  pay: defineCommand({
    description: controlDescription('pay'),
    arguments: [ID_ARGUMENT],
    options: [{ flags: '--late', description: 'pay it even if it has expired or was cancelled' }],
    examples: [[`pixgate sandbox pay ${SAMPLE_ID}`, 'the payment is received, pix.received is sent']],
    run: (context, body) => runControl(context, 'pay', body),
  }),
  expire: transactionCommand('expire', 'the payer came too late'),
  cancel: transactionCommand('cancel', 'the order was cancelled'),
  chargeback: transactionCommand(
    'chargeback',
    'takes the amount out of the balance, sends CHARGEBACK to the dashboard webhook',
  ),
  return: transactionCommand('return', 'sends transfer.failed with RETURNED'),
  deliver: transactionCommand('deliver', 'test that your receiver is idempotent'),
  fail: defineCommand({
    description: controlDescription('fail'),
    arguments: [ID_ARGUMENT],
    options: [
      {
        flags: '--error-code <code>',
        description: 'error code in transfer.failed (default PIX_KEY_NOT_FOUND)',
        completes: CASH_OUT_CODE_NAMES,
        parse: readErrorCode,
      },
    ],
    examples: [[`pixgate sandbox fail ${SAMPLE_ID} --error-code NO_FUNDS`, 'sends transfer.failed']],
    run: (context, body) => runControl(context, 'fail', body),
  }),
  fault: defineCommand({
    description: controlDescription('fault'),
    arguments: [{ name: '<kind>', description: 'what goes wrong, see below', completes: FAULT_KINDS, parse: readText }],
    options: [
      { flags: '--times <n>', description: 'how many times', default: '1', parse: wholeNumber(1, FAULT_TIMES_MAX) },
      { flags: '--async', description: 'accept the transfer, then make it fail with this code' },
      {
        flags: '--on <target>',
        description: 'only for transfer, refund, qr or status, or for one id, external id, request number or key',
        completes: FAULT_ENDPOINTS,
        parse: readText,
      },
    ],
    details: KINDS_HELP,
    examples: [
      ['pixgate sandbox fault drop-after --on transfer', 'the next transfer is carried out, and its answer is lost'],
      ['pixgate sandbox fault NO_FUNDS --async', 'the next transfer is accepted and then fails'],
      ['pixgate sandbox fault webhook:twice --times 3', 'the next three events are delivered twice'],
    ],
    run: addFault,
  }),
  advance: defineCommand({
    description: controlDescription('advance'),
    arguments: [{ name: '<duration>', description: 'how far: 30s, 10m, 2h or 31d', parse: readDuration }],
    examples: [['pixgate sandbox advance 31d', 'past the 30-day refund window']],
    run: (context, { duration }) => runControl(context, 'advance', { ms: duration }),
  }),
  reset: defineCommand({
    description: controlDescription('reset'),
    examples: [['pixgate sandbox reset', 'a clean start for the next test']],
    run: (context) => runControl(context, 'reset', {}),
  }),
}

/** A command that takes nothing but a transaction. */
function transactionCommand(name: TransactionCallName, purpose: string): CommandDefinition {
  return defineCommand({
    description: controlDescription(name),
    arguments: [ID_ARGUMENT],
    examples: [[`pixgate sandbox ${name} ${SAMPLE_ID}`, purpose]],
    run: (context, body) => runControl(context, name, body),
  })
}

function readErrorCode(typed: string, name: string): string {
  if (isErrorCode(typed)) return typed
  throw new UsageError(t`\`${name}\`: \`${typed}\` is not an error code`, {
    hint: t`Write it in capital letters, like \`${name} NO_FUNDS\``,
  })
}

async function addFault(context: Context, body: ControlBody<'fault'>): Promise<number> {
  const { kind, async, on } = body
  const parsed = withName('<kind>', () => parseFault(kind, async))
  if (on !== undefined) withName('--on', () => parseFaultTarget(on, parsed))
  return runControl(context, 'fault', body)
}
