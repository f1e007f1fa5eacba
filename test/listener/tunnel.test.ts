import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { NODE } from '../world.ts'
import { CLOUDFLARED, LOCALHOST_RUN, NGROK_JSON } from './banners.ts'
import { isRunning, NEVER_MS, script, temporaryFolder, watchTunnel } from './tunnels.ts'

/** Stays until it is ended. */
const STAY = 'exec sleep 600'

function banner(folder: string, text: string): string {
  const path = join(folder, 'banner.txt')
  writeFileSync(path, text)
  return path
}

/** The process ids that a script has written, one a line, as soon as there are this many. */
async function pidsIn(path: string, count: number): Promise<number[]> {
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1).map(Number) : [])
  await vi.waitFor(() => expect(read()).toHaveLength(count), { timeout: 20_000, interval: 20 })
  const pids = read()
  onTestFinished(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL')
  })
  return pids
}

describe('the URL', () => {
  it.each([
    ['cloudflared, on stderr', CLOUDFLARED, '>&2', 'https://four-dashed-word-url.trycloudflare.com'],
    ['ngrok', NGROK_JSON, '', 'https://a1b2.ngrok-free.app'],
    ['localhost.run', LOCALHOST_RUN, '', 'https://47970a65005227.lhr.life'],
  ])('is read from what %s prints', async (_, text, where, url) => {
    const folder = temporaryFolder()
    const tunnel = watchTunnel(script(folder, `cat '${banner(folder, text)}' ${where}`, STAY))
    expect(await tunnel.next()).toBe(url)
  })

  it('is read if it comes in two writes and in colours', async () => {
    const folder = temporaryFolder()
    const halves = `process.stdout.write('at \\x1b[32mhttps://a.exam', () => setTimeout(() => console.log('ple\\x1b[0m'), 20))`
    const tunnel = watchTunnel(script(folder, `'${NODE}' -e "${halves}"`, STAY))
    expect(await tunnel.next()).toBe('https://a.example')
  })

  it('has the port in it if the command says so', async () => {
    const tunnel = watchTunnel(`echo "https://a-{port}.example:$\{port}"; ${STAY}`)
    expect(await tunnel.next()).toBe('https://a-4242.example:4242')
  })

  it.each([
    ['a lone slash', 'https://a.example/docs https://b.example/', 'https://b.example/'],
    ['a path', 'https://a.example/hooks/x', 'https://a.example/hooks/x'],
    ['no end of line', 'https://a.example', 'https://a.example'],
  ])('with %s is taken when no better one follows', async (_, text, url) => {
    const folder = temporaryFolder()
    const command = script(folder, `printf '%s' '${text}${text.includes('/b') || text.endsWith('x') ? ' ' : ''}'`, STAY)
    expect(await watchTunnel(command, { doubtMs: { 1: 1, 2: 1000 } }).next()).toBe(url)
  })

  it('is reported again if a better one follows', async () => {
    const folder = temporaryFolder()
    const go = join(folder, 'go')
    const waiting = `until test -e '${go}'; do sleep 0.02; done`
    const command = script(folder, 'echo https://a.example/docs', waiting, 'echo https://b.example', STAY)
    const tunnel = watchTunnel(command, { doubtMs: { 1: NEVER_MS, 2: 1 } })
    expect(await tunnel.next()).toBe('https://a.example/docs')
    writeFileSync(go, '')
    expect(await tunnel.next()).toBe('https://b.example')
  })

  it('is not looked for if the user has named it', async () => {
    const command = 'echo https://a.example; echo https://b.example; exit 7'
    const tunnel = watchTunnel(command, { urlMs: 1 }, { expectsUrl: false })
    expect(await tunnel.next()).toContain('exited with code 7')
  })
})

describe('a tunnel that ends', () => {
  it('is started again, and its new URL is reported', async () => {
    const folder = temporaryFolder()
    const count = `echo x >> '${folder}/runs'; n=$(wc -l < '${folder}/runs' | tr -d ' ')`
    const ending = `test "$n" = 3 && ${STAY}; until test -e '${folder}/end'$n; do sleep 0.02; done`
    const words = 'echo "error: \u001b[31mlost $n\u001b[0m" >&2; printf "try later\\007" >&2; exit 3'
    const tunnel = watchTunnel(script(folder, count, 'echo "https://run-$n.example"', ending, words))
    expect(await tunnel.next()).toBe('https://run-1.example')
    writeFileSync(join(folder, 'end1'), '')
    const trouble = 'The tunnel command exited with code 3; retrying every 0 ms; its output: '
    expect(await tunnel.next()).toBe(`${trouble}error: lost 1 / try later\\u{7}`)
    expect(await tunnel.next()).toBe('https://run-2.example')
    writeFileSync(join(folder, 'end2'), '')
    expect(await tunnel.next()).toBe(`${trouble}error: lost 2 / try later\\u{7}`)
    expect(await tunnel.next()).toBe('https://run-3.example')
  })

  it('is started again after longer and longer pauses', async () => {
    const folder = temporaryFolder()
    const count = `echo x >> '${folder}/runs'; echo "try $(wc -l < '${folder}/runs' | tr -d ' ')"`
    const tunnel = watchTunnel(script(folder, count, 'exit 1'), { restartMs: [1, 2, 5, 10] })
    const begin = 'The tunnel command exited with code 1;'
    // What differs in its numbers only is said once.
    expect(await tunnel.next()).toBe(`${begin} restarting in 1 ms; its output: try 1`)
    expect(await tunnel.next()).toBe(`${begin} retrying every 10 ms; its output: try 4`)
  })

  it('is reported again if it fails in a different way', async () => {
    const folder = temporaryFolder()
    const command = script(folder, `test -e '${folder}/was' && exit 2`, `echo > '${folder}/was'`, 'exit 1')
    const tunnel = watchTunnel(command, { restartMs: [1, 1, 1, NEVER_MS] })
    expect(await tunnel.next()).toContain('exited with code 1; restarting in 1 ms')
    expect(await tunnel.next()).toContain('exited with code 2; restarting in 1 ms')
  })

  it('restarts with the short pause after a long run', async () => {
    const folder = temporaryFolder()
    const command = script(folder, `echo x >> '${folder}/runs'`, 'exit 1')
    const tunnel = watchTunnel(command, { restartMs: [1, NEVER_MS], stableMs: 0 })
    const first = await tunnel.next()
    expect(await tunnel.next()).toBe(first)
    expect(await tunnel.next()).toBe(first)
  })

  it.each([
    ['by a signal', 'kill -9 $$', 'was terminated by SIGKILL'],
    ['because it does not exist', 'no-such-tunnel', 'exited with code 127; retrying every 0 ms; its output: '],
    ['to stay in the background', 'sleep 600 & exit 0', 'must stay in the foreground'],
  ])('%s is explained', async (_, command, words) => {
    expect(await watchTunnel(command).next()).toContain(words)
  })

  it('ends the processes that it started', async () => {
    const folder = temporaryFolder()
    const command = script(folder, `sleep 600 >/dev/null 2>&1 & echo $! >> '${folder}/pids'`, 'exit 1')
    const tunnel = watchTunnel(command, { restartMs: [0, NEVER_MS] })
    await tunnel.next()
    const [first = 0] = await pidsIn(join(folder, 'pids'), 2)
    expect(isRunning(first)).toBe(false)
  })
})

describe('a tunnel that hangs', () => {
  it('without a URL is ended and started again', async () => {
    const folder = temporaryFolder()
    const command = script(folder, `echo $$ >> '${folder}/pids'`, 'echo "connecting to http://a.example"', STAY)
    const tunnel = watchTunnel(command, { urlMs: 500, restartMs: [0, NEVER_MS] })
    expect(await tunnel.next()).toBe(
      'The tunnel command printed no https URL within 500 ms; restarting in 0 ms; its output: connecting to http://a.example',
    )
    const [first = 0] = await pidsIn(join(folder, 'pids'), 2)
    expect(isRunning(first)).toBe(false)
  })

  it('with a doubtful URL is believed', async () => {
    const tunnel = watchTunnel(`echo https://a.example/x; ${STAY}`, { urlMs: 500 })
    expect(await tunnel.next()).toBe('https://a.example/x')
  })
})

describe('close', () => {
  const HEARTBEAT = `
    const { appendFileSync } = require('node:fs')
    const { spawn } = require('node:child_process')
    const [folder, depth] = process.argv.slice(2)
    process.on('SIGTERM', () => undefined)
    appendFileSync(folder + '/pids', process.pid + '\\n')
    setInterval(() => appendFileSync(folder + '/beats', '.'), 5)
    if (depth > 0) spawn(process.execPath, [__filename, folder, depth - 1], { stdio: 'ignore' })
  `

  it('ends what ignores SIGTERM, and its children', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'heartbeat.cjs')
    writeFileSync(path, HEARTBEAT)
    const start = `'${NODE}' '${path}' '${folder}' 2 >/dev/null 2>&1 &`
    const tunnel = watchTunnel(script(folder, "trap '' TERM", start, 'echo https://a.example', 'wait; sleep 600'), {
      killMs: 50,
    })
    expect(await tunnel.next()).toBe('https://a.example')
    const pids = await pidsIn(join(folder, 'pids'), 3)
    expect(pids.every(isRunning)).toBe(true)
    await tunnel.close()
    const beats = readFileSync(join(folder, 'beats')).length
    expect(pids.filter(isRunning)).toEqual([])
    expect(readFileSync(join(folder, 'beats'))).toHaveLength(beats)
  })

  it('lets a tunnel end in its own way', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'polite.cjs')
    const bye = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'bye'))}, 'bye')`
    const stay = "setInterval(() => undefined, 1000); console.log('https://a.example')"
    writeFileSync(path, `process.on('SIGTERM', () => { ${bye}; process.exit() }); ${stay}`)
    const tunnel = watchTunnel(`exec '${NODE}' '${path}'`, { killMs: NEVER_MS })
    await tunnel.next()
    await tunnel.close()
    expect(readFileSync(join(folder, 'bye'), 'utf8')).toBe('bye')
  })

  it('gives the last answers time to pass through', async () => {
    const order: string[] = []
    const { kill } = process
    const killing = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      order.push(String(signal))
      return Reflect.apply(kill, process, [pid, signal])
    })
    onTestFinished(() => killing.mockRestore())
    const tunnel = watchTunnel(`echo https://a.example; ${STAY}`, { passMs: 100 })
    await tunnel.next()
    setTimeout(() => order.push('answer'), 20)
    await tunnel.close()
    expect(order.slice(0, 2)).toEqual(['answer', 'SIGTERM'])
  })

  it('does not wait for the next start, and can be asked for twice', async () => {
    const tunnel = watchTunnel('exit 1', { restartMs: [NEVER_MS] })
    await tunnel.next()
    await Promise.all([tunnel.close(), tunnel.close()])
    await tunnel.close()
  })

  it('reports a process that it is not permitted to end', async () => {
    const told: string[] = []
    const { kill } = process
    const killing = vi.spyOn(process, 'kill').mockImplementation((pid) => {
      onTestFinished(() => void Reflect.apply(kill, process, [pid, 'SIGKILL']))
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    })
    onTestFinished(() => killing.mockRestore())
    const tunnel = watchTunnel(`echo https://a.example; ${STAY}`, {}, { onTrouble: (line) => told.push(line) })
    await tunnel.next()
    await tunnel.close()
    expect(told).toEqual([
      expect.stringMatching(/^The tunnel command runs as another user; stop process \d+ yourself$/),
    ])
  })
})

describe('the environment of a tunnel', () => {
  it('is what it was given', async () => {
    const print = 'echo "https://$OWN.example/$PIXGATE_CLIENT_SECRET"'
    const env = { PATH: process.env.PATH, OWN: 'mine' }
    const tunnel = watchTunnel(`${print}; ${STAY}`, { doubtMs: { 1: 1, 2: 1 } }, { env })
    expect(await tunnel.next()).toBe('https://mine.example/')
  })

  it('has an input that does not end', async () => {
    const tunnel = watchTunnel(`test -c /dev/stdin && echo https://nothing.example; echo https://a.example; ${STAY}`)
    expect(await tunnel.next()).toBe('https://a.example')
  })
})
