import type { Context } from '../../context.ts'
import { type StoredEvent, storeEvent } from '../../ledger/events.ts'
import { BODY_BYTES_MAX } from '../../listener/rejection.ts'
import { readText } from '../../optionParsers.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { type EventFacts, readEventFacts } from '../../wire/eventFacts.ts'
import { judgeSignature } from '../../wire/signature.ts'
import type { SignatureVerdict } from '../../wire/signatureHeader.ts'
import { defineCommand } from '../command.ts'
import { type ImportedWebhook, readImportFile } from './importFile.ts'

/** Why a webhook is not imported. */
type Reason = NonNullable<SignatureVerdict['reason']> | 'not-json' | 'too-large'

type Judged =
  | { webhook: ImportedWebhook; facts: EventFacts; reason: null }
  | { webhook: ImportedWebhook; facts: EventFacts | undefined; reason: Reason }

/** A transaction keeps other programs waiting, so a large file is stored in groups. */
const GROUP = 500

export const historyImport = defineCommand({
  arguments: [
    {
      name: '<file>',
      description: 'a raw HTTP request, lines of `webhook listen -o json`, or bodies with signatures; - for stdin',
      parse: readText,
    },
  ],
  examples: [
    ['pixgate history import events.jsonl', 'records each genuine event once; exit 1 if one is not genuine'],
    ['pixgate history import - < events.jsonl', 'from another program'],
  ],
  run: importEvents,
})

async function importEvents(context: Context, { file: path }: { file: string }): Promise<number> {
  const webhooks = await readFile(context, path)
  const signer = await context.signer()
  const judged = webhooks.map((webhook) => judge(webhook, signer))
  const stored = await storeAll(context, judged, signer)
  const duplicates = stored.filter(({ duplicate }) => duplicate).length
  const rejected = judged.flatMap(({ webhook, reason }) => (reason === null ? [] : [{ line: webhook.line, reason }]))
  const { out } = context.terminal
  context.print.one({ imported: stored.length - duplicates, duplicates, refused: rejected }, () => [
    ...labelledLines(
      [
        [t`imported`, String(stored.length - duplicates)],
        [t`duplicates`, String(duplicates)],
        [t`refused`, String(rejected.length), rejected.length > 0 ? out.red : undefined],
      ],
      out,
    ),
    ...rejected.map(({ line, reason }) => `  ${t`line ${line}: ${reasonText(reason)}`}`),
  ])
  if (rejected.length > 0) {
    context.terminal.next(t`Run \`pixgate webhook verify --request request.txt\` to find out why a signature is wrong`)
  }
  return rejected.length > 0 ? 1 : 0
}

/** All webhooks of a file. Throws UsageError that lists everything that is not a webhook; then nothing is recorded. */
async function readFile(context: Context, path: string): Promise<ImportedWebhook[]> {
  const { webhooks, faults } = readImportFile(await context.readInputBytes(path, 'storedWebhooks'))
  if (faults.length > 0) {
    throw new UsageError(t`\`${path}\` has entries that are not webhooks; nothing was imported`, {
      faults,
      hint: t`Give one raw HTTP request with its head, lines of \`pixgate webhook listen -o json\`, or lines like {"body": "…", "signature": "…"}`,
    })
  }
  if (webhooks.length > 0) return webhooks
  throw new UsageError(t`\`${path}\` contains no webhooks`, {
    hint: t`Give raw requests, or bodies with their signatures; \`pixgate history import --help\` has examples`,
  })
}

function judge(webhook: ImportedWebhook, signer: Signer): Judged {
  const { body, signatures } = webhook
  if (body.length > BODY_BYTES_MAX) return { webhook, facts: undefined, reason: 'too-large' }
  const verdicts = secretsOf(signer).map(({ secret }) => judgeSignature(body, signatures, secret.reveal()))
  const facts = readEventFacts(body.toString('utf8'))
  if (!verdicts.some(({ valid }) => valid)) return { webhook, facts, reason: verdicts[0]?.reason ?? 'mismatch' }
  return facts === undefined ? { webhook, facts, reason: 'not-json' } : { webhook, facts, reason: null }
}

async function storeAll(
  context: Context,
  judged: readonly Judged[],
  { profile, environment, baseUrl, clientId }: Signer,
): Promise<StoredEvent[]> {
  const owner = { profile, environment, baseUrl, clientId }
  const genuine = judged.flatMap(({ webhook, facts, reason }) => (reason === null ? [{ webhook, facts }] : []))
  const ledger = await context.ledger()
  const stored: StoredEvent[] = []
  for (let at = 0; at < genuine.length; at += GROUP) {
    const group = genuine.slice(at, at + GROUP)
    const results = await ledger.write((writer) =>
      group.map(({ webhook: { body, target, headers, receivedAtMs }, facts }) =>
        storeEvent(
          writer,
          {
            facts,
            body,
            target,
            headers,
            owner,
            isSigned: true,
            via: 'import',
            // A sender whose clock is ahead must not make an event newer than everything that happens from now on.
            receivedAtMs: Math.min(receivedAtMs ?? writer.nowMs, writer.nowMs),
          },
          context.runtime.secrets,
        ),
      ),
    )
    stored.push(...results)
  }
  return stored
}

function reasonText(reason: Reason): string {
  switch (reason) {
    case 'missing':
      return t`it has no \`X-Signature\``
    case 'malformed':
      return t`its \`X-Signature\` is not a signature`
    case 'mismatch':
      return t`its signature does not match these bytes and this secret`
    case 'not-json':
      return t`it is genuine, but not JSON`
    case 'too-large':
      return t`it is larger than 1 MiB`
  }
}
