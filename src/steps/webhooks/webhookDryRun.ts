import type { Context } from '../../context.ts'
import { shownHeaders } from '../../listener/webhookPost.ts'
import { safeLines } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { curlCommand, type PostRequest } from '../../views/events/deliveryText.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'

/**
 * Prints the request that would be sent, or the curl command that sends it, and gives the exit code of having sent nothing. Unless a person
 * reads it, the text is the request byte for byte, with nothing after its body, so that it can be verified.
 */
export function showWebhook({ print, terminal }: Context, webhook: PostRequest, asCurl: boolean): number {
  const url = withoutPassword(webhook.url.href)
  const { body } = webhook
  const headers = shownHeaders(webhook.headers, webhook.url, body)
  const text = body.toString('utf8')
  const isText = Buffer.from(text).equals(body)
  const document = {
    method: 'POST',
    url,
    headers: Object.fromEntries(headers),
    body: text,
    // A string cannot hold bytes that are not UTF-8.
    ...(isText ? {} : { bodyBase64: body.toString('base64') }),
    ...(asCurl ? { curl: curlCommand(webhook) } : {}),
  }
  const head = [`POST ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)].flatMap((line) =>
    safeLines(line),
  )
  if (print.format === 'text' && !asCurl && !terminal.outIsTerminal) {
    terminal.data(`${head.join('\n')}\n\n${text}`, '')
    if (!isText)
      terminal.warn(t`The body is not UTF-8, so this text does not have its bytes; \`--curl\` or \`-o json\` does`)
  } else {
    print.one(document, () => (asCurl ? [curlCommand(webhook)] : [...head, '', ...safeLines(text)]))
  }
  terminal.note(t`Nothing was sent`)
  return 0
}
