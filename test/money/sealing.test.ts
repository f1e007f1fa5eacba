import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { logLine } from '../../src/timeline/logFile.ts'
import { SEGMENT_BYTES_MAX } from '../../src/timeline/segments.ts'
import { BINARY, NODE, sandboxWorld } from '../world.ts'
import { canTrace } from './syscalls.ts'

const FINDING = { type: 'finding', of: 'x', as: 'paid', because: 'x'.repeat(64 * 1024) }

it.skipIf(!canTrace())('goes on in a full file where the system does not let it be renamed', async () => {
  const world = await sandboxWorld()
  const data = join(world.home, 'data')
  const stamp = { at: '2026-01-02T03:04:05.000Z', user: 'ana', machine: 'till' }
  const line = logLine(JSON.stringify({ id: 'r', ...stamp, ...FINDING }))
  mkdirSync(data, { recursive: true, mode: 0o700 })
  writeFileSync(join(data, 'timeline.log'), line.repeat(Math.ceil(SEGMENT_BYTES_MAX / line.length)), { mode: 0o600 })
  const words = ['transfer', '--key', 'maria@example.com', '--value', '1', '--yes', '-o', 'json']
  const renaming = 'rename,renameat,renameat2'
  const options = ['-f', '-o', '/dev/null', '-e', `trace=${renaming}`, '-e', `inject=${renaming}:error=EBUSY`]
  const env = { ...world.env, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:9/' }
  const { stdout } = await promisify(execFile)('strace', [...options, NODE, BINARY, ...words], { env })
  expect(readdirSync(data).filter((name) => name.startsWith('timeline'))).toEqual(['timeline.log'])
  const { pixgate } = await world.json(['history', 'show', JSON.parse(stdout).externalId])
  expect(pixgate).toMatchObject({ state: 'accepted' })
})
