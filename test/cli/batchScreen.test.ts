import { expect, it } from 'vitest'
import { displayWidth } from '../../src/text/cellLayout.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'

it('breaks what it says about a row between words, and names the code once', async () => {
  const world = await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const path = csvIn(world, 'fornecedores.csv', 'key,value,externalId', [
    'notfound@example.com,10,pagamento-de-fornecedores-novembro-2041',
    'maria@example.com,20,nf-2042',
  ])
  const { exit, screen } = await onTerminalHere(world, ['batch', 'transfer', path, '--yes']).ended
  expect(exit).toBe(1)
  const lines = screen.split(/[\r\n]+/)
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80)
  const at = lines.findIndex((line) => line.startsWith('line 2'))
  expect(lines.slice(at, at + 2)).toEqual([
    'line 2  pagamento-de-fornecedores-novembro-2041  refused',
    '  The gateway refused the request: PIX_KEY_NOT_FOUND',
  ])
})
