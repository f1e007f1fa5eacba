/**
 * The limit beside `webhook listen`: a bare node:http receiver that reads the body, checks the HMAC and answers 200 or 401.
 * It keeps nothing, so nothing that it answers for is safe. The secret is BENCH_SECRET; it prints its port.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const SECRET = process.env.BENCH_SECRET ?? ''
const HEX = /^[0-9a-f]{64}$/

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const [first] = chunks
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
    response.writeHead(isGenuine(body, request.headers['x-signature']) ? 200 : 401, { 'content-length': '0' }).end()
  })
})

/**
 * @param {Buffer} body
 * @param {string | string[] | undefined} signature
 */
function isGenuine(body, signature) {
  if (typeof signature !== 'string' || !HEX.test(signature)) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), createHmac('sha256', SECRET).update(body).digest())
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : address)
})
