import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { reading } from '../../settings.ts'
import { examples } from '../examples.ts'
import { notBlank, wholeNumber } from '../optionValues.ts'
import { control } from './call.ts'

interface FaultOptions {
  times: string
  async?: boolean
  on?: string
}

const KINDS_HELP = `
Kinds:
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

/** `pixgate sandbox fault` */
export function fault(run: Run): Command {
  return new Command('fault')
    .description('Sandbox: make the next calls or webhook deliveries fail')
    .argument('<kind>', 'what goes wrong, see below')
    .option('--times <n>', 'how often', '1')
    .option('--async', 'accept the transfer, then let it fail with this code')
    .option(
      '--on <target>',
      'only for transfer, refund, qr or status, or for one id, external id, request number or key',
    )
    .addHelpText('after', KINDS_HELP)
    .addHelpText(
      'after',
      examples(
        ['pixgate sandbox fault drop-after --on transfer', 'the next transfer is carried out, and its answer is lost'],
        ['pixgate sandbox fault NO_FUNDS --async', 'the next transfer is accepted and then fails'],
        ['pixgate sandbox fault webhook:twice --times 3', 'the next three events are delivered twice'],
      ),
    )
    .action(run(addFault))
}

async function addFault(context: Context, kind: string, { times, async, on }: FaultOptions): Promise<number> {
  const { parseFault, parseFaultTarget } = await import('../../sandbox/faults.ts')
  const parsed = reading('<kind>', () => parseFault(notBlank(kind, '<kind>'), async === true))
  if (on !== undefined) reading('--on', () => parseFaultTarget(notBlank(on, '--on'), parsed))
  return control(context, 'fault', {
    kind,
    times: wholeNumber(times, '--times', 1, 1_000_000),
    async: async === true,
    ...(on === undefined ? {} : { on }),
  })
}
