import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const ADDRESS: readonly RejectedCommandLine[] = [
  [
    ['--base-url', 'gateway example.com'],
    [
      'error: `gateway example.com` from `--base-url` is not a base address',
      'hint: Write a complete URL, such as `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
  ],
  [
    ['--base-url', ''],
    [
      'error: `--base-url` is empty',
      'hint: Write a complete URL, such as `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
  ],
  [
    ['--base-url', 'https://gateway example.com'],
    [
      'error: `https://gateway example.com` from `--base-url` is not a base address',
      'hint: Write a complete URL, such as `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
  ],
  [
    ['--base-url', 'https://maria:secret@gateway.example.com'],
    [
      'error: The base address from `--base-url` must only have a scheme, host and path',
      'hint: Remove the user name, password, `?` and `#`; store credentials with `pixgate profile add shop`',
    ],
  ],
  [
    ['--base-url', 'https://gateway.example.com/?a=1'],
    [
      'error: The base address from `--base-url` must only have a scheme, host and path',
      'hint: Remove the user name, password, `?` and `#`; store credentials with `pixgate profile add shop`',
    ],
  ],
  [
    ['--base-url', 'http://gateway.example.com'],
    [
      'error: The base address `gateway.example.com` from `--base-url` uses http, which would expose the secret on the network',
      'hint: Write `https://gateway.example.com`; http is only allowed for local addresses',
    ],
  ],
  [
    [],
    [
      'error: `gateway` from `PIXGATE_BASE_URL` is not a base address',
      'hint: Write a complete URL, such as `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
    { env: { PIXGATE_BASE_URL: 'gateway' } },
  ],
  [
    [],
    [
      'error: `"https://gateway.example.com"` from `PIXGATE_BASE_URL` is not a base address',
      'hint: Remove the quotes around it, which `docker --env-file` keeps',
    ],
    { env: { PIXGATE_BASE_URL: '"https://gateway.example.com"' } },
  ],
  [
    [],
    [
      'error: The base address `10.0.0.1:8080` from `PIXGATE_BASE_URL` uses http, which would expose the secret on the network',
      'hint: Write `https://10.0.0.1:8080`; http is only allowed for local addresses',
    ],
    { env: { PIXGATE_BASE_URL: 'http://10.0.0.1:8080/v1' } },
  ],
]

const CREDENTIALS: readonly RejectedCommandLine[] = [
  [
    ['--base-url', 'https://gateway.example.com'],
    [
      'error: There are no credentials for `gateway.example.com`',
      'hint: Set `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET`, or create a profile with `pixgate profile add shop`; the built-in profile `local` only works for local addresses',
    ],
    { exit: 4 },
  ],
  [
    [],
    [
      'error: The environment has only some of the credentials: `PIXGATE_CLIENT_SECRET` is missing',
      '  Address, client id and secret must come from one source; nothing was sent',
      'hint: Set `PIXGATE_BASE_URL`, `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` together, or select a profile with `--profile local`',
    ],
    { exit: 4, env: { PIXGATE_CLIENT_ID: 'a' } },
  ],
  [
    [],
    [
      'error: The environment has only some of the credentials: `PIXGATE_CLIENT_ID` is missing',
      '  Address, client id and secret must come from one source; nothing was sent',
      'hint: Set `PIXGATE_BASE_URL`, `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` together, or select a profile with `--profile local`',
    ],
    { exit: 4, env: { PIXGATE_CLIENT_SECRET: 'a' } },
  ],
  [
    [],
    [
      'error: The environment has only some of the credentials: `PIXGATE_BASE_URL` is missing',
      '  Address, client id and secret must come from one source; nothing was sent',
      'hint: Set `PIXGATE_BASE_URL`, `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` together, or select a profile with `--profile local`',
    ],
    { exit: 4, env: { PIXGATE_CLIENT_ID: 'a', PIXGATE_CLIENT_SECRET: 'b', PIXGATE_BASE_URL: undefined } },
  ],
  [
    [],
    [
      'error: `PIXGATE_CLIENT_ID` contains a character that is not allowed in an HTTP header',
      'hint: Copy the value again without line breaks or accents',
    ],
    { env: { PIXGATE_CLIENT_ID: 'a\nb', PIXGATE_CLIENT_SECRET: 'b' } },
  ],
  [
    [],
    [
      'error: `PIXGATE_CLIENT_ID` has a blank or a line end around its value',
      'hint: Remove it: save a file of variables with the line ends of Linux (LF), without blanks behind the values',
    ],
    { env: { PIXGATE_CLIENT_ID: 'a\r', PIXGATE_CLIENT_SECRET: 'b\r' } },
  ],
  [
    [],
    [
      'error: `PIXGATE_CLIENT_SECRET` contains a character that is not allowed in an HTTP header',
      'hint: Copy the value again without line breaks or accents',
    ],
    { env: { PIXGATE_CLIENT_ID: 'a', PIXGATE_CLIENT_SECRET: 'é' } },
  ],
  [
    ['-p', 'nope'],
    [
      'error: There is no profile `nope`',
      'hint: List all profiles with `pixgate profile list`, or create this one with `pixgate profile add nope`',
    ],
  ],
  [
    [],
    [
      'error: There is no profile `nope`',
      'hint: List all profiles with `pixgate profile list`, or create this one with `pixgate profile add nope`',
    ],
    { env: { PIXGATE_PROFILE: 'nope' } },
  ],
]

it('says how a base address is written', () => expectRejected(['status', 'x'], ADDRESS))

it('says which credentials are missing, exit 4, or malformed', () => expectRejected(['status', 'x'], CREDENTIALS))
