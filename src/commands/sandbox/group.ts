import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { addEntries, type Entry, type Words } from '../entries.ts'
import { sandboxStart, startable } from './start.ts'

const ENTRIES: readonly Entry[] = [
  ['start', 'run the gateway on your machine until Ctrl-C', async () => sandboxStart],
  [
    'exec',
    'run a command against a sandbox of its own, then clean up',
    async () => (await import('./exec.ts')).sandboxExec,
  ],
  ['pay', 'be the payer of a code', async () => (await import('./controls.ts')).pay],
  ['expire', 'let a code expire unpaid', async () => (await import('./controls.ts')).expire],
  ['cancel', 'cancel an unpaid code, or a transfer under way', async () => (await import('./controls.ts')).cancel],
  [
    'chargeback',
    'take a received payment back, as the fraud procedure does',
    async () => (await import('./controls.ts')).chargeback,
  ],
  ['return', 'let the receiver of a transfer send it back', async () => (await import('./controls.ts')).returnTransfer],
  ['deliver', 'deliver the last event of a transaction again', async () => (await import('./controls.ts')).deliver],
  ['fail', 'let a transfer or refund under way fail', async () => (await import('./controls.ts')).fail],
  ['fault', 'make the next calls or deliveries fail', async () => (await import('./faultCommand.ts')).fault],
  ['advance', 'move the clock of the sandbox forward', async () => (await import('./clockAndReset.ts')).advance],
  ['reset', 'forget everything: as on the first day', async () => (await import('./clockAndReset.ts')).reset],
  ['state', 'everything that the sandbox knows', async () => (await import('./state.ts')).sandboxState],
  ['requests', 'what was asked and answered', async () => (await import('./requests.ts')).sandboxRequests],
  ['openapi', 'the OpenAPI document of the gateway', async () => (await import('./openapi.ts')).sandboxOpenApi],
]

/** `pixgate sandbox`: the gateway on your machine; called bare it starts. */
export async function sandboxGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('sandbox').description(
    'Run the whole gateway on your machine, and play payers, banks, time and failures',
  )
  return startable(await addEntries(group, ENTRIES, run, words), run)
}
