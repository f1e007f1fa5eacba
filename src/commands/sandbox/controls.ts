import type { Context } from '../../context.ts'
import { CASH_OUT_CODE_NAMES } from '../../sandbox/cashOutCodes.ts'
import { FAULT_KINDS, parseFault } from '../../sandbox/faults.ts'
import { durationOption, reading } from '../../settings.ts'
import { t } from '../../text/words.ts'
import type { AnswerFields } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'
import { type CommandDefinition, defineCommand } from '../command.ts'
import { notBlank, refuseCsv, wholeNumber } from '../optionValues.ts'
import { callSandbox } from './call.ts'

const SAMPLE_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

/** `pixgate sandbox expire` */
export const expire = controlOf('expire', 'let a code expire unpaid', 'the payer came too late')

/** `pixgate sandbox cancel` */
export const cancel = controlOf('cancel', 'cancel an unpaid code, or a transfer under way', 'the order was cancelled')

/** `pixgate sandbox chargeback` */
export const chargeback = controlOf(
  'chargeback',
  'take a received payment back, as the fraud procedure does',
  'sends CHARGEBACK to the dashboard webhook',
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
    arguments: [{ name: '<id>', description: 'id of the transaction', completes: 'ids' }],
    examples: [[`pixgate sandbox ${name} ${SAMPLE_ID}`, purpose]],
    run: (context, { id }) => control(context, name, { id: notBlank(id, '<id>') }),
  })
}

/** `pixgate sandbox pay` */
export const pay = defineCommand({
  description: 'Sandbox: pay a code, as the bank of a payer does',
  arguments: [{ name: '<id>', description: 'id of the transaction, or the code itself', completes: 'ids' }],
  options: [{ flags: '--late', description: 'pay it although it has expired or was cancelled' }],
  examples: [[`pixgate sandbox pay ${SAMPLE_ID}`, 'the payment is received, pix.received is sent']],
  run: (context, { id, late }) => control(context, 'pay', { id: notBlank(id, '<id>'), late: late === true }),
})

/** `pixgate sandbox fail` */
export const fail = defineCommand({
  description: 'Sandbox: let a transfer or refund under way fail',
  arguments: [{ name: '<id>', description: 'id of the transfer or refund', completes: 'ids' }],
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

/** `pixgate sandbox fault` */
export const fault = defineCommand({
  description:
    'Sandbox: make the next calls misbehave: status:500, drop-before, drop-after, slow:10s, garbage, html, a cash-out code such as NO_FUNDS, or webhook:lost, twice, late:10s, reorder, unsigned, bad-signature',
  arguments: [{ name: '<kind>', description: 'what goes wrong', completes: FAULT_KINDS }],
  options: [
    { flags: '--times <n>', description: 'how often', default: '1' },
    { flags: '--async', description: 'accept the transfer, then let it fail with this code' },
  ],
  examples: [
    ['pixgate sandbox fault drop-after', 'the next call is carried out, and its answer is lost'],
    ['pixgate sandbox fault NO_FUNDS --async', 'the next transfer is accepted and then fails'],
    ['pixgate sandbox fault webhook:twice --times 3', 'the next three events are delivered twice'],
  ],
  run: async (context, { kind, times, async }) => {
    reading('<kind>', () => parseFault(notBlank(kind, '<kind>'), async === true))
    const body = { kind, times: wholeNumber(times, '--times', 1, 1_000_000), async: async === true }
    return control(context, 'fault', body)
  },
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
  description: 'Sandbox: forget all transactions, faults and the moved clock',
  examples: [['pixgate sandbox reset', 'a clean start for the next test']],
  run: (context) => control(context, 'reset', {}),
})

async function control(context: Context, action: string, body: AnswerFields): Promise<number> {
  refuseCsv(context)
  context.print.json(await callSandbox(context, action, body))
  return 0
}
