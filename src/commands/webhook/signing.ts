import type { Context } from '../../context.ts'
import type { SigningContext } from '../../payments/consent.ts'
import type { Signer } from '../../profiles/signer.ts'
import type { LabelledRow } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { isLoopbackHost } from '../../wire/address.ts'
import { type EventFacts, readEventFacts } from '../../wire/eventFacts.ts'
import { SIGNATURE_ENCODINGS } from '../../wire/signatureHeader.ts'

/** How a signature is written. */
export const ENCODING_OPTION = {
  flags: '--signature-encoding <encoding>',
  description: 'hex or base64',
  default: 'hex',
  choices: SIGNATURE_ENCODINGS,
} as const

/** What the body of a webhook says; undefined if it is not JSON. */
export function readBodyFacts(body: Buffer): EventFacts | undefined {
  return readEventFacts(body.toString('utf8'))
}

/** A secret alone does not tell its environment; what is signed with it for another machine counts as production. */
export function forTarget(signer: Signer, { hostname }: URL): Signer {
  return signer.baseUrl !== null || isLoopbackHost(hostname) ? signer : { ...signer, environment: 'production' }
}

/** Asks whether these bodies may be signed, if that requires consent. Throws like `askSigningConsent`. */
export async function askToSign(
  {
    terminal,
    settings,
  }: { terminal: SigningContext['terminal']; settings: Pick<Context['settings'], 'yes' | 'confirm'> },
  signer: Signer,
  bodies: readonly Buffer[],
  rows: readonly LabelledRow[],
): Promise<void> {
  const { askSigningConsent } = await import('../../payments/consent.ts')
  const facts = bodies.map(readBodyFacts)
  const amounts = facts.flatMap((each) => (typeof each?.amountCents === 'number' ? [each.amountCents] : []))
  const amountCents = amounts.length === 0 ? null : amounts.reduce((sum, each) => sum + each, 0)
  const { yes, confirm } = settings
  const about = facts.slice(0, 1).flatMap((each) => (each === undefined ? [] : eventRows(each)))
  const count: LabelledRow[] = bodies.length > 1 ? [[t`events`, String(bodies.length)]] : about
  await askSigningConsent({ signer, terminal, yes, confirm }, { amountCents, rows: [...count, ...rows] })
}

function eventRows({ event, status, idTransaction }: EventFacts): LabelledRow[] {
  const eventText = [event, status].filter((part) => part !== null).join(', ')
  const rows: LabelledRow[] = [
    [t`event`, eventText],
    [t`id`, idTransaction ?? ''],
  ]
  return rows.filter(([, value]) => value !== '')
}
