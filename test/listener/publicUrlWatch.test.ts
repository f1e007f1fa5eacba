import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isSelfCall, SELF_HEADER } from '../../src/listener/publicUrlWatch.ts'
import { NEVER_MS } from './tunnels.ts'
import { closed, listen, listener, NONCE, portIn, stop, watch } from './watchedUrl.ts'

describe('a public URL', () => {
  it('that reaches the listener is called periodically, and reported once', async () => {
    const calls: string[] = []
    let enough = () => {}
    const called = new Promise<void>((resolve) => {
      enough = resolve
    })
    const sockets = new Set<Socket>()
    const host = await listen(
      createServer((request, response) => {
        calls.push(`${request.method} ${request.url} ${request.headers[SELF_HEADER.toLowerCase()]}`)
        sockets.add(request.socket)
        listener(request, response)
        if (calls.length === 3) enough()
      }),
    )
    const said: string[] = []
    watch(`http://${host}/hook?a=1`, { onUp: (line) => said.push(line), onDown: (line) => said.push(line) })
    await called
    expect(calls.slice(0, 3)).toEqual(Array(3).fill(`GET /hook?a=1 ${NONCE}`))
    expect(said).toEqual([`http://${host}/hook?a=1 reaches this listener`])
    expect(sockets.size).toBe(calls.length)
  })

  it('is reported once when it fails, and once when it works again', async () => {
    const sockets = new Set<Socket>()
    const server = createServer(listener)
    server.on('connection', (socket: Socket) => sockets.add(socket))
    const host = await listen(server)
    const watched = watch(`http://${host}`)
    expect(await watched.next()).toBe(`http://${host} reaches this listener`)
    stop(server, sockets)
    expect(await watched.next()).toBe(`http://${host} does not reach this listener: nothing listens at ${host}`)
    await listen(createServer(listener), portIn(host))
    expect(await watched.next()).toBe(`http://${host} reaches this listener again`)
  })

  it('that is fresh may need a moment', async () => {
    const codes = [502, 530, 404]
    const host = await listen(
      createServer((request, response) => {
        const code = codes.shift()
        if (code === undefined) listener(request, response)
        else response.writeHead(code).end()
      }),
    )
    const watched = watch(`http://${host}`, { freshMs: NEVER_MS, intervalMs: NEVER_MS })
    expect(await watched.next()).toBe(`http://${host} reaches this listener`)
    expect(codes).toEqual([])
  })

  it('that still fails when it is no longer new is reported', async () => {
    const host = await listen(createServer((_, response) => response.writeHead(502).end()))
    const watched = watch(`http://${host}`, { freshMs: 30 })
    expect(await watched.next()).toContain('with 502')
  })

  it('can be set later, changed, and checked in between', async () => {
    const [one, other] = [createServer(listener), createServer(listener)]
    const sockets = new Set<Socket>()
    one.on('connection', (socket: Socket) => sockets.add(socket))
    const [first, second] = [await listen(one), await listen(other)]
    const watched = watch(undefined, { intervalMs: NEVER_MS, freshMs: NEVER_MS })
    watched.check()
    watched.setUrl(`http://${first}`)
    expect(await watched.next()).toBe(`http://${first} reaches this listener`)
    stop(one, sockets)
    watched.check()
    expect(await watched.next()).toContain(`${first} does not reach this listener`)
    watched.setUrl(`http://${second}`)
    expect(await watched.next()).toBe(`http://${second} reaches this listener again`)
    const third = await listen(createServer(listener))
    watched.setUrl(`http://${third}`)
    expect(await watched.next()).toBe(`http://${third} reaches this listener`)
  })

  it('is checked more often after a problem, even if it works at first', async () => {
    let calls = 0
    const host = await listen(
      createServer((request, response) => {
        calls++
        if (calls < 4) listener(request, response)
        else response.writeHead(502).end()
      }),
    )
    const watched = watch(`http://${host}`, { intervalMs: NEVER_MS, freshMs: NEVER_MS })
    await watched.next()
    watched.check()
    expect(await watched.next()).toContain('with 502')
  })

  it('is not called any more after the end', async () => {
    const calls: string[] = []
    let enough = (_socket: Socket) => {}
    const called = new Promise<Socket>((resolve) => {
      enough = resolve
    })
    const server = createServer((request, response) => {
      calls.push(request.url ?? '')
      if (request.url === '/last') response.end()
      else enough(request.socket)
    })
    const host = await listen(server)
    const said: string[] = []
    const watched = watch(`http://${host}/own`, { onUp: (line) => said.push(line), onDown: (line) => said.push(line) })
    const socket = await called
    watched.close()
    await closed(socket)
    watched.check()
    watched.setUrl(`http://${host}/own`)
    await fetch(`http://${host}/last`)
    expect(calls).toEqual(['/own', '/last'])
    expect(said).toEqual([])
  })

  it('is shown without its password', async () => {
    const host = await listen(
      createServer((request, response) => {
        const isOwn = request.headers.authorization === `Basic ${Buffer.from('me:pass').toString('base64')}`
        response.writeHead(isOwn ? 502 : 401).end()
      }),
    )
    const words = await watch(`http://me:pass@${host}`).next()
    expect(words).toContain('with 502')
    expect(words).not.toContain('pass@')
  })
})

describe('the call to itself', () => {
  it.each([
    ['the nonce', { 'x-pixgate-self': NONCE }, true],
    ['another nonce', { 'x-pixgate-self': `${NONCE.slice(0, -1)}x` }, false],
    ['a longer one', { 'x-pixgate-self': `${NONCE}x` }, false],
    ['the nonce twice', { 'x-pixgate-self': `${NONCE}, ${NONCE}` }, false],
    ['an empty one', { 'x-pixgate-self': '' }, false],
    ['none', {}, false],
  ])('is known by %s', (_, headers, isOwn) => {
    expect(isSelfCall(headers, NONCE)).toBe(isOwn)
  })

  it('is never known by an empty nonce', () => {
    expect(isSelfCall({}, '')).toBe(false)
  })
})
