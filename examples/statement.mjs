// The bank statement of what a sandbox holds, for `pixgate history check --statement`, with a fee as banks book it.
// `node statement.mjs > bank.ofx`, or `node statement.mjs --csv nf- > bank.csv`: as CSV, only payments whose own number begins with `nf-`.
const { PIXGATE_BASE_URL: gateway = 'http://127.0.0.1:4010' } = process.env
const words = process.argv.slice(2)
const isCsv = words.includes('--csv')
const beginnings = words.filter((word) => word !== '--csv')

const { payments, refunds, transfers } = await (await fetch(`${gateway}/sandbox/state`)).json()
const numberOf = new Map(payments.map(({ idTransaction, requestNumber }) => [idTransaction, requestNumber]))

const received = payments
  .filter(({ paidAt }) => paidAt !== null)
  .map(({ requestNumber, paidAt, amount, client }) => ({
    number: requestNumber,
    at: paidAt,
    amount,
    text: `PIX RECEBIDO ${client?.name ?? ''}`,
  }))
const returned = refunds
  .filter(({ settledAt, status }) => settledAt !== null && status === 'COMPLETED')
  .map(({ original, settledAt, amount }) => ({
    number: numberOf.get(original) ?? '',
    at: settledAt,
    amount: -amount,
    text: 'PIX DEVOLVIDO',
  }))
// The sandbox makes up the names of receivers, so they are not in it.
const sent = transfers
  .filter(({ status, statusTransaction }) => status === 'COMPLETED' || statusTransaction === 'RETURNED')
  .map(({ externalId, status, createdAt, settledAt, value }) => ({
    number: externalId,
    at: status === 'COMPLETED' ? settledAt : createdAt,
    amount: -value,
    text: 'PIX ENVIADO',
  }))
const broughtBack = transfers
  .filter(({ statusTransaction }) => statusTransaction === 'RETURNED')
  .map(({ externalId, settledAt, value }) => ({
    number: externalId,
    at: settledAt,
    amount: value,
    text: 'PIX DEVOLVIDO PELO RECEBEDOR',
  }))
const chargedBack = payments
  .filter(({ chargebackAt }) => chargebackAt !== null)
  .map(({ requestNumber, chargebackAt, chargedBack }) => ({
    number: requestNumber,
    at: chargebackAt,
    amount: -chargedBack,
    text: 'PIX CONTESTADO',
  }))

const lines = [...received, ...returned, ...sent, ...broughtBack, ...chargedBack]
  .filter(({ number }) => beginnings.length === 0 || beginnings.some((beginning) => number.startsWith(beginning)))
  .sort((one, other) => one.at.localeCompare(other.at))
if (lines.length > 0) lines.push({ at: lines.at(-1).at, amount: -4.5, text: 'TARIFA PIX' })

/** The day in São Paulo, which is three hours behind UTC: 2026-11-29. */
const dayOf = (at) => new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 10)

function csv() {
  const rows = lines.map(({ at, amount, text }) => {
    const [year, month, day] = dayOf(at).split('-')
    const value = amount.toLocaleString('pt-BR', { minimumFractionDigits: 2 })
    return `${day}/${month}/${year};${text.toUpperCase()};${value}`
  })
  return ['Data;Histórico;Valor', ...rows].map((row) => `${row}\n`).join('')
}

function ofx() {
  const days = lines.map(({ at }) => dayOf(at).replaceAll('-', ''))
  const transactions = lines.map(
    ({ amount, text }, index) => `<STMTTRN>
<TRNTYPE>${amount < 0 ? 'DEBIT' : 'CREDIT'}
<DTPOSTED>${days[index]}
<TRNAMT>${amount.toFixed(2)}
<FITID>${index + 1}
<MEMO>${text.toUpperCase().replaceAll('&', '&amp;').replaceAll('<', '&lt;')}
</STMTTRN>
`,
  )
  return `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:UTF-8
CHARSET:NONE
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<BANKMSGSRSV1>
<STMTTRNRS>
<STMTRS>
<CURDEF>BRL
<BANKTRANLIST>
<DTSTART>${days[0] ?? ''}
<DTEND>${days.at(-1) ?? ''}
${transactions.join('')}</BANKTRANLIST>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
`
}

process.stdout.write(isCsv ? csv() : ofx())
