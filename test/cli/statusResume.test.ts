import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { start } from '../gateway/running.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'

/** A gateway that says PAID to every query but those of these ids, which are left to `treat`. */
async function gatewayTreating(ids: readonly string[], treat: (response: ServerResponse) => void) {
  const asked: string[] = []
  const special = new Set(ids)
  const server = createServer((request, response) => {
    const id = new URL(request.url ?? '/', 'http://x').searchParams.get('idTransaction') ?? ''
    asked.push(id)
    if (special.has(id)) treat(response)
    else response.end(JSON.stringify({ idTransaction: id, status: 'PAID', amount: 10.5 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return { url: `http://127.0.0.1:${address.port}`, special, takeAsked: () => asked.splice(0).sort() }
}

function withFile(world: World): string {
  const path = join(world.home, 'payments.csv')
  writeFileSync(path, 'idTransaction,amount,status\na,10.50,PAID\nb,10.51,PAID\nc,10.50,PAID\n')
  return path
}

function kept(world: World): string[] {
  const folder = join(world.home, 'data', 'checks')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}

const REUSED = (count: number) =>
  `${count} of them were asked for within the last hour by a run that did not end, and are not asked for again; \`--fresh\` asks for all\n`

it('continues after it was killed, and asks for all again once it has ended', async () => {
  const gateway = await gatewayTreating(['c'], () => undefined)
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const path = withFile(world)
  const running = start(world, ['status', '--from', path])
  await expect.poll(() => kept(world).join('').split('\n').length, { timeout: 10_000 }).toBe(3)
  running.signal('SIGKILL')
  await running.ended
  expect(gateway.takeAsked()).toEqual(['a', 'b', 'c'])
  gateway.special.clear()

  const again = inThisProcess(world)
  const ran = await again.run(['status', '--from', path])
  const totals = 'match: 2, expected R$ 21,00, found R$ 21,00\ndiffers: 1, expected R$ 10,51, found R$ 10,50\n'
  expect([ran.exit, ran.stderr]).toEqual([1, REUSED(2) + totals])
  expect(ran.stdout.split('\n').map((line) => line.split('\t')[1] ?? '')).toEqual([
    'verdict',
    'match',
    'differs',
    'match',
    '',
  ])
  expect(gateway.takeAsked()).toEqual(['c'])
  expect(kept(world)).toEqual([])
  expect((await again.run(['status', '--from', path])).stderr).toBe(totals)
  expect(gateway.takeAsked()).toEqual(['a', 'b', 'c'])
})

it('asks again only for what failed, unless all is wanted afresh or the file is another', async () => {
  const gateway = await gatewayTreating(['c'], (response) => response.writeHead(500).end())
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const path = withFile(world)
  const asking = async (words: readonly string[] = []) => {
    const { exit } = await world.run(['status', '--from', path, ...words])
    return [exit, gateway.takeAsked()]
  }
  expect(await asking()).toEqual([6, ['a', 'b', 'c']])
  expect(await asking()).toEqual([6, ['c']])
  expect(await asking(['--fresh'])).toEqual([6, ['a', 'b', 'c']])
  writeFileSync(path, 'idTransaction,amount\na,10.50\nc,10.50\n')
  expect(await asking()).toEqual([6, ['a', 'c']])
  const listed = JSON.parse((await world.run(['status', '--from', path, '-o', 'json'])).stdout)
  expect(listed).toMatchObject([
    {
      idTransaction: 'a',
      status: 'PAID',
      pixgate: { verdict: 'match', knownBy: 'gateway', askedAt: expect.any(String) },
    },
    { idTransaction: 'c', error: { exitCode: 6 } },
  ])
})

it('reads what spreadsheets write', async () => {
  const gateway = await gatewayTreating([], () => undefined)
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const path = join(world.home, 'utf16.csv')
  writeFileSync(path, '\uFEFFidTransaction;amount\r\na;10,50\r\n', 'utf16le')
  const ran = await world.run(['status', '--from', path, '-o', 'csv', '--fields', 'idTransaction,pixgate.verdict'])
  expect(ran).toEqual({
    exit: 0,
    stdout: 'idTransaction,pixgate.verdict\na,match\n',
    stderr: 'match: 1, expected R$ 10,50, found R$ 10,50\n',
  })
})

it('takes `--fresh` for a file alone', async () => {
  const ran = await inThisProcess(emptyWorld()).run(['status', 'x', '--fresh'])
  expect([ran.exit, ran.stderr]).toEqual([
    2,
    'error: `--fresh` is given without `--from`\nhint: Omit `--fresh`: typed ids are always asked for\n',
  ])
})
