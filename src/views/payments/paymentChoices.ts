import type { Named } from '../../ledger/namedByIds.ts'
import { type Payment, shownStateOfPayment } from '../../ledger/payments.ts'
import { stateText } from '../../ledger/stateWords.ts'
import { formatPaymentDate, parseInstant } from '../../pix/calendar.ts'
import { tableWriter } from '../../terminal/tableWriter.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { safeText } from '../../text/safeText.ts'
import { t, translated } from '../../text/translate.ts'
import { amountText, instantText, maskKey } from '../valueText.ts'

/** A payment in a list to choose from, by what people tell payments apart. */
export interface PaymentChoice {
  /** A whole id that names it in every command. */
  id: string
  kind: string
  atMs: number | null
  amountCents: number | null
  state: string
  /** The other party, or the file of a batch; null if unknown. */
  party: string | null
  /** The user's own reference, else the external id or the id of the refunded payment; null for what has no name beside its id. */
  name: string | null
  /** Whose it is; null if it can only be of one account. */
  account: string | null
}

/** A line for each choice, in the width of a list to choose from. `short` gives the short form of an id. */
export async function choiceLines(
  choices: readonly PaymentChoice[],
  { columns, err }: Pick<Terminal, 'columns' | 'err'>,
  short: (id: string) => string,
): Promise<string[]> {
  const hasKinds = new Set(choices.map(({ kind }) => kind)).size > 1
  const table = await tableWriter(
    { outIsTerminal: true, columns: columns - CHOICE_MARK.length, out: err },
    [
      { header: '' },
      ...(hasKinds ? [{ header: '', drop: 1 }] : []),
      { header: '', align: 'right' },
      { header: '' },
      { header: '', isProse: true },
      { header: '' },
    ],
    { isOneLine: true },
  )
  const rows = choices.map(({ atMs, kind, amountCents, state, party, name, id }) => [
    { text: atMs === null ? '—' : shortTime(atMs) },
    ...(hasKinds ? [{ text: translated(kind) }] : []),
    { text: amountText(amountCents) },
    { text: stateText(state) },
    { text: party ?? '—' },
    { text: short(choiceName({ name, id })) },
  ])
  const [, ...lines] = table.lines(rows)
  return lines
}

/** What a person calls it: its name, else its id. */
export function choiceName({ name, id }: Pick<PaymentChoice, 'name' | 'id'>): string {
  return name ?? id
}

/** What a list shows below the marked line: the whole ids. */
export function choiceDescription({ kind, name, id }: PaymentChoice): string {
  return safeText(
    name === null || name === id ? t`${translated(kind)} ${id}` : t`${translated(kind)} ${name}, id ${id}`,
  )
}

/** A line for each choice that begins with a whole id to copy, for the details of an error. */
export function choiceDetails(choices: readonly PaymentChoice[]): string[] {
  const hasAccounts = new Set(choices.map(({ account }) => account)).size > 1
  return choices.map(({ id, kind, amountCents, atMs, state, name, party, account }) =>
    [
      id,
      translated(kind),
      amountText(amountCents),
      instantText(atMs),
      stateText(state),
      name === id ? null : name,
      party,
    ]
      .concat(hasAccounts ? account : null)
      .flatMap((text) => (text === null ? [] : safeText(text)))
      .join('  '),
  )
}

/** The choices between what ids name in the ledger. */
export function namedChoices(named: readonly Named[]): PaymentChoice[] {
  return named.map((each) => ({ id: wholeId(each, named), ...choiceOf(each) }))
}

/** The whole id that names one of these and no other of them. */
export function wholeId(named: Named, among: readonly Named[] = [named]): string {
  switch (named.is) {
    case 'run':
      return named.run.record.run
    case 'external':
      return named.charge.id
    case 'payment': {
      const { id, summary } = named.payment
      const own = summary.idTransaction
      const isShared = among.some((each) => each.is === 'payment' && each !== named && idOf(each.payment) === own)
      return own === null || isShared ? id : own
    }
  }
}

const CHOICE_MARK = '> '

function choiceOf(named: Named): Omit<PaymentChoice, 'id'> {
  switch (named.is) {
    case 'run': {
      const { at, kind, file, totalCents, reference, owner } = named.run.record
      return {
        kind: t`batch ${translated(kind)}`,
        atMs: parseInstant(at) ?? null,
        amountCents: totalCents,
        state: '—',
        party: file ?? reference,
        name: null,
        account: t`${translated(owner.environment)}, ${owner.baseUrl}`,
      }
    }
    case 'external': {
      const { amountCents, paidAtMs, payerName } = named.charge
      return {
        kind: 'qr',
        atMs: paidAtMs,
        amountCents,
        state: t`received`,
        party: payerName,
        name: null,
        account: null,
      }
    }
    case 'payment': {
      const { facts, first, amountCents, summary, givenId, ownReference, owner } = named.payment
      return {
        kind: facts.kind,
        atMs: Math.max(parseInstant(first.at) ?? 0, summary.paidAtMs ?? 0),
        amountCents,
        state: shownStateOfPayment(named.payment),
        party: partyOf(named.payment),
        name: ownReference ?? givenId,
        account: t`${translated(owner.environment)}, ${owner.baseUrl}`,
      }
    }
  }
}

/** The name of the other party, else the masked key of a transfer. */
function partyOf({ facts, partyName }: Payment): string | null {
  return partyName ?? (facts.kind === 'transfer' ? maskKey(facts.key, facts.keyType) : null)
}

function idOf({ summary }: Payment): string | null {
  return summary.idTransaction
}

/** `22/11 16:08`, in São Paulo. */
function shortTime(ms: number): string {
  const text = formatPaymentDate(ms)
  return `${text.slice(0, 5)} ${text.slice(11, 16)}`
}
