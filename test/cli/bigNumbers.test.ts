import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld } from '../world.ts'

/** Numbers that JavaScript cannot hold, or writes in another way. */
const NUMBERS = {
  beyondWhole: '9007199254740993',
  beyondDouble: '1e400',
  digits: '0.12345678901234567890123',
  zeros: '10.50',
  minusZero: '-0',
  exponent: '1E+2',
}
const ID = '6afeda52-03a4-40c3-b415-514ca40d0a47'
const ANSWER = `{"idTransaction":"${ID}","status":"PAID","amount":10.50,${Object.entries(NUMBERS)
  .map(([name, literal]) => `"${name}":${literal}`)
  .join(',')}}`

it('numbers of an answer are printed with the digits that came', async () => {
  const url = await localServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(ANSWER)
  })
  const world = emptyWorld({
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: 'a',
    PIXGATE_CLIENT_SECRET: 'shop-secret',
    PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/',
  })
  const run = here(world)
  const commands = [
    ['status', ID, '-o', 'json'],
    ['status', ID, crypto.randomUUID(), '-o', 'json'],
    ['transfer', '--key', 'a@b.co', '--amount', '1', '--yes', '-o', 'json'],
    ['qr', 'create', '--amount', '1', '-o', 'json'],
  ]
  for (const words of commands) {
    const { exit, stdout } = await run(words)
    expect([words, exit]).toEqual([words, 0])
    for (const [name, literal] of Object.entries(NUMBERS)) {
      expect(stdout).toMatch(new RegExp(`"${name}": ?${literal.replace(/[.+]/g, '\\$&')}[,\\s}]`))
    }
  }
})
