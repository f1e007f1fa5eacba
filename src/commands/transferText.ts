import type { Context } from '../context.ts'
import { sentTodayCents } from '../money/limits.ts'
import type { Accepted } from '../money/pay.ts'
import { formatReais } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { comparableKey } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { type LabelledRow, labelled, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import type { TransferIntent } from '../timeline/records.ts'
import { isOf, mayHaveMoved, type Transaction } from '../timeline/transactions.ts'
import { instantText, statusColour } from '../views/payment.ts'
import { type AnswerFields, statusOf } from '../wire/answers.ts'
import type { Outcome } from '../wire/errors.ts'

/** What a person checks before a transfer leaves: the destination exactly as it is sent, and what went there before. */
export function transferRows(
  intent: TransferIntent,
  earlier: readonly Transaction[],
  account: Account,
  { nowMs, err, isGuessedPhone = false }: { nowMs: number; isGuessedPhone?: boolean } & Pick<Terminal, 'err'>,
): LabelledRow[] {
  const owner = intent.documentValidation
  const others = earlier.filter(({ intent: each }) => each.kind !== 'transfer' || each.externalId !== intent.externalId)
  return [
    [t`to`, intent.key, err.bold],
    [t`kind of key`, intent.typeKey],
    ...(isGuessedPhone ? [[t`look at`, guessedPhoneText(intent.key), err.yellow] as const] : []),
    ...receiverRows(intent),
    [t`owner`, owner === null ? t`not checked` : t`must be ${owner}`],
    [t`external id`, intent.externalId],
    paidBefore(intent, others, account, err),
    [t`sent today`, t`${formatReais(sentTodayCents(others, account, nowMs))} without this one`],
  ]
}

/** Why a person should look at a key that is only guessed to be a phone number. */
export function guessedPhoneText(key: string): string {
  return t`${key} is taken as a mobile number because it is not a valid CPF; a CPF with a typing error looks the same`
}

/** Nobody can read a payment code, so what it says of the receiver stands beside it. */
function receiverRows({ key, typeKey }: TransferIntent): LabelledRow[] {
  if (typeKey !== 'paymentCode') return []
  const { merchantName, merchantCity } = readBrCode(key)
  return [[t`its receiver`, [merchantName, merchantCity].filter((part) => part !== null).join(', ')]]
}

function paidBefore(
  intent: TransferIntent,
  others: readonly Transaction[],
  account: Account,
  err: Terminal['err'],
): LabelledRow {
  const key = comparableKey(intent.key)
  const toKey = others.filter(
    (each) =>
      each.intent.kind === 'transfer' &&
      comparableKey(each.intent.key) === key &&
      isOf(each, account) &&
      mayHaveMoved(each),
  )
  const last = toKey.at(-1)
  if (last === undefined) return [t`paid before`, t`never to this key`, err.yellow]
  const at = instantText(last.atMs)
  const text = toKey.length === 1 ? t`once to this key, ${at}` : t`${toKey.length} times to this key, last ${at}`
  return [t`paid before`, text]
}

/** Prints what became of a transfer; `waits` where its end is printed after it. */
export function showTransfer(
  context: Context,
  account: Account,
  answer: Pick<Accepted, 'fields' | 'warnings'>,
  { externalId, outcome, waits }: { externalId: string; outcome: Outcome; waits: boolean },
): void {
  const status = statusOf(answer.fields)
  const pixgate = { profile: account.profile, environment: account.environment, outcome, warnings: answer.warnings }
  const document: AnswerFields = { ...answer.fields, externalId, status, pixgate }
  const { out } = context.terminal
  const { print } = context
  const write = waits ? print.item : print.one
  write(document, () =>
    labelled(
      [
        [t`id`, String(answer.fields.idTransaction ?? '—')],
        [t`status`, status ?? '—', statusColour(status, out)],
        [t`external id`, externalId],
      ],
      out,
    ),
  )
  if (outcome === 'accepted-before') {
    context.terminal.note(
      t`It was sent before, and nothing was paid twice; \`pixgate history show ${externalId}\` tells what is known`,
    )
    return
  }
  context.terminal.note(t`Accepted is not paid yet: the event \`transfer.completed\` or \`transfer.failed\` decides`)
}
