import { Malformed } from '../../pix/malformed.ts'
import { t } from '../../text/words.ts'
import { isWebAddress, URL_CHARACTERS_MAX, withoutPassword } from '../../wire/address.ts'
import { checkSpaces } from './cellDamage.ts'
import type { RowCells } from './rowCells.ts'

/** The callback URL of a row; null where the cell is empty, undefined where it has a fault. */
export function readCallbackUrl(cells: RowCells): string | null | undefined {
  return cells.readOptional('callbackUrl', (text) => {
    if (text.length > URL_CHARACTERS_MAX) {
      throw new Malformed(t`The URL is longer than the limit of ${URL_CHARACTERS_MAX} characters`, t`Shorten it`)
    }
    if (isWebAddress(text)) return text
    throw new Malformed(
      t`\`${withoutPassword(text)}\` is not a URL`,
      t`Write the whole address, such as \`https://shop.example.com/pix\``,
    )
  })
}

/**
 * An id as it stands in the file; null where the cell is empty. Spaces around it are a fault rather than dropped: with and
 * without them it is another id, which would be paid another time.
 */
export function readTypedId(cells: RowCells, field: string): string | null | undefined {
  return cells.readOptional(field, (text) => {
    if (cells.raw(field) !== text) throw new Malformed(t`\`${text}\` has white space around it`, t`Remove it`)
    checkSpaces(text)
    return text
  })
}
