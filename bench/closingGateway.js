/**
 * A worker thread with a gateway that accepts every transfer, promises to keep the connection open, and closes it once it was idle for
 * 300 ms. It posts its address to the main thread.
 */
import { createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'

const IDLE_MS = 300
const HEAD_END = '\r\n\r\n'

let transfers = 0

function answer() {
  const id = `5c0e1f7a-9d1b-4a53-8c1f-${String(transfers++).padStart(12, '0')}`
  const body = `{"idTransaction":"${id}","status":"PROCESSING","response":"OK"}`
  const head = ['HTTP/1.1 200 OK', 'connection: keep-alive', 'content-type: application/json']
  return [...head, `content-length: ${body.length}`, '', body].join('\r\n')
}

/** @param {string} received @returns {number} the length of its first request, 0 if it is not whole */
function requestLength(received) {
  const end = received.indexOf(HEAD_END)
  const bytes = Number(/^content-length: *(\d+)/im.exec(received)?.[1] ?? 0)
  const length = end + HEAD_END.length + bytes
  return end === -1 || received.length < length ? 0 : length
}

const server = createServer((socket) => {
  let received = ''
  socket.setTimeout(IDLE_MS, () => socket.end())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    for (let length = requestLength(received); length > 0; length = requestLength(received)) {
      received = received.slice(length)
      socket.write(answer())
    }
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  parentPort?.postMessage(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
})
