import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { freePort } from '../freePort.ts'

/** Where systems keep it; it must be called by its whole path, and is on few people's `PATH`. */
const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find(existsSync)
/** Root's sshd locks itself in here; the system makes it when its own sshd starts. */
const EMPTY_FOLDER = '/run/sshd'
const hasSsh = SSHD !== undefined && spawnSync('ssh', ['-V']).status === 0
if (!hasSsh) process.stderr.write('WITHOUT sshd AND ssh NO TEST GOES THROUGH A REAL TUNNEL: they are skipped\n')

/** A test that needs a real sshd; skipped, and said so, where there is none (Debian: `openssh-server`). */
export const itOverSsh = hasSsh ? it : it.skip

/** Starts sshd on loopback until the test ends. Gives the command line of a client up to its own options. */
export async function startSshServer(folder: string): Promise<string> {
  const at = (name: string) => join(folder, name)
  for (const name of ['host_key', 'user_key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
  }
  copyFileSync(at('user_key.pub'), at('authorized_keys'))
  const port = await freePort()
  const isRoot = userInfo().uid === 0
  const settings = [
    ['ListenAddress', `127.0.0.1:${port}`],
    ['HostKey', at('host_key')],
    ['AuthorizedKeysFile', at('authorized_keys')],
    ['PidFile', 'none'],
    // Without PAM, who cannot read the shadow file finds every account locked.
    ['UsePAM', isRoot ? 'no' : 'yes'],
    ['StrictModes', 'no'],
    ['PasswordAuthentication', 'no'],
    ['PermitRootLogin', 'prohibit-password'],
    ['AllowTcpForwarding', 'remote'],
  ]
  writeFileSync(at('sshd_config'), settings.map((line) => `${line.join(' ')}\n`).join(''))
  if (isRoot) mkdirSync(EMPTY_FOLDER, { recursive: true, mode: 0o755 })
  await runServer(at('sshd_config'))
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', `UserKnownHostsFile=${at('known_hosts')}`]
  const words = ['ssh', '-F', 'none', '-p', String(port), '-i', at('user_key'), '-l', userInfo().username, '127.0.0.1']
  return [...words, ...options.flatMap((option) => ['-o', option])].join(' ')
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port')
  return address.port
}

function runServer(config: string): Promise<void> {
  const server = spawn(SSHD ?? '', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void server.kill())
  let said = ''
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
      if (said.includes('Server listening')) resolve()
    })
    server.on('error', reject)
    server.on('exit', () => reject(new Error(`sshd ended: ${said}`)))
  })
}
