import { ROW_FIELDS } from '../src/batch/rowFields.ts'
import { RUN_FIELDS } from '../src/batch/runFields.ts'
import { EVENT_FIELDS } from '../src/listener/eventFields.ts'
import { PAYMENT_FIELDS } from '../src/payments/fields.ts'
import type { Field } from '../src/terminal/fields.ts'

type Documented = Pick<Field<never, never>, 'name' | 'path' | 'members' | 'column' | 'meaning'>

const HEAD = `# Columns of lists

\`history\`, \`status\`, \`batch show\`, \`batch list\` and \`webhook events\` use the same column names. \`--fields\` takes the names on this
page, including columns that are not shown by default, and the paths of the JSON output:

\`\`\`sh
pixgate history --month 11/2026 --fields date,payee,amount,state,reason
pixgate batch show run-5f0c2a9b1d3e --fields line,payee,amount,state,reason
\`\`\`

CSV and JSON use the paths as names and machine-readable values: amounts are numbers, times are in UTC.
`

const PAYMENTS = `\`status --from\` also has \`expected\` and \`expected status\`; \`history check --statement\` has \`here\` and \`statement\`, \`status here\` and
\`status there\`.
`

/** The page \`docs/columns.md\`, from the fields of payments, of the rows of a run, and of runs. */
export function columnsPage(): string {
  return [
    HEAD,
    section('Payments', 'Columns of `history`, `history find` and `status`.', PAYMENT_FIELDS),
    PAYMENTS,
    section('Rows of a run', 'Columns of `batch show`.', ROW_FIELDS),
    section('Runs', 'Columns of `batch list`. Its JSON and that of `batch show` use the paths as keys.', RUN_FIELDS),
    section('Webhooks', 'Columns of `webhook events`.', EVENT_FIELDS),
  ].join('\n')
}

function section(title: string, about: string, fields: readonly Documented[]): string {
  const shown = fields.filter(({ column }) => column !== null)
  return [
    `## ${title}\n\n${about}\n`,
    '| column | path | meaning |',
    '|---|---|---|',
    ...shown.map((field) => `| \`${field.name}\` | ${pathText(field)} | ${field.meaning} |`),
    '',
  ].join('\n')
}

/** The path of a field, and those below it. */
function pathText({ path, members = {} }: Documented): string {
  return [path, ...Object.keys(members).map((key) => `${path}.${key}`)].map((each) => `\`${each}\``).join(', ')
}
