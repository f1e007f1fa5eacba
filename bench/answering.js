/**
 * A gateway that says at once that a payment is there, and accepts every transfer. It prints its address. `/figures` tells
 * how many requests came since it was asked last, and the ms from the first to the last of them.
 */
import { createServer } from 'node:http'

const PAYMENT = '{"idTransaction":"0b935d10-3c90-4af3-8776-dd18622a7941","status":"PAID","amount":25}'
/** Each transfer has an id of its own. */
const accepted = () =>
  `{"idTransaction":"5c0e1f7a-9d1b-4a53-8c1f-${String(transfers++).padStart(12, '0')}","status":"PROCESSING","response":"OK"}`

let transfers = 0
let requests = 0
let firstMs = 0
let lastMs = 0

const server = createServer((request, response) => {
  if (request.url === '/figures') {
    response.end(JSON.stringify({ requests, ms: lastMs - firstMs }))
    requests = 0
    return
  }
  lastMs = performance.now()
  if (requests++ === 0) firstMs = lastMs
  request.resume()
  request.on('end', () => {
    const body = request.method === 'GET' ? PAYMENT : accepted()
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
})
