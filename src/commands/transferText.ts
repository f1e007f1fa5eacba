import type { Context } from '../context.ts'
import type { TransferPayment } from '../ledger/records.ts'
import type { Accepted } from '../payments/pay.ts'
import type { Situation } from '../payments/situation.ts'
import { formatReais } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import type { Account } from '../profiles/account.ts'
import { type LabelledRow, labelled, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import { instantText, statusColour } from '../views/payment.ts'
import { type AnswerFields, statusOf } from '../wire/answers.ts'
import type { Outcome } from '../wire/errors.ts'

/** What a person checks before a transfer leaves: the destination exactly as it is sent, and what was sent there before. */
export function transferRows(
  facts: TransferPayment,
  externalId: string,
  { paidBefore, sentTodayCents }: Situation,
  { err, isGuessedPhone = false }: { err: Terminal['err']; isGuessedPhone?: boolean },
): LabelledRow[] {
  const owner = facts.documentValidation
  return [
    [t`to`, facts.key, err.bold],
    [t`kind of key`, facts.keyType],
    ...(isGuessedPhone ? [[t`look at`, guessedPhoneText(facts.key), err.yellow] as const] : []),
    ...receiverRows(facts),
    [t`owner`, owner === null ? t`not checked` : t`must be ${owner}`],
    [t`external id`, externalId],
    paidBeforeRow(paidBefore, err),
    [t`sent today`, t`${formatReais(sentTodayCents)} without this one`],
  ]
}

/** Why a person should look at a key that is only guessed to be a phone number. */
export function guessedPhoneText(key: string): string {
  return t`${key} is taken as a mobile number because it is not a valid CPF; a CPF with a typing error looks the same`
}

/** A payment code cannot be read by people, so what it says of the receiver is shown beside it. */
function receiverRows({ key, keyType }: TransferPayment): LabelledRow[] {
  if (keyType !== 'paymentCode') return []
  const { merchantName, merchantCity } = readBrCode(key)
  return [[t`its receiver`, [merchantName, merchantCity].filter((part) => part !== null).join(', ')]]
}

function paidBeforeRow({ count, lastMs }: Situation['paidBefore'], err: Terminal['err']): LabelledRow {
  if (count === 0) return [t`paid before`, t`never to this key`, err.yellow]
  const at = instantText(lastMs)
  return [t`paid before`, count === 1 ? t`once to this key, ${at}` : t`${count} times to this key, last ${at}`]
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
