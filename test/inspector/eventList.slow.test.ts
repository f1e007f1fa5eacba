import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { headersOf, paymentBody, recordEvent } from '../cli/recordedEvents.ts'
import { webhookTarget } from '../cli/webhookTarget.ts'
import { emptyWorld } from '../world.ts'
import { eventually, inChromium, openTab, startInspector, useBrowser } from './chromium.ts'
import { storeManyEvents } from './manyEvents.ts'

/** More than one question to the server answers. */
const EVENTS = 1_000

function rows(page: Page) {
  return page.locator('.master [role=option]')
}

inChromium('the list of events', () => {
  useBrowser()

  it('scrolls through a thousand events with few of them in the document', { timeout: 60_000 }, async () => {
    const world = emptyWorld()
    await storeManyEvents(world, EVENTS)
    const page = await openTab((await startInspector(world)).url)
    const selected = (text: string) => page.locator('[aria-selected=true]').getByText(text).waitFor()
    await rows(page).getByText(`#${EVENTS} `).waitFor()
    expect(await page.locator('.bar').textContent()).toContain(`${EVENTS} recorded`)
    await page.keyboard.press('End')
    for (let loaded = 0; loaded < EVENTS; ) {
      await page.keyboard.press('End')
      const text = (await page.locator('[aria-selected=true]').textContent()) ?? ''
      loaded = EVENTS + 1 - Number(/#(\d+) /.exec(text)?.[1])
    }
    await selected('#1 ·')
    expect(await rows(page).count()).toBeLessThan(60)
    await recordEvent(world, paymentBody('live-1'))
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await page.keyboard.press('k')
    await selected('#2 ·')
    expect(await page.locator('[aria-selected=true]').getAttribute('aria-posinset')).toBe(`${EVENTS}`)
    await page.getByRole('button', { name: '1 new' }).click()
    await rows(page).getByText('live-1').waitFor()
    await recordEvent(world, paymentBody('live-2'))
    await rows(page).first().getByText('live-2').waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Search').fill('id-7')
    await page.keyboard.press('Enter')
    await page.getByText('events: 100').waitFor()
    await page.getByText('Only the newest 100 are shown').waitFor()
    expect(page.faults).toEqual([])
  })

  it('filters by event, verdict and forward, also what arrives', { timeout: 60_000 }, async () => {
    const world = emptyWorld({ PIXGATE_CLIENT_SECRET: 'local-secret' })
    const target = await webhookTarget()
    target.answer(200, 500, 200)
    const words = ['webhook', 'listen', '--port', '0', '--inspect', '0', '--forward-to', target.url]
    const inspector = await startInspector(world, words)
    const post = async (body: string, headers: [string, string][]) => {
      await fetch(String(inspector.ready.url), { method: 'POST', body, headers })
    }
    const failed = JSON.stringify({
      event: 'transfer.failed',
      data: { idTransaction: 't-1', statusTransaction: 'ERROR' },
    })
    for (const [at, body] of [paymentBody('a-1'), failed, '{"event":"pix.new"}'].entries()) {
      await post(body, headersOf(body).slice(1, 2))
      await expect.poll(() => target.posted.length).toBe(at + 1)
    }
    await post(paymentBody('a-2'), [])
    const page = await openTab(inspector.url)
    await eventually(() => rows(page).count()).toBe(4)
    await eventually(() => page.locator('.forward').allTextContents()).toEqual([
      '',
      ...Array(3).fill(expect.stringMatching(/→ [25]00/)),
    ])
    const shown = async (facet: string, value: string) => {
      await page.getByLabel(facet, { exact: true }).selectOption(value)
      await page.locator('.bar').getByText('1 match, 3 recorded').waitFor()
      const names = await rows(page).locator('.name').allTextContents()
      await page.getByRole('button', { name: 'Show all' }).click()
      await eventually(() => rows(page).count()).toBe(4)
      return names
    }
    expect(await shown('Event', 'transfer.failed')).toEqual(['transfer.failed'])
    expect(await shown('Event', 'other events')).toEqual(['pix.new'])
    expect(await shown('Signature', 'refused')).toEqual(['pix.received'])
    expect(await shown('Forward', 'forward failed')).toEqual(['transfer.failed'])
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowDown')
    await eventually(() => rows(page).count()).toBe(2)
    await post(failed.replace('t-1', 't-2'), headersOf(failed.replace('t-1', 't-2')).slice(1, 2))
    await post(paymentBody('a-3'), headersOf(paymentBody('a-3')).slice(1, 2))
    await eventually(() => rows(page).locator('.about').allTextContents()).toEqual([
      '#5 · a-3',
      expect.stringContaining('a-2'),
      '#1 · a-1',
    ])
    await page.getByLabel('Forward', { exact: true }).selectOption('forward failed')
    await page.getByText('No event matches').waitFor()
    expect(page.faults).toEqual([])
  })
})
