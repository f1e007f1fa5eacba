import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { pythonWith } from '../docs/receivers.ts'
import { freePort } from '../freePort.ts'
import { emptyWorld, NODE } from '../world.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'receivers')

/** A receiver, what `webhook check` must say of it, and a part of the fix that it must name. */
interface Case {
  language: string
  mistake: string
  /** The names of the samples that it handles wrongly, as a pattern of all of them; undefined if it is right. */
  bad?: RegExp
  cause?: string | null
  fix?: string
  /** `webhook check` reads what it has credited. */
  isWatched?: boolean
}

const FIRST = /^pix\.received\/PAID /
const PARSED = (writer: string) =>
  `It accepts only what ${writer} writes: the body is parsed and written again before it is verified`

const CASES: readonly Case[] = [
  { language: 'node', mistake: 'right', isWatched: true },
  { language: 'node', mistake: 'proxy' },
  { language: 'express', mistake: 'right' },
  { language: 'python', mistake: 'right' },
  { language: 'python', mistake: 'single-threaded' },
  { language: 'flask', mistake: 'right' },
  { language: 'php', mistake: 'right' },
  { language: 'ruby', mistake: 'right' },
  { language: 'go', mistake: 'right' },
  {
    language: 'php',
    mistake: 'no-check',
    bad: /^unsigned forged forged\/beginning forged\/short forged\/empty$/,
    cause: 'It accepts webhooks that anybody could send: the signature is not checked',
    fix: 'In PHP, compare',
  },
  {
    language: 'python',
    mistake: 'unsigned-taken',
    bad: /^unsigned$/,
    cause: 'It checks a signature only if there is one, so it accepts unsigned webhooks that anybody could send',
    fix: 'In Python, compare',
  },
  { language: 'node', mistake: 'reserialised', bad: FIRST, cause: PARSED('JavaScript'), fix: 'In Node.js, verify' },
  { language: 'express', mistake: 'parsed', bad: FIRST, cause: PARSED('JavaScript'), fix: 'In Node.js, verify' },
  { language: 'python', mistake: 'reserialised', bad: FIRST, cause: PARSED('Python'), fix: 'In Python, verify' },
  { language: 'flask', mistake: 'parsed', bad: FIRST, cause: PARSED('Python'), fix: 'In Python, verify' },
  { language: 'php', mistake: 'parsed', bad: FIRST, cause: PARSED('PHP'), fix: 'In PHP, verify' },
  { language: 'ruby', mistake: 'wrong-secret', bad: FIRST, cause: null },
  {
    language: 'python',
    mistake: 'secret-line-break',
    bad: FIRST,
    cause: 'Its secret ends with a line break',
    fix: 'Trim the secret',
  },
  {
    language: 'php',
    mistake: 'trimmed',
    bad: /^line-break$/,
    cause: 'It refuses a body with a line break at its end: the body is trimmed before it is verified',
    fix: 'In PHP, verify',
  },
  { language: 'go', mistake: 'base64', bad: FIRST, cause: 'It takes the signature only in the other encoding' },
  // The service never sends capitals.
  { language: 'ruby', mistake: 'case' },
  {
    language: 'php',
    mistake: 'first-8',
    bad: /^forged\/beginning forged\/short$/,
    cause: 'It accepts a signature of which only the beginning is right',
    fix: 'In PHP, compare',
  },
  {
    language: 'node',
    mistake: 'slow',
    bad: /^pix\.received\/PAID$/,
    cause: 'It answers after 5 s, when the service has given up and delivers again',
  },
  {
    language: 'flask',
    mistake: '204',
    bad: FIRST,
    cause: 'It answers 2xx other than 200, so the service delivers again',
  },
  {
    language: 'python',
    mistake: 'redirect',
    bad: FIRST,
    cause: 'It redirects, and webhooks do not follow redirects',
  },
  {
    language: 'php',
    mistake: 'expired',
    bad: /^pix\.received\/EXPIRED$/,
    cause: 'It fails with 5xx instead of answering',
  },
  {
    language: 'python',
    mistake: 'repeated-key',
    bad: /^repeated-key$/,
    cause: 'It fails with 5xx instead of answering',
  },
  {
    language: 'php',
    mistake: 'unknown-payment',
    bad: FIRST,
    cause: 'It answers 404 to a payment that it does not know',
  },
  {
    language: 'node',
    mistake: 'consumed',
    bad: FIRST,
    cause: 'It expects the signature `hmac-sha256(secret, "")`, not `hmac-sha256(secret, body)`',
  },
  {
    language: 'node',
    mistake: 'twice',
    isWatched: true,
    bad: /^repeated at-once$/,
    cause: 'The shop shows something else after the same bytes arrived again',
  },
  {
    language: 'node',
    mistake: 'by-name',
    isWatched: true,
    bad: /^unpaid$/,
    cause: 'The shop shows something else after a payment that was not paid, as if it had been',
  },
  ...(['node', 'express', 'python', 'flask', 'php', 'ruby', 'go'] as const).map(
    (language): Case => ({
      language,
      mistake: 'race',
      isWatched: true,
      bad: /^at-once$/,
      cause: 'It credits a payment more than once if its webhooks arrive at the same time',
      fix: 'Write the event',
    }),
  ),
]

const flask = pythonWith('flask')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const MISSING: Readonly<Record<string, string | undefined>> = {
  flask: flask === undefined ? 'python3-flask' : undefined,
  php: has('php') ? undefined : 'php',
  ruby: has('ruby') ? undefined : 'ruby',
  go: has('go') ? undefined : 'go',
}
for (const [language, program] of Object.entries(MISSING)) {
  if (program !== undefined) console.warn(`SKIPPED: ${program} is missing, so no receiver in ${language} is checked`)
}

/** Starts a receiver and returns its URL. */
async function start(language: string, mistake: string): Promise<string> {
  if (language === 'node' && mistake === 'proxy') {
    const behind = new URL(await start('flask', 'right'))
    return run([NODE, 'server.mjs', 'proxy', behind.origin])
  }
  const port = await freePort()
  switch (language) {
    case 'flask':
      return run([String(flask), 'flask_server.py', mistake, String(port)], port)
    case 'php':
      return run(['php', '-S', `127.0.0.1:${port}`, 'server.php'], port, {
        MISTAKE: mistake,
        STATE: emptyWorld().home,
        PHP_CLI_SERVER_WORKERS: '8',
      })
    case 'go':
      return run(['go', 'run', 'server.go', mistake])
    case 'ruby':
      return run(['ruby', 'server.rb', mistake])
    case 'python':
      return run(['python3', 'server.py', mistake])
    default:
      return run([NODE, language === 'express' ? 'express_server.mjs' : 'server.mjs', mistake])
  }
}

/** Runs a server on this port, or on the one that it prints. */
async function run(
  [program = '', ...words]: string[],
  port?: number,
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(program, words, {
    cwd: FOLDER,
    env: { ...process.env, ...env },
    stdio: ['ignore', port === undefined ? 'pipe' : 'ignore', 'ignore'],
    detached: true,
  })
  // `go run` has a child of its own.
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
  if (child.stdout === null) {
    const url = `http://127.0.0.1:${port}/pix`
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
    return url
  }
  const printed = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return `http://127.0.0.1:${printed.value}/pix`
}

for (const { language, mistake, bad, cause, fix, isWatched } of CASES) {
  const needs = mistake === 'proxy' ? 'flask' : language
  it.skipIf(MISSING[needs] !== undefined)(`${language}: ${mistake}`, async () => {
    const url = await start(language, mistake)
    const world = emptyWorld()
    const command = ['webhook', 'check', url, ...(isWatched === true ? ['--state-url', new URL(url).origin] : [])]
    const { exit, stdout } = await world.run([...command, '-o', 'json'])
    const { checks } = JSON.parse(stdout)
    const wrong: { name: string; cause: string | null }[] = checks.filter(
      (check: { verdict: string }) => check.verdict === 'bad',
    )
    expect([exit, wrong.map(({ name }) => name).join(' ')]).toEqual([
      bad === undefined ? 0 : 1,
      expect.stringMatching(bad ?? /^$/),
    ])
    expect([...new Set(wrong.map((each) => each.cause))]).toEqual(bad === undefined ? [] : [cause])
    if (fix === undefined) return
    const fresh = await start(language, mistake)
    const again = ['webhook', 'check', fresh, ...(isWatched === true ? ['--state-url', new URL(fresh).origin] : [])]
    expect((await world.run(again)).stdout).toContain(`\n  ${fix}`)
  })
}
