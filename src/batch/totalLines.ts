import { formatReais, tryParseAmount } from '../pix/amount.ts'
import { type FieldNames, type FileHeader, targetFields } from '../spreadsheet/header.ts'
import type { TableRecord } from '../spreadsheet/table.ts'
import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** A line that is left out, because it is the total of the rows above it. */
export interface TotalLine {
  line: number
  /** As it is in the file. */
  label: string
  cents: number
  /** True if it is the sum without the hidden rows only. */
  isOfVisibleRows: boolean
  /** True if it is the sum of the rows between it and the subtotal above. */
  isSinceSubtotal: boolean
}

/** Sums of the rows above a total, in cents; null if a row has no amount that can be read. */
interface Sums {
  all: number | null
  visible: number | null
}

interface ComparedTotal {
  line: number
  label: string
  /** Null if the line has none, or several. */
  cents: number | null
  isSubtotal: boolean
  above: Sums
  sinceSubtotal: Sums
}

const OF_WHAT =
  '(?: (?:geral|parcial|liquido|a pagar|a transferir|a devolver|pago|em r\\$|r\\$|d[aeo]s? (?:pagamentos?|valores|folha|lote|dia|mes|periodo|fornecedores|salarios|transferencias|devolucoes|estornos)))*'
/** The label of a total, alone or with its amount in the same cell. A name such as `Total Serviços Ltda` is not one. */
const LABEL = new RegExp(
  `^(?:valor )?(sub ?-?total|total|totais|soma|somatorio)${OF_WHAT}[ .:=-]*(?:r\\$)? ?([\\d.,]+)?$`,
)
const TOTAL_LETTERS = /tota|soma/i
const TOTAL_WORD = /\b(?:sub ?-?total|total|totais|soma)\b/

/** Finds the lines of totals among the records below a header, and compares each with the sum of the rows above it. */
export class TotalLines {
  readonly #targetPlaces: readonly (number | undefined)[]
  readonly #amountPlace: number | undefined
  #above: Sums = { all: 0, visible: 0 }
  #sinceSubtotal: Sums = { all: 0, visible: 0 }
  readonly #totals: ComparedTotal[] = []

  constructor({ places }: FileHeader, fields: FieldNames) {
    this.#targetPlaces = targetFields(fields).map((field) => places.get(field))
    this.#amountPlace = places.get(fields.amount ?? '')
  }

  /**
   * True if the record is a total: it has a label for it, and no key. Any other record is added to the sum. One that has a key is never a
   * total.
   */
  takes(record: TableRecord): boolean {
    const label = this.#labelOf(record)
    if (label === undefined) {
      this.#add(record)
      return false
    }
    const isSubtotal = /^sub/.test(foldedText(label))
    this.#totals.push({
      line: record.line,
      label,
      cents: this.#amountOf(record),
      isSubtotal,
      above: { ...this.#above },
      sinceSubtotal: { ...this.#sinceSubtotal },
    })
    if (isSubtotal) this.#sinceSubtotal = { all: 0, visible: 0 }
    return true
  }

  /** What may be wrong with a record without a key, if it looks like a total; undefined if it does not. */
  adviceFor({ cells }: TableRecord): string | undefined {
    if (this.#targetPlaces.some((place) => this.#cell(cells, place) !== '')) return undefined
    const cents = tryParseAmount(this.#cell(cells, this.#amountPlace))
    const isSum = cents !== null && cents === this.#aboveWithout(cents)
    if (isSum)
      return t`Its amount is the sum of the rows above: if it is a total, write \`TOTAL\` in an empty cell of the line`
    if (!cells.some((cell) => TOTAL_WORD.test(foldedText(cell)))) return undefined
    return t`If it is a total, write only \`TOTAL\` as its label, or delete the line`
  }

  /** Throws UsageError for the first total that is not the sum of the rows above it. */
  assertEqual(): void {
    for (const total of this.#totals) {
      if (matchOf(total) === null) throw differentTotal(total)
    }
  }

  /** The totals that were left out; {@link assertEqual} has not thrown. */
  lines(): TotalLine[] {
    return this.#totals.map((total) => ({
      line: total.line,
      label: total.label,
      cents: total.cents ?? 0,
      isOfVisibleRows: matchOf(total)?.rows === 'visible',
      isSinceSubtotal: matchOf(total)?.isSinceSubtotal === true,
    }))
  }

  #labelOf({ cells }: TableRecord): string | undefined {
    // Most rows hold no such word, and folding each of their cells would take longer than reading them.
    const label = cells.find((cell) => TOTAL_LETTERS.test(cell) && LABEL.test(foldedText(cell)))?.trim()
    if (label === undefined) return undefined
    const hasTarget = this.#targetPlaces.some((place) => {
      const target = this.#cell(cells, place)
      return target !== '' && target !== label && tryParseAmount(target) === null
    })
    return hasTarget ? undefined : label
  }

  /** The amount of a total: that in the column of amounts, else the only one in the line, which may be behind its label. */
  #amountOf({ cells }: TableRecord): number | null {
    const cents = tryParseAmount(this.#cell(cells, this.#amountPlace), { zeroAllowed: true })
    if (cents !== null) return cents
    const amounts = cells.flatMap((cell) => {
      const text = LABEL.exec(foldedText(cell))?.[2] ?? cell.trim()
      return tryParseAmount(text, { zeroAllowed: true }) ?? []
    })
    return amounts.length === 1 ? (amounts[0] ?? null) : null
  }

  #add({ cells, isHidden }: TableRecord): void {
    const cents = tryParseAmount(this.#cell(cells, this.#amountPlace))
    const add = ({ all, visible }: Sums): Sums => ({
      all: plus(all, cents),
      visible: isHidden === true ? visible : plus(visible, cents),
    })
    this.#above = add(this.#above)
    this.#sinceSubtotal = add(this.#sinceSubtotal)
  }

  /** The sum of the rows above one that was added last. */
  #aboveWithout(cents: number): number | null {
    return this.#above.all === null ? null : this.#above.all - cents
  }

  #cell(cells: readonly string[], place: number | undefined): string {
    return place === undefined ? '' : (cells[place] ?? '').trim()
  }
}

function plus(sum: number | null, cents: number | null): number | null {
  return sum === null || cents === null ? null : sum + cents
}

/** Which sum a total is; null if it is none of them. A subtotal may count from the subtotal before it. */
function matchOf(total: ComparedTotal): { rows: keyof Sums; isSinceSubtotal: boolean } | null {
  const { cents, isSubtotal, above, sinceSubtotal } = total
  if (cents === null) return null
  for (const rows of ['all', 'visible'] as const) {
    if (above[rows] === cents) return { rows, isSinceSubtotal: false }
    if (isSubtotal && sinceSubtotal[rows] === cents) return { rows, isSinceSubtotal: true }
  }
  return null
}

function differentTotal({ line, label, cents, isSubtotal, above, sinceSubtotal }: ComparedTotal): UsageError {
  const { all, visible } = isSubtotal ? sinceSubtotal : above
  if (cents === null) {
    return new UsageError(t`Line ${line} is labelled \`${label}\`, but it is not clear which amount is the total`, {
      details: [t`Nothing was sent`],
      hint: t`Write the total in the column of the amounts, or delete line ${line}`,
    })
  }
  if (all === null) {
    return new UsageError(t`The total on line ${line} cannot be compared, because rows above it have no amount`, {
      details: [t`Line ${line}, ${label}: ${formatReais(cents)}`, t`Nothing was sent`],
      hint: t`Write the amounts of these rows, or delete line ${line}`,
    })
  }
  const hidden =
    visible === null || visible === all ? [] : [t`Sum of those that are not hidden: ${formatReais(visible)}`]
  return new UsageError(t`The total on line ${line} differs from the sum of the rows above it`, {
    details: [
      t`Line ${line}, ${label}: ${formatReais(cents)}`,
      t`Sum of the rows above it: ${formatReais(all)}`,
      ...hidden,
      cents > all
        ? t`The total is ${formatReais(cents - all)} more than the sum`
        : t`The total is ${formatReais(all - cents)} less than the sum`,
      t`Nothing was sent`,
    ],
    hint: t`Compare the rows with the total, correct the file, and send it again`,
  })
}
