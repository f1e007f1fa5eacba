import type { Run } from '../../ledger/runs.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { t } from '../../text/translate.ts'

/** The title of the report of a run; that of a sandbox must not be taken for money. */
export function reportTitle({ record: { kind, owner } }: Run): string {
  if (owner.environment === 'sandbox') {
    return kind === 'refund' ? t`PIX refunds - SANDBOX, NO REAL MONEY` : t`PIX transfers - SANDBOX, NO REAL MONEY`
  }
  return kind === 'refund' ? t`PIX refunds` : t`PIX transfers`
}

/** What the payments of a report are, who sent them and when, as labels and values. */
export function reportAbout({ record }: Run, writtenMs: number): [label: string, value: string][] {
  const { run, file, reference, rows, totalCents, at, user, machine, owner, fingerprint } = record
  const startedMs = parseInstant(at)
  return [
    [t`Run`, t`${run}`],
    [t`File`, file === null ? t`standard input` : t`${file}`],
    [t`Reference`, t`${reference}`],
    [t`Environment`, owner.environment],
    [t`Profile`, t`${owner.profile ?? '-'}`],
    [t`Client id`, t`${owner.clientId}`],
    [t`Gateway`, t`${owner.baseUrl}`],
    [t`Started at`, startedMs === undefined ? t`${at}` : formatInstant(startedMs)],
    [t`Started by`, t`${user} on ${machine}`],
    [t`To be sent by this run`, t`${rows} rows, ${formatReais(totalCents)}`],
    [t`Fingerprint`, t`${fingerprint}`],
    [
      t`About the fingerprint`,
      t`A checksum of the ids, destinations and amounts of the payments that this run was to send, in any order. It was shown before the run was confirmed. Two runs with the same fingerprint contain the same payments; a changed amount or destination changes it`,
    ],
    [t`Report written at`, formatInstant(writtenMs)],
  ]
}
