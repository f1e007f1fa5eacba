import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const BODIES: readonly RejectedCommandLine[] = [
  [
    ['--from', '-'],
    [
      'error: `--from -` does not contain a JSON object',
      'hint: Write the request body as JSON, for example {"amount": 10.5, "requestNumber": "order-17"}',
    ],
    { stdin: '' },
  ],
  [
    ['--from', '-'],
    [
      'error: `--from -` does not contain a JSON object',
      'hint: Write the request body as JSON, for example {"amount": 10.5, "requestNumber": "order-17"}',
    ],
    { stdin: '[1]' },
  ],
  [
    ['--from', '-'],
    [
      'error: `--from -` does not contain a JSON object',
      'hint: Write the request body as JSON, for example {"amount": 10.5, "requestNumber": "order-17"}',
    ],
    { stdin: '{"amount":' },
  ],
]

const FIELDS: readonly RejectedCommandLine[] = [
  [
    ['--from', '-'],
    ['error: `--amount` is missing', 'hint: Add `--amount 10,50`, or see `--help` for examples'],
    { stdin: '{}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `amount` of the request body must be a JSON number above 0 with at most two decimals',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":"x"}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `amount` of the request body must be a JSON number above 0 with at most two decimals',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":0}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `amount` of the request body must be a JSON number above 0 with at most two decimals',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":1.234}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `shippingAmount` of the request body must be a JSON number with at most two decimals',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"shippingAmount":"a"}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `dueDate` of the request body must be a JSON string that is not blank and has no control characters',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"dueDate":5}' },
  ],
  [
    ['--from', '-'],
    [
      'error: `dueDate`: `soon` is not a valid due date',
      'hint: Type a day like `21/11/2026`, `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
    ],
    { stdin: '{"amount":10,"dueDate":"soon"}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `callbackUrl` of the request body must be a URL such as https://shop.example.com/pix, of at most 2048 characters',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"callbackUrl":"x"}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `requestNumber` of the request body must be a JSON string that is not blank and has no control characters',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"requestNumber":7}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `requestNumber` of the request body must be a JSON string that is not blank and has no control characters',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"requestNumber":""}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `usernameCheckout` of the request body must be a JSON string that is not blank and has no control characters',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"usernameCheckout":"a\\nb"}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `client` of the request body must be a JSON object',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"client":"x"}' },
  ],
  [
    ['--from', '-'],
    [
      'error: `client.taxId`: `1` is neither a CPF nor a CNPJ',
      'hint: Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
    ],
    { stdin: '{"amount":10,"client":{"taxId":"1"}}' },
  ],
  [
    ['--from', '-'],
    ['error: `client.email`: `x` is not an e-mail address', 'hint: Write it like `maria@example.com`'],
    { stdin: '{"amount":10,"client":{"email":"x"}}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `client.name` of the request body must be a JSON string that is not blank and has no control characters',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"client":{"name":" "}}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `split` of the request body must be a JSON object',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"split":[]}' },
  ],
  [
    ['--from', '-'],
    [
      'error: `--split-username` and `--split-percentage` must be used together',
      'hint: Add both, for example `--split-username partner --split-percentage 10`',
    ],
    { stdin: '{"amount":10,"split":{"username":"a"}}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `split.percentageSplit` of the request body must be a JSON number above 0 and at most 100',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"split":{"username":"a","percentageSplit":"5"}}' },
  ],
  [
    ['--from', '-'],
    [
      'error: The field `split.percentageSplit` of the request body must be a JSON number above 0 and at most 100',
      'hint: Correct the file, or set the value with an option',
    ],
    { stdin: '{"amount":10,"split":{"username":"a","percentageSplit":200}}' },
  ],
]

it('says what a request body is', () => expectRejected(['qr', 'create'], BODIES))

it('names the field of the request body that is malformed', () => expectRejected(['qr', 'create'], FIELDS))
