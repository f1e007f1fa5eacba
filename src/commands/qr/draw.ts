import type { Context } from '../../context.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { styleFor } from '../../terminal/style.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'

interface DrawOptions {
  /** Undefined leaves it to whether stdout is a terminal. */
  qr?: boolean
}

/** `pixgate qr draw`: a copy-and-paste code as a QR code that a phone can read from the screen. */
export const qrDraw = defineCommand({
  description: 'Draw a copy-and-paste code as a QR code, and print the code below it',
  arguments: [{ name: '<code>', description: 'the code, or - to read it from standard input' }],
  options: [
    { flags: '--qr', description: 'draw also where the output is no terminal' },
    { flags: '--no-qr', description: 'print the code only' },
  ],
  examples: [
    ['pixgate qr draw 00020126580014br.gov.bcb.pix0136…6304ABCD', 'show a code to the camera of a phone'],
    ['pixgate qr draw - < code.txt', 'draw the code in a file'],
    ['pixgate qr draw - --qr --no-color < code.txt > code-drawn.txt', 'keep the drawing as plain text'],
  ],
  run: draw,
})

async function draw(context: Context, { code: argument, ...options }: DrawOptions & { code: string }): Promise<number> {
  const { print, terminal } = context
  const text = (argument === '-' ? await context.readInput('-', 'brCode') : argument).trim()
  const { looksLikeBrCode, valid, errors, warnings } = readBrCode(text)
  if (!looksLikeBrCode) {
    throw new UsageError(errors[0] ?? t`The text is not a BR Code`, {
      hint: t`Give the whole copy-and-paste code, which begins with \`000201\`, or \`-\` to read it from standard input`,
    })
  }
  const wanted = options.qr ?? (print.format === 'text' && terminal.outIsTerminal)
  const { lines, whyNot } = wanted ? await drawing(context, text) : { lines: null, whyNot: null }
  print.one({ code: text, valid, drawing: lines?.join('\n') ?? null, errors, warnings }, () => [
    ...(lines ?? []),
    terminal.outIsTerminal ? safeText(text) : text,
  ])
  if (whyNot !== null) terminal.note(whyNot)
  if (!valid) terminal.warn(t`The code is broken, so a bank will refuse it`)
  for (const finding of [...errors, ...warnings]) terminal.warn(finding)
  return 0
}

/** The drawing in lines, in a JSON document without colour; or the sentence that says why there is none. */
async function drawing({ print, terminal, world }: Context, text: string) {
  const { drawQr, qrCanvas, whyNotDrawn } = await import('../../terminal/qrDrawing.ts')
  const canvas = qrCanvas(terminal, world.env)
  const style = print.format === 'text' ? canvas.style : styleFor(false, { forbidden: true, env: world.env })
  const drawn = drawQr(text, { ...canvas, style })
  if (Array.isArray(drawn)) return { lines: drawn, whyNot: null }
  return { lines: null, whyNot: whyNotDrawn(drawn.columnsNeeded, canvas.columns) }
}
