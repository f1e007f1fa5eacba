import { judgeBatchFile, readBatchFile, type ValidRow } from '../../../src/batch/batchFile.ts'
import type { Encoding } from '../../../src/spreadsheet/fileContent.ts'
import { UsageError } from '../../../src/wire/errors.ts'
import { type Dice, diceOf } from '../../campaign/dice.ts'
import { code, field, PIX } from '../../pix/brCodeParts.ts'
import { encoded } from './csvFiles.ts'
import { formattedWorkbook, type StyledCell } from './formattedWorkbook.ts'

/** A file as an office has it, and what a person says who looks at it. */
export interface OfficeFile {
  name: string
  /** What stands out in it. */
  trait: Trait
  rows: readonly (readonly StyledCell[])[]
  hiddenRows: readonly number[]
  hiddenColumn: number | null
  merged: readonly string[]
  /** The payments that a person would make of it, by their rows from 1. */
  payments: ReadonlyMap<number, { cents: number; isSettled: boolean }>
  /** True if nobody may send it as it is. */
  isRefused: boolean
}

/** What stands out in a file; those that a CSV cannot have are in {@link OF_WORKBOOKS}. */
type Trait = (typeof IN_ALL)[number] | (typeof OF_WORKBOOKS)[number]
const IN_ALL = ['nothing', 'open rows', 'a settled row', 'a name that says settled', 'the same invoice twice'] as const
const OF_WORKBOOKS = [
  'a format that shows another amount',
  'a rounded amount',
  'more than two decimals',
  'a format that shows another key',
  'a hidden row',
  'a hidden column',
  'merged amounts',
  'merged rows',
  'a struck row',
] as const

const KEY_HEADINGS = ['key', 'Chave', 'Chave PIX', 'CHAVE PIX:', 'Chave do Pix', 'Pix key', 'Chave Pix do favorecido']
const AMOUNT_HEADINGS = [
  'value',
  'Valor',
  'Valor a pagar',
  'VALOR (R$)',
  'Valor R$',
  'Valor do pagamento',
  'Montante',
  'Quantia',
]
const NAME_HEADINGS = [
  'Nome',
  'Fornecedor',
  'Favorecido',
  'Beneficiário',
  'Razão Social',
  'Nome do colaborador',
  'name',
]
const REFERENCE_HEADINGS = ['NF', 'Nota Fiscal', 'Nº do pedido', 'Fatura', 'Boleto', 'Título', 'NF-e']
/** The day on which a person looks at the files. */
const TODAY = '2026-11-28'
const SETTLED_WORDS = [
  ...['PAGO', 'Paga', 'pagos', 'Quitado', 'cancelada', 'CANCELADO', 'Baixado', 'estornada', 'Liquidado', 'paid'],
  ...[
    'Pago em 05/11/2025',
    'quitada 03/02',
    'pago 05/nov',
    'PG 05/11',
    'Pago sexta 20/11',
    'PAGO (Joana)',
    'pago via Pix',
  ],
  ...['PAGO DIA 10', 'Pago e quitado', 'pg', 'NÃO PAGAR', 'Cancelada - NF errada', 'PAGO PIX 10/11 ANA', 'pago/ok'],
  ...['Pago 10,00 em 10/11', 'pago por Ana', 'Quitado à vista', 'pago, ver extrato', '*PAGO*', 'pago nov/26'],
]
/** What says it only in a column that asks. */
const SETTLED_ANSWERS = [
  ...['sim', 'S', 'x', 'yes', 'OK', 'Sim - 05/11', 'Sim (Joana)', 's (Ana)', 'ok 05/11', 'Baixa', 'Pago parcial'],
  ...[
    'Efetuado',
    'Feito',
    'PIX ENVIADO',
    'Pagamento confirmado',
    'Pgto ok',
    'Quit.',
    'Canc',
    'Excluído',
    'Baixa total',
  ],
  ...['Resolvido', 'Caiu na conta dela', 'já foi', 'Parcial', 'dia 12', '12112026', 'nov/26', '✓', 'Itaú', 'Suspenso'],
  ...[
    'Enviado ao banco',
    'Lançado',
    'Aprovado e pago',
    'Não será pago',
    'Estorno',
    'em disputa',
    'sent',
    'Ana',
    '?',
    'P',
  ],
]
const PAST_DAYS = [
  ...['05/11/2025', '05/nov', '5-nov-26', 'sexta 20/11', '05/11', '2026-11-03', '27.11.2026', '5 de novembro', 'ontem'],
  '20261105',
]
const OPEN_WORDS = [
  ...['ABERTO', 'Em aberto', 'A pagar', 'Pendente', 'não', 'Ainda não', 'n', 'Liberado p/ pagamento', ''],
  ...[
    'Ñ pago',
    'N/pago',
    'Não-pago',
    'Aprovado por Ana',
    'Aguardando NF',
    'vence 05/12',
    'Agendado p/ 30/11',
    'to be paid',
  ],
  ...[
    'A pagar dia 10',
    'Não efetuado',
    'Falta pagar',
    'pendente de aprovação',
    'Previsto 30/11',
    '-',
    'Unpaid',
    'Pagar sexta',
  ],
]
const DAYS_TO_COME = ['28/11/2026', '28/11', '30/nov', '5-dez-26', 'seg 30/11', '04/12/2026', 'hoje', '']

/** A column about the rows: what people call it, and what says in it that a row is settled, or that it is not. */
interface MarkColumn {
  headings: readonly string[]
  settled: readonly string[]
  open: readonly string[]
}

const MARK_COLUMNS: readonly MarkColumn[] = [
  {
    headings: [
      ...[
        'Pago?',
        'Pago em',
        'Baixa',
        'Cancelado',
        'PG',
        'Pg?',
        'Está pago?',
        'Pagou?',
        'Pagamento feito?',
        'Pago (S/N)',
      ],
      ...['Pagamento realizado', 'Pagto ok?', 'Data Pgto Realizado', 'Dt Pagamento Efetivo', 'Pago (data)', 'Efetuado'],
      ...[
        'Concluído',
        'Conciliado?',
        'Feito',
        'Data Baixa',
        'DT_BAIXA',
        'Quitado em',
        'Conta paga?',
        'PagamentoEfetuado',
      ],
      ...['Data liq.', 'Paid?', 'Pago por', 'Baixado em', 'Date paid', 'Dt. quitação', 'Cancelado?', 'OK?'],
    ],
    settled: [...SETTLED_WORDS, ...SETTLED_ANSWERS, ...PAST_DAYS, '28/11/2026', '28/nov', '1'],
    open: [...OPEN_WORDS, '0'],
  },
  {
    headings: [
      ...[
        'Data de pagamento',
        'Data Pag.',
        'Data (pagamento)',
        'Dt. Pgto',
        'Dia de pagamento',
        'DATA_PAGTO',
        'Pagamento',
      ],
      ...['Data do pagto', 'DataPagamento'],
    ],
    settled: [...SETTLED_WORDS, ...SETTLED_ANSWERS, ...PAST_DAYS],
    open: DAYS_TO_COME,
  },
  {
    headings: [
      ...[
        'Situação',
        'Status',
        'Sit.',
        'Situação do título',
        'Status pgto',
        'STATUS:',
        'Status interno',
        'Payment status',
      ],
      ...['Situação financeira', 'Status do lançamento', 'STATUS NOV'],
    ],
    settled: [...SETTLED_WORDS, ...SETTLED_ANSWERS, ...PAST_DAYS],
    open: [...OPEN_WORDS, ...DAYS_TO_COME, 'Aprovado 20/11', 'Vencido'],
  },
  {
    headings: [
      'Observação',
      'Obs.',
      'Anotações',
      'Aprovado',
      'Urgente',
      'Emissão',
      'Nota recebida?',
      'Data para pagamento',
      'Último pagamento',
      'Status NF',
      'Descrição',
    ],
    settled: SETTLED_WORDS,
    open: [
      ...['sim', 'x', 'OK', '05/nov', '05/11/2025', 'ligar antes', 'a pagar', '', 'Pagamento de frete', 'Mercado Pago'],
      ...[
        'conta paga por Ana',
        'Ñ pago',
        'n/pago',
        'pré-pago',
        'pagar via pix',
        'cancelar se atrasar',
        'não consta pago',
      ],
    ],
  },
]
const NAMES = [
  'Padaria do Zé Ltda',
  'Mercado Pago',
  'Posto Sim',
  'João Araújo',
  'Água & Luz S/A',
  'Conceição Reis ME',
  'Gráfica "Aurora"',
]
const ACCOUNTING = '_-"R$"* #,##0.00_-;-"R$"* #,##0.00_-;_-"R$"* "-"??_-;_-@_-'
const FORMATS = [
  'General',
  '0.00',
  '#,##0.00',
  '"R$" #,##0.00',
  ACCOUNTING,
  '[$R$-416]\\ #,##0.00;[Red]\\-[$R$-416]\\ #,##0.00',
  '#,##0.00\\ ;[Red]\\(#,##0.00\\)',
  '0.00;;',
]
/** Formats that show no amount above R$ 1,00 as it is. */
const LIES = [
  '"1,00"',
  '0,',
  '0.00,,',
  ';;;',
  '-0.00',
  '(0.00)',
  '0.00-',
  '0%',
  '0.00E+00',
  '[>1]"12,00"',
  '0.00" mil"',
  '0.00"0"',
  '[$US$-409]#,##0.00',
  '[>1]"PAGO";0.00',
]
const ENCODINGS: readonly Encoding[] = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'windows-1252']

const FIRST_REFERENCE = '1000'

interface Payment {
  key: Key
  cents: number
  name: string
  reference: string
}

type Key = { kind: 'cpf' | 'cnpj' | 'phone' | 'email' | 'random'; canonical: string }

/** The file with a number; the same number and seed give the same file. */
export function officeFile(seed: number, number: number, kind: 'csv' | 'xlsx'): OfficeFile {
  const dice = diceOf(`${seed}/${kind}/${number}`)
  const traits = kind === 'csv' ? IN_ALL : [...IN_ALL, ...OF_WORKBOOKS]
  const trait = traits[number % traits.length] ?? 'nothing'
  const payments = Array.from({ length: 3 + dice.below(6) }, (_, place) => paymentOf(dice, place))
  const marked = 1 + dice.below(payments.length - 1)
  return laidOut(dice, `${kind}-${number}`, trait, payments, marked)
}

function paymentOf(dice: Dice, place: number): Payment {
  // No whole reais, so that a rounded amount is another one, and no two alike.
  const cents = (2 + dice.below(90_000)) * 100 + 1 + dice.below(99)
  return { key: keyOf(dice, place), cents, name: pick(dice, NAMES), reference: String(Number(FIRST_REFERENCE) + place) }
}

function pick<Item>(dice: Dice, items: readonly Item[]): Item {
  const item = items[dice.below(items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from')
  return item
}

function digitsOf(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => String(dice.below(10))).join('')
}

function checked(digits: string, weights: readonly (readonly number[])[]): string {
  return weights.reduce((all, each) => {
    const sum = each.reduce((total, weight, at) => total + weight * Number(all[at]), 0)
    return all + String(sum % 11 < 2 ? 0 : 11 - (sum % 11))
  }, digits)
}

const CPF_WEIGHTS = [
  [10, 9, 8, 7, 6, 5, 4, 3, 2],
  [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
]
const CNPJ_WEIGHTS = [
  [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
]

function keyOf(dice: Dice, place: number): Key {
  const kind = pick(dice, ['cpf', 'cnpj', 'phone', 'email', 'random'] as const)
  // A third digit of 9 could begin a mobile number.
  if (kind === 'cpf') return { kind, canonical: checked(`0${place}${dice.below(9)}${digitsOf(dice, 6)}`, CPF_WEIGHTS) }
  if (kind === 'cnpj') return { kind, canonical: checked(`1${digitsOf(dice, 7)}000${place + 1}`, CNPJ_WEIGHTS) }
  if (kind === 'phone') return { kind, canonical: `+55119${place}${digitsOf(dice, 7)}` }
  if (kind === 'email') return { kind, canonical: `contas${place}.${digitsOf(dice, 4)}@example.com` }
  const hex = Array.from({ length: 32 }, () => dice.below(16).toString(16)).join('')
  return {
    kind,
    canonical: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`,
  }
}

/** The key as somebody else would write it. */
function spelled(dice: Dice, { kind, canonical }: Key): StyledCell {
  const cpf = canonical.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')
  const cnpj = canonical.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5')
  switch (kind) {
    case 'cpf':
      return pick(dice, [canonical, cpf, { number: String(Number(canonical)), format: '000\\.000\\.000\\-00' }])
    case 'cnpj':
      return pick(dice, [
        canonical,
        cnpj,
        { number: canonical },
        { number: canonical, format: '00\\.000\\.000\\/0000\\-00' },
      ])
    case 'phone':
      return pick(dice, [canonical, canonical.replace(/(\+55)(..)(.....)(....)/, '$1 ($2) $3-$4')])
    case 'random':
      return pick(dice, [canonical, canonical.toUpperCase()])
    default:
      return canonical
  }
}

/** A static code with the key in it, which is another name for it. */
function staticCode(dice: Dice, { canonical }: Key): string {
  const txid = pick(dice, ['***', 'NF1', 'OS77'])
  return code({ '26': field('26', PIX + field('01', canonical)), '62': field('62', field('05', txid)) })
}

function plain(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

function brazilian(cents: number): string {
  return plain(cents)
    .replace('.', ',')
    .replace(/\B(?=(?:\d{3})+,)/g, '.')
}

function amountCell(dice: Dice, cents: number): StyledCell {
  if (dice.below(4) === 0) return pick(dice, [brazilian(cents), `R$ ${brazilian(cents)}`, plain(cents)])
  return { number: plain(cents), format: pick(dice, FORMATS) }
}

function laidOut(dice: Dice, name: string, trait: Trait, all: readonly Payment[], marked: number): OfficeFile {
  const [first] = all
  const payments = trait === 'the same invoice twice' && first !== undefined ? [...all, first] : all
  const marks = pick(dice, MARK_COLUMNS)
  const hasMarks = trait === 'open rows' || trait === 'a settled row' || dice.below(3) === 0
  const columns = shuffled(dice, [
    'key',
    'amount',
    'name',
    'reference',
    'due',
    'department',
    ...(hasMarks ? ['mark'] : []),
  ])
  const headings: Readonly<Record<string, string>> = {
    key: pick(dice, KEY_HEADINGS),
    amount: pick(dice, AMOUNT_HEADINGS),
    name: pick(dice, NAME_HEADINGS),
    reference: pick(dice, REFERENCE_HEADINGS),
    due: 'Vencimento',
    department: 'Departamento',
    mark: pick(dice, marks.headings),
  }
  const titles = Array.from({ length: dice.below(3) }, (_, place) => [`Pagamentos de fornecedores ${place + 1}`])
  const rowOf = (place: number) => titles.length + 2 + place
  const struck = trait === 'a struck row' ? marked : -1
  const body = payments.map((payment, place) => {
    const cells: Readonly<Record<string, StyledCell>> = {
      key: keyCell(dice, trait, payment, place, marked),
      amount: oddAmount(dice, trait, payment.cents, place === marked) ?? amountCell(dice, payment.cents),
      name: trait === 'a name that says settled' && place === marked ? settledName(dice, payment.name) : payment.name,
      reference: payment.reference,
      due: `${10 + (payments.indexOf(payment) % 20)}/12/2099`,
      department: pick(dice, ['Obras', 'TI', 'Almoxarifado']),
      mark: trait === 'a settled row' && place === marked ? pick(dice, marks.settled) : pick(dice, marks.open),
    }
    return columns.map((column) => (place === struck ? struckCell(cells[column] ?? '') : (cells[column] ?? '')))
  })
  const place = (column: string) => columns.indexOf(column)
  const merge = (column: string) => {
    const letter = String.fromCharCode(65 + place(column))
    return `${letter}${rowOf(marked - 1)}:${letter}${rowOf(marked)}`
  }
  const isSettled = trait === 'a settled row' || trait === 'a name that says settled' || trait === 'a struck row'
  return {
    name,
    trait,
    rows: [...titles, columns.map((column) => headings[column] ?? ''), ...body],
    hiddenRows: trait === 'a hidden row' ? [rowOf(marked)] : [],
    hiddenColumn: trait === 'a hidden column' ? place('amount') : null,
    merged: trait === 'merged amounts' ? [merge('amount')] : trait === 'merged rows' ? columns.map(merge) : [],
    payments: new Map(payments.map(({ cents }, at) => [rowOf(at), { cents, isSettled: isSettled && at === marked }])),
    isRefused: trait !== 'nothing' && trait !== 'open rows',
  }
}

function keyCell(dice: Dice, trait: Trait, { key, reference }: Payment, place: number, marked: number): StyledCell {
  if (trait === 'a format that shows another key' && place === marked) {
    return { text: key.canonical, format: pick(dice, ['"outra@example.com"@', ';;;', '0;0;0;"outra@example.com"']) }
  }
  const isRepeat = trait === 'the same invoice twice' && place > 0 && reference === FIRST_REFERENCE
  return isRepeat && dice.coin() ? staticCode(dice, key) : spelled(dice, key)
}

/** The amount that stands out; undefined for any other. */
function oddAmount(dice: Dice, trait: Trait, cents: number, isMarked: boolean): StyledCell | undefined {
  if (!isMarked) return undefined
  if (trait === 'a format that shows another amount') return { number: plain(cents), format: pick(dice, LIES) }
  if (trait === 'a rounded amount')
    return { number: plain(cents), format: pick(dice, ['0', '#,##0', '"R$" #,##0', '#,##0;[Red]-#,##0']) }
  if (trait === 'more than two decimals') return { number: `${plain(cents)}5`, format: pick(dice, FORMATS) }
  return undefined
}

function settledName(dice: Dice, name: string): string {
  const word = pick(dice, ['PAGO', 'Cancelado', 'quitada', 'PAID', 'PG', 'NÃO PAGAR'])
  const beside = [`${name} (${word})`, `${name} - ${word}`, `${word} - ${name}`, `${name}-${word}`, `${name} / ${word}`]
  return pick(dice, [word, ...beside, `${name} *${word}*`, `${name} (${word} 10/11)`, `${name}: ${word} pix`])
}

function struckCell(cell: StyledCell): StyledCell {
  return typeof cell === 'string' ? (cell === '' ? cell : { text: cell, struck: true }) : { ...cell, struck: true }
}

function shuffled(dice: Dice, items: readonly string[]): string[] {
  const left = [...items]
  return items.map(() => left.splice(dice.below(left.length), 1)[0] ?? '')
}

/** The file with each key written in another way, and some as a code; all else is as it was. */
export function respelled(file: OfficeFile, seed: number): OfficeFile {
  const dice = diceOf(`${seed}/${file.name}/other`)
  const place = file.rows.findIndex((row) => row.length > 1)
  const column = (file.rows[place] ?? []).findIndex((cell) => typeof cell === 'string' && KEY_HEADINGS.includes(cell))
  const rows = file.rows.map((row, at) =>
    at <= place ? row : row.map((cell, index) => (index === column ? otherSpelling(dice, cell) : cell)),
  )
  return { ...file, rows }
}

function otherSpelling(dice: Dice, cell: StyledCell): StyledCell {
  const text = typeof cell === 'string' ? cell : 'number' in cell ? cell.number : cell.text
  const key = keyIn(text)
  return dice.below(3) === 0 ? staticCode(dice, key) : spelled(dice, key)
}

function keyIn(text: string): Key {
  if (text.includes('@')) return { kind: 'email', canonical: text }
  if (text.startsWith('+')) return { kind: 'phone', canonical: text.replace(/[^\d+]/g, '') }
  if (/[a-f]/i.test(text) || text.length === 36) return { kind: 'random', canonical: text.toLowerCase() }
  const digits = text.replace(/\D/g, '')
  return digits.length > 11 ? { kind: 'cnpj', canonical: digits } : { kind: 'cpf', canonical: digits.padStart(11, '0') }
}

/** A file as a CSV in one of the encodings and with one of the separators; cells have what they show. */
export function csvBytes(file: OfficeFile, seed: number): Uint8Array {
  const dice = diceOf(`${seed}/${file.name}/csv`)
  const separator = pick(dice, [';', ';', '\t', ','])
  const lines = file.rows.map((row) => row.map((cell) => `"${shownText(cell).replaceAll('"', '""')}"`).join(separator))
  return encoded(`${lines.join(pick(dice, ['\r\n', '\n']))}\n`.replaceAll('\u2013', '-'), pick(dice, ENCODINGS))
}

function shownText(cell: StyledCell): string {
  if (typeof cell === 'string') return cell
  if ('text' in cell) return cell.text
  if (cell.format?.includes('\\-00') === true) return cell.number.padStart(11, '0')
  return cell.number.includes('.') ? cell.number.replace('.', ',') : cell.number
}

/** A file as a workbook, written by the tests themselves. */
export function workbookBytes({ rows, hiddenRows, hiddenColumn, merged }: OfficeFile): Uint8Array {
  const columns =
    hiddenColumn === null
      ? ''
      : `<cols><col min="${hiddenColumn + 1}" max="${hiddenColumn + 1}" width="0" hidden="1" customWidth="1"/></cols>`
  const ranges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  return formattedWorkbook(
    rows,
    ranges === '' ? '' : `<mergeCells>${ranges}</mergeCells>`,
    {},
    { before: columns, hiddenRows },
  )
}

/** What was read of a file; null if it is refused, with the reason. */
async function readPayments(
  bytes: Uint8Array,
): Promise<{ rows: ValidRow[]; refusal: null } | { rows: null; refusal: string }> {
  const rows: ValidRow[] = []
  try {
    const file = await readBatchFile(bytes, 'transfer', { reference: 'novembro', marks: { today: TODAY } })
    const { faults } = await judgeBatchFile(file, (row, isHeld) => {
      if (!isHeld) rows.push(row)
    })
    return faults.length === 0
      ? { rows, refusal: null }
      : { rows: null, refusal: faults.map(({ message }) => message).join('; ') }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { rows: null, refusal: error.message }
  }
}

/** What is wrong with what was read of a file, as a person sees it; empty if nothing is. */
export async function wrongMoney(file: OfficeFile, bytes: Uint8Array): Promise<string[]> {
  const { rows, refusal } = await readPayments(bytes)
  const where = `${file.name}, ${file.trait}`
  if (rows === null) return file.isRefused ? [] : [`${where}: refused: ${refusal}`]
  const faults = rows.flatMap(({ row, facts: { amountCents } }) => {
    const meant = file.payments.get(row)
    if (meant === undefined) return [`${where}: row ${row} is no payment`]
    if (meant.isSettled) return [`${where}: row ${row} is settled, and is sent`]
    return meant.cents === amountCents ? [] : [`${where}: row ${row} is ${meant.cents}, and ${amountCents} is sent`]
  })
  if (file.isRefused) faults.push(`${where}: is sent`)
  else if (rows.length !== file.payments.size)
    faults.push(`${where}: ${rows.length} of ${file.payments.size} rows are sent`)
  return faults
}

/** Which payments of a file would go out again if its keys are written in another way. */
export async function paidTwice(bytes: Uint8Array, otherBytes: Uint8Array, file: OfficeFile): Promise<string[]> {
  const [one, other] = [await readPayments(bytes), await readPayments(otherBytes)]
  if (one.rows === null || other.rows === null) return [`${file.name}: refused: ${one.refusal ?? other.refusal}`]
  const ids = new Set(one.rows.map(({ rowId }) => rowId))
  return other.rows.flatMap(({ rowId: id, row }) =>
    ids.has(id) ? [] : [`${file.name}: row ${row} is paid again by another name`],
  )
}
