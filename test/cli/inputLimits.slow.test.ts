import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runInProcess } from '../inProcess.ts'
import { BINARY, emptyWorld, NODE, type World } from '../world.ts'
import { hmac } from './webhookTarget.ts'

const KIB = 1024
const MIB = 1024 * KIB
const SIGNATURE = ['--signature', 'a'.repeat(64)]

/** Every argument that names an input file, and the most that it takes. */
const INPUTS: readonly [words: string[], behind: string[], limit: string, bytes: number][] = [
  [['webhook', 'verify', '--body'], SIGNATURE, '1 MiB', MIB],
  [['webhook', 'verify', '--request'], [], '8 MiB', 8 * MIB],
  [['webhook', 'sign', '--body'], [], '1 MiB', MIB],
  [['webhook', 'send', '--to', 'http://127.0.0.1:1/', '--body'], [], '1 MiB', MIB],
  [['qr', 'create', '--from'], [], '1 MiB', MIB],
  [['qr', 'decode'], [], '16 MiB', 16 * MIB],
  [['status', '--from'], [], '64 MiB', 64 * MIB],
  [['history', 'check', '--statement'], [], '64 MiB', 64 * MIB],
  [['history', 'import'], [], '64 MiB', 64 * MIB],
  [['batch', 'transfer'], ['--yes'], '1 GiB', 1024 * MIB],
  [['batch', 'refund'], ['--yes'], '1 GiB', 1024 * MIB],
]

describe.each(INPUTS)('`pixgate %j`', (words, behind, limit, bytes) => {
  const read = (world: World, path: string) => runInProcess([...words, path, ...behind], world.env)

  it('refuses a device, a socket and a folder, and a batch a pipe', async () => {
    const world = emptyWorld()
    const { pipe, socket } = await specialFiles(world)
    if (words[0] === 'batch') {
      expect(await read(world, pipe)).toMatchObject({ exit: 2, stderr: expectedStderr(`\`${pipe}\` is a pipe`) })
    }
    expect(await read(world, '/dev/zero')).toMatchObject({ exit: 2, stderr: expectedStderr('`/dev/zero` is a device') })
    expect(await read(world, socket)).toMatchObject({ exit: 2, stderr: expectedStderr(`\`${socket}\` is a socket`) })
    expect(await read(world, world.home)).toMatchObject({
      exit: 2,
      stderr: expectedStderr(`\`${world.home}\` is a folder`),
    })
  })

  it('names the limit of a file that is larger', async () => {
    const world = emptyWorld()
    const path = join(world.home, 'large.png')
    writeFileSync(path, '')
    truncateSync(path, bytes + 1)
    const said = expectedStderr(`\`${path}\` is larger than the limit of ${limit}`)
    expect(await read(world, path)).toMatchObject({ exit: 2, stdout: '', stderr: said })
  })
})

describe('a pipe of the shell', () => {
  const inShell = (command: string) =>
    spawnSync('bash', ['-c', command.replace('pixgate', `'${NODE}' '${BINARY}'`)], {
      env: emptyWorld().env,
      encoding: 'utf8',
    })

  it('is read to its end, or to the limit', () => {
    const signed = inShell(`pixgate webhook sign --body <(sleep 0.2; printf '{}')`)
    expect([signed.status, signed.stderr, signed.stdout]).toEqual([0, '', `${hmac('{}')}\n`])
    const endless = inShell('pixgate webhook verify --request <(cat /dev/zero)')
    expect([endless.status, endless.stdout]).toEqual([2, ''])
    expect(endless.stderr).toMatch(/^error: `\/dev\/fd\/\d+` is larger than the limit of 8 MiB\n/)
  })
})

/** What reads standard input, the most that it takes, and its name. */
const READERS: readonly [words: string[], limit: string, bytes: number][] = [
  [['webhook', 'verify', '--body', '-', ...SIGNATURE], '1 MiB', MIB],
  [['webhook', 'verify', '--request', '-'], '8 MiB', 8 * MIB],
  [['webhook', 'sign', '--body', '-'], '1 MiB', MIB],
  [['webhook', 'send', '--to', 'http://127.0.0.1:1/', '--body', '-'], '1 MiB', MIB],
  [['qr', 'create', '--from', '-'], '1 MiB', MIB],
  [['qr', 'draw', '-'], '64 KiB', 64 * KIB],
  [['qr', 'decode', '-'], '16 MiB', 16 * MIB],
  [['status', '--from', '-'], '64 MiB', 64 * MIB],
  [['history', 'check', '--statement', '-'], '64 MiB', 64 * MIB],
  [['history', 'import', '-'], '64 MiB', 64 * MIB],
  [
    ['profile', 'add', 'a', '--base-url', 'http://127.0.0.1:1', '--client-id', 'a', '--client-secret-stdin'],
    '64 KiB',
    64 * KIB,
  ],
]

describe('standard input', () => {
  it.each(READERS)('is refused beyond the limit, which is named: %j', async (words, limit, bytes) => {
    const ran = await runInProcess(words, emptyWorld().env, { stdin: Buffer.alloc(bytes + 1) })
    expect(ran).toMatchObject({
      exit: 2,
      stderr: expectedStderr(`Standard input is larger than the limit of ${limit}`),
    })
  })

  // A picture, a list and a secret.
  it.each(READERS.filter(([[name]]) => ['qr', 'status', 'profile'].includes(name ?? '')).slice(-3))(
    'without an end is read up to the limit only: %j',
    (words, limit) => {
      const zeros = openSync('/dev/zero', 'r')
      onTestFinished(() => closeSync(zeros))
      const { status, stderr } = spawnSync(NODE, [BINARY, ...words], {
        env: emptyWorld().env,
        stdio: [zeros, 'pipe', 'pipe'],
        encoding: 'utf8',
        timeout: 20_000,
      })
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expectedStderr(`Standard input is larger than the limit of ${limit}`),
      })
    },
  )
})

it('refuses a device and a large file when the binary is given them', async () => {
  const world = emptyWorld()
  const path = join(world.home, 'large.csv')
  writeFileSync(path, '')
  truncateSync(path, 64 * MIB + 1)
  const device = await world.run(['webhook', 'verify', '--request', '/dev/zero'])
  expect(device).toMatchObject({ exit: 2, stdout: '', stderr: expectedStderr('`/dev/zero` is a device') })
  const said = expectedStderr(`\`${path}\` is larger than the limit of 64 MiB`)
  expect(await world.run(['status', '--from', path])).toMatchObject({ exit: 2, stdout: '', stderr: said })
})

it('reads a file that has no size of its own', async () => {
  const ran = await emptyWorld().run(['qr', 'decode', '/proc/self/status'])
  expect(ran).toMatchObject({
    exit: 2,
    stderr: expectedStderr('The file `/proc/self/status` is not a PNG, JPEG or WebP image'),
  })
})

it('names the limit of the body in a captured request', async () => {
  const world = emptyWorld()
  const path = join(world.home, 'request.txt')
  writeFileSync(path, `POST / HTTP/1.1\nX-Signature: ${'a'.repeat(64)}\n\n${' '.repeat(MIB + 1)}`)
  expect(await world.run(['webhook', 'verify', '--request', path])).toMatchObject({
    exit: 2,
    stderr: expectedStderr(`The body in \`${path}\` is larger than the limit of 1 MiB for a webhook`),
  })
})

it('refuses a picture of too many pixels, which takes much memory to unpack', async () => {
  const world = emptyWorld()
  const path = join(world.home, 'code.png')
  const large = PNG.sync.write(new PNG({ width: 8, height: 8 }))
  large.writeUInt32BE(8000, 16)
  large.writeUInt32BE(8000, 20)
  writeFileSync(path, large)
  expect(await world.run(['qr', 'decode', path])).toMatchObject({
    exit: 2,
    stderr: expectedStderr(`\`${path}\`: The image is 8000 × 8000 pixels, more than the limit of 16 megapixels`),
  })
})

function expectedStderr(beginning: string) {
  return expect.stringContaining(`error: ${beginning}`)
}

async function specialFiles({ home }: World): Promise<{ pipe: string; socket: string }> {
  const pipe = join(home, 'pipe')
  const socket = join(home, 'socket')
  spawnSync('mkfifo', [pipe])
  const server = createServer().listen(socket)
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  return { pipe, socket }
}
