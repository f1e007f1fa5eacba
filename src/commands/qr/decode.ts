import { existsSync } from 'node:fs'
import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { withName } from '../../optionParsers.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { copiedCode, payableText } from '../../pix/copiedCode.ts'
import { inputText } from '../../terminal/inputFile.ts'
import { t } from '../../text/translate.ts'
import { brCodeDocument, brCodeLines } from '../../views/brCodeView.ts'
import type { Printed } from '../../views/outputSchemas.ts'
import { UsageError } from '../../wire/errors.ts'

const SHOWN_CHARACTERS_MAX = 100

export const qrDecode = defineCommand({
  arguments: [
    {
      name: '<code>',
      description: 'the code, an image of it (PNG, JPEG, WebP), or - to read either from standard input',
      completes: 'files',
    },
  ],
  examples: [
    ['pixgate qr decode 00020126580014br.gov.bcb.pix0136…6304ABCD', 'show who receives the payment, and how much'],
    ['pixgate qr decode screenshot.png', 'read the code in an image'],
    ['pixgate qr decode - -o json --fields valid,errors < code.txt', 'check a code in a script'],
  ],
  run: decode,
})

async function decode(context: Context, { code: argument }: { code: string }): Promise<number> {
  const text = await codeText(context, argument)
  const copied = copiedIn(text)
  const read = readBrCode(copied?.code ?? text)
  const code = { ...read, warnings: [...(copied?.stuck ?? []), ...read.warnings] }
  if (!code.looksLikeBrCode)
    throw new UsageError(code.errors[0] ?? t`The text is not a BR Code`, { hint: missingCodeHint() })
  const document: Printed<'qr-decode'> = brCodeDocument(code)
  context.print.one(document, () => brCodeLines(code, context.terminal.out))
  return code.valid ? 0 : 1
}

function copiedIn(text: string) {
  return withName(undefined, () => copiedCode(text))
}

/** The code's text, from the argument, stdin or a file. Throws UsageError if there is none. */
async function codeText(context: Context, argument: string): Promise<string> {
  if (argument.trim() === '' || copiedIn(argument) !== undefined || readBrCode(argument).looksLikeBrCode)
    return argument
  const bytes = argument === '-' ? await context.readInputBytes('-', 'image') : await fileBytes(context, argument)
  const { isPicture, readQrImage } = await import('../../terminal/qrImage.ts')
  if (argument === '-' && !isPicture(bytes)) return inputText(bytes)
  if (!isPicture(bytes)) {
    throw new UsageError(t`The file \`${argument}\` is not a PNG, JPEG or WebP image`, {
      hint: t`Save the image as PNG, or pipe a code from a text file to \`pixgate qr decode -\``,
    })
  }
  const texts = await readQrImage(bytes).catch((error: unknown) =>
    withName(argument, () => {
      throw error
    }),
  )
  if (texts.length === 0) {
    throw new UsageError(t`No QR code was found in the image \`${argument}\``, {
      hint: t`Crop the image to one QR code with a margin around it, or use the copy-and-paste code`,
    })
  }
  const [code, ...further] = texts.filter((text) => readBrCode(text).looksLikeBrCode)
  if (code !== undefined && further.length === 0) return code
  if (code !== undefined) {
    throw new UsageError(t`The image \`${argument}\` has ${further.length + 1} codes that can be paid`, {
      details: [code, ...further].map(payableText),
      hint: t`Crop the image to the code that you mean, or use its copy-and-paste code`,
    })
  }
  throw new UsageError(
    texts.length === 1
      ? t`The QR code in the image \`${argument}\` is not a BR Code`
      : t`None of the ${texts.length} QR codes in the image \`${argument}\` is a BR Code`,
    {
      details: texts.map((text) => t`It contains: ${beginning(text)}`),
      hint: t`Use an image of a PIX QR code`,
    },
  )
}

async function fileBytes(context: Context, path: string): Promise<Buffer> {
  if (!existsSync(path) && !/\.(?:png|jpe?g|webp)$/i.test(path)) {
    throw new UsageError(t`\`${beginning(path)}\` is neither a BR Code nor a readable file`, {
      hint: missingCodeHint(),
    })
  }
  return context.readInputBytes(path, 'image')
}

function missingCodeHint(): string {
  return t`Enter the whole copy-and-paste code, which begins with \`000201\`, an image of it, or \`-\` for standard input`
}

function beginning(text: string): string {
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text
}
