import type { Context } from '../../context.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { signBody } from '../../wire/signature.ts'
import type { SignatureEncoding } from '../../wire/signatureHeader.ts'
import { defineCommand } from '../command.ts'
import { askToSign, ENCODING_OPTION } from './signing.ts'

export const webhookSign = defineCommand({
  options: [{ flags: '--body <file>', description: 'the bytes, `-` for standard input' }, ENCODING_OPTION],
  examples: [
    ['pixgate webhook sign --body event.json', 'the header value alone'],
    ["printf '{}' | pixgate webhook sign --body - --signature-encoding base64", 'sign the output of another command'],
  ],
  run: sign,
})

async function sign(
  context: Context,
  { body: path, signatureEncoding: encoding }: { body?: string; signatureEncoding: SignatureEncoding },
): Promise<number> {
  if (path === undefined) {
    throw new UsageError(t`\`--body\` is missing`, {
      hint: t`Add \`--body event.json\`, or \`--body -\` for standard input`,
    })
  }
  const body = await context.readInputBytes(path, 'webhookBody')
  const signer = await context.signer()
  await askToSign(context, signer, [body], [[t`bytes`, String(body.length)]])
  const signature = signBody(body, signer.secret.reveal(), encoding)
  context.print.one({ signature, encoding }, () => [signature])
  return 0
}
