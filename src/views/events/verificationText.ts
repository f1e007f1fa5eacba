import type { SigningSecret } from '../../profiles/signer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { wrapWords } from '../../text/wrapWords.ts'
import { secretFingerprint } from '../../wire/signature.ts'
import type { SignatureDiagnosis } from '../../wire/signatureDiagnosis.ts'
import type { SignatureVerdict } from '../../wire/signatureHeader.ts'
import { causeTexts, signatureVerdictText } from './signatureText.ts'

/** All that is said about one signature. */
export interface SignatureFinding {
  verdict: SignatureVerdict
  /** The secret that matches; the current one if none does. */
  used: SigningSecret
  isPrevious: boolean
  /** Undefined if no cause was looked for. */
  diagnosis: SignatureDiagnosis | undefined
  /** Other profiles whose secrets were not tried. */
  unread: string[]
  recovered: string | undefined
}

/** What a check of a signature found, for people. */
export function verificationLines(
  terminal: Terminal,
  finding: SignatureFinding,
  { body, signatures }: { body: Buffer; signatures: readonly string[] },
): string[] {
  const { verdict, diagnosis, used, isPrevious, unread, recovered } = finding
  const { out } = terminal
  const headline = signatureVerdictText(verdict, signatures)
  const texts = diagnosis === undefined ? [] : causeTexts(diagnosis, body)
  if (isPrevious) texts.push(t`The signature matches the previous secret, not the current one`)
  if (diagnosis?.cause === null && unread.length > 0) {
    texts.push(
      t`The secrets of these profiles were not tried, because they are not stored in plain text: ${unread.join(', ')}`,
    )
  }
  const { length, sha256Prefix } = secretFingerprint(used.secret.reveal())
  const rows: LabelledRow[] = [
    ...(verdict.encoding === null ? [] : [[t`encoding`, verdict.encoding] satisfies LabelledRow]),
    [t`secret`, used.source],
    [t`length`, length === 1 ? t`1 character` : t`${length} characters`],
    [t`SHA-256`, t`begins ${sha256Prefix}`],
    ...(recovered === undefined ? [] : [[t`recovered`, recovered] satisfies LabelledRow]),
  ]
  const colour = verdict.valid ? out.green : out.red
  const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  return [colour.bold(headline), ...texts].map((text) => wrapWords(text, columns)).concat(labelledLines(rows, out))
}
