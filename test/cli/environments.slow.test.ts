import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { canTrace } from '../syscalls.ts'
import { BINARY, emptyWorld, NODE, type ProcessResult, type World } from '../world.ts'

const SECRET = 'a-secret-of-the-matrix'
const BODY = '{"event":"pix.received"}'
const CODE: string = JSON.parse(readFileSync(new URL('../fixtures/vectors.json', import.meta.url), 'utf8'))
  .brCodesValid[0].code

/** Commands of each kind. Those that pay are run twice, from two folders. */
const COMMANDS = {
  help: ['help'],
  decode: ['qr', 'decode', '-'],
  verify: [
    'webhook',
    'verify',
    '--body',
    'body.json',
    '--signature',
    createHmac('sha256', SECRET).update(BODY).digest('hex'),
  ],
  transfer: ['transfer', '--key', 'maria@example.com', '--amount', '9', '--yes'],
  batch: ['batch', 'transfer', 'rows.csv', '--yes'],
  status: ['status', '11111111-2222-4333-8444-555555555555'],
  history: ['history'],
  listen: ['webhook', 'listen', '--port', '0', '--for', '300ms'],
  sandbox: ['sandbox', 'start', '--port', '0'],
  exec: ['sandbox', 'exec', '--', 'true'],
  doctor: ['doctor'],
}
type Command = keyof typeof COMMANDS

/** Where it is said that nothing is sent. */
const SENDING: readonly string[] = ['transfer', 'again', 'batch']

/** How a command may end. `again` is the second of two equal payments. */
type Exits = Readonly<Record<Command | 'again', readonly number[]>>

const AS_USUAL: Exits = {
  help: [0],
  decode: [0],
  verify: [0],
  transfer: [0],
  again: [2],
  batch: [0],
  status: [0],
  history: [0],
  listen: [0],
  sandbox: [0],
  exec: [0],
  doctor: [0],
}
/** Nothing can be kept: nothing is sent, and what only reads goes on. */
const NOT_KEPT: Partial<Exits> = { transfer: [2], again: [2], batch: [2], listen: [2], doctor: [2] }

interface Surroundings {
  /** Variables beside those of the world; undefined unsets one. */
  env?: Record<string, string | undefined>
  /** A shell script that becomes the command line. */
  script?: string
  /** True if only root can make them, or only in a namespace of its own. */
  needsRoot?: boolean
  /** True if it takes strace. */
  needsTrace?: boolean
  /** True for a user id that has no account. */
  isNobody?: boolean
  /** True if the program finds its folders by the home. */
  findsFolders?: boolean
  /** What becomes of the terminal of the command. */
  terminal?: 'dumb' | 'paused' | 'closed'
  /** Where they end in another way. */
  exits?: Partial<Exits>
  /** What is said where a command ends otherwise. */
  cause?: RegExp
  /** What a payment says in any case. */
  said?: RegExp
}

/** Shows the folder of the test as the home of the account, which the program takes without a usable HOME. */
const ACCOUNT_HOME = 'exec unshare -m sh -c \'mount --bind "$STAGE" "$ACCOUNT_HOME"; exec "$@"\' sh "$@"'
const NO_FOLDERS = { PIXGATE_DATA_DIR: undefined, PIXGATE_CONFIG_DIR: undefined, XDG_CACHE_HOME: undefined }
const NOBODY_ID = 54321

const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  'nothing in the way': {},
  'a user id without an account': { isNobody: true, needsRoot: true },
  'a user id without an account and without a home': {
    env: { HOME: undefined },
    findsFolders: true,
    isNobody: true,
    needsRoot: true,
    exits: { ...NOT_KEPT, status: [2], history: [2], sandbox: [0, 2], exec: [0, 2], doctor: [2] },
    cause: /HOME/,
  },
  'a config folder that root made': {
    isNobody: true,
    needsRoot: true,
    script: 'mkdir -p -m 700 "$HOME/of-root"; export PIXGATE_CONFIG_DIR="$HOME/of-root"; exec "$@"',
    exits: { ...NOT_KEPT, verify: [2], status: [2], history: [2] },
    cause: new RegExp(`Run it as root, or let root give it to this user: \`chown -R ${NOBODY_ID} `),
  },
  'HOME unset': { env: { HOME: undefined }, findsFolders: true, script: ACCOUNT_HOME, needsRoot: true },
  'HOME empty': { env: { HOME: '' }, findsFolders: true, script: ACCOUNT_HOME, needsRoot: true },
  'HOME relative': { env: { HOME: 'rel' }, findsFolders: true, script: ACCOUNT_HOME, needsRoot: true },
  'a home on a read-only disk': {
    findsFolders: true,
    script:
      'exec unshare -m sh -c \'mount --bind "$HOME" "$HOME"; mount -o remount,ro,bind "$HOME"; exec "$@"\' sh "$@"',
    needsRoot: true,
    exits: NOT_KEPT,
    cause: /read-only/,
  },
  'a full disk': {
    findsFolders: true,
    script: `exec unshare -m sh -c 'mount -t tmpfs -o size=8k t "$HOME"; head -c 64k /dev/zero > "$HOME/filler" 2>&-; exec "$@"' sh "$@"`,
    needsRoot: true,
    exits: NOT_KEPT,
    cause: /full/,
  },
  'a limit on the size of files': {
    findsFolders: true,
    script: 'ulimit -f 8; exec "$@"',
    // Another command may have made an empty ledger, which cannot even be copied.
    exits: { ...NOT_KEPT, status: [0, 2], history: [0, 2] },
    cause: /larger than a file may be/,
  },
  'a mask that takes the rights of the owner': {
    findsFolders: true,
    isNobody: true,
    needsRoot: true,
    script: 'umask 0777; exec "$@"',
  },
  'a data folder whose name is too long': {
    env: { PIXGATE_DATA_DIR: `/tmp/${'x'.repeat(300)}` },
    exits: { ...NOT_KEPT, status: [0, 2], history: [0, 2], doctor: [1, 2] },
    cause: /name is too long/,
  },
  'a folder to stand in that was removed': {
    // Commands run at once, each in a folder of its own.
    script: 'mkdir "gone-$$" && cd "gone-$$" && rmdir "../gone-$$"; exec "$@"',
    exits: { verify: [2], batch: [2] },
  },
  'no address of its own': {
    script: `exec unshare -n sh -c 'ip link set lo up; ip address del 127.0.0.1/8 dev lo; exec "$@"' sh "$@"`,
    needsRoot: true,
    exits: { transfer: [6], again: [2, 6], batch: [6], status: [6], listen: [2], sandbox: [2], exec: [2], doctor: [6] },
    cause: /has no address|reach/,
  },
  // Below a file there is nothing that could be read.
  'a home that is a device': {
    env: { HOME: '/dev/null' },
    findsFolders: true,
    exits: NOT_KEPT,
    cause: /a part of its path is no folder/,
  },
  'a Node.js without WebAssembly': {
    env: { NODE_OPTIONS: '--jitless' },
    exits: { transfer: [2], again: [2], batch: [2], status: [2], doctor: [2] },
    cause: /WebAssembly/,
  },
  // Node.js 24 is content with so little.
  'little room for addresses': {
    script: 'ulimit -v 2097152; exec "$@"',
    exits: { transfer: [0, 2], batch: [0, 2], status: [0, 2], doctor: [0, 2] },
    cause: /too little memory/,
  },
  'a data folder that is the one for all temporary files': {
    env: { PIXGATE_DATA_DIR: '/var/tmp/' },
    exits: { ...NOT_KEPT, status: [2], history: [2] },
    cause: /other users and programs need/,
  },
  'no disk space left for this user': {
    script: 'exec strace -D -f -o /dev/null -e trace=pwrite64 -e inject=pwrite64:error=EDQUOT "$@"',
    needsTrace: true,
    // Another command may have made an empty ledger, which cannot even be copied. What doctor writes to see whether there is room leaves by another call.
    exits: { ...NOT_KEPT, status: [0, 2], history: [0, 2], doctor: [0, 2] },
    cause: /disk space of this user is used up/,
  },
  'a disk that ignores modes': {
    script:
      'chmod 777 "$PIXGATE_DATA_DIR" "$PIXGATE_CONFIG_DIR"; exec strace -D -f -o /dev/null -e trace=chmod -e inject=chmod:retval=0 "$@"',
    needsTrace: true,
    said: /its disk keeps no other mode/,
  },
  'a disk that refuses modes': {
    script:
      'chmod 777 "$PIXGATE_DATA_DIR" "$PIXGATE_CONFIG_DIR"; exec strace -D -f -o /dev/null -e trace=chmod -e inject=chmod:error=EPERM "$@"',
    needsTrace: true,
    said: /its disk does not let it be changed: permission denied/,
  },
  'no TMPDIR': { env: { TMPDIR: '/no/such/folder' }, exits: { exec: [2] }, cause: /TMPDIR/ },
  'a closed standard input': {
    script: 'exec "$@" <&-',
    exits: { decode: [2] },
    cause: /no code|empty|[Ss]tandard input/,
  },
  'a folder as standard input': {
    script: 'exec "$@" < /',
    exits: { decode: [2] },
    cause: /Standard input is a folder/,
  },
  'a standard input that cannot be read': {
    script: 'exec "$@" 0> /dev/null',
    exits: { decode: [2] },
    cause: /Standard input cannot be read/,
  },
  // Nothing says when the sandbox is ready to be interrupted.
  'a closed standard output': { script: 'exec "$@" >&-', exits: { sandbox: [0, 130] } },
  'a full standard output': {
    script: 'exec "$@" > /dev/full',
    exits: {
      help: [2],
      decode: [2],
      verify: [2],
      transfer: [5],
      batch: [5],
      status: [2],
      history: [0, 2],
      listen: [2],
      sandbox: [2, 130],
      doctor: [2],
    },
    cause: /Standard output cannot be written/,
  },
  // Node.js 22 and 24 need 22 of them before they read a script.
  'few descriptors': {
    script: 'ulimit -n 23; exec "$@"',
    exits: {
      help: [0, 2],
      decode: [0, 2],
      verify: [0, 2],
      transfer: [0, 2, 5],
      batch: [0, 2, 5],
      status: [0, 2, 6],
      history: [0, 2],
      listen: [0, 2],
      sandbox: [0, 2],
      exec: [0, 2],
      doctor: [0, 1, 2],
    },
    cause: /files are open|EMFILE/,
  },
  'a terminal that is dumb': { terminal: 'dumb' },
  'a terminal that is paused': { terminal: 'paused' },
  'a terminal that is closed': {
    terminal: 'closed',
    exits: {
      help: [0, 129],
      decode: [0, 129],
      verify: [0, 129],
      transfer: [0, 5, 129],
      again: [2, 129],
      batch: [0, 5, 129],
      status: [0, 129],
      history: [0, 129],
      listen: [129],
      sandbox: [129],
      exec: [0, 129],
      doctor: [0, 129],
    },
  },
}

const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0
/** The package that CI installs lies in a folder of its own user. */
const CAN_BE_NOBODY =
  CAN_MOUNT && spawnSync('setpriv', [`--reuid=${NOBODY_ID}`, NODE, BINARY, '--version']).status === 0
if (!CAN_BE_NOBODY) console.warn(`SKIPPED: a user id without an account cannot run ${BINARY}`)
const SERVER_MS = 4000

describe.each(Object.entries(SURROUNDINGS))('%s', (_name, surroundings) => {
  const { needsRoot = false, needsTrace = false, isNobody = false, terminal, exits = {}, cause, said } = surroundings
  const isMissing = (needsTrace && !canTrace()) || (isNobody ? !CAN_BE_NOBODY : needsRoot && !CAN_MOUNT)
  const test = terminal === undefined ? it.skipIf(isMissing) : itOnTerminal
  test('is named, is no defect of pixgate, and lets nothing be paid twice', async () => {
    const gateway = await startFaultGateway()
    const world = stage(surroundings, gateway.url)
    const run = (command: Command, folder = 'here') =>
      terminal === undefined ? inShell(world, surroundings, command, folder) : atTerminal(world, terminal, command)
    const ended: [command: Command | 'again', ProcessResult][] = []
    const pay = async () => {
      for (const command of ['transfer', 'batch'] as const) {
        ended.push([command, await run(command)])
        ended.push(['again', await run(command, 'there')])
      }
    }
    const commands = Object.keys(COMMANDS).filter(isCommand)
    const others = commands.filter((command) => command !== 'transfer' && command !== 'batch')
    await Promise.all([pay(), ...others.map(async (command) => void ended.push([command, await run(command)]))])

    const expected = { ...AS_USUAL, ...exits }
    const wrong = ended.filter(([command, { exit, stdout, stderr }]) => {
      const isUsual = AS_USUAL[command].includes(exit) || command === 'doctor'
      const isNamed = isUsual || cause === undefined || cause.test(stdout + stderr)
      const isSaidInVain = !SENDING.includes(command) && stderr.includes('so none is sent')
      const isDefect = /bug in pixgate|\n {4}at /.test(stdout + stderr)
      const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '))
      const isRepeated = new Set(warnings).size < warnings.length
      return !expected[command].includes(exit) || !isNamed || isSaidInVain || isDefect || isRepeated
    })
    expect(wrong).toEqual([])
    if (said !== undefined) expect(ended.find(([command]) => command === 'transfer')?.[1].stderr).toMatch(said)
    expect(ended).toHaveLength(commands.length + 2)

    // With nothing in the way the same payments go out only if they did not before.
    const { findsFolders = false } = surroundings
    for (const command of ['transfer', 'batch'] as const) {
      const { exit, stderr } = await inShell(world, { isNobody, findsFolders }, command, 'here')
      expect([0, 2], stderr).toContain(exit)
    }
    expect(gateway.ledger.map(({ body }) => Number(body.amount ?? body.value)).sort()).toEqual([8, 9])
  })
})

function isCommand(word: string): word is Command {
  return word in COMMANDS
}

/** A world whose gateway is this one, with two folders to run in and an empty home. */
function stage({ isNobody = false }: Surroundings, url: string): World {
  const world = emptyWorld({
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: 'local',
    PIXGATE_CLIENT_SECRET: SECRET,
    PIXGATE_CALLBACK_URL: 'https://shop.example.com/pix',
  })
  // A user without an account has to get at the folders.
  if (isNobody) for (const folder of [tmpdir(), world.home]) chmodSync(folder, 0o711)
  if (isNobody) world.env.TMPDIR = join(world.home, 'here')
  for (const folder of ['stage', 'data', 'config', 'here', 'there']) {
    const path = join(world.home, folder)
    mkdirSync(path, { mode: 0o700 })
    writeFileSync(join(path, 'body.json'), BODY)
    writeFileSync(join(path, 'rows.csv'), 'key,value\nana@example.com,8\n')
    if (!isNobody) continue
    for (const owned of [path, join(path, 'body.json'), join(path, 'rows.csv')]) chownSync(owned, NOBODY_ID, NOBODY_ID)
  }
  return world
}

/** Runs a command below a shell script in one of the folders. A server is interrupted after a while. */
async function inShell(
  { home, env: own }: World,
  { env = {}, script = 'exec "$@"', isNobody = false, findsFolders = false }: Surroundings,
  command: Command,
  folder: string,
): Promise<ProcessResult> {
  const id = `--reuid=${NOBODY_ID}`
  const words = [
    ...(isNobody ? ['setpriv', id, id.replace('reuid', 'regid'), '--clear-groups'] : []),
    ...[NODE, BINARY, ...COMMANDS[command]],
  ]
  const places = { HOME: join(home, 'stage'), STAGE: join(home, 'stage'), ACCOUNT_HOME: userInfo().homedir }
  const child = spawn('sh', ['-c', script, 'sh', ...words], {
    env: { ...own, ...places, ...(findsFolders ? NO_FOLDERS : {}), ...env },
    cwd: join(home, folder),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(CODE)
  const interrupt = () => void child.kill('SIGINT')
  const timer = command === 'sandbox' ? setTimeout(interrupt, SERVER_MS) : undefined
  if (command === 'sandbox') child.stdout.once('data', interrupt)
  const exit = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  clearTimeout(timer)
  return { exit: await exit, stdout, stderr }
}

/** Runs a command on a terminal. A server is interrupted after a while, or its terminal closed. */
async function atTerminal(world: World, kind: 'dumb' | 'paused' | 'closed', command: Command): Promise<ProcessResult> {
  const words = COMMANDS[command].map((word) =>
    word === '-' ? CODE : word.replace(/^(body|rows)\./, `${world.home}/here/$1.`),
  )
  const terminal = onTerminal(world, words, kind === 'dumb' ? { env: { TERM: 'dumb' } } : {})
  if (kind === 'paused') {
    terminal.read(false)
    setTimeout(() => terminal.read(true), SERVER_MS / 2)
  }
  const isServer = command === 'sandbox' || command === 'listen'
  if (kind === 'closed') {
    await Promise.race([isServer ? terminal.shows('http') : sleep(CLOSED_MS), terminal.ended])
    terminal.close()
  } else if (command === 'sandbox') {
    await terminal.shows('http')
    terminal.signal('SIGINT')
  }
  const { exit, screen } = await terminal.ended
  return { exit, stdout: '', stderr: screen }
}

/** In the middle of a short command. */
const CLOSED_MS = 250
