import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

/** The address of an HTTP server on loopback that is gone when the test is, `http://127.0.0.1:1234`. */
export async function localServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return `http://127.0.0.1:${address.port}`
}
