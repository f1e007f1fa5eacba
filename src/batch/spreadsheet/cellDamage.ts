import { Malformed } from '../../pix/malformed.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'

/** The errors that spreadsheets leave in a cell, in English and Portuguese, and a number too long for its column. */
const ERROR_VALUE =
  /^#(?:N\/A|N\/D|REF!|VALUE!|VALOR!|DIV\/0!|NAME\?|NOME\?|NULL!|NULO!|NUM!|NÚM!|SPILL!|DESPEJAR!|CALC!|#+)$/i
/** What programs write where they have nothing. */
const NO_VALUE = /^(?:nan|null|none|undefined|n\/a|<na>)$/i
const EXPONENT = /^[-+]?\d+(?:[.,]\d+)?E[-+]?\d+$/i

/** Throws Malformed for what a spreadsheet or a program did to a cell that should hold one plain value. */
export function checkPlainCell(text: string): void {
  if (/[\r\n\u2028\u2029]/.test(text)) {
    throw new Malformed(t`\`${text}\` has a line break in it`, t`Remove it; a quote \`"\` may also be closed too late`)
  }
  checkTextCell(text)
  if (/^['\u2018\u2019]/.test(text)) {
    throw new Malformed(t`\`${text}\` begins with an apostrophe`, t`Remove it, and format the column as text instead`)
  }
  if (NO_VALUE.test(text)) {
    throw new Malformed(t`\`${text}\` is what a program writes for an empty cell`, t`Leave it empty, or fill it in`)
  }
  if (EXPONENT.test(text)) {
    throw new Malformed(
      t`\`${text}\` was shortened by the spreadsheet, so its digits are lost`,
      t`Format the column as text and type all the digits again`,
    )
  }
}

/** The same for a cell of free text, which may have line breaks and look like a number. */
export function checkTextCell(text: string): void {
  if (text.includes('\ufffd')) {
    throw new Malformed(t`\`${text}\` has a character that could not be read`, t`Save the file again as "CSV UTF-8"`)
  }
  if (ERROR_VALUE.test(text)) {
    throw new Malformed(
      t`\`${text}\` is an error of the spreadsheet`,
      t`Correct the cell there and save the file again`,
    )
  }
  if (text.startsWith('=')) {
    throw new Malformed(t`\`${text}\` is a formula`, t`Put its value there: copy the column and paste "values only"`)
  }
  const visible = text.replace(/[\r\n\t]/g, ' ')
  if (safeText(visible) !== visible) {
    throw new Malformed(t`\`${text}\` has an invisible character in it`, t`Type the cell again`)
  }
}

/** Throws Malformed for a space inside an identifier that is not an ordinary one, though it looks like one. */
export function checkSpaces(text: string): void {
  if (!/[^\S ]/.test(text)) return
  throw new Malformed(t`\`${text}\` has a space in it that is not an ordinary one`, t`Type the cell again`)
}
