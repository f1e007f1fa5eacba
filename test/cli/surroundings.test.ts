import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
