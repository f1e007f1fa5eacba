import type { Context } from '../../context.ts'
import { readText, wholeNumber, withName } from '../../optionParsers.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { INPUT_BYTES_MAX } from '../../terminal/inputFile.ts'
import { t } from '../../text/translate.ts'
import { instantText } from '../../views/valueText.ts'
import { readObject } from '../../wire/answers.ts'
import { NotFound, Refused, UsageError } from '../../wire/errors.ts'
import { SIGNATURE_HEADER } from '../../wire/signatureHeader.ts'
import { defineOptions, type OptionsOf } from '../command.ts'

const EACH_IS_DIFFERENT = () => t`Give one of them; each is a different webhook`

export const VERIFY_OPTIONS = defineOptions(
  {
    flags: '--body <file>',
    description: 'the exact bytes of the body, - for standard input',
    parse: readGiven,
    conflicts: {
      options: ['--request', '--event', '--last-refused'],
      message: (other) => t`\`--body\` and \`${other}\` cannot be combined`,
      hint: EACH_IS_DIFFERENT,
    },
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
    parse: readGiven,
    conflicts: {
      options: ['--event', '--last-refused'],
      message: (other) => t`\`--request\` and \`${other}\` cannot be combined`,
      hint: EACH_IS_DIFFERENT,
    },
  },
  {
    flags: '--event <n|id>',
    description: 'a recorded event, by its number or idTransaction',
    parse: readGiven,
    conflicts: {
      options: ['--last-refused'],
      message: (other) => t`\`--event\` and \`${other}\` cannot be combined`,
      hint: EACH_IS_DIFFERENT,
    },
  },
  {
    flags: '--last-refused [n]',
    description: 'one that a listener refused: the newest, or the nth newest',
    preset: '1',
    parse: wholeNumber(1, 50),
  },
  { flags: '--recover <file>', description: 'write the bytes that were signed, if they are found', parse: readText },
)

export type VerifyOptions = OptionsOf<typeof VERIFY_OPTIONS>

/** The bytes to judge and the signatures that came with them. */
export interface VerifyInput {
  body: Buffer
  signatures: string[]
  /** What a person should know about the bytes. */
  warnings: string[]
}

/** Reads what the options name: a body with its signature, a request, or a recorded event. Throws UsageError, NotFound. */
export async function readVerifyInput(
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

function readGiven(typed: string, name: string): string {
  if (typed === '') throw new UsageError(t`\`${name}\` is empty`, { hint: t`Write a value after \`${name}\`` })
  return typed
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
  const [{ readRefusedWebhooks }, { valuesOf }, { rejectionText }] = await Promise.all([
    import('../../listener/refusedWebhooks.ts'),
    import('../../wire/rawRequest.ts'),
    import('../../views/events/eventText.ts'),
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
  const hint = t`Pipe its line of \`pixgate webhook listen -o json\` to \`pixgate webhook verify --request -\``
  if (isRedacted) {
    throw new Refused(t`A secret was removed from this refused webhook, so it cannot be verified again`, { hint })
  }
  if (bodyBytes > body.length) {
    throw new Refused(
      t`Only ${body.length} of the ${bodyBytes} bytes of this refused webhook are kept, so it cannot be verified again`,
      { hint },
    )
  }
  context.terminal.note(t`Refused at ${instantText(parseInstant(receivedAt) ?? null)}: ${rejectionText(reason)}`)
  return { body, signatures: valuesOf(headers, SIGNATURE_HEADER), warnings: [] }
}

async function recordedDelivery(context: Context, name: string): Promise<VerifyInput> {
  const [{ findRecordedEvents }, { valuesOf }] = await Promise.all([
    import('./recordedEvents.ts'),
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
