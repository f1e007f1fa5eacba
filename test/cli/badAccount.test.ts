import { it } from 'vitest'
import { expectRefused, type Refusal } from './refusals.ts'

const ADDRESS: readonly Refusal[] = [
  [
    ['--base-url', 'gateway.example.com'],
    [
      'error: `gateway.example.com` from `--base-url` is not a base address',
      'hint: Write the whole address: `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
  ],
  [
    ['--base-url', ''],
    [
      'error: `--base-url` is empty',
      'hint: Write the whole address: `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
  ],
  [
    ['--base-url', 'https://gateway example.com'],
    [
      'error: `https://gateway example.com` from `--base-url` is not a base address',
      'hint: Write the whole address: `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
  ],
  [
    ['--base-url', 'https://maria:secret@gateway.example.com'],
    [
      'error: The base address from `--base-url` must be scheme, host and path only',
      'hint: Remove user name, password, `?` and `#` from it; credentials have their own place',
    ],
  ],
  [
    ['--base-url', 'https://gateway.example.com/?a=1'],
    [
      'error: The base address from `--base-url` must be scheme, host and path only',
      'hint: Remove user name, password, `?` and `#` from it; credentials have their own place',
    ],
  ],
  [
    ['--base-url', 'http://gateway.example.com'],
    [
      'error: The base address `gateway.example.com` from `--base-url` is http, which would show the secret on the way',
      'hint: Write `https://gateway.example.com`; http is for addresses of this machine only',
    ],
  ],
  [
    [],
    [
      'error: `gateway` from `PIXGATE_BASE_URL` is not a base address',
      'hint: Write the whole address: `https://gateway.example.com` or `http://127.0.0.1:4010`',
    ],
    { env: { PIXGATE_BASE_URL: 'gateway' } },
  ],
  [
    [],
    [
      'error: The base address `10.0.0.1:8080` from `PIXGATE_BASE_URL` is http, which would show the secret on the way',
      'hint: Write `https://10.0.0.1:8080`; http is for addresses of this machine only',
    ],
    { env: { PIXGATE_BASE_URL: 'http://10.0.0.1:8080/v1' } },
  ],
]

const CREDENTIALS: readonly Refusal[] = [
  [
    ['--base-url', 'https://gateway.example.com'],
    [
      'error: There are no credentials for `gateway.example.com`',
      'hint: Set `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET`, or add a profile with `pixgate profile add shop`; the built-in profile `local` is for addresses of this machine only',
    ],
    { exit: 4 },
  ],
  [
    [],
    [
      'error: The environment has a part of the credentials, but `PIXGATE_CLIENT_SECRET` is missing',
      '  Address, id and secret come from one source, never from several; nothing was sent',
      'hint: Set `PIXGATE_BASE_URL`, `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` together, or name a profile: `--profile local`',
    ],
    { exit: 4, env: { PIXGATE_CLIENT_ID: 'a' } },
  ],
  [
    [],
    [
      'error: The environment has a part of the credentials, but `PIXGATE_CLIENT_ID` is missing',
      '  Address, id and secret come from one source, never from several; nothing was sent',
      'hint: Set `PIXGATE_BASE_URL`, `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` together, or name a profile: `--profile local`',
    ],
    { exit: 4, env: { PIXGATE_CLIENT_SECRET: 'a' } },
  ],
  [
    [],
    [
      'error: The environment has a part of the credentials, but `PIXGATE_BASE_URL` is missing',
      '  Address, id and secret come from one source, never from several; nothing was sent',
      'hint: Set `PIXGATE_BASE_URL`, `PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` together, or name a profile: `--profile local`',
    ],
    { exit: 4, env: { PIXGATE_CLIENT_ID: 'a', PIXGATE_CLIENT_SECRET: 'b', PIXGATE_BASE_URL: undefined } },
  ],
  [
    [],
    [
      'error: `PIXGATE_CLIENT_ID` holds a character that no HTTP header can carry',
      'hint: Copy the value again without line break, space around it or accents',
    ],
    { env: { PIXGATE_CLIENT_ID: 'a\nb', PIXGATE_CLIENT_SECRET: 'b' } },
  ],
  [
    [],
    [
      'error: `PIXGATE_CLIENT_SECRET` holds a character that no HTTP header can carry',
      'hint: Copy the value again without line break, space around it or accents',
    ],
    { env: { PIXGATE_CLIENT_ID: 'a', PIXGATE_CLIENT_SECRET: 'é' } },
  ],
  [
    ['-p', 'nope'],
    [
      'error: There is no profile `nope`',
      'hint: Run `pixgate profile list` to list the profiles, or `pixgate profile add nope` to add this one',
    ],
  ],
  [
    [],
    [
      'error: There is no profile `nope`',
      'hint: Run `pixgate profile list` to list the profiles, or `pixgate profile add nope` to add this one',
    ],
    { env: { PIXGATE_PROFILE: 'nope' } },
  ],
]

it('says how a base address is written', () => expectRefused(['status', 'x'], ADDRESS))

it('says which credentials are missing, exit 4, or malformed', () => expectRefused(['status', 'x'], CREDENTIALS))
