import { writeFile } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import type { Owner } from '../../ledger/records.ts'
import { readChoice, readText } from '../../optionParsers.ts'
import { readProfiles } from '../../profiles/store.ts'
import { assertOutputPath, writeFailure } from '../../terminal/outputFile.ts'
import { t } from '../../text/translate.ts'
import { framedSlip, slipLines } from '../../views/slip.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import { type Payer, type Receipt, receiptDocument } from './receipt.ts'
import { RECEIPT_LANGUAGES, type ReceiptLanguage, receiptSlip } from './receiptSlip.ts'

export const RECEIPT_OPTIONS = defineOptions(
  { flags: '--receipt', description: 'show the receipt of a paid transfer or refund' },
  { flags: '--png <file>', description: 'with --receipt: also write it as an image' },
  { flags: '--pdf <file>', description: 'with --receipt: also write it as a PDF' },
  {
    flags: '--lang <language>',
    description: 'language of the receipt: pt or en (default: pt)',
    completes: RECEIPT_LANGUAGES,
  },
  { flags: '--unmask', description: 'show keys, names and tax documents of people unmasked' },
)

export type ReceiptOptions = OptionsOf<typeof RECEIPT_OPTIONS>

/** Where a receipt is written to, and how. */
interface ReceiptDrawing {
  png: string | undefined
  pdf: string | undefined
  language: ReceiptLanguage
  unmask: boolean
}

/** Columns of the slip on paper, and the most on a screen. */
const SLIP_COLUMNS = 72

/** Reads the options of a receipt, and makes sure that its files can be written. Throws UsageError. */
export async function readReceiptOptions({ receipt, png, pdf, lang, unmask }: ReceiptOptions): Promise<ReceiptDrawing> {
  for (const [option, value] of Object.entries({ '--png': png, '--pdf': pdf, '--lang': lang })) {
    if (value === undefined) continue
    if (receipt !== true) {
      throw new UsageError(t`\`${option}\` is given without \`--receipt\``, {
        hint: t`Add \`--receipt\` to show the receipt`,
      })
    }
    if (option !== '--lang') await assertOutputPath(option, readText(value, option))
  }
  const language = lang === undefined ? 'pt' : readChoice(RECEIPT_LANGUAGES, lang, '--lang')
  return { png, pdf, language, unmask: unmask === true }
}

/**
 * Prints a receipt, and writes it as the PNG and PDF that were asked for. Returns the exit code; throws UsageError if a file cannot be
 * written.
 */
export async function showReceipt(
  context: Context,
  receipt: Receipt,
  { png, pdf, language, unmask }: ReceiptDrawing,
): Promise<number> {
  const { terminal, print } = context
  const payer = await payerOf(context, receipt.payment.owner)
  const slip = receiptSlip(receipt, { language, payer, unmask })
  const lines = slipLines(slip, SLIP_COLUMNS)
  if (png !== undefined) {
    const { drawText } = await import('../../terminal/textImage.ts')
    await writeOutput(png, '--png', drawText(lines))
  }
  if (pdf !== undefined) {
    const { textPdf } = await import('../../terminal/textPdf.ts')
    await writeOutput(pdf, '--pdf', textPdf(slip.title, lines, language === 'pt' ? 'pt-BR' : 'en'))
  }
  const columns = terminal.outIsTerminal ? Math.min(terminal.columns, SLIP_COLUMNS) : SLIP_COLUMNS
  print.one(receiptDocument(receipt, payer), () => framedSlip(slip, columns))
  for (const path of [png, pdf]) if (path !== undefined) terminal.note(t`Written to ${path}`)
  return 0
}

/** The company of the profile that belongs to the account of a payment, even if the profile was renamed since. */
async function payerOf(context: Context, { profile: name, baseUrl, clientId }: Owner): Promise<Payer> {
  const { profiles } = await readProfiles(context.configFolder(), (line) => context.terminal.warn(line))
  const same = [...profiles].filter(([, each]) => each.baseUrl === baseUrl && each.clientId === clientId)
  const [, profile] = same.find(([each]) => each === name) ?? same[0] ?? []
  return { company: profile?.company ?? null, document: profile?.companyDocument ?? null }
}

async function writeOutput(path: string, option: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(path, bytes)
  } catch (error) {
    throw writeFailure(option, path, error)
  }
}
