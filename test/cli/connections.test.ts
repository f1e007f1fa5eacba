import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { canTrace } from '../syscalls.ts'
import { BINARY, NODE, sandboxWorld, type World } from '../world.ts'

const isTraced = canTrace()
if (!isTraced) process.stderr.write('WITHOUT strace NO CONNECTION IS SEEN: this is not tested\n')

/** The addresses to which a command connects or sends, as strace writes them; files and sockets of this machine are left out. */
async function addressesOf(world: World, words: readonly string[]): Promise<string[]> {
  const path = join(world.home, 'trace')
  const options = ['-f', '--seccomp-bpf', '-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', path]
  const child = spawn('strace', [...options, NODE, BINARY, ...words], { env: world.env, stdio: 'pipe' })
  child.stdin.end()
  await Promise.all([buffer(child.stdout), buffer(child.stderr), new Promise((resolve) => child.on('close', resolve))])
  const calls = readFileSync(path, 'utf8').matchAll(
    /sin6?_port=htons\((\d+)\).*?inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"/g,
  )
  return [...new Set([...calls].map(([, port, host]) => `${host}:${port}`))]
}

it.runIf(isTraced)(
  'connects to the gateway, doctor also to a callback on this machine, and to nothing else',
  { timeout: 120_000 },
  async () => {
    const world = await sandboxWorld()
    const gateway = new URL(world.url).host
    const pay = ['transfer', '--key', 'ana@example.com', '--amount', '5', '--external-id', 'one', '--yes']
    expect(await addressesOf(world, pay)).toEqual([gateway])
    expect((await addressesOf(world, ['doctor'])).toSorted()).toEqual([gateway, '127.0.0.1:4242'].toSorted())
    expect(await addressesOf(world, ['history'])).toEqual([])
  },
)
