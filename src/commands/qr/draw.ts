import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { withName } from '../../optionParsers.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { copiedCode } from '../../pix/copiedCode.ts'
import { drawForTerminal, noteDrawing } from '../../steps/terminalDrawing.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

const OPTIONS = defineOptions(
  { flags: '--qr', description: 'draw the code even if the output is not a terminal' },
  { flags: '--no-qr', description: 'print only the code' },
)

type DrawOptions = OptionsOf<typeof OPTIONS>

export const qrDraw = defineCommand({
  arguments: [{ name: '<code>', description: 'the code, or - to read it from standard input' }],
  options: OPTIONS,
  examples: [
    ['pixgate qr draw 00020126580014br.gov.bcb.pix0136…6304ABCD', 'show a code that a phone can scan'],
    ['pixgate qr draw - < code.txt', 'draw the code in a file'],
    ['pixgate qr draw - --qr --no-color < code.txt > code-drawn.txt', 'keep the drawing as plain text'],
  ],
  run: draw,
})

async function draw(context: Context, { code: argument, ...options }: DrawOptions & { code: string }): Promise<number> {
  const { print, terminal } = context
  const typed = (argument === '-' ? await context.readInput('-', 'brCode') : argument).trim()
  const { code: text, stuck } = withName(undefined, () => copiedCode(typed)) ?? { code: typed, stuck: [] }
  const { looksLikeBrCode, valid, errors, warnings } = readBrCode(text)
  if (!looksLikeBrCode) {
    throw new UsageError(errors[0] ?? t`The text is not a BR Code`, {
      hint: t`Enter the whole copy-and-paste code, which begins with \`000201\`, or \`-\` to read it from standard input`,
    })
  }
  const showsDrawing = options.qr ?? (print.format === 'text' && terminal.outIsTerminal)
  const drawing = showsDrawing ? await drawForTerminal(context, text) : { lines: null, whyNot: null }
  const { lines } = drawing
  const below = [terminal.outIsTerminal ? safeText(text) : text]
  print.one(
    { code: text, valid, drawing: lines?.join('\n') ?? null, errors, warnings: [...stuck, ...warnings] },
    () => [...(lines ?? []), ...below],
  )
  noteDrawing(context, drawing, below)
  if (!valid) terminal.warn(t`The code is invalid, so a bank will reject it`)
  for (const finding of [...stuck, ...errors, ...warnings]) terminal.warn(finding)
  return 0
}
