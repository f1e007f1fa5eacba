/** A gateway that says at once that a payment is there, and accepts every transfer. It prints its address. */
import { createServer } from 'node:http'

const PAYMENT = '{"idTransaction":"0b935d10-3c90-4af3-8776-dd18622a7941","status":"PAID","amount":25}'
const ACCEPTED = '{"idTransaction":"5c0e1f7a-9d1b-4a53-8c1f-3a1b2c3d4e5f","status":"PROCESSING","response":"OK"}'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const body = request.method === 'GET' ? PAYMENT : ACCEPTED
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
})
