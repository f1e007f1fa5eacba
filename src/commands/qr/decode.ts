import { existsSync } from 'node:fs'
import type { Context } from '../../context.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { reading } from '../../settings.ts'
import { t } from '../../text/words.ts'
import { brCodeDocument, brCodeLines } from '../../views/brCodeView.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'

const SHOWN_CHARACTERS_MAX = 100

/** `pixgate qr decode`: what stands in a BR Code, and whether it is sound. Nothing is sent to anybody. */
export const qrDecode = defineCommand({
  description:
    'Read a BR Code offline. The exit code is 0 for a sound code, 1 for a broken one, 2 where there is none.',
  arguments: [
    {
      name: '<code>',
      description: 'the code, a PNG image of it, or - to read either from standard input',
      completes: 'files',
    },
  ],
  examples: [
    ['pixgate qr decode 00020126580014br.gov.bcb.pix0136…6304ABCD', 'who is paid by this code, and how much'],
    ['pixgate qr decode screenshot.png', 'the same from a picture'],
    ['pixgate qr decode - -o json --fields valid,errors < code.txt', 'judge a code in a script'],
  ],
  run: decode,
})

async function decode(context: Context, { code: argument }: { code: string }): Promise<number> {
  const code = readBrCode(await codeText(context, argument))
  if (!code.looksLikeBrCode)
    throw new UsageError(code.errors[0] ?? t`The text is not a BR Code`, { hint: whatToGive() })
  context.print.one(brCodeDocument(code), () => brCodeLines(code, context.terminal.out))
  return code.valid ? 0 : 1
}

/** The text to judge. Throws UsageError where the argument leads to none. */
async function codeText(context: Context, argument: string): Promise<string> {
  if (argument.trim() === '' || readBrCode(argument).looksLikeBrCode) return argument
  const bytes = argument === '-' ? await context.readInputBytes('-', 'image') : await fileBytes(context, argument)
  const { isPng, readQrImage } = await import('../../terminal/qrImage.ts')
  if (argument === '-' && !isPng(bytes)) return bytes.toString('utf8')
  if (!isPng(bytes)) {
    throw new UsageError(t`The file \`${argument}\` is no PNG image`, {
      hint: t`Save the picture as PNG; pipe a code that is in a text file to \`pixgate qr decode -\``,
    })
  }
  const text = reading(argument, () => readQrImage(bytes))
  if (text === undefined) {
    throw new UsageError(t`No QR code is found in the image \`${argument}\``, {
      hint: t`Cut the picture to one QR code with a margin around it, or give the copy-and-paste code`,
    })
  }
  if (readBrCode(text).looksLikeBrCode) return text
  throw new UsageError(t`The QR code in the image \`${argument}\` is no BR Code`, {
    details: [t`It reads: ${beginning(text)}`],
    hint: t`Give the picture of a PIX QR code`,
  })
}

async function fileBytes(context: Context, path: string): Promise<Buffer> {
  if (!existsSync(path) && !/\.png$/i.test(path)) {
    throw new UsageError(t`\`${beginning(path)}\` is neither a BR Code nor a file that can be read`, {
      hint: whatToGive(),
    })
  }
  return context.readInputBytes(path, 'image')
}

function whatToGive(): string {
  return t`Give the whole copy-and-paste code, which begins with \`000201\`, a PNG image of it, or \`-\` for standard input`
}

function beginning(text: string): string {
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text
}
