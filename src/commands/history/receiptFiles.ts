import type { Context } from '../../context.ts'
import { readText } from '../../optionParsers.ts'
import { companyOf } from '../../profiles/company.ts'
import { writeWholeFile } from '../../storage/wholeFile.ts'
import { assertOutputPath, writeFailure } from '../../terminal/outputFile.ts'
import { currentLanguage, t } from '../../text/translate.ts'
import { writtenFor } from '../../text/writtenFor.ts'
import { type Receipt, receiptDocument } from '../../views/receipts/receipt.ts'
import { receiptSlip } from '../../views/receipts/receiptSlip.ts'
import { framedSlip, slipLines } from '../../views/receipts/slip.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import { UNMASK_ACCEPTED } from '../unmaskOption.ts'

const RECEIPT = { option: '--receipt', hint: () => t`Add \`--receipt\` to show the receipt` }

export const RECEIPT_OPTIONS = defineOptions(
  { flags: '--receipt', description: 'show the receipt of a paid transfer or refund' },
  { flags: '--pdf <file>', description: 'with --receipt: also write it as a PDF', parse: readText, requires: RECEIPT },
  UNMASK_ACCEPTED,
)

export type ReceiptOptions = OptionsOf<typeof RECEIPT_OPTIONS>

/** Columns of the slip on paper, and the most on a screen. */
const SLIP_COLUMNS = 72

/** Makes sure that the file of a receipt can be written. Throws UsageError. */
export async function assertReceiptFile({ pdf }: ReceiptOptions): Promise<void> {
  if (pdf !== undefined) await assertOutputPath('--pdf', pdf)
}

/**
 * Prints a receipt, and writes it as the PDF that was asked for. Returns the exit code; throws UsageError if the file cannot be
 * written.
 */
export async function showReceipt(context: Context, receipt: Receipt, { pdf }: ReceiptOptions): Promise<number> {
  const { terminal, print } = context
  const payer = await companyOf(context.configFolder(), receipt.payment.owner, (line) => terminal.warn(line))
  const { slip, language } = writtenFor('people', () => ({
    slip: receiptSlip(receipt, payer),
    language: currentLanguage(),
  }))
  const lines = slipLines(slip, SLIP_COLUMNS)
  if (pdf !== undefined) {
    const { textPdf } = await import('../../terminal/textPdf.ts')
    await writeWholeFile(pdf, textPdf(slip.title, lines, language)).catch((error: unknown) => {
      throw writeFailure('--pdf', pdf, error)
    })
  }
  const columns = terminal.outIsTerminal ? Math.min(terminal.columns, SLIP_COLUMNS) : SLIP_COLUMNS
  print.one(receiptDocument(receipt, payer), () => framedSlip(slip, columns))
  if (pdf !== undefined) terminal.note(t`Written to ${pdf}`)
  return 0
}
