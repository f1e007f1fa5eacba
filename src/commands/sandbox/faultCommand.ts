import type { Context } from '../../context.ts'
import { FAULT_ENDPOINTS, FAULT_KINDS, parseFault, parseFaultTarget } from '../../sandbox/faults.ts'
import { parseOption } from '../../settings.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { notBlank, wholeNumber } from '../optionValues.ts'
import { control } from './call.ts'

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
  { flags: '--times <n>', description: 'how often', default: '1' },
  { flags: '--async', description: 'accept the transfer, then let it fail with this code' },
  {
    flags: '--on <target>',
    description: 'only for transfer, refund, qr or status, or for one id, external id, request number or key',
    completes: FAULT_ENDPOINTS,
  },
)

type FaultOptions = OptionsOf<typeof OPTIONS>

/** `pixgate sandbox fault` */
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
  const parsed = parseOption('<kind>', () => parseFault(notBlank(kind, '<kind>'), async === true))
  if (on !== undefined) parseOption('--on', () => parseFaultTarget(notBlank(on, '--on'), parsed))
  return control(context, 'fault', {
    kind,
    times: wholeNumber(times, '--times', 1, 1_000_000),
    async: async === true,
    ...(on === undefined ? {} : { on }),
  })
}
