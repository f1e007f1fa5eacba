import { createServer } from 'node:net'

/**
 * A port on which no program listens. It lies below the ports that systems give to programs that ask for any port, so
 * that no other test is given it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!listening) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
