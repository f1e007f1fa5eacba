import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { BINARY, NODE, type World } from '../world.ts'

const CHROMIUM = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium'
const WAIT_MS = 10_000
const hasChromium = existsSync(CHROMIUM)
if (!hasChromium) process.stderr.write(`WITHOUT ${CHROMIUM} THE PAGE OF THE INSPECTOR IS NOT TESTED\n`)

/** Tests in a real browser; skipped, and said so, where there is none. */
export const inChromium = hasChromium ? describe : describe.skip

/** A name of a site that is not pixgate, and that leads to this machine in the browser. */
export const OTHER_SITE = 'other-site.test'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${OTHER_SITE} 127.0.0.1`,
]

let browser: Browser | undefined

/** One browser for all tests of a file; called where its tests are described. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  })
  afterAll(async () => browser?.close())
}

/** Opens an address in a tab of its own profile, with what it complained about. The tab is gone when the test is. */
export async function openTab(url: string, options: BrowserContextOptions = {}): Promise<Page & { faults: string[] }> {
  if (browser === undefined) throw new Error('useBrowser() must be called first')
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto(url)
  return Object.assign(page, { faults })
}

/** What is read again until it is as expected; a busy machine needs more than the second that is usual. */
export function eventually<Value>(read: () => Value) {
  return expect.poll(read, { timeout: WAIT_MS })
}

/** A running `inspect` or `webhook listen --inspect`. */
export interface RunningInspector {
  /** Of the page, with the token. */
  url: string
  origin: string
  token: string
  /** Its first line. */
  ready: Record<string, unknown>
  /** Ends it as Ctrl-C does. */
  interrupt(): Promise<{ exit: number | null; stderr: string }>
  /** Asks its server as the page does. */
  ask(path: string): Promise<Record<string, unknown>>
}

/** Runs a command line that serves the page until the test is over; resolves when it is ready. */
export async function startInspector(
  world: World,
  args: readonly string[] = ['inspect', '--port', '0'],
): Promise<RunningInspector> {
  const child = spawn(NODE, [BINARY, ...args, '-o', 'json'], { env: world.env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const stderr = text(child.stderr)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const first = await Promise.race([
    eventually(() => lines[0]).toBeDefined(),
    ended.then(async () => Promise.reject(new Error(await stderr))),
  ]).then(() => lines[0] ?? '')
  const ready: Record<string, unknown> = JSON.parse(first)
  const url = String(ready.inspectUrl ?? ready.url)
  const { origin, pathname } = new URL(url)
  const token = pathname.slice(1)
  return {
    url,
    origin,
    token,
    ready,
    async interrupt() {
      child.kill('SIGINT')
      return { exit: await ended, stderr: await stderr }
    },
    async ask(path) {
      const response = await fetch(`${origin}/api/${path}`, { headers: { 'X-Pixgate-Token': token } })
      return JSON.parse(await response.text())
    },
  }
}
