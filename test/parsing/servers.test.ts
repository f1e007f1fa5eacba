import { expect, it } from 'vitest'
import { type Rejected, rejection, wordsOf } from '../parsedCommandLine.ts'

const REJECTED: readonly Rejected[] = [
  ['webhook listen --port=x', '`x` is not a valid value for `--port`', 'Use a whole number from 0 to 65535'],
  [
    'webhook listen --max-events=x',
    '`x` is not a valid value for `--max-events`',
    'Use a whole number from 1 to 1000000000',
  ],
  ['webhook listen --for=5', '`--for`: The duration `5` has no unit', 'Type `5s` for seconds'],
  ['webhook listen --timeout=5', '`--timeout`: The duration `5` has no unit', 'Type `5s` for seconds'],
  [
    'webhook listen --forward-to x',
    '`x` is not a valid URL for `--forward-to`',
    'Write a complete URL, for example `--forward-to https://shop.example.com/pix`',
  ],
  [
    'webhook listen --forward-to=',
    '`--forward-to` is empty',
    'Write a complete URL, for example `--forward-to https://shop.example.com/pix`',
  ],
  [
    'webhook listen --forward-to ftp://ana:secret@a/',
    '`ftp://••••@a/` is not a valid URL for `--forward-to`',
    'Write a complete URL, for example `--forward-to https://shop.example.com/pix`',
  ],
  [
    'webhook listen --public-url x',
    '`x` is not a valid URL for `--public-url`',
    'Write a complete URL, for example `--public-url https://shop.example.com/pix`',
  ],
  [
    'webhook listen --public-url=',
    '`--public-url` is empty',
    'Write a complete URL, for example `--public-url https://shop.example.com/pix`',
  ],
  [
    'webhook listen --public-url ftp://ana:secret@a/',
    '`ftp://••••@a/` is not a valid URL for `--public-url`',
    'Write a complete URL, for example `--public-url https://shop.example.com/pix`',
  ],
  [
    'webhook listen --path=x',
    '`--path`: `x` is not a path',
    'Write it like `--path /webhooks/pix`, without `?` and `#`',
  ],
  ['webhook listen --path=', '`--path`: `` is not a path', 'Write it like `--path /webhooks/pix`, without `?` and `#`'],
  [
    'webhook listen --path=/a?b',
    '`--path`: `/a?b` is not a path',
    'Write it like `--path /webhooks/pix`, without `?` and `#`',
  ],
  [
    'webhook listen --path=/a#b',
    '`--path`: `/a#b` is not a path',
    'Write it like `--path /webhooks/pix`, without `?` and `#`',
  ],
  [
    ['webhook', 'listen', '--path=/a b'],
    '`--path`: `/a b` is not a path',
    'Write it like `--path /webhooks/pix`, without `?` and `#`',
  ],
  [
    'webhook listen --path=https://a/b',
    '`--path`: `https://a/b` is not a path',
    'Write it like `--path /webhooks/pix`, without `?` and `#`',
  ],
  ['webhook listen --host=', '`--host` is empty', 'Add a value after `--host`'],
  ['webhook listen --tunnel=', '`--tunnel` is empty', 'Add a value after `--tunnel`'],
  [
    'webhook listen --events=',
    '`--events ` contains an empty event name',
    'Write names with commas between them: `--events pix.received,refund.status`',
  ],
  [
    'webhook listen --events=,',
    '`--events ,` contains an empty event name',
    'Write names with commas between them: `--events pix.received,refund.status`',
  ],
  [
    'webhook listen --events=pix.received,',
    '`--events pix.received,` contains an empty event name',
    'Write names with commas between them: `--events pix.received,refund.status`',
  ],
  [
    ['webhook', 'listen', '--events=a, ,b'],
    '`--events a, ,b` contains an empty event name',
    'Write names with commas between them: `--events pix.received,refund.status`',
  ],
  [
    'webhook listen --header=',
    '`--header` takes `name: value`, not ``',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    'webhook listen --header=x',
    '`--header` takes `name: value`, not `x`',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    'webhook listen --header=:',
    '`--header` takes `name: value`, not `:`',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    ['webhook', 'listen', '--header=: a'],
    '`--header` takes `name: value`, not `: a`',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    ['webhook', 'listen', '--header=a b: c'],
    '`--header` takes `name: value`, not `a b: c`',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    'webhook listen --header=X-Env=test',
    '`--header` takes `name: value`, not `X-Env=test`',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    ['webhook', 'listen', '--header=é: 1'],
    '`--header` takes `name: value`, not `é: 1`',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    ['webhook', 'listen', '--header=a: ☃'],
    '`--header` takes `name: value`, not `a: ☃`',
    "Write them with a colon in between: `--header 'X-Env: test'`",
  ],
  [
    ['webhook', 'listen', '--header', 'Host: 1'],
    '`--header Host` cannot be set, because it depends on the connection to your server',
    'Omit it; pixgate sets the host and the length itself',
  ],
  [['sandbox', 'pay', ''], '`<id>` is empty', 'Replace `<id>` with a value'],
  [['sandbox', 'pay', ' '], '`<id>` is empty', 'Replace `<id>` with a value'],
  [
    'sandbox expire a\u0007',
    '`<id>` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    ['sandbox', 'fail', 'x', '--error-code', ''],
    '`--error-code`: `` is not an error code',
    'Write it in capital letters, like `--error-code NO_FUNDS`',
  ],
  [
    'sandbox fail x --error-code lower',
    '`--error-code`: `lower` is not an error code',
    'Write it in capital letters, like `--error-code NO_FUNDS`',
  ],
  [
    ['webhook', 'listen', '--header', 'content-length: 1'],
    '`--header content-length` cannot be set, because it depends on the connection to your server',
    'Omit it; pixgate sets the host and the length itself',
  ],
  [
    ['webhook', 'listen', '--header', 'Transfer-Encoding: 1'],
    '`--header Transfer-Encoding` cannot be set, because it depends on the connection to your server',
    'Omit it; pixgate sets the host and the length itself',
  ],
  [
    'webhook listen --for 1s --timeout 2s',
    '`--for 1s` and `--timeout 2s` conflict',
    'Use only one of them; they are the same option',
  ],
  ['webhook listen --port 0 --port 1', '`--port` is given twice, as `0` and as `1`', 'Use `--port` only once'],
  ['webhook listen --path /a --path /b', '`--path` is given twice, as `/a` and as `/b`', 'Use `--path` only once'],
  [
    'webhook listen 4242',
    'Unexpected argument `4242` for `pixgate webhook listen`',
    'Quote values that contain spaces, or run `pixgate webhook listen --help`',
  ],
  [
    'webhook listen --secret x',
    '`pixgate webhook listen` has no option `--secret`',
    'Run `pixgate webhook listen --help`',
  ],
  [['sandbox', 'fault', ''], '`<kind>` is empty', 'Replace `<kind>` with a value'],
  [['sandbox', 'fault', 'html', '--on', ' '], '`--on` is empty', 'Add a value after `--on`'],
  [
    'sandbox fault NO_FUNDS --times 0',
    '`0` is not a valid value for `--times`',
    'Use a whole number from 1 to 1000000',
  ],
  [
    'sandbox advance abc',
    '`<duration>`: `abc` is not a duration',
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ],
  ['sandbox start --port abc', '`abc` is not a valid value for `--port`', 'Use a whole number from 0 to 65535'],
  [['sandbox', 'start', '--host', ''], '`--host` is empty', 'Add a value after `--host`'],
  [['sandbox', 'start', '--client-id', ''], '`--client-id` is empty', 'Add a value after `--client-id`'],
  [['sandbox', 'start', '--client-secret', ' '], '`--client-secret` is empty', 'Add a value after `--client-secret`'],
  [
    ['sandbox', 'start', '--client-secret', 'a\nb'],
    '`--client-secret` contains a line break or another control character',
    'Type the value on a single line',
  ],
  ['sandbox start --signature rsa', '`rsa` is not a valid value for `--signature`', 'Use one of: hex, base64'],
  [
    'sandbox start --webhook-style cobol',
    '`cobol` is not a valid value for `--webhook-style`',
    'Use one of: java, php, python, javascript',
  ],
  [
    'sandbox start --base-url-name http://gateway',
    '`--base-url-name`: `http://gateway` is not a host name',
    'Give the name alone, without `http://` and port: `--base-url-name gateway`',
  ],
  [['sandbox', 'start', '--control-token', ''], '`--control-token` is empty', 'Add a value after `--control-token`'],
  [
    'sandbox start --status-key state',
    '`state` is not a valid value for `--status-key`',
    'Did you mean `status`? Use one of: status, statusTransaction',
  ],
  [
    'sandbox start --refund-event both',
    '`both` is not a valid value for `--refund-event`',
    'Use one of: originalTransactionId, repeated-key',
  ],
  [
    'sandbox start --deliver-attempts 0',
    '`0` is not a valid value for `--deliver-attempts`',
    'Use a whole number from 1 to 100',
  ],
  ['sandbox start --auto-pay 3', '`--auto-pay`: The duration `3` has no unit', 'Type `3s` for seconds'],
  [
    ['sandbox', 'start', '--latency', ''],
    '`--latency`: The duration is empty',
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ],
  ['sandbox start --balance ten', '`--balance`: `ten` is not an amount', 'Type it like `10.50`, `10,50` or `1.234,56`'],
  [['sandbox', 'start', '--partner', ''], '`--partner` is empty', 'Add a value after `--partner`'],
  [
    'sandbox start --dashboard-webhook x',
    '`x` is not a valid URL for `--dashboard-webhook`',
    'Write a complete URL, for example `--dashboard-webhook https://shop.example.com/pix`',
  ],
  [
    ['sandbox', 'start', '--dashboard-webhook', ''],
    '`--dashboard-webhook` is empty',
    'Write a complete URL, for example `--dashboard-webhook https://shop.example.com/pix`',
  ],
  ['sandbox exec --port x -- true', '`x` is not a valid value for `--port`', 'Use a whole number from 0 to 65535'],
  [
    'sandbox exec --env A=B -- true',
    '`--env`: `A=B` is not the name of an environment variable',
    'Write the name alone, like `--env GATEWAY_URL`',
  ],
  [
    'sandbox exec --auto-pay x -- true',
    '`--auto-pay`: `x` is not a duration',
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ],
]

it.each(REJECTED)('says what the options of a listener and a sandbox take: %j', async (typed, message, hint) => {
  expect(await rejection(wordsOf(typed))).toEqual([message, hint])
})
