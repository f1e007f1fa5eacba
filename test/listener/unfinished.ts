import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'

/**
 * What somebody sends who never finishes a request. Each connection begins with one of these, and connects again 5 to 15 s after it was
 * closed: more at once would measure how fast this machine connects. It runs in a thread of its own, as another machine would.
 */
const HOLD = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, count } } = require('node:worker_threads')
const host = 'POST / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n'
const beginnings = ['', 'POS', host + 'X-Sig', host + 'Content-Length: 100\\r\\n\\r\\n{"event":', host + 'Transfer-Encoding: chunked\\r\\n\\r\\nff\\r\\n{"ev']
let made = 0
function hold(nth) {
  const socket = connect({ port, host: '127.0.0.1' })
  made += 1
  socket.on('error', () => undefined)
  socket.write(beginnings[nth % beginnings.length])
  socket.once('close', () => setTimeout(hold, 5_000 + (nth % 100) * 100, nth))
}
for (let nth = 0; nth < count; nth++) setTimeout(hold, (nth % 100) * 100, nth)
parentPort.on('message', () => parentPort.postMessage(made))`

/** Holds so many connections to a port, none of which ever finishes a request. `made` tells how many were made in all. */
export function holdConnections(port: number, count: number): { made(): Promise<number> } {
  const worker = new Worker(HOLD, { eval: true, workerData: { port, count } })
  onTestFinished(async () => void (await worker.terminate()))
  return {
    made: () =>
      new Promise((resolve) => {
        worker.once('message', resolve)
        worker.postMessage('made')
      }),
  }
}
