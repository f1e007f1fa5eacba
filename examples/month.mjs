// A small month of payments in the sandbox, all of today: two customers pay, four suppliers are paid, and the answer about the last one
// gets lost. `node month.mjs pedido` calls the orders pedido-901 instead of order-901. It is its own receiver of webhooks, and writes
// what it got to webhooks.jsonl, as a shop does that stores them for `pixgate history import`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const order = process.argv[2] ?? 'order'
const stored = []
const server = createServer(async (request, response) => {
  stored.push({ body: await text(request), signature: request.headers['x-signature'] })
  response.end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const PIXGATE_CALLBACK_URL = `http://127.0.0.1:${server.address().port}/`

/** Runs pixgate, which must end with this exit code. */
async function pixgate(words, expected = 0) {
  const env = { ...process.env, PIXGATE_CALLBACK_URL }
  const child = spawn('pixgate', [...words, '-q'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  })
  const errors = text(child.stderr)
  const [exit] = await once(child, 'close')
  if (exit !== expected) throw new Error(`pixgate ${words.join(' ')} ended with ${exit}: ${await errors}`)
}

async function receive(number, amount, payer) {
  await pixgate(['qr', 'create', '--request-number', number, '--amount', amount, '--payer-name', payer, '--no-qr'])
  await pixgate(['sandbox', 'pay', number])
}

const send = (number, amount, key, exit) =>
  pixgate(['transfer', '--external-id', number, '--amount', amount, '--key', key, '--yes'], exit)

await receive(`${order}-901`, '150,00', 'Carlos Nunes')
await send('nf-101', '234,56', 'padaria@example.com')
await send('nf-102', '250,00', 'maria@example.com')
await send('nf-103', '80,00', '11222333000181')
await receive(`${order}-902`, '25,00', 'Ana Souza')

const EVENTS = 5
const OUTCOME_UNKNOWN = 5
while (stored.length < EVENTS) await new Promise((resolve) => setTimeout(resolve, 50))
// Nor does this one have a webhook.
server.close()
writeFileSync('webhooks.jsonl', stored.map((webhook) => `${JSON.stringify(webhook)}\n`).join(''))
await pixgate(['sandbox', 'fault', 'drop-after', '--on', 'transfer'])
await send('nf-104', '99,90', 'maria@example.com', OUTCOME_UNKNOWN)
