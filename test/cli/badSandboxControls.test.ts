import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const CONTROLS: readonly RejectedCommandLine[] = [
  [
    ['fault', 'nope'],
    [
      'error: `<kind>`: There is no fault `nope`',
      'hint: Choose one of status:500, drop-before, drop-after, slow:10s, garbage, html, garbage-before, html-before, NO_FUNDS, PIX_KEY_NOT_FOUND, DOCUMENT_VALIDATE, DUPLICATE_EXTERNAL_ID, UNAUTHORIZED_IP, ACCOUNT_DOCUMENTS_NOT_VALIDATED, OPERATION_EXCEEDS_LIMIT, WRONG_DATA_FORMAT, webhook:lost, webhook:twice, webhook:late:10s, webhook:reorder, webhook:unsigned, webhook:bad-signature',
    ],
  ],
  [
    ['fault', 'status:999'],
    [
      'error: `<kind>`: There is no fault `status:999`',
      'hint: Choose one of status:500, drop-before, drop-after, slow:10s, garbage, html, garbage-before, html-before, NO_FUNDS, PIX_KEY_NOT_FOUND, DOCUMENT_VALIDATE, DUPLICATE_EXTERNAL_ID, UNAUTHORIZED_IP, ACCOUNT_DOCUMENTS_NOT_VALIDATED, OPERATION_EXCEEDS_LIMIT, WRONG_DATA_FORMAT, webhook:lost, webhook:twice, webhook:late:10s, webhook:reorder, webhook:unsigned, webhook:bad-signature',
    ],
  ],
  [
    ['fault', 'webhook:late:1'],
    ['error: `<kind>`: The duration `1` has no unit', 'hint: Type `1s` for seconds'],
  ],
  [
    ['fault', 'drop-after', '--async'],
    [
      'error: `<kind>`: The fault `drop-after` cannot happen after a transfer was accepted',
      'hint: Use a cash-out code such as `NO_FUNDS`, or omit `--async`',
    ],
  ],
  [
    ['fault', 'NO_FUNDS', '--on', 'refund'],
    ['error: `--on`: A cash-out code cannot happen at `refund`', 'hint: Use `transfer`, or an external id'],
  ],
  [
    ['fault', 'webhook:lost', '--on', 'status'],
    ['error: `--on`: A status query sends no webhook', 'hint: Use `qr`, `refund`, `transfer` or an id'],
  ],
]

const BEYOND: readonly RejectedCommandLine[] = [
  [
    ['pay', 'x', '--base-url', 'https://gateway.example.com'],
    [
      'error: `gateway.example.com` is not on this machine, and only a sandbox on this machine can be controlled',
      'hint: Set `--base-url` to the address that `pixgate sandbox` printed',
    ],
  ],
  [
    ['reset', '--base-url', 'https://gateway.example.com'],
    [
      'error: `gateway.example.com` is not on this machine, and only a sandbox on this machine can be controlled',
      'hint: Set `--base-url` to the address that `pixgate sandbox` printed',
    ],
  ],
  [
    ['state'],
    [
      'error: `gateway.example.com` is not on this machine, and only a sandbox on this machine can be controlled',
      'hint: Set `--base-url` to the address that `pixgate sandbox` printed',
    ],
    { env: { PIXGATE_BASE_URL: 'https://gateway.example.com' } },
  ],
]

it('says what a control command takes', () => expectRejected(['sandbox'], CONTROLS))

it('controls a sandbox on this machine only', () => expectRejected(['sandbox'], BEYOND))
