import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { withSources } from '../../src/cli/reportFailure.ts'

it.each(['plain', 'with spaces', 'copy (1) of it'])('names the sources of a bundle in a folder "%s"', (name) => {
  const above = mkdtempSync(join(tmpdir(), 'pixgate-stack-'))
  onTestFinished(() => rmSync(above, { recursive: true, force: true }))
  const bundle = join(above, name, 'bundle.js')
  mkdirSync(join(above, name))
  // The first place of the bundle is the third line and the second column of the source.
  const map = { version: 3, sources: ['../src/pay.ts'], names: [], mappings: 'AAEC' }
  writeFileSync(`${bundle}.map`, JSON.stringify(map))
  const stack = (place: string) => `Error: no
    at pay (${place})
    at async ${place}
    at ${place}
    at async Promise.all (index 0)
    at node:internal/timers:1:1
    at other (${join(above, name, 'other.js')}:1:1)`
  expect(withSources(stack(`${bundle}:1:1`))).toBe(stack(`${join(above, 'src', 'pay.ts')}:3:2`))
})
