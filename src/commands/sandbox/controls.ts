import { CASH_OUT_CODE_NAMES } from '../../sandbox/cashOutCodes.ts'
import { durationOption } from '../../settings.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { type CommandDefinition, defineCommand } from '../command.ts'
import { notBlank } from '../optionValues.ts'
import { control } from './call.ts'

const ID_ARGUMENT = {
  name: '<id>',
  description: 'its id or the first 6 characters, request number, external id or code',
  completes: 'ids',
} as const
const SAMPLE_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

/** `pixgate sandbox expire` */
export const expire = controlOf('expire', 'let a code expire unpaid', 'the payer came too late')

/** `pixgate sandbox cancel` */
export const cancel = controlOf('cancel', 'cancel an unpaid code, or a transfer under way', 'the order was cancelled')

/** `pixgate sandbox chargeback` */
export const chargeback = controlOf(
  'chargeback',
  'take a received payment back, as the fraud procedure does',
  'takes the amount out of the balance, sends CHARGEBACK to the dashboard webhook',
)

/** `pixgate sandbox return` */
export const returnTransfer = controlOf(
  'return',
  'let the receiver of a transfer send it back',
  'sends transfer.failed with RETURNED',
)

/** `pixgate sandbox deliver` */
export const deliver = controlOf(
  'deliver',
  'deliver the last event of a transaction again',
  'test that your receiver is idempotent',
)

/** A command that does one thing to one transaction. */
function controlOf(name: string, what: string, purpose: string): CommandDefinition {
  return defineCommand({
    description: `Sandbox: ${what}`,
    arguments: [ID_ARGUMENT],
    examples: [[`pixgate sandbox ${name} ${SAMPLE_ID}`, purpose]],
    run: (context, { id }) => control(context, name, { id: notBlank(id, '<id>') }),
  })
}

/** `pixgate sandbox pay` */
export const pay = defineCommand({
  description: 'Sandbox: pay a code, as the bank of a payer does',
  arguments: [ID_ARGUMENT],
  options: [{ flags: '--late', description: 'pay it although it has expired or was cancelled' }],
  examples: [[`pixgate sandbox pay ${SAMPLE_ID}`, 'the payment is received, pix.received is sent']],
  run: (context, { id, late }) => control(context, 'pay', { id: notBlank(id, '<id>'), late: late === true }),
})

/** `pixgate sandbox fail` */
export const fail = defineCommand({
  description: 'Sandbox: let a transfer or refund under way fail',
  arguments: [ID_ARGUMENT],
  options: [
    {
      flags: '--error-code <code>',
      description: 'the code of its transfer.failed (default PIX_KEY_NOT_FOUND)',
      completes: CASH_OUT_CODE_NAMES,
    },
  ],
  examples: [[`pixgate sandbox fail ${SAMPLE_ID} --error-code NO_FUNDS`, 'sends transfer.failed']],
  run: (context, { id, errorCode }) =>
    control(context, 'fail', { id: notBlank(id, '<id>'), ...errorCodeField(errorCode) }),
})

function errorCodeField(typed: string | undefined): { errorCode?: string } {
  if (typed === undefined) return {}
  if (/^[A-Z][A-Z0-9_]{0,63}$/.test(typed)) return { errorCode: typed }
  throw new UsageError(t`\`--error-code\`: \`${typed}\` is not an error code`, {
    hint: t`Write it in capital letters, like \`--error-code NO_FUNDS\``,
  })
}

/** `pixgate sandbox advance` */
export const advance = defineCommand({
  description: 'Sandbox: move its clock forward; what falls due in between happens',
  arguments: [{ name: '<duration>', description: 'how far: 30s, 10m, 2h or 31d' }],
  examples: [['pixgate sandbox advance 31d', 'the 30 days for a refund are over']],
  run: (context, { duration }) => control(context, 'advance', { ms: durationOption(duration, '<duration>') }),
})

/** `pixgate sandbox reset` */
export const reset = defineCommand({
  description: 'Sandbox: forget all transactions, faults, requests and the moved clock',
  examples: [['pixgate sandbox reset', 'a clean start for the next test']],
  run: (context) => control(context, 'reset', {}),
})
