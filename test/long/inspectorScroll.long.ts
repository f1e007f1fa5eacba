import { expect, it } from 'vitest'
import { inChromium, openTab, startInspector, useBrowser } from '../inspector/chromium.ts'
import { storeManyEvents } from '../inspector/manyEvents.ts'
import { emptyWorld } from '../world.ts'

const EVENTS = 10_000
const FRAME_MS_MAX = 50
/** How far the list is scrolled in each frame: 10 rows. */
const STEP_PX = 560

/** The time between frames while the list is scrolled from its beginning to its end, which is read meanwhile. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector('.scroll')
  const frames = []
  let last = performance.now()
  const step = (now) => {
    frames.push(now - last)
    last = now
    if (document.querySelector('#row-1') !== null) return resolve(frames)
    list.scrollTop += ${STEP_PX}
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

/** What is read of a trace of Chromium. Times are in microseconds; `tdur` is that of the thread's own work. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  ts: number
  tdur?: number
  args: { name?: string }
}

inChromium('the list of events', () => {
  useBrowser()

  // Other programs on the machine delay frames, so that the work for each of them is judged, and the time only reported.
  it('needs at most 50 ms of work for any frame while 10,000 events are scrolled', { timeout: 300_000 }, async () => {
    const world = emptyWorld()
    await storeManyEvents(world, EVENTS)
    const page = await openTab((await startInspector(world)).url)
    await page.locator('#row-10000').waitFor()
    const browser = page.context().browser()
    if (browser === null) throw new Error('the page has no browser')
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
    const times = await page.evaluate(SCROLL).then((measured) => [measured].flat().map(Number))
    const { traceEvents } = JSON.parse(String(await browser.stopTracing()))
    const work = workPerFrame(traceEvents)
    process.stderr.write(`work ${summary(work)}; time ${summary(times)}\n`)
    expect(work.length).toBeGreaterThan(500)
    expect(Math.max(...work)).toBeLessThanOrEqual(FRAME_MS_MAX)
  })
})

/** How many ms the page's main thread worked from each frame to the next. */
function workPerFrame(events: readonly TraceEvent[]): number[] {
  const main = events.find(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const ofMain = events
    .filter(({ pid, tid }) => pid === main?.pid && tid === main.tid)
    .toSorted((one, other) => one.ts - other.ts)
  const frames = [0]
  for (const { name, tdur = 0 } of ofMain) {
    if (name === 'FireAnimationFrame') frames.push(0)
    if (name.endsWith('::RunTask')) frames.push((frames.pop() ?? 0) + tdur / 1000)
  }
  return frames
}

function summary(ms: readonly number[]): string {
  const sorted = ms.toSorted((one, other) => one - other)
  const at = (share: number) => sorted.at(Math.floor(share * (sorted.length - 1)))?.toFixed(1)
  return `of ${ms.length} frames in ms: p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`
}
