import type { Context } from '../../context.ts'
import { readDuration, readText, wholeNumber, withName } from '../../optionParsers.ts'
import { CASH_OUT_CODE_NAMES } from '../../sandbox/cashOutErrors.ts'
import { FAULT_ENDPOINTS, FAULT_KINDS, parseFault, parseFaultTarget } from '../../sandbox/faults.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { type CommandDefinition, defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { runControl } from './callSandbox.ts'

const ID_ARGUMENT = {
  name: '<id>',
  description: 'its id or the first 6 characters, request number, external id or code',
  completes: 'ids',
} as const
const SAMPLE_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

export const expire = controlOf('expire', 'let a code expire unpaid', 'the payer came too late')

export const cancel = controlOf('cancel', 'cancel an unpaid code, or a transfer in progress', 'the order was cancelled')

export const chargeback = controlOf(
  'chargeback',
  'charge back a received payment, as the fraud procedure does',
  'takes the amount out of the balance, sends CHARGEBACK to the dashboard webhook',
)

export const returnTransfer = controlOf(
  'return',
  'return a transfer, as its receiver would',
  'sends transfer.failed with RETURNED',
)

export const deliver = controlOf(
  'deliver',
  'deliver the last event of a transaction again',
  'test that your receiver is idempotent',
)

/** A command that does one thing to one transaction. */
function controlOf(name: string, action: string, purpose: string): CommandDefinition {
  return defineCommand({
    description: `Sandbox: ${action}`,
    arguments: [ID_ARGUMENT],
    examples: [[`pixgate sandbox ${name} ${SAMPLE_ID}`, purpose]],
    run: (context, { id }) => runControl(context, name, { id: readText(id, '<id>') }),
  })
}

export const pay = defineCommand({
  description: 'Sandbox: pay a code, as the payer would',
  arguments: [ID_ARGUMENT],
  options: [{ flags: '--late', description: 'pay it even if it has expired or was cancelled' }],
  examples: [[`pixgate sandbox pay ${SAMPLE_ID}`, 'the payment is received, pix.received is sent']],
  run: (context, { id, late }) => runControl(context, 'pay', { id: readText(id, '<id>'), late: late === true }),
})

export const fail = defineCommand({
  description: 'Sandbox: make a transfer or refund in progress fail',
  arguments: [ID_ARGUMENT],
  options: [
    {
      flags: '--error-code <code>',
      description: 'error code in transfer.failed (default PIX_KEY_NOT_FOUND)',
      completes: CASH_OUT_CODE_NAMES,
    },
  ],
  examples: [[`pixgate sandbox fail ${SAMPLE_ID} --error-code NO_FUNDS`, 'sends transfer.failed']],
  run: (context, { id, errorCode }) =>
    runControl(context, 'fail', { id: readText(id, '<id>'), ...errorCodeField(errorCode) }),
})

function errorCodeField(typed: string | undefined): { errorCode?: string } {
  if (typed === undefined) return {}
  if (/^[A-Z][A-Z0-9_]{0,63}$/.test(typed)) return { errorCode: typed }
  throw new UsageError(t`\`--error-code\`: \`${typed}\` is not an error code`, {
    hint: t`Write it in capital letters, like \`--error-code NO_FUNDS\``,
  })
}

export const advance = defineCommand({
  description: 'Sandbox: move the clock forward; everything due by then happens',
  arguments: [{ name: '<duration>', description: 'how far: 30s, 10m, 2h or 31d' }],
  examples: [['pixgate sandbox advance 31d', 'past the 30-day refund window']],
  run: (context, { duration }) => runControl(context, 'advance', { ms: readDuration(duration, '<duration>') }),
})

export const reset = defineCommand({
  description: 'Sandbox: delete all transactions, faults and requests, and reset the clock',
  examples: [['pixgate sandbox reset', 'a clean start for the next test']],
  run: (context) => runControl(context, 'reset', {}),
})

const KINDS_HELP = `Kinds:
  status:500        not carried out, answered with this status
  drop-before       not carried out, connection closed without an answer
  drop-after        carried out, connection closed without an answer
  slow:10s          carried out, answered after this time
  garbage, html     carried out, answered 200 with half an answer or a web page
  garbage-before, html-before
                    the same answers, not carried out
  NO_FUNDS, …       the next transfer is refused with this code (--async: accepted, then transfer.failed)
  webhook:lost      the next delivery is never sent
  webhook:twice     it is sent twice
  webhook:late:10s  it is sent after this time
  webhook:reorder   it is sent after the next one
  webhook:unsigned, webhook:bad-signature
                    it has no signature, or a wrong one

Without a fault, a transfer to an e-mail key such as no-funds@fail.pixgate.example is accepted and then fails with that
code (NO_FUNDS); returned@fail.pixgate.example is paid and then returned.`

const OPTIONS = defineOptions(
  { flags: '--times <n>', description: 'how many times', default: '1' },
  { flags: '--async', description: 'accept the transfer, then make it fail with this code' },
  {
    flags: '--on <target>',
    description: 'only for transfer, refund, qr or status, or for one id, external id, request number or key',
    completes: FAULT_ENDPOINTS,
  },
)

type FaultOptions = OptionsOf<typeof OPTIONS>

export const fault = defineCommand({
  description: 'Sandbox: make the next calls or webhook deliveries fail',
  arguments: [{ name: '<kind>', description: 'what goes wrong, see below', completes: FAULT_KINDS }],
  options: OPTIONS,
  details: KINDS_HELP,
  examples: [
    ['pixgate sandbox fault drop-after --on transfer', 'the next transfer is carried out, and its answer is lost'],
    ['pixgate sandbox fault NO_FUNDS --async', 'the next transfer is accepted and then fails'],
    ['pixgate sandbox fault webhook:twice --times 3', 'the next three events are delivered twice'],
  ],
  run: addFault,
})

async function addFault(
  context: Context,
  { kind, times, async, on }: FaultOptions & { kind: string },
): Promise<number> {
  const parsed = withName('<kind>', () => parseFault(readText(kind, '<kind>'), async === true))
  if (on !== undefined) withName('--on', () => parseFaultTarget(readText(on, '--on'), parsed))
  return runControl(context, 'fault', {
    kind,
    times: wholeNumber(1, 1_000_000)(times, '--times'),
    async: async === true,
    ...(on === undefined ? {} : { on }),
  })
}
