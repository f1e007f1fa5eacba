import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { BINARY, emptyWorld, NODE, type World } from '../world.ts'
import { namedBlocks } from './pages.ts'
import { pythonWith } from './receivers.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0
const AS_ANYBODY = ['--reuid=10001', '--regid=0', '--clear-groups']
const CAN_RUN = CAN_MOUNT && spawnSync('setpriv', [...AS_ANYBODY, NODE, BINARY, '--version']).status === 0
if (!CAN_RUN) console.warn(`SKIPPED: no other user can run ${BINARY}, so nothing is tried as in a container`)
const yaml = pythonWith('yaml')
const containers = it.skipIf(!CAN_RUN)
const services = it.skipIf(!CAN_RUN || yaml === undefined)

const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const ENVIRONMENT = (/^ENV (.*)$/m.exec(DOCKERFILE)?.[1] ?? '').split(' ')
const [, DATA_MODE = '', DATA_PATH = ''] = /^RUN install -d -m (\d+) (\S+)$/m.exec(DOCKERFILE) ?? []
const COMMAND: string[] = JSON.parse(/^CMD (.*)$/m.exec(DOCKERFILE)?.[1] ?? '')
const [, USER = ''] = /^USER (\S+)$/m.exec(DOCKERFILE) ?? []

/** What the words of `docker run`, or a service of a compose file, say about a container. */
interface Container {
  user: string
  isReadOnly: boolean
  temporary: readonly string[]
  /** Where a volume is seen. */
  volumes: readonly string[]
  env: readonly string[]
  command: readonly string[]
}

const AS_BUILT: Container = { user: USER, isReadOnly: false, temporary: [], volumes: [], env: [], command: COMMAND }

/** What the caller has in the variables that a container takes over from it. */
const VARIABLES: Readonly<Record<string, string>> = {
  PIXGATE_BASE_URL: 'http://127.0.0.1:4',
  PIXGATE_CLIENT_ID: 'local',
  PIXGATE_CLIENT_SECRET: 'secret-of-a-container',
}

/** The container of a line of `docker run` in a page. */
function ofLine(line: string): Container {
  const words = line.replaceAll('\\\n', ' ').trim().split(/\s+/)
  expect(words.splice(0, 3)).toEqual(['docker', 'run', '--rm'])
  const container = { ...AS_BUILT, temporary: [''], volumes: [''], env: [''] }
  for (let word = words.shift(); word?.startsWith('-') === true; word = words.shift()) {
    if (word === '--read-only') {
      container.isReadOnly = true
      continue
    }
    const value = words.shift() ?? ''
    if (word === '--user') container.user = value
    else if (word === '--tmpfs') container.temporary.push(value)
    else if (word === '-v') container.volumes.push(value.split(':')[1] ?? '')
    else if (word === '-e') container.env.push(value.includes('=') ? value : `${value}=${VARIABLES[value]}`)
    else expect(word).toBe('-p')
  }
  return { ...container, command: words.length === 0 ? COMMAND : words }
}

/** Runs what a container would run, in a root of its own: no user of it has an account or a home. */
function start(world: World, container: Container): ReturnType<typeof spawn> {
  const script = `set -e
    mount -t tmpfs -o mode=755 root "$BOX"
    for name in /*; do
      case $name in /data|/home|/root|/tmp) ;; *)
        if test -L "$name"; then cp -P "$name" "$BOX$name"
        elif test -d "$name"; then mkdir "$BOX$name" && mount --rbind "$name" "$BOX$name"; fi ;;
      esac
    done
    mount --bind /dev/null "$BOX/etc/passwd"
    mkdir -p "$BOX/pixgate" "$BOX/node" && mount --bind "$TREE" "$BOX/pixgate" && mount --bind "$NODE_FOLDER" "$BOX/node"
    install -d -m 1777 "$BOX/tmp" && install -d -m "$DATA_MODE" "$BOX$DATA_PATH"
    for path in $VOLUMES; do mount --bind "$VOLUME" "$BOX$path"; done
    for path in $TEMPORARY; do mount -t tmpfs -o mode=1777 temporary "$BOX$path"; done
    if test "$IS_READ_ONLY" = true; then mount -o remount,ro,bind "$BOX"; fi
    exec chroot "$BOX" setpriv --reuid="$ID" --regid=0 --clear-groups env -i HOME=/ PATH=/node:/usr/bin:/bin "$@"`
  const [box, volume] = [join(world.home, 'box'), join(world.home, 'volume')]
  for (const folder of [box, volume]) mkdirSync(folder, { recursive: true })
  // A new volume has the mode of the folder in the image.
  chmodSync(volume, Number.parseInt(DATA_MODE, 8))
  const [id = ''] = container.user.split(':')
  const program = ['node', '/pixgate/bin/pixgate.js']
  const set = [...ENVIRONMENT, ...container.env].filter((each) => each !== '')
  return spawn('unshare', ['-m', 'sh', '-c', script, 'sh', ...set, ...program, ...container.command], {
    env: {
      ...process.env,
      BOX: box,
      VOLUME: volume,
      TREE: ROOT,
      NODE_FOLDER: dirname(NODE),
      DATA_MODE,
      DATA_PATH,
      VOLUMES: container.volumes.join(' '),
      TEMPORARY: container.temporary.join(' '),
      IS_READ_ONLY: String(container.isReadOnly),
      ID: id,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a container to its end; one that serves is interrupted when it has said where. */
async function run(world: World, container: Container): Promise<string> {
  const child = start(world, container)
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The container has no output')
  const exit = new Promise((resolve) => child.on('close', resolve))
  stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('http://')) child.kill('SIGINT')
  })
  const [said, told] = await Promise.all([text(stdout), text(stderr)])
  return `${await exit} ${said}${told}`
}

/** A page of docs/. */
const page = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8')
/** The lines of `docker run` in the shell blocks of a page, and in the Dockerfile. */
const lines = (source: string) => [...source.matchAll(/^docker run (?:.*\\\n)*.*$/gm)].map(([line]) => line)
/** On the port that the system picks, because the machine is shared. */
const onAnyPort = (container: Container): Container => ({
  ...container,
  command: [...container.command, '--port', '0'],
})

containers('the image serves on a root that is read-only, also as any user (SKIPPED without root)', async () => {
  const [asBuilt = '', kept = '', ...others] = lines(page('test-with-the-sandbox.md'))
  expect(others).toEqual([])
  expect(DOCKERFILE).toContain(asBuilt)
  const world = emptyWorld()
  const first = ofLine(asBuilt)
  expect(first.isReadOnly).toBe(true)
  for (const user of [first.user, '10001']) {
    expect(await run(world, { ...first, user })).toMatch(/^0 .*http:.*discards all data/s)
  }
  const second = ofLine(kept)
  expect(second).toMatchObject({ user: '10001', isReadOnly: true, volumes: ['', DATA_PATH] })
  expect(await run(world, second)).toMatch(/^0 .*kept in \/data\/ledger\/sandbox-4010\.db/s)
})

containers('a ledger on a volume is that of the next container (SKIPPED without root)', async () => {
  const world = emptyWorld()
  const [line = '', ...others] = lines(page('run-unattended.md'))
  expect(others).toEqual([])
  const container = ofLine(line)
  expect(container).toMatchObject({ isReadOnly: true, temporary: ['', '/tmp'], volumes: ['', DATA_PATH] })
  expect(container.command).toEqual(['history'])
  const charge = ['qr', 'create', '--amount', '9', '--callback-url', 'https://shop.example/pix']
  const create = { ...container, command: charge }
  expect(await run(world, create)).toMatch(/^6 /)
  expect(await run(world, container)).toMatch(/^0 .*9,00/s)
  expect(await run(world, { ...container, command: ['sandbox', 'exec', '--', 'true'] })).toMatch(/^0 /)
  // Without the volume nothing could be kept.
  expect(await run(world, { ...create, volumes: [] })).toMatch(/^2 .*read-only/s)
})

interface Service {
  user?: string
  read_only?: boolean
  tmpfs?: string[]
  volumes?: string[]
  environment: Record<string, string | null>
  command: string
}

services('the services of Docker Compose (SKIPPED without root or python3-yaml)', async () => {
  const world = emptyWorld()
  for (const [name, service] of [
    ['run-unattended.md', 'listener'],
    ['test-with-the-sandbox.md', 'gateway'],
  ] as const) {
    const input = namedBlocks(name).get('compose.yaml')
    const python = spawn(String(yaml), [
      '-c',
      'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)',
    ])
    python.stdin.end(input)
    const compose: { services: Record<string, Service> } = JSON.parse(await text(python.stdout))
    const {
      user = '',
      read_only,
      tmpfs = [],
      volumes = [],
      environment,
      command,
    } = compose.services[service] ?? expect.fail()
    expect([user, read_only]).toEqual(['10001', true])
    const said = await run(
      world,
      onAnyPort({
        user,
        isReadOnly: true,
        temporary: tmpfs,
        volumes: volumes.map((volume) => volume.split(':')[1] ?? ''),
        env: Object.entries(environment).map(([key, value]) => `${key}=${value ?? VARIABLES[key]}`),
        command: command.split(' '),
      }),
    )
    expect(said).toMatch(/^0 .*http:/s)
  }
})
