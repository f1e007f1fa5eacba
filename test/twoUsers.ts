import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { BINARY, NODE, type ProcessResult, type World } from './world.ts'

const PEOPLE = ['pixgate-payer', 'pixgate-neighbour']

/** A user of this machine who is not root. */
export interface MachineUser {
  name: string
  uid: number
  gid: number
}

/**
 * The one who pays, and a neighbour: the accounts of two people made for this (`useradd pixgate-payer; useradd pixgate-neighbour`), else two users that every
 * Debian has. Undefined if this is not root on Linux, or one of them is missing.
 */
export const USERS = findUsers()
if (USERS === undefined)
  process.stderr.write('ONLY ROOT ON LINUX CAN BE TWO USERS: what a neighbour on the machine can do is not tested\n')

/** The machine of one user, with a neighbour on it. */
export interface SharedMachine {
  /** The home of the user who pays, which the neighbour may enter, as it is usual. */
  home: string
  /** A folder where both may make files, as /tmp. */
  shared: string
  env: World['env']
  /** Runs pixgate as the user who pays, with a umask that hides nothing. */
  run(args: readonly string[], options?: { stdin?: string }): Promise<ProcessResult>
  /** Starts it; it is killed when the test is over. */
  start(args: readonly string[], stdin?: string): { pid: number; ended: Promise<ProcessResult> }
  /** Runs a shell script as the neighbour. */
  asNeighbour(script: string, ...words: string[]): ProcessResult
  /** Runs it as the neighbour in the group of the payer: on some machines all people are in one. */
  asColleague(script: string, ...words: string[]): ProcessResult
}

/** Makes the machine, which is gone when the test is. */
export function sharedMachine({ payer, neighbour }: NonNullable<typeof USERS>, env: World['env'] = {}): SharedMachine {
  const root = mkdtempSync('/tmp/pixgate-users-')
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  const [home, shared] = [join(root, 'home'), join(root, 'shared')]
  mkdirSync(home)
  chownSync(home, payer.uid, payer.gid)
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  const all = { HOME: home, PATH: process.env.PATH ?? '', TMPDIR: shared, ...env }
  const launch = (args: readonly string[], stdin = '') => {
    const words = ['-c', 'umask 0; exec "$@"', 'sh', NODE, BINARY, ...args]
    const child = spawn('sh', words, {
      uid: payer.uid,
      gid: payer.gid,
      env: all,
      cwd: home,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
    const outputs = Promise.all([text(child.stdout), text(child.stderr)])
    onTestFinished(() => void child.kill('SIGKILL'))
    return {
      pid: child.pid ?? 0,
      ended: outputs.then(async ([stdout, stderr]) => ({ exit: await ended, stdout, stderr })),
    }
  }
  return {
    home,
    shared,
    env: all,
    run: (args, { stdin } = {}) => launch(args, stdin).ended,
    start: launch,
    asNeighbour: (script, ...words) => runScript(neighbour, script, words),
    asColleague: (script, ...words) => runScript({ ...neighbour, gid: payer.gid }, script, words),
  }
}

function runScript({ uid, gid }: MachineUser, script: string, words: readonly string[]): ProcessResult {
  const ran = spawnSync('sh', ['-c', script, 'sh', ...words], { uid, gid, encoding: 'utf8', cwd: '/' })
  return { exit: ran.status ?? -1, stdout: ran.stdout, stderr: ran.stderr }
}

function findUsers(): { payer: MachineUser; neighbour: MachineUser } | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const [people, system] = [PEOPLE, ['daemon', 'nobody']].map((names) => names.flatMap((name) => findUser(name) ?? []))
  const [payer, neighbour] = people?.length === 2 ? people : (system ?? [])
  if (payer === undefined || neighbour === undefined) return undefined
  const ran = spawnSync(NODE, [BINARY, '--version'], { uid: payer.uid, gid: payer.gid, cwd: '/' })
  if (ran.status === 0) return { payer, neighbour }
  process.stderr.write(`THE USER ${payer.name} CANNOT RUN ${BINARY}\n`)
  return undefined
}

function findUser(name: string): MachineUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout))
  return uid && gid ? { name, uid, gid } : undefined
}
