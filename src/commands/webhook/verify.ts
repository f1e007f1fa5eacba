import type { Context } from '../../context.ts'
import { type Signer, type SigningSecret, secretsOf } from '../../profiles/signer.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { causeTexts, signatureVerdictText } from '../../views/signatureText.ts'
import { wrapWords } from '../../views/wrapWords.ts'
import { judgeSignature, secretFingerprint } from '../../wire/signature.ts'
import type { SignatureDiagnosis } from '../../wire/signatureDiagnosis.ts'
import type { SignatureVerdict } from '../../wire/signatureHeader.ts'
import { defineCommand } from '../command.ts'
import type { OfflineDocument } from '../schemas/offline.ts'
import { readVerifyInput, VERIFY_OPTIONS, type VerifyInput, type VerifyOptions } from './verifyInput.ts'

/** All that is said about one signature. */
interface Finding {
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

export const webhookVerify = defineCommand({
  options: VERIFY_OPTIONS,
  examples: [
    ['pixgate webhook verify --body event.json --signature 5d41402abc4b2a76…', 'a body and its header'],
    ['pixgate webhook verify --request request.txt --recover original.json', 'a logged request'],
    ['pixgate webhook verify --event 17 -o json', 'an event that `listen` recorded'],
  ],
  run: verify,
})

async function verify(context: Context, options: VerifyOptions): Promise<number> {
  if (options.recover !== undefined) {
    const { assertRecoverPath } = await import('./recoverFile.ts')
    await assertRecoverPath(options.recover, options.body ?? options.request)
  }
  const delivery = await readVerifyInput(context, options)
  const signer = await context.signer()
  const finding = await judge(context, delivery, signer, options.recover)
  for (const line of delivery.warnings) context.terminal.warn(line)
  context.print.one(document(finding, delivery), () => lines(context, finding, delivery))
  sayNext(context, finding, options)
  return finding.verdict.valid ? 0 : 1
}

async function judge(
  context: Context,
  delivery: VerifyInput,
  signer: Signer,
  recoverPath: string | undefined,
): Promise<Finding> {
  const { body, signatures } = delivery
  const secrets = secretsOf(signer)
  const verdicts = secrets.map(({ secret }) => judgeSignature(body, signatures, secret.reveal()))
  const place = Math.max(
    0,
    verdicts.findIndex(({ valid }) => valid),
  )
  const verdict = verdicts[place] ?? { valid: false, encoding: null, reason: 'missing' }
  const about = { verdict, unread: [], recovered: undefined, diagnosis: undefined }
  const isOneValue = signatures.length === 1 && signatures[0] !== ''
  if (verdict.valid || !isOneValue) return { ...about, used: secrets[place] ?? signer, isPrevious: place > 0 }
  const { diagnosis, unread } = await diagnose(context, delivery, signer)
  const { original, secretIndex } = diagnosis
  const recovered = original === null ? undefined : recoverPath
  if (original !== null && recovered !== undefined) {
    const { writeRecovered } = await import('./recoverFile.ts')
    await writeRecovered(recovered, original)
  }
  const isPrevious = secretIndex > 0
  return { verdict, diagnosis, unread, recovered, used: secrets[secretIndex] ?? signer, isPrevious }
}

async function diagnose(
  context: Context,
  { body, signatures }: VerifyInput,
  signer: Signer,
): Promise<{ diagnosis: SignatureDiagnosis; unread: string[] }> {
  const [{ diagnoseSignature }, { otherSecrets }, { readProfiles }, { Secret }] = await Promise.all([
    import('../../wire/signatureDiagnosis.ts'),
    import('../../profiles/signer.ts'),
    import('../../profiles/store.ts'),
    import('../../wire/secret.ts'),
  ])
  const { known, unread } = otherSecrets(await readProfiles(context.configFolder()), context.runtime.env, signer)
  for (const { secret } of known) context.terminal.hide(new Secret(secret))
  const secrets = secretsOf(signer).map(({ secret }) => secret.reveal())
  const diagnosis = diagnoseSignature({ body, signature: signatures[0] ?? '', secrets, others: known })
  return { diagnosis, unread: diagnosis.tried.length === 0 ? [] : unread }
}

function document(
  { verdict, diagnosis, unread, used, recovered }: Finding,
  { warnings }: VerifyInput,
): OfflineDocument<'webhook-verify'> {
  const [serialiser] = diagnosis?.serialisers ?? []
  return {
    valid: verdict.valid,
    encoding: verdict.encoding,
    reason: verdict.reason,
    cause: diagnosis?.cause ?? null,
    tried: diagnosis?.tried ?? [],
    secret: { source: used.source, ...secretFingerprint(used.secret.reveal()) },
    ...(serialiser === undefined ? {} : { serializer: serialiser, serializers: [...(diagnosis?.serialisers ?? [])] }),
    ...(diagnosis?.construction == null ? {} : { construction: diagnosis.construction }),
    ...(diagnosis?.profile == null ? {} : { profile: diagnosis.profile }),
    ...(recovered === undefined ? {} : { recovered }),
    ...(unread.length === 0 ? {} : { profilesNotTried: unread }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

function lines({ terminal }: Context, finding: Finding, { body, signatures }: VerifyInput): string[] {
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
    [t`length`, t`${length} characters`],
    [t`SHA-256`, t`begins ${sha256Prefix}`],
    ...(recovered === undefined ? [] : [[t`recovered`, recovered] satisfies LabelledRow]),
  ]
  const colour = verdict.valid ? out.green : out.red
  const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  return [colour.bold(headline), ...texts].map((text) => wrapWords(text, columns)).concat(labelledLines(rows, out))
}

/** What `--recover` would give or did not give. */
function sayNext({ terminal }: Context, { diagnosis, recovered }: Finding, { recover }: VerifyOptions): void {
  const isFound = (diagnosis?.original ?? null) !== null
  if (isFound && recovered === undefined)
    terminal.next(t`Add \`--recover original.json\` to write the bytes that were signed`)
  if (!isFound && recover !== undefined) terminal.note(t`Nothing was written to ${recover}: the original was not found`)
}
