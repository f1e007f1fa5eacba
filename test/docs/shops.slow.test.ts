import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/library/sandbox.ts'
import { freePort } from '../freePort.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, NODE, type World } from '../world.ts'
import { pythonWith } from './receivers.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')
const SECRET = 'local-secret'
const python = pythonWith('sqlite3')
const hasPhp = spawnSync('php', ['-r', 'new PDO("sqlite::memory:");']).status === 0

/** How an example is run on a port; `missing` is what this machine lacks. */
const SHOPS: readonly { file: string; missing: string | undefined; command(port: number): string[] }[] = [
  { file: 'shop.mjs', missing: undefined, command: () => [NODE, 'shop.mjs'] },
  {
    file: 'shop.py',
    missing: python === undefined ? 'python3' : undefined,
    command: () => [String(python), 'shop.py'],
  },
  {
    file: 'shop.php',
    missing: hasPhp ? undefined : 'php or php-sqlite3',
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'shop.php'],
  },
]

/** A shop that sells through a sandbox. */
interface Shop {
  url: string
  child: ChildProcess
}

async function startShop(
  [program = '', ...words]: string[],
  port: number,
  world: World,
  gateway: Sandbox,
): Promise<Shop> {
  const env = {
    PATH: process.env.PATH,
    PIXGATE_BASE_URL: gateway.url,
    PIXGATE_CLIENT_SECRET: SECRET,
    PORT: String(port),
  }
  const data = join(world.home, 'shop-data')
  mkdirSync(data, { recursive: true })
  const child = spawn(program, words, { cwd: EXAMPLES, env: { ...env, SHOP_DATA: data }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(answers, { timeout: 20_000 }).toBe(200)
  return { url, child }
}

/** Buys something: the id of the charge, and the page that shows its code. */
async function buy({ url }: Shop): Promise<{ id: string; page: string }> {
  const { url: address, ...answer } = await fetch(`${url}/orders`, { method: 'POST' }).then(async (response) => ({
    url: response.url,
    status: response.status,
    page: await response.text(),
  }))
  expect(answer.status).toBe(200)
  return { id: address.split('/').at(-1) ?? '', page: answer.page }
}

const credits = async ({ url }: Shop): Promise<unknown> => (await fetch(`${url}/credits`)).json()

it.each(SHOPS.filter(({ missing }) => missing !== undefined))(
  '$file is SKIPPED: $missing IS MISSING',
  ({ file, missing }) => {
    console.warn(`SKIPPED: ${missing} is missing, so ${file} is not run`)
  },
)

for (const { file, command } of SHOPS.filter(({ missing }) => missing === undefined)) {
  it(`${file} sells, and credits a charge once if it was paid`, { timeout: 60_000 }, async () => {
    const world = emptyWorld()
    const gateway = await startSandbox({ clientSecret: SECRET })
    onTestFinished(() => gateway.close())
    const port = await freePort()
    const shop = await startShop(command(port), port, world, gateway)
    const [paid, expired, cancelled] = [await buy(shop), await buy(shop), await buy(shop)]
    expect(await codeIn(paid.page, world)).toMatch(/^00020.*5405(?:10\.50)/)

    await gateway.expire(expired.id)
    await gateway.cancel(cancelled.id)
    await gateway.waitForDelivery({ idTransaction: cancelled.id })
    expect(await credits(shop)).toEqual([])
    await gateway.fault('webhook:twice')
    await gateway.pay(paid.id)
    await expect.poll(() => credits(shop)).toEqual([paid.id])
    expect(await (await fetch(`${shop.url}/orders/${paid.id}`)).text()).toContain('Paid, thank you')

    // Neither a crash nor another delivery changes that.
    shop.child.kill('SIGKILL')
    const again = await startShop(command(port), port, world, gateway)
    await gateway.deliver(paid.id)
    const statuses = async () => (await gateway.state()).deliveries.map(({ status }) => status)
    await expect.poll(statuses).toEqual([200, 200, 200, 200, 200])
    expect(await credits(again)).toEqual([paid.id])

    const check = ['webhook', 'check', `${shop.url}/pix`, '--state-url', `${shop.url}/credits`, '-o', 'json']
    const [one, other] = [await buy(again), await buy(again)]
    const known = ['--order', one.id, '--order', other.id, '--set', 'data.amount=10.50']
    const proved = await here(world)([...check, ...known])
    const open = JSON.parse(proved.stdout).checks.filter(({ verdict }: { verdict: string }) => verdict !== 'good')
    expect([proved.exit, open]).toEqual([0, []])
    // It credits only what it has sold.
    const blind = await here(world)(check)
    expect([blind.exit, JSON.parse(blind.stdout).verdict]).toEqual([1, 'incomplete'])
  })
}

/** What the QR code on a page says, which must be the copy-and-paste code beside it. */
async function codeIn(page: string, world: World): Promise<string> {
  const image = /src="data:image\/png;base64,([^"]+)"/.exec(page)?.[1] ?? ''
  const path = join(world.home, 'code.png')
  writeFileSync(path, Buffer.from(image, 'base64'))
  const { stdout } = await here(world)(['qr', 'decode', path, '-o', 'json'])
  const code = /<code>([^<]+)<\/code>/.exec(page)?.[1] ?? ''
  const typed = await here(world)(['qr', 'decode', code, '-o', 'json'])
  expect(JSON.parse(stdout)).toEqual(JSON.parse(typed.stdout))
  return code
}
