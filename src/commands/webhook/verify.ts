import { stat } from 'node:fs/promises'
import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { SignatureDiagnosis } from '../../diagnosis/signatureDiagnosis.ts'
import { configFolderIfAny } from '../../folders.ts'
import { readText, wholeNumber, withName } from '../../optionParsers.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { otherSecrets, type Signer, secretsOf } from '../../profiles/signer.ts'
import { writeWholeFile } from '../../storage/wholeFile.ts'
import { INPUT_BYTES_MAX } from '../../terminal/inputFile.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { t } from '../../text/translate.ts'
import { type SignatureFinding, VERIFICATION, verificationLines } from '../../views/events/signatureText.ts'
import { instantText } from '../../views/valueText.ts'
import { readObject } from '../../wire/answers.ts'
import { NotFound, Refused, UsageError } from '../../wire/errors.ts'
import { judgeSignature, SIGNATURE_HEADER } from '../../wire/signature.ts'

const VERIFY_OPTIONS = defineOptions(
  {
    flags: '--body <file>',
    description: 'the exact bytes of the body, - for standard input',
    parse: readText,
    conflicts: { options: ['--request', '--event', '--last-refused'] },
  },
  {
    flags: '--signature <value>',
    description: 'the value of X-Signature',
    repeatable: true,
    conflicts: {
      options: ['--request', '--event', '--last-refused'],
      message: (other) => t`\`--signature\` cannot be combined with \`${other}\`, which has its own signature`,
      hint: () => t`Omit it, or give the body with \`--body\``,
    },
  },
  {
    flags: '--request <file>',
    description: 'a raw HTTP request or a line of `listen -o json`, - for standard input',
    parse: readText,
    conflicts: { options: ['--event', '--last-refused'] },
  },
  {
    flags: '--event <n|id>',
    description: 'a recorded event, by its number or idTransaction',
    parse: readText,
    conflicts: { options: ['--last-refused'] },
  },
  {
    flags: '--last-refused [n]',
    description: 'one that a listener refused: the newest, or the nth newest',
    preset: '1',
    parse: wholeNumber(1, 50),
  },
  { flags: '--recover <file>', description: 'write the bytes that were signed, if they are found', parse: readText },
)

type VerifyOptions = OptionsOf<typeof VERIFY_OPTIONS>

interface VerifyInput {
  body: Buffer
  signatures: string[]
  /** What a person should know about the bytes. */
  warnings: string[]
}

/** Reads what the options name: a body with its signature, a request, or a recorded event. Throws UsageError, NotFound. */
async function readVerifyInput(
  context: Context,
  { body, signature: signatures, request, event, lastRefused }: VerifyOptions,
): Promise<VerifyInput> {
  if (event !== undefined) return recordedDelivery(context, event)
  if (request !== undefined) return requestDelivery(context, request)
  if (lastRefused !== undefined) return refusedDelivery(context, lastRefused)
  if (body === undefined) {
    throw new UsageError(t`No webhook to verify is given`, {
      hint: t`Give \`--body\` and \`--signature\`, or \`--request request.txt\`, or \`--event 1\``,
    })
  }
  if (signatures.length === 0) {
    throw new UsageError(t`\`--signature\` is missing`, {
      hint: t`Add \`--signature\` with the value of \`${SIGNATURE_HEADER}\`, or give the whole request with \`--request\``,
    })
  }
  return { body: await context.readInputBytes(body, 'webhookBody'), signatures, warnings: [] }
}

async function requestDelivery(context: Context, path: string): Promise<VerifyInput> {
  const { readDelivery, valuesOf } = await import('../../wire/rawRequest.ts')
  const bytes = await context.readInputBytes(path, 'webhookRequest')
  const { headers, body, missingBytes } = withName('--request', () => readDelivery(bytes))
  if (body.length > INPUT_BYTES_MAX.webhookBody) {
    throw new UsageError(t`The body in \`${path}\` is larger than the limit of 1 MiB for a webhook`, {
      hint: t`Check that this is the request of a webhook`,
    })
  }
  const warnings: string[] = []
  if (missingBytes > 0)
    warnings.push(t`The body is shorter than its \`Content-Length\` says; bytes missing: ${missingBytes}`)
  if (missingBytes < 0)
    warnings.push(t`The body is longer than its \`Content-Length\` says; bytes left out at the end: ${-missingBytes}`)
  const codings = valuesOf(headers, 'content-encoding').filter((coding) => coding.trim().toLowerCase() !== 'identity')
  if (codings.length > 0) warnings.push(compressionText(codings.join(', '), body))
  return { body, signatures: valuesOf(headers, SIGNATURE_HEADER), warnings }
}

/** Tools that capture requests often decompress the body and keep the header, and the signature fits one of the two only. */
function compressionText(coding: string, body: Buffer): string {
  return readObject(body.toString('utf8')) === undefined
    ? t`The body in the file is compressed (\`Content-Encoding: ${coding}\`); a signature covers the bytes as they were sent`
    : t`The body was sent compressed (\`Content-Encoding: ${coding}\`), but is not compressed in the file; a signature covers the bytes as they were sent`
}

async function refusedDelivery(context: Context, place: number): Promise<VerifyInput> {
  const [{ readRefusedWebhooks }, { valuesOf }, { rejectionText }, { lossAdvice }] = await Promise.all([
    import('../../listener/refusedWebhooks.ts'),
    import('../../wire/rawRequest.ts'),
    import('../../views/events/eventText.ts'),
    import('../../views/events/deliveryText.ts'),
  ])
  const all = readRefusedWebhooks(context.dataFolder())
  const refused = all[place - 1]
  if (refused === undefined) {
    throw new NotFound(t`Only ${all.length} refused webhooks are kept on this machine`, {
      outcome: 'not-sent',
      hint: t`Run \`pixgate webhook listen\`, and let the sender try again`,
    })
  }
  const { body, bodyBytes, isRedacted, headers, receivedAt, reason } = refused
  if (isRedacted) {
    throw new Refused(t`A secret was removed from this refused webhook, so it cannot be verified again`, {
      hint: lossAdvice('redacted'),
    })
  }
  if (bodyBytes > body.length) {
    throw new Refused(
      t`Only ${body.length} of the ${bodyBytes} bytes of this refused webhook are kept, so it cannot be verified again`,
      { hint: lossAdvice('cut') },
    )
  }
  context.terminal.note(t`Refused at ${instantText(parseInstant(receivedAt) ?? null)}: ${rejectionText(reason)}`)
  return { body, signatures: valuesOf(headers, SIGNATURE_HEADER), warnings: [] }
}

async function recordedDelivery(context: Context, name: string): Promise<VerifyInput> {
  const [{ findRecordedEvents }, { valuesOf }] = await Promise.all([
    import('../../steps/webhooks/recordedEvents.ts'),
    import('../../wire/rawRequest.ts'),
  ])
  const found = (await findRecordedEvents(context, name)).map(({ record }) => record)
  const [record, another] = found
  if (record === undefined || another !== undefined) {
    throw new UsageError(t`\`${name}\` names ${found.length} events`, {
      details: found.map(({ n, event, status }) => t`${n}: ${event ?? '—'} ${status ?? '—'}`),
      hint: t`Name one of them by its number`,
    })
  }
  const body = Buffer.from(record.bodyBase64, 'base64')
  return { body, signatures: valuesOf(record.headers, SIGNATURE_HEADER), warnings: [] }
}

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
    await assertRecoverPath(options.recover, options.body ?? options.request)
  }
  const delivery = await readVerifyInput(context, options)
  const signer = await context.signer()
  const finding = await judge(context, delivery, signer, options.recover)
  for (const line of delivery.warnings) context.terminal.warn(line)
  context.print.one(VERIFICATION.documentOf({ ...finding, warnings: delivery.warnings }), () =>
    verificationLines(context.terminal, finding, delivery),
  )
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
  const verdict = judgeSignature(body, signatures, ...secrets.map(({ secret }) => secret.reveal()))
  const place = verdict.secretIndex
  const isOneValue = signatures.length === 1 && signatures[0] !== ''
  const about = { verdict, unread: [], recovered: undefined, diagnosis: undefined }
  if (verdict.valid || !isOneValue) return { ...about, used: secrets[place] ?? signer, isPrevious: place > 0 }
  const { diagnosis, unread } = await diagnose(context, delivery, signer)
  const { original, secretIndex } = diagnosis
  const recovered = original === null ? undefined : recoverPath
  if (original !== null && recovered !== undefined) {
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
  const [{ diagnoseSignature }, { readProfiles }, { Secret }] = await Promise.all([
    import('../../diagnosis/signatureDiagnosis.ts'),
    import('../../profiles/store.ts'),
    import('../../wire/secret.ts'),
  ])
  const { known, unread } = otherSecrets(
    await readProfiles(configFolderIfAny(context.runtime.env)),
    context.runtime.env,
    signer,
  )
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

function sayNext({ terminal }: Context, { diagnosis, recovered }: SignatureFinding, { recover }: VerifyOptions): void {
  const isFound = (diagnosis?.original ?? null) !== null
  if (isFound && recovered === undefined)
    terminal.next(t`Add \`--recover original.json\` to write the bytes that were signed`)
  if (!isFound && recover !== undefined) terminal.note(t`Nothing was written to ${recover}: the original was not found`)
}

/** Makes sure that the original bytes would not be written over the file that they are compared with. Throws UsageError. */
async function assertRecoverPath(path: string, source: string | undefined): Promise<void> {
  if (path === '-') {
    throw new UsageError(t`\`--recover\` takes a file, not \`-\``, {
      hint: t`Name a file, like \`--recover original.json\``,
    })
  }
  if (source === undefined || source === '-') return
  const [target, given] = await Promise.all([path, source].map((each) => stat(each).catch(() => undefined)))
  if (path !== source && (target === undefined || target.ino !== given?.ino || target.dev !== given?.dev)) return
  throw new UsageError(t`\`--recover ${path}\` would overwrite the file being verified`, {
    hint: t`Name another file, like \`--recover original.json\``,
  })
}

/** Writes the original bytes. Throws UsageError. */
async function writeRecovered(path: string, original: Buffer): Promise<void> {
  try {
    await writeWholeFile(path, original)
  } catch (error) {
    throw writeFailure('--recover', path, error)
  }
}
