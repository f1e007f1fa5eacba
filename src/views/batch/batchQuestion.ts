import type { BatchFile, FileJudgement } from '../../batch/batchFile.ts'
import { columnMap, recordText } from '../../batch/fileHeader.ts'
import { footerRemark, hiddenRowsText, type TotalLine } from '../../batch/leftOutLines.ts'
import { type RowSum, rowSumText } from '../../batch/rowMarks.ts'
import type { EqualRows, RunPreview } from '../../batch/runPreview.ts'
import { knownSentMs } from '../../ledger/derivePayment.ts'
import { MONEY_KINDS } from '../../ledger/facts.ts'
import type { RunSending } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import type { Question, QuestionStream } from '../../payments/consent.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant, formatPaymentDate, parseInstant } from '../../pix/calendar.ts'
import { isOwnReference } from '../../pix/tableWords.ts'
import {
  BOOLEAN,
  CENTS,
  COUNT,
  describe,
  enumOf,
  INSTANT,
  list,
  OBJECT,
  objectOf,
  orNull,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { formatDocument, formatText } from '../../spreadsheet/fileContent.ts'
import { fieldOf } from '../../spreadsheet/tableHeader.ts'
import { columnNames, quotedList } from '../../spreadsheet/tableRecords.ts'
import { viewOf } from '../../terminal/fields.ts'
import type { Output } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t, translated } from '../../text/translate.ts'
import { unconfirmedTexts } from '../payees/payeeText.ts'
import { wireLabel } from '../sandboxText.ts'
import { writerText } from '../valueText.ts'

interface JudgedBatch {
  /** As it was typed, `-` for standard input. */
  path: string
  file: BatchFile
  judgement: FileJudgement
  preview: RunPreview
  equal: EqualRows
  /** Keys that were never paid before; 0 for refunds. */
  newKeys: number
}

const ROWS = (meaning: string) => describe(meaning, COUNT)

/** What a dry run of a file found, as JSON. */
export const FILE_PREVIEW = viewOf<JudgedBatch>()({
  kind: [enumOf(...MONEY_KINDS), ({ file }) => file.kind],
  reference: [TEXT, ({ file }) => file.reference],
  encoding: [orNull(TEXT), ({ file }) => formatDocument(file.format).encoding],
  delimiter: [orNull(TEXT), ({ file }) => formatDocument(file.format).delimiter],
  sheet: [orNull(TEXT), ({ file }) => formatDocument(file.format).sheet],
  headerLine: [COUNT, ({ file }) => file.headerLine],
  skippedLines: [
    list(objectOf({ line: COUNT, text: TEXT })),
    ({ file, judgement }) =>
      [...file.header.above, ...judgement.linesBelow].map((record) => ({
        line: record.line,
        text: recordText(record),
      })),
  ],
  columns: [OBJECT, ({ file }) => columnMap(file.columns, file.fields)],
  rows: [COUNT, ({ judgement }) => judgement.count],
  totalCents: [CENTS, ({ judgement }) => judgement.totalCents],
  namedRows: [COUNT, ({ judgement }) => judgement.names.rows],
  firstNames: [list(TEXT), ({ judgement }) => [...judgement.names.first]],
  namesDiffer: [
    ROWS('Refunds with another name than that of the payer'),
    ({ judgement }) => judgement.otherNames.count,
  ],
  totalLines: [
    list(objectOf({ line: COUNT, totalCents: CENTS })),
    ({ judgement }) => judgement.totalLines.map(({ line, cents }) => ({ line, totalCents: cents })),
  ],
  toSend: [COUNT, ({ preview }) => preview.now.count],
  toSendCents: [orNull(CENTS), ({ preview }) => knownCents(preview)],
  leftOut: [objectOf({ accepted: COUNT, refused: COUNT, unknown: COUNT }), ({ preview }) => preview.leftOut],
  leftOutRows: [
    describe(
      'Rows accepted more than a day ago, or with another reference, which `sentReference` is',
      list(
        objectOf({
          line: COUNT,
          payee: orNull(TEXT),
          reference: orNull(TEXT),
          sentReference: orNull(TEXT),
          sentAt: INSTANT,
        }),
      ),
    ),
    ({ preview }) => preview.leftOutNamed.map(({ sentMs, ...row }) => ({ ...row, sentAt: instantOf(sentMs) })),
  ],
  equalRows: [COUNT, ({ equal }) => equal.count],
  sentReferences: [
    describe(
      'Rows whose reference a payment of the same amount to the same destination has',
      list(objectOf({ line: COUNT, reference: TEXT, sentAt: INSTANT, paid: BOOLEAN })),
    ),
    ({ preview }) =>
      preview.sentBefore.map(({ line, reference, sentMs, isPaid }) => ({
        line,
        reference,
        sentAt: instantOf(sentMs),
        paid: isPaid,
      })),
  ],
  dueLaterRows: [COUNT, ({ preview }) => preview.due.later.rows],
  dueLaterCents: [CENTS, ({ preview }) => preview.due.later.cents],
  overdueRows: [COUNT, ({ preview }) => preview.due.overdue.rows],
  overdueCents: [CENTS, ({ preview }) => preview.due.overdue.cents],
  hiddenRows: [COUNT, ({ judgement }) => judgement.hidden.rows],
  hiddenCents: [CENTS, ({ judgement }) => judgement.hidden.cents],
  notSelectedRows: [
    ROWS('Rows that `--only` does not select'),
    ({ judgement }) => judgement.marks.notSelected?.rows ?? 0,
  ],
  notSelectedCents: [CENTS, ({ judgement }) => judgement.marks.notSelected?.cents ?? 0],
  struckRows: [ROWS('Rows that are struck through'), ({ judgement }) => judgement.marks.struck.rows],
  struckCents: [CENTS, ({ judgement }) => judgement.marks.struck.cents],
  unusualRows: [COUNT, ({ preview }) => preview.unusualCount],
  withoutOwner: [ROWS('Transfers without a document that must own the key'), ({ preview }) => preview.withoutOwner],
  newPayees: [
    ROWS('Rows to payees that were added, without a confirmed payment since'),
    ({ preview }) => preview.unconfirmed.new.count,
  ],
  changedPayees: [
    ROWS('Rows to payees whose key or owner was changed, without a confirmed payment since'),
    ({ preview }) => preview.unconfirmed.changed.count,
  ],
  fingerprint: [TEXT, ({ preview }) => preview.whole.fingerprint],
})

/** What a dry run of a resume found, as JSON. */
export const RESUME_PREVIEW = viewOf<RunPreview>()({
  run: [TEXT, ({ order }) => order.run],
  rows: [COUNT, ({ now }) => now.count],
  neverSent: [COUNT, ({ rows }) => rows.pay],
  unknown: [COUNT, ({ rows }) => rows.resend],
  refused: [COUNT, ({ rows }) => rows.retry],
  totalCents: [orNull(CENTS), knownCents],
  notAllowed: [COUNT, ({ conflictCount }) => conflictCount],
  notResent: [
    list(objectOf({ line: COUNT, externalId: TEXT, sentAt: orNull(INSTANT) })),
    ({ notResent }) =>
      notResent.map(({ row, firstSentMs }) => {
        const sentMs = knownSentMs(firstSentMs)
        return { line: row.line, externalId: row.rowId, sentAt: sentMs === null ? null : instantOf(sentMs) }
      }),
  ],
})

function instantOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** The number of keys from which on the question warns. */
const NEW_KEYS_MAX = 50

/** The one question before the rows of a file are sent. */
export function fileQuestion(batch: JudgedBatch, style: Terminal['err']): Question {
  const { file, preview } = batch
  const { whole, sentTodayCents } = preview
  return {
    amountCents: knownCents(preview),
    rows: [
      ...fileRows(batch, style),
      [t`to send`, String(preview.now.count), style.bold],
      ...previewRows(preview, fileWarnings(batch), style),
      [t`sent today`, t`${formatReais(sentTodayCents)}, not counting these`],
      [t`fingerprint`, t`${whole.fingerprint}, the same for the same payments in any order`],
    ],
    text: sendSentence(file.kind, preview.now.count, totalText(preview)),
  }
}

function sendSentence(kind: BatchFile['kind'], count: number, total: string): string {
  if (kind === 'transfer')
    return count === 1 ? t`Send 1 transfer, ${total}?` : t`Send ${count} transfers, ${total} in total?`
  return count === 1 ? t`Send 1 refund, ${total}?` : t`Send ${count} refunds, ${total} in total?`
}

/** The one question before further rows of a run are sent. In a shared ledger it says who confirmed them first. */
export function resumeQuestion(
  { record }: Run,
  preview: RunPreview,
  { results }: RunSending,
  { style, isShared, callback }: { style: Terminal['err']; isShared: boolean; callback: readonly LabelledRow[] },
): Question {
  const { run, file, reference, at, kind } = record
  const { pay, resend, retry } = preview.rows
  return {
    amountCents: knownCents(preview),
    rows: [
      [t`run`, t`${run}, ${translated(kind)}, started ${formatInstant(parseInstant(at) ?? 0)}`],
      ...(isShared ? [[t`by`, writerText(record)] as const] : []),
      ...callback,
      [t`file`, file ?? '-'],
      [t`reference`, reference],
      [t`to send`, String(preview.now.count), style.bold],
      [t`never sent`, String(pay)],
      [t`unknown`, t`${resend} are sent again under their own ids, ${preview.notResentCount} are not`],
      [t`refused`, t`${retry} are sent again, each as a new attempt`],
      ...previewRows(preview, [], style),
      [t`sent today`, t`${formatReais(preview.sentTodayCents)} so far`],
      ...(results === null ? [] : [[t`results`, results.path] as const]),
    ],
    text:
      preview.now.count === 1
        ? t`Resume ${run}: send 1 row, ${totalText(preview)}?`
        : t`Resume ${run}: send ${preview.now.count} rows, ${totalText(preview)} in total?`,
  }
}

/** Prints what a dry run of a file found. */
export function showFilePreview(output: Output, batch: JudgedBatch, question: QuestionLines): void {
  showPreview(output, FILE_PREVIEW.documentOf(batch), question)
}

/** Prints what a dry run of a resume found; without a question there is nothing to send. */
export function showResumePreview(output: Output, preview: RunPreview, question: QuestionLines | null): void {
  const nothing: LabelledRow[] = [
    [t`run`, preview.order.run],
    [t`to send`, String(preview.now.count)],
  ]
  showPreview(
    output,
    RESUME_PREVIEW.documentOf(preview),
    question ?? (() => labelledLines(nothing, output.terminal.out)),
  )
}

type QuestionLines = (stream: QuestionStream) => string[]

/** As text the question is what a dry run prints. */
function showPreview({ print, terminal }: Output, document: object, question: QuestionLines): void {
  if (print.format !== 'text') for (const line of question('err')) terminal.note(line)
  print.one(document, () => question('out'))
  terminal.note(t`Nothing was sent`)
}

/** The colours of a question, which is what a dry run prints as text. */
export function questionStyle({ print, terminal }: Output, isDryRun: boolean): Terminal['err'] {
  return isDryRun && print.format === 'text' ? terminal.out : terminal.err
}

function fileRows(batch: JudgedBatch, style: Terminal['err']): LabelledRow[] {
  const { accepted, refused, unknown } = batch.preview.leftOut
  return [
    ...fileSummaryRows(batch, style),
    ...(accepted + refused + unknown === 0
      ? []
      : [
          [
            t`left out`,
            t`${accepted} accepted before, ${refused} refused before, ${unknown} with an unknown outcome`,
          ] as const,
        ]),
    ...leftOutRowTexts(batch.preview).map((text): LabelledRow => ['', text, style.yellow]),
  ]
}

const NAMED_MAX = 10

/** Sentences about the rows that are left out although they may be other payments than those that were accepted. */
export function leftOutRowTexts({ leftOutNamed, leftOutNamedCount }: RunPreview): string[] {
  const texts = leftOutNamed.slice(0, NAMED_MAX).map(({ line, payee, reference, sentReference, sentMs }) => {
    const row = [payee, reference].filter((text) => text !== null).join(', ') || '—'
    return sentReference === null
      ? t`line ${line}: ${row}, accepted on ${dayText(sentMs)}`
      : t`line ${line}: ${row}, accepted on ${dayText(sentMs)} as ${sentReference}`
  })
  const more = leftOutNamedCount - texts.length
  return more > 0 ? [...texts, t`${more} more`] : texts
}

/** What to do about rows that are refused or unknown, by the names of what sent them; none if it was another machine. */
export function leftOutHint(names: readonly string[]): string {
  if (names.length === 0) return t`Look for these rows on the machine that sent them, and resume its run there`
  const commands = names.map((name) => `\`pixgate resume ${commandArgument(name)}\``).join(', ')
  return t`Run ${commands} to go on with what was left out; add \`--refused\` to send refused rows again`
}

function dayText(ms: number): string {
  return formatPaymentDate(ms).slice(0, DAY_CHARACTERS)
}

/** `05/11/2026`. */
const DAY_CHARACTERS = 10

/** What is due after today, and before. */
function dueRows({ due: { later, overdue } }: RunPreview): LabelledRow[] {
  const rowOf = (label: string, sum: RowSum): LabelledRow[] => (sum.rows === 0 ? [] : [[label, rowSumText(sum)]])
  return [...rowOf(t`due later`, later), ...rowOf(t`overdue`, overdue)]
}

/** Sentences about the rows whose references were paid before. */
function sentBeforeTexts({ sentBefore, sentBeforeCount }: RunPreview): string[] {
  const texts = sentBefore
    .slice(0, NAMED_MAX)
    .map(({ line, reference, sentMs, isPaid }) =>
      isPaid
        ? t`line ${line}: ${reference} was paid on ${dayText(sentMs)}, the same amount to the same destination`
        : t`line ${line}: ${reference} was sent on ${dayText(sentMs)}, the same amount to the same destination`,
    )
  const more = sentBeforeCount - texts.length
  return more > 0 ? [...texts, t`Further rows whose reference was sent before: ${more}`] : texts
}

/** What is sent now of a run: its part by `--limit`, the largest payment, the kinds of keys, and what a person should check. */
function previewRows(preview: RunPreview, warnings: readonly string[], err: Terminal['err']): LabelledRow[] {
  const { count, now, largest, keyTypes, unusual, unusualCount, unknownAmounts } = preview
  const kinds = Object.entries(keyTypes).map(([kind, rows]) => `${translated(kind)} ${rows}`)
  const [first] = unusual
  const remarks = [
    ...(first === undefined
      ? []
      : [
          t`Amounts far above earlier payments to the same key: ${unusualCount}, the first on line ${first.line}: ${formatReais(first.amountCents)} to ${first.key}, which usually gets ${formatReais(first.medianCents)}`,
        ]),
    ...sentBeforeTexts(preview),
    ...unconfirmedTexts(preview.unconfirmed),
    ...warnings,
    ...(unknownAmounts > 0
      ? [t`Refunds of all that is left, which the total does not include: ${unknownAmounts}`]
      : []),
  ]
  return [
    ...dueRows(preview),
    ...(now.count === count
      ? []
      : [[t`limit`, t`${now.count} of ${count} are sent now, the others with \`pixgate resume\``] as const]),
    ...(largest === null
      ? []
      : [[t`largest`, t`line ${largest.line}: ${formatReais(largest.amountCents)}, ${largest.target}`] as const]),
    ...(kinds.length === 0 ? [] : [[t`kinds of key`, kinds.join(', ')] as const, ownerRow(preview, err)]),
    ...remarks.map((text): LabelledRow => [t`check`, text, err.yellow]),
  ]
}

function ownerRow({ withoutOwner, now }: RunPreview, err: Terminal['err']): LabelledRow {
  if (withoutOwner === 0) return [t`owner`, t`checked in every row`]
  const text = now.count === 1 ? t`not checked` : t`not checked in ${withoutOwner} of ${now.count} rows`
  return [t`owner`, text, err.yellow]
}

/** A sentence about the names in a file that are not those of the payers; none if all are, or if none of them is known. */
export function otherNamesText({ otherNames: { count, first } }: Pick<FileJudgement, 'otherNames'>): string[] {
  if (count === 0) return []
  const shown = first.map(({ line, name, payer }) => t`line ${line} \`${name}\`, paid by \`${payer}\``)
  const unshown = count - shown.length
  const list = [...shown, ...(unshown > 0 ? [t`${unshown} more`] : [])].join('; ')
  return [t`Names that are not the payer's: ${count}, ${list}`]
}

function fileWarnings({ equal, newKeys, judgement }: JudgedBatch): string[] {
  const { swallowedLine } = judgement
  return [
    ...otherNamesText(judgement),
    ...(equal.first === null
      ? []
      : [
          t`Rows with the same destination and amount as one above: ${equal.count}, the first on line ${equal.first.line}, like line ${equal.first.like}. Each is sent as a separate payment`,
        ]),
    ...(newKeys > NEW_KEYS_MAX
      ? [
          t`PIX keys without a recorded payment: ${newKeys}. If many of them do not exist, the central bank's directory of keys may block the account`,
        ]
      : []),
    ...(swallowedLine === null
      ? []
      : [
          t`A cell on line ${swallowedLine} spans several lines that contain the separator: a misplaced quote may have swallowed rows`,
        ]),
  ]
}

/** What is sent now, in cents; null if the amount of a refund is not known. */
function knownCents({ unknownAmounts, now }: RunPreview): number | null {
  return unknownAmounts > 0 ? null : now.cents
}

function totalText(preview: RunPreview): string {
  const cents = knownCents(preview)
  return cents === null ? t`all that is left` : formatReais(cents)
}

const TOTALS_SHOWN = 5

/** How a file was read, for the question and the dry run. `path` is as it was typed, `-` for standard input. */
function fileSummaryRows(
  { path, file, judgement }: { path: string; file: BatchFile; judgement: FileJudgement },
  style: Terminal['err'],
): LabelledRow[] {
  return [
    [t`file`, t`${path}, ${formatText(file.format)}`],
    ...columnRows(file),
    [t`reference`, file.reference],
    [t`rows`, t`${judgement.count} in the file, ${formatReais(judgement.totalCents)}`],
    ...nameRows(t`names`, judgement.names, judgement),
    ...nameRows(t`payers`, judgement.payers, judgement),
    ...apartRows(judgement, style),
  ]
}

/** Sentences about the lines below the header that are not sent: totals, and what is below the payments. */
export function leftOutTexts({ totalLines, linesBelow }: FileJudgement): string[] {
  return [...totalLineTexts(totalLines), ...footerRemark(linesBelow)]
}

/** Sentences about the lines of totals, which are not sent. */
export function totalLineTexts(lines: readonly TotalLine[]): string[] {
  const texts = lines.slice(0, TOTALS_SHOWN).map(({ line, label, cents, sumOf }) => {
    const total = t`Line ${line} is not sent: \`${label}\`, ${formatReais(cents)}`
    if (sumOf === 'visible') return t`${total}, is the sum of the rows above it that are not hidden`
    if (sumOf === null) return total
    if (sumOf === 'part') return t`${total}, is the sum of the rows below the subtotal before it`
    return t`${total}, is the sum of the rows above it`
  })
  const unlisted = lines.length - texts.length
  return unlisted > 0 ? [...texts, t`Further lines of totals, which are not sent: ${unlisted}`] : texts
}

/** Which columns of a file are read as what, and which are not sent. */
export function columnRows({ columns, fields }: Pick<BatchFile, 'columns' | 'fields'>): LabelledRow[] {
  const names = columnNames(columns)
  const read = Object.entries(fields).map(([each, place]) => {
    const [field, name] = [fieldOf(each), names[place] ?? '']
    return name.toLowerCase() === field.toLowerCase() ? field : t`\`${name}\` is ${paymentFieldText(field)}`
  })
  const used = new Set(Object.values(fields))
  const carried = names.flatMap((name, place) => {
    if (used.has(place) || columns[place] === '') return []
    return [isOwnReference(name) ? t`\`${name}\` (your reference)` : `\`${name}\``]
  })
  return [[t`columns`, read.join(', ')], ...(carried.length === 0 ? [] : [[t`not sent`, carried.join(', ')] as const])]
}

function nameRows(label: string, names: FileJudgement['names'], { count }: FileJudgement): LabelledRow[] {
  if (names.rows === 0) return []
  const unshown = names.rows - names.first.length
  const list = [...names.first, ...(unshown > 0 ? [t`${unshown} more`] : [])].join(', ')
  const unnamed = count - names.rows
  return [[label, unnamed === 0 ? list : t`${list}; rows without a name: ${unnamed}`]]
}

/** The rows that the spreadsheet does not show, that `--only` does not select, or that are struck through, and hidden columns. */
function apartRows({ hidden, marks }: FileJudgement, style: Terminal['err']): LabelledRow[] {
  const { notSelected, struck, isStruckLeftOut } = marks
  const sumRow = (label: string, { rows }: RowSum, text: string, isLeftOut: boolean): LabelledRow[] =>
    rows === 0 ? [] : [[label, isLeftOut ? t`${text}, left out` : t`${text}, sent too`, style.yellow]]
  return [
    ...sumRow(t`hidden`, hidden, hiddenRowsText(hidden), hidden.isLeftOut),
    ...(hidden.columns.length === 0
      ? []
      : [[t`hidden`, t`columns ${quotedList(hidden.columns)}, sent too`, style.yellow] as const]),
    ...(notSelected === null ? [] : [[t`not selected`, rowSumText(notSelected), style.yellow] as const]),
    ...sumRow(t`struck`, struck, rowSumText(struck), isStruckLeftOut),
  ]
}

/** The columns that have no other name, or another one than the screens of the sandbox use. */
const COLUMN_NAMES: Readonly<Record<string, () => string>> = {
  currency: () => t`currency`,
  name: () => t`name`,
  payee: () => t`payee`,
  originalTransactionId: () => t`original payment`,
}

/** What a column of a payment file holds, as a person calls it. */
export function paymentFieldText(field: string): string {
  return COLUMN_NAMES[field]?.() ?? wireLabel(field)
}
