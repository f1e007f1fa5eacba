// A shop in Node.js, without packages: `node shop.mjs`. It sells one thing, for R$ 10.50.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

const { PIXGATE_BASE_URL: gateway, PIXGATE_CLIENT_SECRET: secret, SHOP_DATA = 'shop-data', PORT = '3000' } = process.env
const publicUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`
if (!gateway || !secret) throw new Error('PIXGATE_BASE_URL or PIXGATE_CLIENT_SECRET is missing')

const PRICE_CENTS = 1050
const ORDERS = join(SHOP_DATA, 'orders') // one file for each charge, named by its idTransaction
const CREDITS = join(SHOP_DATA, 'credits') // one file for each paid charge; the name makes sure that there is only one
await mkdir(ORDERS, { recursive: true })
await mkdir(CREDITS, { recursive: true })

/** Writes a folder's entries to the disk, so that a new file survives a power failure. */
async function syncFolder(path) {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** Creates a charge, and stores the order before anybody can see its code. Returns its idTransaction. */
async function createOrder() {
  const answer = await fetch(`${gateway}/api/v2/gateway/request-qrcode`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      requestNumber: randomUUID(),
      dueDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
      amount: PRICE_CENTS / 100,
      callbackUrl: `${publicUrl}/pix`,
    }),
  })
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status}: ${await answer.text()}`)
  const { idTransaction, paymentCode, paymentCodeBase64 } = await answer.json()
  const order = JSON.stringify({ amountCents: PRICE_CENTS, paymentCode, paymentCodeBase64 })
  await writeFile(join(ORDERS, `.${idTransaction}`), order, { flush: true })
  await rename(join(ORDERS, `.${idTransaction}`), join(ORDERS, idTransaction))
  await syncFolder(ORDERS)
  return idTransaction
}

/** The order of a charge; undefined if this shop has none with this id. */
async function findOrder(idTransaction) {
  if (!/^[\w-]{1,64}$/.test(idTransaction)) return undefined // it becomes a file name
  const text = await readFile(join(ORDERS, idTransaction), 'utf8').catch(() => undefined)
  return text && JSON.parse(text)
}

/** True if the signature is that of these exact bytes; hex or Base64, because the documentation does not say which. */
function isGenuine(body, header = '') {
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(header, /^[0-9a-f]{64}$/i.test(header) ? 'hex' : 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Credits a paid order, once, however often and in whatever order webhooks arrive. */
async function handleEvent({ event, data }) {
  // EXPIRED and CANCELLED charges are reported by `pix.received`, too.
  if (event !== 'pix.received' || data?.status !== 'PAID') return
  const order = await findOrder(String(data.idTransaction))
  if (order === undefined || Math.round(data.amount * 100) !== order.amountCents) {
    console.warn(`not credited, unknown or another amount: ${data.idTransaction}`)
    return
  }
  try {
    await writeFile(join(CREDITS, data.idTransaction), String(order.amountCents), { flag: 'wx', flush: true })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error // already credited
  }
  await syncFolder(CREDITS)
}

async function page(idTransaction) {
  const order = await findOrder(idTransaction)
  if (order === undefined) return undefined
  const isPaid = (await readdir(CREDITS)).includes(idTransaction)
  if (isPaid) return '<!doctype html><title>Shop</title><p>Paid, thank you.</p>'
  return `<!doctype html><title>Shop</title><meta http-equiv="refresh" content="5">
<p>Pay R$ ${(order.amountCents / 100).toFixed(2)} by PIX:</p>
<img src="data:image/png;base64,${order.paymentCodeBase64}" alt="QR code"><p><code>${order.paymentCode}</code></p>`
}

async function answer(request, response) {
  const [, route, id = ''] = request.url.split('/')
  if (request.method === 'POST' && route === 'orders') {
    response.writeHead(303, { Location: `/orders/${await createOrder()}` }).end()
  } else if (request.method === 'POST' && route === 'pix') {
    const body = await buffer(request) // the raw bytes: verified before anything parses them
    if (!isGenuine(body, request.headers['x-signature'])) return response.writeHead(401).end()
    await handleEvent(JSON.parse(body.toString()))
    response.writeHead(200).end()
  } else if (route === 'credits') {
    response.end(JSON.stringify(await readdir(CREDITS))) // what `pixgate webhook check --state-url` reads
  } else {
    const html =
      id === '' ? '<!doctype html><title>Shop</title><form method="post" action="/orders"><button>Buy' : await page(id)
    response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
  }
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    response.writeHead(500).end() // the gateway delivers again
  })
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The shop listens at http://127.0.0.1:${PORT}`))
