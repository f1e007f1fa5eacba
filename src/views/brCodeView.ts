import type { ChalkInstance } from 'chalk'
import { formatReais, reaisOrNull } from '../pix/amount.ts'
import type { BrCode, BrCodeField } from '../pix/brCode.ts'
import {
  BOOLEAN,
  enumOf,
  list,
  OBJECT,
  objectOf,
  orNull,
  REAIS,
  shapedBy,
  TEXT,
  type ValueOf,
} from '../schemas/jsonSchema.ts'
import { safeText } from '../text/safeText.ts'
import { t, translated } from '../text/translate.ts'

const FIELD = { id: TEXT, name: TEXT, value: TEXT }
/** The JSON output of `qr decode`; the amount is in reais. */
export const BR_CODE = objectOf({
  valid: BOOLEAN,
  kind: orNull(enumOf('static', 'dynamic', 'recurrence')),
  key: orNull(TEXT),
  url: orNull(TEXT),
  amount: orNull(REAIS),
  merchantName: orNull(TEXT),
  merchantCity: orNull(TEXT),
  txid: orNull(TEXT),
  crc: orNull(TEXT),
  fields: list(objectOf(FIELD, { fields: list(objectOf(FIELD, { fields: list(OBJECT) })) })),
  errors: list(TEXT),
  warnings: list(TEXT),
})

/** A parsed BR Code as JSON. */
export function brCodeDocument(code: BrCode): ValueOf<typeof BR_CODE> {
  return shapedBy(BR_CODE, { ...code, amount: reaisOrNull(code.amountCents) })
}

/** A parsed BR Code as text: verdict, key facts, all fields, errors and warnings. */
export function brCodeLines(code: BrCode, style: ChalkInstance): string[] {
  const verdict = code.valid ? style.green.bold(soundVerdict(code)) : style.red.bold(t`Invalid BR Code`)
  const facts = alignedLines(factsOf(code), style)
  const fields = alignedLines(fieldRows(code.fields, '  '), style)
  return [
    verdict,
    ...(facts.length > 0 ? ['', ...facts] : []),
    ...(fields.length > 0 ? ['', t`Fields`, ...fields] : []),
    ...(code.errors.length + code.warnings.length > 0 ? [''] : []),
    ...code.errors.map((error) => `${style.red(t`error:`)} ${safeText(error)}`),
    ...code.warnings.map((warning) => `${style.yellow(t`warning:`)} ${safeText(warning)}`),
  ]
}

type Row = readonly [label: string, value: string]

function soundVerdict(code: BrCode): string {
  if (code.kind === 'recurrence') return t`Valid BR Code, recurrence (Pix Automático), which cannot be paid by itself`
  return code.kind === 'dynamic' ? t`Valid BR Code, dynamic` : t`Valid BR Code, static`
}

function factsOf(code: BrCode): Row[] {
  const amount = code.amountCents === null ? code.amountText : formatReais(code.amountCents)
  const facts: [string, string | null][] = [
    [t`Key`, code.key],
    [t`Address`, code.url],
    [t`Amount`, amount ?? missingAmountText(code)],
    [t`Merchant`, code.merchantName],
    [t`City`, code.merchantCity],
    [t`Txid`, code.txid],
    [t`CRC`, code.crc],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

function missingAmountText({ kind }: BrCode): string | null {
  if (kind === 'dynamic') return t`set by the address, not by the code`
  return kind === 'static' ? t`any; chosen by the payer` : null
}

function fieldRows(fields: readonly BrCodeField[], indent: string): Row[] {
  return fields.flatMap((field) => [
    [`${indent}${field.id}  ${translated(field.name)}`, field.fields === undefined ? field.value : ''] as const,
    ...fieldRows(field.fields ?? [], `${indent}    `),
  ])
}

function alignedLines(rows: readonly Row[], style: ChalkInstance): string[] {
  const safeRows = rows.map(([label, value]) => [safeText(label), safeText(value)] as const)
  const width = Math.max(0, ...safeRows.map(([label]) => label.length))
  return safeRows.map(([label, value]) =>
    value === '' ? style.dim(label) : `${style.dim(label.padEnd(width))}  ${value}`,
  )
}
