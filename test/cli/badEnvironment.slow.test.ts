import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { STATIC } from '../pix/brCodeParts.ts'
import { BINARY, emptyWorld, IS_EXECUTABLE, NODE } from '../world.ts'
import { countingGateway, expectRejected } from './rejectedCommandLines.ts'

it('refuses a port that is in use', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.address()
  const port = String(typeof address === 'object' ? address?.port : address)
  const said = [
    `error: Port \`${port}\` on \`127.0.0.1\` is already in use`,
    'hint: Stop the program that uses this port, which may be another sandbox, or choose another port: `--port 0` picks a free one',
  ]
  await expectRejected(
    ['sandbox'],
    [
      [['--port', port], said],
      [['start', '--port', port], said],
      [['exec', '--port', port, '--', 'true'], said],
    ],
  )
})

it('refuses a due date that is past, and says what day or time it is', async () => {
  const gateway = await countingGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const create = async (dueDate: string) => {
    const { exit, stdout, stderr } = await world.run(['qr', 'create', '--amount', '10', '--due-date', dueDate])
    const withoutClock = stderr
      .replace(/`\d{4}-\d\d-\d\d` \(today/, '<today> (today')
      .replace(/\d\d\/\d\d\/\d{4} [\d:]{8} BRT\n$/, '<now>\n')
    return { exit, stdout, stderr: withoutClock }
  }
  expect(await create('2020-01-31')).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: `--due-date`: The due date `2020-01-31` is in the past\nhint: Use <today> (today in São Paulo) or a later date\n',
  })
  expect(await create('2020-01-31T12:00:00-03:00')).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: `--due-date`: The due date `2020-01-31T12:00:00-03:00` is in the past\nhint: Use a time after <now>\n',
  })
  expect(gateway.calls).toEqual([])
})

it('refuses values of 10 000 characters like short ones', async () => {
  const long = 'x'.repeat(10_000)
  await expectRejected(
    [],
    [
      [[long], [`error: \`pixgate\` has no command \`${long}\``, 'hint: See `pixgate --help` for a list of commands']],
      [
        ['transfer', '--key', long, '--amount', '10', '--yes'],
        [
          `error: \`--key\`: \`${long}\` is not a PIX key`,
          'hint: Type a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code',
        ],
      ],
      [
        ['qr', 'decode', long],
        [
          `error: \`${'x'.repeat(100)}…\` is neither a BR Code nor a readable file`,
          'hint: Enter the whole copy-and-paste code, which begins with `000201`, an image of it, or `-` for standard input',
        ],
      ],
    ],
  )
})

it('finds a bad address with doctor, whose verdict is on stdout, without asking', async () => {
  const gateway = await countingGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const { exit, stdout, stderr } = await world.run([
    'doctor',
    '--base-url',
    'http://gateway.example.com',
    '--json',
    '--fields',
    'ok,findings',
  ])
  const { ok, findings } = JSON.parse(stdout)
  expect({ exit, stderr, ok, last: findings.at(-1) }).toEqual({
    exit: 2,
    stderr: '',
    ok: false,
    last: {
      name: 'credentials',
      ok: false,
      finding:
        'The base address `gateway.example.com` from `--base-url` uses http, which would expose the secret on the network',
      hint: 'Write `https://gateway.example.com`; http is only allowed for local addresses',
    },
  })
  expect(gateway.calls).toEqual([])
})

it('names what other shells and programs make of what was typed', async () => {
  const world = emptyWorld()
  const said = async (words: readonly string[], env: Record<string, string> = {}, stdin?: string | Uint8Array) => {
    const { stdout, stderr } = await world.run(words, { env, ...(stdin === undefined ? {} : { stdin }) })
    return stdout + stderr
  }
  for (const [path, own] of [
    ['C:/Program Files/Git/webhook/banco', '//webhook/banco'],
    ['C:/Users/ana/AppData/Local/Programs/Git/pix', '//pix'],
    ['C:/Users/ana/scoop/apps/git/current/pix/git', '//pix/git'],
    ['D:\\msys64\\pix', '//pix'],
    ['C:/pix', '//c/pix'],
  ] as const) {
    expect(await said(['webhook', 'listen', '--path', path])).toContain(
      `hint: Type two slashes in Git Bash: \`--path ${own}\``,
    )
  }
  for (const words of [
    ['batch', 'transfer', 'C:\\Users\\ana\\lista.csv', '--dry-run'],
    ['history', 'check', '--statement', 'C:/Users/ana/lista.csv'],
  ]) {
    expect(await said(words)).toContain('hint: Check the path; in WSL it is `/mnt/c/Users/ana/lista.csv`')
  }
  expect(await said(['batch', 'transfer', '\\\\wsl$\\Ubuntu\\home\\ana\\lista.csv'])).toContain('`/home/ana/lista.csv`')
  expect(await said(['history'], { PIXGATE_DATA_DIR: 'C:\\Users\\ana' })).toContain('`/mnt/c/Users/ana`')
  for (const [path, hint] of [
    ['"C:\\Users\\ana\\lista.csv"', "Type only the quotes that the shell takes away: `'C:\\Users"],
    ['\\\\wsl$\\Ubuntu\\home\\ana\\lista.csv', 'Check the path; in WSL it is `/home/ana/lista.csv`'],
    ['file:///tmp/lista.csv', 'Use the path of the file, not its URL'],
  ] as const) {
    expect(await said(['batch', 'transfer', path, '--dry-run'])).toContain(`hint: ${hint}`)
  }
  const quoted = {
    PIXGATE_BASE_URL: 'http://127.0.0.1:9',
    PIXGATE_CLIENT_ID: '"loja"',
    PIXGATE_CLIENT_SECRET: "'segredo'",
  }
  const doctor = await said(['doctor'], quoted)
  for (const name of ['PIXGATE_CLIENT_ID', 'PIXGATE_CLIENT_SECRET']) {
    const count = (await said(['status', '3c0a6b1e-8f52-4d7a-9c44-1b2e3f405162'], quoted)).split(
      `\`${name}\` has quotes around its value`,
    ).length
    expect([name, count]).toEqual([name, 2])
  }
  expect(doctor).not.toContain('segredo')
})

it('names what a file of variables leaves around a value, before another ledger is begun', async () => {
  const world = emptyWorld()
  const folder = join(world.home, 'dados')
  for (const name of ['PIXGATE_DATA_DIR', 'PIXGATE_CONFIG_DIR', 'PIXGATE_PROFILE', 'PIXGATE_CALLBACK_URL']) {
    for (const [value, said] of [
      [`"${folder}"`, 'has quotes around its value\nhint: Remove the quotes'],
      [`${folder}\r`, 'has a blank or a line end around its value\nhint: Remove it: save a file of variables'],
      [`${folder} `, 'has a blank or a line end around its value'],
    ] as const) {
      const { exit, stderr } = await world.run(['history', 'list'], { env: { [name]: value } })
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`\`${name}\` ${said}`)])
    }
  }
  const quoted = await world.run(['history', 'list'], { env: { PIXGATE_LANG: "'pt-BR'" } })
  expect([quoted.exit, quoted.stderr]).toEqual([2, expect.stringContaining('`PIXGATE_LANG` has quotes')])
  expect(readdirSync(world.home).filter((name) => name.startsWith('dados'))).toEqual([])
})

it('reads a code that PowerShell pipes', async () => {
  const world = emptyWorld()
  const typed = `${STATIC}\r\n`
  for (const stdin of [
    Buffer.from(`\ufeff${typed}`, 'utf16le'),
    Buffer.from(typed, 'utf16le'),
    Buffer.from(`\ufeff${typed}`),
    Buffer.from(typed, 'utf16le').swap16(),
  ]) {
    expect((await world.run(['qr', 'decode', '-'], { stdin })).exit).toBe(0)
    expect((await world.run(['qr', 'draw', '-', '--no-qr'], { stdin })).stdout).toBe(`${STATIC}\n`)
  }
})

it.skipIf(IS_EXECUTABLE)('names an installation of which a part is missing, whatever part', () => {
  const { home, env } = emptyWorld()
  const from = dirname(dirname(BINARY))
  const to = join(home, 'package')
  mkdirSync(to)
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(from, name), join(to, name), { recursive: true })
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'))
  const transfer = () =>
    spawnSync(NODE, [join(to, 'bin', 'pixgate.js'), 'transfer', '--help'], { env, encoding: 'utf8' })
  expect(transfer().status).toBe(0)
  const parts = [/^transfer-.*\.js$/, /^run-.*\.js$/, /^main\.js$/]
  const ends = parts.map((part) => {
    for (const name of readdirSync(join(to, 'dist')).filter((each) => part.test(each))) rmSync(join(to, 'dist', name))
    const { status, stderr } = transfer()
    return { status, stderr }
  })
  const named = { status: 2, stderr: expect.stringMatching(/part of pixgate is missing|Cannot find module/) }
  expect(ends).toEqual([named, named, named])
})
