import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readBodyEdit } from '../../listener/bodyEdits.ts'
import {
  type CheckResult,
  checkReceiver,
  ProbeMaker,
  type ReceiverCheckOptions,
  type ReceiverReport,
  readShopState,
} from '../../listener/receiverCheck.ts'
import { openConnectionPoolTo } from '../../listener/webhookPost.ts'
import { readHeader } from '../../steps/webhooks/listenOptions.ts'
import { askToSign, ENCODING_OPTION, forTarget } from '../../steps/webhooks/sendWebhooks.ts'
import { t } from '../../text/translate.ts'
import { causeText, checkLines } from '../../views/events/checkText.ts'
import type { WebhookCheckDocument } from '../../views/outputSchemas.ts'
import { readReceiverUrl, withoutPassword } from '../../wire/baseAddress.ts'
import { Cancelled, NotReached } from '../../wire/errors.ts'

const OPTIONS = defineOptions(
  {
    flags: '--state-url <url>',
    description: 'shows what was credited; read before and after deliveries that change nothing',
    parse: readReceiverUrl,
  },
  {
    flags: '--set <path=value>',
    description: 'set a value in every sample, repeatable',
    parse: readBodyEdit,
    repeatable: true,
  },
  { flags: '--header <name:value>', description: 'add a header, repeatable', parse: readHeader, repeatable: true },
  ENCODING_OPTION,
)

export const webhookCheck = defineCommand({
  arguments: [{ name: '<url>', description: 'where your server receives webhooks', parse: readReceiverUrl }],
  options: OPTIONS,
  examples: [
    ['pixgate webhook check http://127.0.0.1:3000/webhooks', 'does it take genuine webhooks, and no others?'],
    [
      'pixgate webhook check http://127.0.0.1:3000/webhooks --set data.idTransaction=a1b2c3',
      'with a payment that the shop knows',
    ],
  ],
  run: check,
})

async function check(context: Context, { url, ...options }: OptionsOf<typeof OPTIONS> & { url: URL }): Promise<number> {
  const { print, terminal, runtime, newId } = context
  const signer = await context.signer()
  const { set: edits, header: headers, signatureEncoding: encoding, stateUrl } = options
  const secret = signer.secret.reveal()
  const source = { secret, encoding, edits, headers, newId, nowMs: context.now() }
  const shown = withoutPassword(url.href)
  await askToSign(context, forTarget(signer, url), [new ProbeMaker(source).first().body], [[t`to`, shown]])
  const connections = openConnectionPoolTo(url, runtime.env)
  const stateConnections = stateUrl === undefined ? undefined : openConnectionPoolTo(stateUrl, runtime.env)
  const signal = runtime.interrupt
  const readState =
    stateUrl === undefined || stateConnections === undefined
      ? null
      : () => readShopState(stateConnections, stateUrl, signal)
  let report: ReceiverReport | null
  try {
    // An address that cannot be read is reported before anything is sent.
    await readState?.()
    const checking: ReceiverCheckOptions = { ...source, url, connections, signal, readState }
    report = await checkReceiver(checking)
  } finally {
    await Promise.all([connections.close(), stateConnections?.close()])
  }
  if (signal.aborted) {
    throw new Cancelled(t`Interrupted; some samples may have arrived`, {
      hint: t`Run the command again when you are ready`,
    })
  }
  if (report === null) {
    throw new NotReached(t`No connection to ${url.origin} was made`, {
      hint: t`Start your server, or check the address`,
    })
  }
  const { results } = report
  const isBad = results.some(({ verdict }) => verdict === 'bad')
  print.one(documentOf(shown, results, isBad), () => checkLines(report, terminal))
  return isBad ? 1 : 0
}

function documentOf(url: string, results: readonly CheckResult[], isBad: boolean): WebhookCheckDocument {
  const checks = results.map(({ name, sent, status, ms, verdict, ...proved }) => {
    return { name, sent, status, ms, verdict, cause: causeText(proved) }
  })
  return { url, verdict: isBad ? 'bad' : 'good', checks }
}
