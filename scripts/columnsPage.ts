import { type Field, pathsBelow } from '../src/terminal/fields.ts'
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
    section('Rows of a run', 'Columns of `batch show`.', ROW_FIELDS),
    section('Runs', 'Columns of `batch list`. Its JSON and that of `batch show` use the paths as keys.', RUN_FIELDS),
    section('Plans', 'Columns of `plan list`. Its JSON uses the paths as keys.', PLAN_FIELDS),
    section('Payees', 'Columns of `payee list`, whose JSON uses the paths as keys.', PAYEE_FIELDS),
    section('Webhooks', 'Columns of `webhook events`.', EVENT_FIELDS),
  ].join('\n')
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
