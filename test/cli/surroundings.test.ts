import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { localServer } from '../localServer.ts'
import { BINARY, emptyWorld, IS_EXECUTABLE, NODE } from '../world.ts'

it.each([['sandbox', 'exec', '--', 'true'], ['demo']])('names a TMPDIR that does not exist: %s', async (...words) => {
  const ran = await emptyWorld({ TMPDIR: '/no/such/folder' }).run(words)
  expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('`/no/such/folder`')])
  expect(ran.stderr).toContain('hint: Set `TMPDIR`')
})

it.each([
  ['a folder', '</', 'Standard input is a folder'],
  ['not readable', '0>/dev/null', 'Standard input cannot be read: it is closed (EBADF)'],
])('names a standard input that is %s', (_name, redirection, sentence) => {
  const { env } = emptyWorld()
  const words = ['webhook', 'verify', '--body', '-', '--signature', '0'.repeat(64)]
  const ran = spawnSync('sh', ['-c', `exec "$@" ${redirection}`, 'sh', NODE, BINARY, ...words], {
    env,
    encoding: 'utf8',
  })
  expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(sentence)])
})

it('proposes for a data folder that is a link only where it leads', async () => {
  const world = emptyWorld()
  const disk = join(world.home, 'disk')
  mkdirSync(disk)
  symlinkSync(disk, join(world.home, 'data'))
  const ran = await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes'])
  expect(ran.exit).toBe(2)
  expect(ran.stderr).toContain(`hint: Set \`PIXGATE_DATA_DIR\` to \`${disk}\``)
})

it('names a file in the place of the data folder', async () => {
  const world = emptyWorld()
  const path = join(world.home, 'data')
  writeFileSync(path, 'x')
  const ran = await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes'])
  expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining(`\`${path}\` cannot be used: there is a file`)])
})

it('names a file of certificates that holds none', async () => {
  const world = emptyWorld()
  const path = join(world.home, 'ca.der')
  writeFileSync(path, Buffer.from([0x30, 0x82]))
  const ran = await world.run(['doctor'], { env: { NODE_EXTRA_CA_CERTS: path } })
  expect(ran.stdout.replace(/ +/g, ' ')).toContain(`✗ certificates \`NODE_EXTRA_CA_CERTS\` names ${path}`)
})

it.skipIf(IS_EXECUTABLE).each(['18.20.8', '20.18.3', '21.9.0', '22.15.1'])(
  'refuses Node.js %s in one line',
  (version) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require(${JSON.stringify(BINARY)})`
    const ran = spawnSync(NODE, ['-e', pretend], { encoding: 'utf8' })
    const [major, minor] = version.split('.')
    const line = `error: pixgate needs Node.js 20.19 or 22.16, this is ${major}.${minor}\n`
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([2, '', line])
  },
)

it.each([
  ['a web page', 200, {}, 'The answer is a web page'],
  ['a redirect', 302, { location: 'http://login.example.com/' }, 'The answer leads to another address'],
])('names %s in the place of an answer of the gateway', async (_name, status, headers, sentence) => {
  const requests: string[] = []
  const url = await localServer((request, response) => {
    requests.push(request.method ?? '')
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<!DOCTYPE html>\n<html>Log in</html>')
  })
  const env = { PIXGATE_BASE_URL: url, PIXGATE_CLIENT_ID: 'local', PIXGATE_CLIENT_SECRET: 'a-secret' }
  const world = emptyWorld({ ...env, PIXGATE_CALLBACK_URL: 'https://shop.example.com/pix' })
  const paid = await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes'])
  expect([paid.exit, paid.stderr]).toEqual([5, expect.stringContaining(sentence)])
  expect(requests).toEqual(['POST'])
  const asked = await world.run(['status', '11111111-2222-4333-8444-555555555555'])
  expect([asked.exit, asked.stderr]).toEqual([6, expect.stringContaining(sentence)])
})

it('names a gateway that speaks http where https is asked', async () => {
  const requests: string[] = []
  const url = await localServer((request, response) => {
    requests.push(request.method ?? '')
    response.end()
  })
  const host = new URL(url).host
  const env = { PIXGATE_BASE_URL: `https://${host}`, PIXGATE_CLIENT_ID: 'local', PIXGATE_CLIENT_SECRET: 'a-secret' }
  const world = emptyWorld({ ...env, PIXGATE_CALLBACK_URL: 'https://shop.example.com/pix' })
  const paid = await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes'])
  expect([paid.exit, paid.stderr]).toEqual([6, expect.stringContaining(`${host} does not speak https; is it http?`)])
  expect(paid.stderr).toContain(`hint: Set the base address to \`http://${host}\``)
  expect(requests).toEqual([])
})

it('ends a listener without an error when the pipe that it writes to is closed', async () => {
  const world = emptyWorld()
  const child = spawn(NODE, [BINARY, 'webhook', 'listen', '--port', '0', '-o', 'json'], { env: world.env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [ready] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(ready))
  child.stdout.destroy()
  const ended = once(child, 'exit')
  expect(await world.run(['webhook', 'send', 'pix.received', '--to', url])).toMatchObject({ exit: 0 })
  expect(await ended).toEqual([0, null])
})

it('names a file in the place of a folder beside the ledger', async () => {
  const world = emptyWorld()
  const folder = join(world.home, 'data')
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'locks'), '')
  const ran = await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes'])
  expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining(`\`${join(folder, 'locks')}\` cannot be used`)])
})

/** Stands between SQLite and the system, which then gives this number for every lock, or for every mapping of shared memory. */
const FAULTY_DISK = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static int is_of(int fd, const char *end) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, end) != 0;
}
#define LOCKING(name) int name(int fd, int cmd, ...) { \
  va_list rest; va_start(rest, cmd); void *arg = va_arg(rest, void *); va_end(rest); \
  if (getenv("NO_LOCKS") && (cmd == F_SETLK || cmd == F_SETLKW || cmd == F_GETLK) && is_of(fd, getenv("NO_LOCKS"))) { errno = ENOLCK; return -1; } \
  return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, #name))(fd, cmd, arg); }
LOCKING(fcntl)
LOCKING(fcntl64)
#define MAPPING(name) void *name(void *at, size_t size, int use, int flags, int fd, off_t from) { \
  if (getenv("NO_MAPS") && fd >= 0 && is_of(fd, "-shm")) { errno = ENODEV; return MAP_FAILED; } \
  return ((void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, #name))(at, size, use, flags, fd, from); }
MAPPING(mmap)
MAPPING(mmap64)
`

it.skipIf(IS_EXECUTABLE || process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0).each([
  ['keeps no locks', 'NO_LOCKS'],
  ['does not let a file be mapped into memory', 'NO_MAPS'],
])('names a disk that %s', async (sentence, variable) => {
  const world = emptyWorld()
  const library = join(world.home, 'disk.so')
  const words = ['-shared', '-fPIC', '-x', 'c', '-', '-o', library, '-ldl']
  expect(spawnSync('cc', words, { input: FAULTY_DISK, encoding: 'utf8' })).toMatchObject({ status: 0 })
  const payment = ['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes', '--timeout', '1s']
  const env = { ...world.env, LD_PRELOAD: library, [variable]: world.home }
  const ran = spawnSync(NODE, [BINARY, ...payment], { env, encoding: 'utf8' })
  expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(`its disk ${sentence}`)])
})
