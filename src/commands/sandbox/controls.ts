import { readDuration, readText } from '../../optionParsers.ts'
import { isErrorCode, type TransactionCallName } from '../../sandbox/controlCalls.ts'
import { CASH_OUT_CODES } from '../../sandbox/faultKinds.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { type CommandDefinition, defineCommand } from '../command.ts'
import { CONTROL_TOKEN_OPTION, controlDescription, runControl, withControlToken } from './callSandbox.ts'
import { runTransactionControl } from './transactionControl.ts'

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
    description: controlDescription('pay'),
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
  deliver: transactionCommand('deliver', 'test that your receiver is idempotent'),
  fail: defineCommand({
    description: controlDescription('fail'),
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
    description: controlDescription('advance'),
    arguments: [{ name: '<duration>', description: 'how far: 30s, 10m, 2h or 31d', parse: readDuration }],
    examples: [['pixgate sandbox advance 31d', 'past the 30-day refund window']],
    options: [CONTROL_TOKEN_OPTION],
    run: (context, { duration, controlToken }) =>
      runControl(withControlToken(context, controlToken), 'advance', { ms: duration }),
  }),
  reset: defineCommand({
    description: controlDescription('reset'),
    examples: [['pixgate sandbox reset', 'a clean start for the next test']],
    options: [CONTROL_TOKEN_OPTION],
    run: (context, { controlToken }) => runControl(withControlToken(context, controlToken), 'reset', {}),
  }),
}

/** A command that takes nothing but a transaction. */
function transactionCommand(name: TransactionCallName, purpose: string): CommandDefinition {
  return defineCommand({
    description: controlDescription(name),
    arguments: [ID_ARGUMENT],
    examples: [[`pixgate sandbox ${name} ${SAMPLE_ID}`, purpose]],
    options: [CONTROL_TOKEN_OPTION],
    run: (context, { id, controlToken }) =>
      runTransactionControl(withControlToken(context, controlToken), name, id, (each) => ({ id: each })),
  })
}

function readErrorCode(typed: string, name: string): string {
  if (isErrorCode(typed)) return typed
  throw new UsageError(t`\`${name}\`: \`${typed}\` is not an error code`, {
    hint: t`Write it in capital letters, like \`${name} NO_FUNDS\``,
  })
}
