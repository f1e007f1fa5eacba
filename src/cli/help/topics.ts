import type { HelpBlock, HelpItem } from '../../commandDefinition.ts'
import { PAYMENT_KINDS } from '../../ledger/facts.ts'
import { stateTable } from '../../ledger/stateWords.ts'
import { REPEAT_DAYS } from '../../pix/calendar.ts'
import { EVENT_OCCASIONS } from '../../schemas/webhookBodies.ts'
import { t, translated } from '../../text/translate.ts'
import { GLOBAL_OPTIONS } from '../options.ts'
import type { Topic } from './helpPage.ts'

interface TopicText {
  readonly title: string
  readonly blocks: readonly HelpBlock[]
}

/** What each topic says. */
export const TOPIC_TEXTS: Readonly<Record<Topic, () => TopicText>> = {
  amounts: () => ({
    title: t`How amounts are written`,
    blocks: [
      t`Amounts are in reais, with at most two decimals. A comma or a dot separates them; dots separate thousands only if a comma follows.`,
      {
        items: [
          ['10', t`ten reais`],
          ['10.5, 10,50', t`ten reais and fifty centavos`],
          ['1234.56, 1.234,56', t`one thousand, two hundred and thirty-four reais and fifty-six centavos`],
          ["'R$ 1.234,56'", t`the same; quote it, because of the space and the $`],
        ],
      },
      {
        heading: t`Not accepted, because they can be misread:`,
        items: [
          ['1.234, 1,234', t`one thousand, or one with decimals? Write 1234 or 1,23`],
          ['1,234.56', t`the comma separates decimals here: write 1234.56 or 1.234,56`],
          ['0, -5, 1e3, +5', t`no zero, sign or exponent; the largest amount is 9.999.999.999,99`],
        ],
      },
      t`A question shows the amount in figures and in words. JSON has amounts as numbers in reais; the ledger and the rules count whole centavos.`,
    ],
  }),
  keys: () => ({
    title: t`How PIX keys are written`,
    blocks: [
      t`The form of a key tells its type. Punctuation of a CPF, a CNPJ or a phone number is not sent; the question shows the key exactly as it will be sent.`,
      {
        heading: t`Type (--key-type), and what such a key looks like:`,
        items: [
          ['document', t`a CPF or CNPJ with correct check digits: 529.982.247-25, 11222333000181`],
          ['phoneNumber', t`a mobile number with its area code: (11) 98765-4321, +5511987654321`],
          ['email', 'maria@example.com'],
          ['randomKey', t`a UUID: 123e4567-e89b-12d3-a456-426614174000`],
          [
            'paymentCode',
            t`a copy-and-paste code (Pix Copia e Cola), checked first: it pays the key in it, or the charge at its address`,
          ],
        ],
      },
      t`Eleven digits can be a CPF and a mobile number. If they are both, --key-type has to say which. If they are only a mobile number, a question points that out, and a script has to add --key-type phoneNumber.`,
      t`--owner <CPF or CNPJ> lets the gateway refuse the transfer unless the key belongs to that person or company. Lists mask keys unless --unmask is given.`,
    ],
  }),
  csv: () => ({
    title: t`Files of payments, and CSV output`,
    blocks: [
      t`\`pixgate batch\` reads CSV (comma or semicolon; UTF-8, Windows-1252 or UTF-16) and .xlsx workbooks. The header names the columns; --map names others: --map key=Pix,value=Líquido`,
      {
        heading: t`Columns of batch transfer:`,
        items: [
          ['key, value', t`the PIX key and the amount; required`],
          ['payee', t`the name of a payee, in place of its key and owner or beside them`],
          ['typeKey', t`the type of the key, see \`pixgate help keys\``],
          ['externalId', t`your id; otherwise one is derived from the file, so that no row is paid twice`],
          ['documentValidation', t`CPF or CNPJ that must own the key, like --owner`],
          ['callbackUrl', t`where events are sent, like --callback-url`],
        ],
      },
      {
        heading: t`Columns of batch refund:`,
        items: [
          ['originalTransactionId', t`the id of the received payment; required`],
          ['amount, refundReason', t`required, unless --full or --reason says the same for all rows`],
          ['callbackUrl', t`as above`],
        ],
      },
      t`Headings such as Chave Pix, Valor, CPF/CNPJ, Motivo and Fornecedor (name, which is only shown) are known. Lines above the header (--header-row) and totals that equal the sum are skipped and shown. Other columns are carried to the results, never sent. Every row is checked before the first is sent; --dry-run only checks.`,
      t`-o csv prints a list as CSV for programs: commas, decimal points, UTC. --fields selects and orders the columns. --results <file> writes the result of each row of a batch. It keeps every text as it came, also one that a spreadsheet takes for a formula: do not open it in one. With --excel, results, reports and \`history -o csv\` open correctly in a Brazilian spreadsheet: semicolons, decimal commas, local times, and an apostrophe before what would be a formula.`,
    ],
  }),
  production: () => ({
    title: t`Production and sandboxes`,
    blocks: [
      t`The environment belongs to the address. An address on this machine is a sandbox, unless its profile says production. Every other address is production, until a person types its host name to confirm that it is a sandbox (\`profile add\` and \`profile edit\`; --confirm-host in scripts).`,
      {
        heading: t`Before money moves:`,
        items: [
          [t`in a sandbox`, t`answer y, or add --yes`],
          [t`in production`, t`type the amount, for a batch its total`],
          [t`in a script`, t`add --confirm <profile>; --yes alone is not enough in production`],
          [t`without either`, t`exit 2, and nothing is sent`],
        ],
      },
      t`--dry-run applies every rule, shows the exact request and sends nothing. Without a profile for the address, --confirm takes the name of its host.`,
      {
        heading: t`Rules of a profile (pixgate profile edit):`,
        items: [
          ['--max-amount', t`the largest amount of one payment`],
          ['--max-day', t`the largest total per day, in São Paulo time`],
          ['--read-only', t`refuse every command that moves money or signs`],
        ],
      },
      t`The same key and amount within ${REPEAT_DAYS} days is a repeat and is refused. If it is another payment, --in-addition-to <external id of the earlier one> allows it; in a sandbox --again is enough.`,
    ],
  }),
  'unknown-outcomes': () => ({
    title: t`When it is not known whether a payment was made`,
    blocks: [
      t`If the connection breaks after a request was sent, or the answer is unusable, the payment may have been made: exit 5. pixgate never repeats a payment by itself.`,
      {
        heading: t`What to do:`,
        items: [
          [
            'pixgate resume <external id>',
            t`sends a transfer again: the same bytes under the same external id, which the gateway carries out only once`,
          ],
          ['pixgate resume <run>', t`continues a batch, and sends its transfers with an unknown outcome again`],
          ['pixgate history show <id>', t`shows what is known: attempts, answers, events`],
          ['pixgate history --state unknown', t`lists all of them`],
        ],
      },
      t`If the gateway answers DUPLICATE_EXTERNAL_ID, it has the payment (accepted-before). Its webhook event tells whether it was paid.`,
      t`Nothing makes the gateway refuse a refund that is sent twice. Wait for its event or look in the dashboard first. Then record what you found; for the rows of a run, --include-unknown sends them again. The same option is needed for a transfer that was sent more than 24 hours ago.`,
      t`What you find out in the dashboard is recorded with \`pixgate history settle\`. While the outcome is unknown, no option sends the same payment under another id.`,
    ],
  }),
  webhooks: () => ({
    title: t`Webhooks and their signatures`,
    blocks: [
      t`The gateway reports results to the callback URL of a payment: --callback-url, or the one of the profile. It signs the exact bytes of the body with HMAC-SHA256 and the client secret, in the header X-Signature. Verify the raw body before anything parses it.`,
      {
        heading: t`Try it on this machine:`,
        items: [
          [
            'pixgate webhook listen',
            t`receives, verifies, shows and records events; --forward-to <url> passes them on to your server`,
          ],
          ['pixgate webhook send pix.received', t`sends a signed sample, --to <url> to your server`],
          ['pixgate webhook replay --last', t`delivers a recorded event again`],
          ['pixgate webhook verify', t`tells whether a signature is right, and if not, why`],
          ['pixgate inspect', t`shows events in a browser`],
        ],
      },
      {
        heading: t`Events:`,
        items: Object.entries(EVENT_OCCASIONS).map(([event, occasion]) => [event, translated(occasion)]),
      },
      t`Answer 200 within 5 seconds, or the gateway delivers the event again. The signature covers no time, so count an event once, whatever arrives twice. --callback-url listen selects the running listener; --tunnel makes it reachable from outside.`,
    ],
  }),
  team: () => ({
    title: t`Several people, several machines`,
    blocks: [
      t`Without anything else the ledger is on one machine. It records who sent each payment (the user of the system), and all people and processes that use it are protected from paying the same twice at the same moment.`,
      t`Two machines that pay from one account have a ledger each, and do not know of each other: repeats, refundable amounts and --max-day are judged by each machine alone. Send the payments of an account from one machine, or share one ledger in a PostgreSQL database: then every decision is made under one lock, and everybody sees every payment. Without the database nothing is sent.`,
      t`What holds across machines in any case: the gateway carries out each external id once. Rows of the same file under the same --reference have the same ids everywhere, so that they are paid once. Give transfers an --external-id, such as the number of the invoice.`,
      {
        items: [
          ['pixgate ledger init <url>', t`prepares a database, once, as its owner`],
          ['pixgate ledger join <url>', t`shares the ledger of the active account`],
          ['pixgate profile add --ledger <url>', t`the same for the account of a new profile`],
          ['pixgate ledger show', t`where the records are, and what waits on this machine`],
          ['pixgate doctor', t`examines the server, the login and the copy of this machine`],
          ['pixgate history --by maria', t`payments that a user sent`],
          ['pixgate profile add --read-only', t`a profile that can look up, but not send`],
          ['pixgate history backup <file>', t`copies the ledger while others use it`],
        ],
      },
    ],
  }),
  'exit-codes': () => ({
    title: t`Exit codes`,
    blocks: [
      {
        items: [
          ['0', t`done`],
          ['1', t`refused: the gateway said no, the signature is wrong, the status is not the expected one`],
          ['2', t`the command line, a file or the environment is wrong; nothing was sent`],
          ['3', t`not found: check the id and the profile`],
          ['4', t`no credentials, or refused ones: fix the profile or the allowlist`],
          ['5', t`outcome unknown: the request may have been carried out; see \`pixgate help unknown-outcomes\``],
          [
            '6',
            t`the gateway was not reached or the ledger is busy, and nothing was sent; or a query got no usable answer. Repeat it`,
          ],
          ['7', t`rate limited: wait`],
          ['8', t`still pending when the wait ended: wait longer`],
          ['70', t`a defect of pixgate: report it`],
          ['130', t`interrupted or declined: of a payment nothing was sent, of a batch the summary says what was`],
          ['143, 129', t`the same, after SIGTERM or when the terminal was closed`],
        ],
      },
      t`With several results, the exit code is the first of 70, 5, 4, 7, 6, 8, 3, 1, 0 that occurred.`,
      t`An error is one sentence, its details, and a hint with the command to type. With -o json it is one line of JSON on stderr: {"error":{"code","message","details","hint","httpStatus","outcome","exitCode"}}.`,
    ],
  }),
  states: () => ({
    title: t`The states of a payment`,
    blocks: [
      t`Every screen says the same word for a state; the column knownBy names who says so. --state and JSON have hyphens: not-sent, being-sent, not-paid.`,
      {
        items: stateTable().map(
          ({ word, kinds, when, toDo }): HelpItem => [
            kinds.length === PAYMENT_KINDS.length ? word : t`${word} (${kinds.map(translated).join(', ')})`,
            toDo === '' ? when : t`${when}. ${toDo}`,
          ],
        ),
      },
      t`The gateway's own words, such as PROCESSING or PAID_OUT, are in the column status. Of the rows of a batch that are not sent, history lists those that were recorded; the others were not started.`,
    ],
  }),
  environment: () => ({
    title: t`Environment variables and files`,
    blocks: [
      {
        items: [
          ['PIXGATE_PROFILE', '--profile'],
          ['PIXGATE_BASE_URL', '--base-url'],
          ['PIXGATE_OUTPUT', '--output'],
          ['PIXGATE_TIMEOUT', '--timeout'],
          ['PIXGATE_LANG', t`--lang; without it the profile, pixgate lang, LC_ALL, LC_MESSAGES or LANG decides`],
          [
            'PIXGATE_CLIENT_ID, PIXGATE_CLIENT_SECRET',
            t`credentials without a profile; the secret alone is enough to verify webhooks`,
          ],
          ['PIXGATE_CALLBACK_URL', t`the callback URL without a profile`],
          ['PGPASSWORD, PGPASSFILE', t`the password of a shared ledger, unless another source is stored`],
          ['PIXGATE_PREVIOUS_CLIENT_SECRET', t`also accepted for webhooks while the secret is changed`],
          ['PIXGATE_CONTROL_TOKEN', t`controls a sandbox that other machines reach`],
          ['PIXGATE_CONFIG_DIR', t`the folder of profiles.json, an absolute path`],
          ['PIXGATE_DATA_DIR', t`the folder of the ledger, ledger.db, an absolute path`],
          ['CI', t`never prompt, like --no-input`],
          ['NO_COLOR, FORCE_COLOR', t`colours off, or on without a terminal`],
          ['HTTPS_PROXY, NO_PROXY', t`the proxy; never used for this machine`],
          ['NODE_EXTRA_CA_CERTS', t`a file of further CA certificates`],
        ],
      },
      t`An option counts before a variable, and a variable before the profile. If a variable overrides the active profile, a line on stderr says so. Address, client id and secret always come from one source.`,
      t`\`pixgate doctor\` shows which folders and credentials are in use.`,
    ],
  }),
  global: () => ({
    title: t`Options that every command takes, before or after its name`,
    blocks: [
      {
        items: [
          ...GLOBAL_OPTIONS.map(({ flags, description }): HelpItem => [flags, translated(description)]),
          ['-h, --help', t`show help`],
          ['-V, --version', t`print the version`],
        ],
      },
      t`Durations are a whole number and a unit: 500ms, 30s, 10m, 2h, 7d. A value that begins with - is written --option=-value, or after --.`,
    ],
  }),
}
