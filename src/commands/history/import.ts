import type { Context } from '../../context.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { BODY_BYTES_MAX } from '../../receiver/door.ts'
import { labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import type { Journal, Kept } from '../../timeline/journal.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'
import { type EventFacts, readEventFacts } from '../../wire/eventFacts.ts'
import { judgeSignature } from '../../wire/signature.ts'
import type { SignatureVerdict } from '../../wire/signatureHeader.ts'
import { defineCommand } from '../command.ts'
import { notBlank, refuseCsv } from '../optionValues.ts'
import { type KeptWebhook, readKeptWebhooks } from './importReading.ts'

/** Why a webhook is not taken. */
type Reason = NonNullable<SignatureVerdict['reason']> | 'not-json' | 'too-large'

type Judged =
  | { webhook: KeptWebhook; facts: EventFacts; reason: null }
  | { webhook: KeptWebhook; facts: EventFacts | undefined; reason: Reason }

/** `pixgate history import`: takes in the events that another receiver kept. */
export const historyImport = defineCommand({
  description:
    'Verify the webhooks that your own receiver kept, and record the genuine ones as if they had arrived here',
  arguments: [
    {
      name: '<file>',
      description: 'a raw HTTP request, lines of `webhook listen -o json`, or bodies with signatures; - for stdin',
    },
  ],
  examples: [
    ['pixgate history import events.jsonl', 'what they tell of is settled; exit 1 if one is not genuine'],
    ['pixgate history import - < events.jsonl', 'from another program'],
  ],
  run: importEvents,
})

async function importEvents(context: Context, { file: path }: { file: string }): Promise<number> {
  refuseCsv(context)
  const webhooks = await readFile(context, notBlank(path, '<file>'))
  const signer = await context.signer()
  const judged = webhooks.map((webhook) => judge(webhook, signer))
  const kept = await keepAll(context, await context.journal(), judged, signer)
  const duplicates = kept.filter(({ duplicate }) => duplicate).length
  const refused = judged.flatMap(({ webhook, reason }) => (reason === null ? [] : [{ line: webhook.line, reason }]))
  const { out } = context.terminal
  context.print.one({ imported: kept.length - duplicates, duplicates, refused }, () => [
    ...labelled(
      [
        [t`imported`, String(kept.length - duplicates)],
        [t`duplicates`, String(duplicates)],
        [t`refused`, String(refused.length), refused.length > 0 ? out.red : undefined],
      ],
      out,
    ),
    ...refused.map(({ line, reason }) => `  ${t`line ${line}: ${reasonText(reason)}`}`),
  ])
  if (refused.length > 0) {
    context.terminal.next(t`\`pixgate webhook verify --request <file>\` finds out why a signature is wrong`)
  }
  return refused.length > 0 ? 1 : 0
}

/** All webhooks of a file. Throws UsageError that lists everything that is none; nothing is recorded then. */
async function readFile(context: Context, path: string): Promise<KeptWebhook[]> {
  const { webhooks, faults } = readKeptWebhooks(await context.readInputBytes(path, 'storedWebhooks'))
  if (faults.length > 0) {
    throw new UsageError(t`${path} holds what is no webhook, and nothing was imported`, {
      faults,
      hint: t`Give one raw HTTP request with its head, lines of \`pixgate webhook listen -o json\`, or lines like {"body": "…", "signature": "…"}`,
    })
  }
  if (webhooks.length > 0) return webhooks
  throw new UsageError(t`${path} holds no webhook`, {
    hint: t`Give what your receiver kept: raw requests, or bodies with their signatures; \`--help\` has examples`,
  })
}

function judge(webhook: KeptWebhook, signer: Signer): Judged {
  const { body, signatures } = webhook
  if (body.length > BODY_BYTES_MAX) return { webhook, facts: undefined, reason: 'too-large' }
  const verdicts = secretsOf(signer).map(({ secret }) => judgeSignature(body, signatures, secret.reveal()))
  const facts = readEventFacts(body.toString('utf8'))
  if (!verdicts.some(({ valid }) => valid)) return { webhook, facts, reason: verdicts[0]?.reason ?? 'mismatch' }
  return facts === undefined ? { webhook, facts, reason: 'not-json' } : { webhook, facts, reason: null }
}

async function keepAll(
  context: Context,
  journal: Journal,
  judged: readonly Judged[],
  { profile, environment, baseUrl, clientId }: Signer,
): Promise<Kept[]> {
  const owner = { profile, environment, baseUrl, clientId }
  const nowMs = context.now()
  try {
    return await Promise.all(
      judged.flatMap(({ webhook, facts, reason }) => {
        if (reason !== null) return []
        const { body, target, headers, receivedAtMs } = webhook
        // A clock ahead of this one must not make an event newer than everything that happens from now on.
        const arrivedAtMs = Math.min(receivedAtMs ?? nowMs, nowMs)
        const about = { owner, isSigned: true, via: 'import', receivedAtMs: arrivedAtMs } as const
        return [journal.keep({ facts, body, target, headers, ...about })]
      }),
    )
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UsageError(t`The events cannot be recorded: ${error.code}`, {
      hint: t`Make room on the disk and the data folder writable, then import the file again: what is recorded stays once`,
    })
  }
}

function reasonText(reason: Reason): string {
  switch (reason) {
    case 'missing':
      return t`it has no \`X-Signature\``
    case 'malformed':
      return t`its \`X-Signature\` is no signature`
    case 'mismatch':
      return t`its signature does not fit these bytes and this secret`
    case 'not-json':
      return t`it is genuine, but no JSON`
    case 'too-large':
      return t`it is larger than 1 MiB`
  }
}
