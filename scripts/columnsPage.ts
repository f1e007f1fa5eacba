import { setLanguage } from '../src/language.ts'
import { stateTable } from '../src/ledger/stateWords.ts'
import { type Field, pathsBelow } from '../src/terminal/fields.ts'
import { SOURCE_LANGUAGE } from '../src/text/languages.ts'
import { translated } from '../src/text/translate.ts'
import { ROW_FIELDS } from '../src/views/batch/rowFields.ts'
import { RUN_FIELDS } from '../src/views/batch/runFields.ts'
import { EVENT_FIELDS } from '../src/views/events/eventFields.ts'
import { PAYEE_FIELDS } from '../src/views/payees/payeeText.ts'
import { PAYMENT_FIELDS } from '../src/views/payments/paymentFields.ts'
import { PLAN_FIELDS } from '../src/views/plans/planText.ts'

type Documented = Pick<Field<never, never>, 'name' | 'path' | 'schema' | 'column' | 'meaning'>

const HEAD = `# Columns of lists

\`history\`, \`status\`, \`batch show\`, \`batch list\`, \`plan list\` and \`webhook events\` use the same column names. \`--fields\` takes the names on this
page, including columns that are not shown by default, and the paths of the JSON output:

\`\`\`sh
pixgate history --month 11/2026 --fields date,payee,amount,state,reason
pixgate batch show run-5f0c2a9b1d3e --fields line,payee,amount,state,reason
\`\`\`

CSV and JSON use the paths as names and machine-readable values: amounts are numbers, times are in UTC.

A list in a terminal is as wide as the terminal. If it does not fit, times lose year and seconds (\`22/11 16:08\`; only the day if it is more than a
year ago) and UUIDs everything but their first 8 characters, or as many as tell them from every other id in the ledger. Then names, references and other
prose are shortened to 20 characters, columns are dropped in the order that each section states, and prose is shortened to 10. A note names the columns
that were dropped. What leaves the account has a minus sign.

Every command that takes a payment takes such a short id: \`status\`, \`refund\`, \`resume\`, \`history show\`, \`history settle\`, and \`pay\`, \`expire\`,
\`cancel\`, \`chargeback\`, \`return\`, \`fail\` and \`deliver\` of \`sandbox\`. So they do request numbers and external ids, in any case. If several payments
match, they are listed, or a person picks one. In production, a command that moves money or settles takes whole ids only, unless a person is asked.

Names of people are never masked. Keys and tax documents are masked in lists and searches, in every format, unless \`--unmask\` is given; one
payment or event on its own (\`history show\`, \`status <id>\`, \`webhook events show\`), questions, receipts and reports show them whole, with their
punctuation where people read them.
`

const PAYMENTS = `\`status --from\` also has \`expected\` and \`expected status\`; \`history check --statement\` has \`here\` and \`statement\`, \`status here\` and
\`status there\`, in CSV also \`day there\` and \`description\`.
`

/** The page \`docs/columns.md\`, from the fields of payments, of the rows of a run, of runs and of payees. */
export function columnsPage(): string {
  return [
    HEAD,
    section('Payments', 'Columns of `history`, `history find` and `status`.', PAYMENT_FIELDS),
    PAYMENTS,
    states(),
    section('Rows of a run', 'Columns of `batch show`.', ROW_FIELDS),
    section('Runs', 'Columns of `batch list`. Its JSON and that of `batch show` use the paths as keys.', RUN_FIELDS),
    section('Plans', 'Columns of `plan list`. Its JSON uses the paths as keys.', PLAN_FIELDS),
    section('Payees', 'Columns of `payee list`, whose JSON uses the paths as keys.', PAYEE_FIELDS),
    section('Webhooks', 'Columns of `webhook events`.', EVENT_FIELDS),
  ].join('\n')
}

const STATES = `## States

What is known of a payment: one word on every screen, in sums and in files for people. \`--state\`, JSON and CSV take the name in the first column. \`knownBy\` says
who tells it, and \`status\` has the gateway's own word. A row of a batch that is not sent is either recorded, and in \`history\`, or was not started.
\`pixgate help states\` prints the same.
`

/** The table of the states, with the words of both languages. */
function states(): string {
  const words = inPortuguese(() => stateTable().map(({ word }) => word))
  const rows = stateTable().map(
    ({ state, word, kinds, statuses, when, toDo }, index) =>
      `| \`${state}\` | ${word} | ${words[index]} | ${kinds.join(', ')} | ${codes(statuses)} | ${when} | ${toDo} |`,
  )
  return [
    STATES,
    '| `state` | word | Portuguese | of | `status` | when | what to do |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** The page \`docs/pt-BR/estados.md\`, from the same table. */
export function statesPageInPortuguese(): string {
  const rows = inPortuguese(() =>
    stateTable().map(({ state, word, kinds, statuses, when, toDo }) => {
      const kindWords = kinds.map((kind) => translated(kind)).join(', ')
      return `| ${word} | ${kindWords} | ${when} | ${toDo} | ${codes(statuses)} | \`${state}\` |`
    }),
  )
  return `# Os estados de um pagamento

O que se sabe de um pagamento: a mesma palavra em todas as telas, nas somas e nos arquivos para pessoas. Quem informa o estado aparece em \`informado por\`
(gateway, evento, pessoa ou livro de operações), e a palavra do próprio gateway, em \`status\`. \`--state\`, JSON e CSV usam o nome da última coluna. Uma linha de lote não
enviada está registrada, e aparece em \`pixgate history\`, ou não foi iniciada. \`pixgate help states\` mostra o mesmo.

| palavra | de | quando | o que fazer | \`status\` | \`--state\` |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}

function inPortuguese<Result>(make: () => Result): Result {
  setLanguage('pt-BR', false)
  try {
    return make()
  } finally {
    setLanguage(SOURCE_LANGUAGE, false)
  }
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

function section(title: string, about: string, fields: readonly Documented[]): string {
  const shown = fields.filter(({ column }) => column !== null)
  const dropped = shown
    .filter(({ column }) => column?.drop !== undefined)
    .toSorted((one, other) => (other.column?.drop ?? 0) - (one.column?.drop ?? 0))
  return [
    `## ${title}\n\n${about} Dropped in this order: ${dropped.map(({ name }) => `\`${name}\``).join(', ')}.\n`,
    '| column | path | meaning |',
    '|---|---|---|',
    ...shown.map((field) => `| \`${field.name}\` | ${pathText(field)} | ${field.meaning} |`),
    '',
  ].join('\n')
}

/** The path of a field, and those below it. */
function pathText(field: Documented): string {
  return pathsBelow(field)
    .map(([path]) => `\`${path}\``)
    .join(', ')
}
