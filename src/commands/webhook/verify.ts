import type { Context } from '../../context.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { t } from '../../text/translate.ts'
import { type SignatureFinding, verificationLines } from '../../views/events/verificationText.ts'
import { judgeSignature, secretFingerprint } from '../../wire/signature.ts'
import type { SignatureDiagnosis } from '../../wire/signatureDiagnosis.ts'
import { defineCommand } from '../command.ts'
import type { OfflineDocument } from '../schemas/offline.ts'
import { readVerifyInput, VERIFY_OPTIONS, type VerifyInput, type VerifyOptions } from './verifyInput.ts'

export const webhookVerify = defineCommand({
  options: VERIFY_OPTIONS,
  examples: [
    ['pixgate webhook verify --body event.json --signature 5d41402abc4b2a76…', 'a body and its header'],
    ['pixgate webhook verify --request request.txt --recover original.json', 'a logged request'],
    ['pixgate webhook verify --event 17 -o json', 'an event that `listen` recorded'],
    ['pixgate webhook verify --last-refused', 'the newest that `listen` refused'],
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
  context.print.one(document(finding, delivery), () => verificationLines(context.terminal, finding, delivery))
  sayNext(context, finding, options)
  return finding.verdict.valid ? 0 : 1
}

async function judge(
  context: Context,
  delivery: VerifyInput,
  signer: Signer,
  recoverPath: string | undefined,
): Promise<SignatureFinding> {
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
  const diagnosis = diagnoseSignature({
    body,
    signature: signatures[0] ?? '',
    secrets,
    others: known,
    clientId: signer.clientId,
  })
  return { diagnosis, unread: diagnosis.tried.length === 0 ? [] : unread }
}

function document(
  { verdict, diagnosis, unread, used, recovered }: SignatureFinding,
  { warnings }: VerifyInput,
): OfflineDocument<'webhook-verify'> {
  const writers = diagnosis?.writers.map(({ name }) => name) ?? []
  const [only, another] = writers
  return {
    valid: verdict.valid,
    encoding: verdict.encoding,
    reason: verdict.reason,
    cause: diagnosis?.cause ?? null,
    tried: diagnosis?.tried ?? [],
    secret: { source: used.source, ...secretFingerprint(used.secret.reveal()) },
    ...(only === undefined ? {} : { serializers: writers }),
    ...(only === undefined || another !== undefined ? {} : { serializer: only }),
    ...(diagnosis?.construction == null ? {} : { construction: diagnosis.construction }),
    ...(diagnosis?.profile == null ? {} : { profile: diagnosis.profile }),
    ...(recovered === undefined ? {} : { recovered }),
    ...(unread.length === 0 ? {} : { profilesNotTried: unread }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** What `--recover` would give or did not give. */
function sayNext({ terminal }: Context, { diagnosis, recovered }: SignatureFinding, { recover }: VerifyOptions): void {
  const isFound = (diagnosis?.original ?? null) !== null
  if (isFound && recovered === undefined)
    terminal.next(t`Add \`--recover original.json\` to write the bytes that were signed`)
  if (!isFound && recover !== undefined) terminal.note(t`Nothing was written to ${recover}: the original was not found`)
}
