import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readBodyEdit } from '../../listener/bodyEdits.ts'
import { checkReceiver, fetchShopState, ProbeMaker } from '../../listener/receiverCheck.ts'
import { openConnectionPoolTo } from '../../listener/webhookPost.ts'
import { readText } from '../../optionParsers.ts'
import { readHeader } from '../../steps/webhooks/listenOptions.ts'
import { askToSign, ENCODING_OPTION, forTarget } from '../../steps/webhooks/sendWebhooks.ts'
import { t } from '../../text/translate.ts'
import { checkLines, RECEIVER_REPORT } from '../../views/events/checkText.ts'
import { readReceiverUrl, withoutPassword } from '../../wire/baseAddress.ts'
import { Cancelled, NotReached } from '../../wire/errors.ts'

const OPTIONS = defineOptions(
  {
    flags: '--state-url <url>',
    description: 'shows what was credited; read before and after each proof',
    parse: readReceiverUrl,
  },
  {
    flags: '--order <idTransaction>',
    description: 'a payment that the shop knows, repeatable; two for all proofs',
    parse: readText,
    repeatable: true,
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
      'pixgate webhook check http://127.0.0.1:3000/webhooks --state-url http://127.0.0.1:3000/credits',
      'does it credit once, and only what was paid?',
    ],
  ],
  run: check,
})

async function check(context: Context, { url, ...options }: OptionsOf<typeof OPTIONS> & { url: URL }): Promise<number> {
  const { print, terminal, runtime, settings, newId } = context
  const signer = await context.signer()
  const { set: edits, header: headers, signatureEncoding: encoding, stateUrl, order: orders } = options
  const secret = signer.secret.reveal()
  const source = { secret, encoding, edits, headers, orders, newId, nowMs: context.now() }
  const shown = withoutPassword(url.href)
  await askToSign(context, forTarget(signer, url), [new ProbeMaker(source).first().body], [[t`to`, shown]])
  const connections = openConnectionPoolTo(url, runtime.env)
  const signal = runtime.interrupt
  const fetchState = stateUrl === undefined ? null : () => fetchShopState(stateUrl, runtime.env, signal)
  const report = await checkReceiver({ ...source, url, connections, signal, fetchState }).finally(connections.close)
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
  const shop = { stateUrl: stateUrl === undefined ? null : withoutPassword(stateUrl.href), isWhole: settings.verbose }
  print.one(RECEIVER_REPORT.documentOf({ ...report, url: shown }), () => checkLines(report, shop, terminal))
  return report.verdict === 'good' ? 0 : 1
}
