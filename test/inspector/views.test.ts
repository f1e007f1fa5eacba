import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { storeEvent } from '../../src/ledger/events.ts'
import { headersOf, paymentBody, recordEvent } from '../cli/recordedEvents.ts'
import { receivedEvent, storeIn } from '../cli/storedEvents.ts'
import { webhookTarget } from '../cli/webhookTarget.ts'
import { here } from '../inProcess.ts'
import { writeTo } from '../ledger/storedLedger.ts'
import { expectDocument } from '../schemas/validity.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { eventually, inChromium, openTab, startInspector, useBrowser } from './chromium.ts'

const EVENTS = 10_000

function rows(page: Page) {
  return page.locator('.master [role=option]')
}

async function openView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function search(page: Page, words: string): Promise<string> {
  await page.getByLabel('Search').fill(words)
  await page.keyboard.press('Enter')
  const status = page.locator('.results [role=status], .message:not([hidden])').first()
  return (await status.textContent()) ?? ''
}

/** Records many events in one transaction. */
function storeMany(world: World, count: number): Promise<void> {
  return writeTo(world, (writer) => {
    for (let n = 1; n <= count; n++) {
      const body = paymentBody(`id-${n}`, `${n}.00`)
      storeEvent(writer, receivedEvent(body, { headers: headersOf(body), receivedAtMs: Date.now() }))
    }
  })
}

inChromium('the views of the page', () => {
  useBrowser()

  it('finds payments and events of the ledger', async () => {
    const world = await sandboxWorld()
    const create = (...words: string[]) => world.prepare(['qr', 'create', ...words, '-o', 'json'])
    const { idTransaction } = JSON.parse(await create('--amount', '25', '--payer-name', 'Maria Souza'))
    await create('--amount', '7', '--payer-name', 'João Lima')
    const data = {
      idTransaction: 'e-9',
      status: 'PAID',
      amount: 9.5,
      payerName: 'Ana "Bia" Maria',
      payerTaxId: '52998224725',
    }
    await storeIn(world, receivedEvent(JSON.stringify({ event: 'pix.received', data })))
    await recordEvent(world, paymentBody('e-10'))
    const page = await openTab((await startInspector(world)).url)
    await page.keyboard.press('/')
    await eventually(() => page.locator('.results .row').count()).toBe(2)
    const found: [string, string][] = []
    for (const words of [
      'maria',
      'R$ 25',
      'ana maria 9,50',
      '"bia"',
      '529.982.247-25',
      String(idTransaction),
      'nobody',
      'null',
      'today yesterday',
    ]) {
      await page.evaluate(`document.querySelector('.results').replaceChildren()`)
      found.push([words, await search(page, words)])
    }
    expect(found.map(([, text]) => text)).toEqual([
      'payments: 1, events: 1',
      'payments: 1, events: 0',
      'payments: 0, events: 1',
      'payments: 0, events: 1',
      'payments: 0, events: 1',
      'payments: 1, events: 0',
      'payments: 0, events: 0',
      'payments: 0, events: 0',
      expect.stringContaining('The search contains more than one day or amount'),
    ])
    await search(page, 'maria')
    await page.locator('.results .row').first().click()
    await eventually(() => page.locator('.detail').textContent()).toContain('about to be sent')
    expect(await page.locator('.detail').textContent()).toContain('payerMaria Souza')
    await page.locator('.results .row').last().press('Enter')
    await eventually(() => page.locator('.detail').textContent()).toContain('e-9')
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/api/payment?*', (route) => held.then(() => route.continue()))
    const late = page.waitForResponse('**/api/payment?*')
    await page.locator('.results .row').first().click()
    await page.locator('.results .row').last().click()
    await page.waitForURL('**#event=1')
    letGo()
    await (await late).finished()
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    expect(await page.locator('.detail').textContent()).toContain('e-9')
  })

  it('shows the sandbox and controls it', async () => {
    const world = await sandboxWorld()
    const target = await webhookTarget()
    await world.prepare(['qr', 'create', '--amount', '25', '--callback-url', target.url])
    const state = async () => JSON.parse(await world.prepare(['sandbox', 'state', '-o', 'json']))
    const page = await openTab((await startInspector(world)).url)
    await page.keyboard.press('3')
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Charge back' }).waitFor()
    await eventually(() => page.locator('.sandbox').textContent()).toContain('pix.received')
    expect(await page.locator('.sandbox dl').first().textContent()).toContain('R$ 10.025,00')
    await page.getByText('Faults, clock and reset').click()
    await page.getByLabel('Fault').fill('explode')
    await page.getByRole('button', { name: 'Add the fault' }).click()
    await page.locator('.message').getByText('There is no fault').waitFor()
    await page.getByLabel('Fault').fill('status:503')
    await page.getByRole('button', { name: 'Add the fault' }).click()
    await page.locator('.message').getByText('Done').waitFor()
    expect((await here(world)(['qr', 'create', '--amount', '1', '--callback-url', target.url])).exit).toBe(5)
    await page.getByLabel('Fault').fill('NO_FUNDS')
    await page.getByLabel('Only for').fill('transfer')
    await page.getByRole('button', { name: 'Add the fault' }).click()
    await eventually(() => page.locator('.sandbox').textContent()).toMatch(/NO_FUNDS.*on transfer, times: 1/)
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(async () => (await state()).faults).toEqual([])
    await page.getByLabel('Duration, such as').fill('31d')
    await page.getByRole('button', { name: 'Move the clock forward' }).click()
    await expect.poll(async () => Date.parse((await state()).now)).toBeGreaterThan(Date.now() + 30 * 86_400_000)
    await page.getByRole('button', { name: 'Reset…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset…' }).click()
    await eventually(() => page.locator('.sandbox').textContent()).toContain('Transactionsnone')
    expect((await state()).payments).toEqual([])
    const without = await openTab((await startInspector(emptyWorld({ PIXGATE_BASE_URL: 'http://127.0.0.1:1' }))).url)
    await openView(without, 'Sandbox')
    await without.getByText('No sandbox is running at http://127.0.0.1:1').waitFor()
  })

  it('shows beside a listener what was refused, and what came twice', async () => {
    const world = emptyWorld({ PIXGATE_CLIENT_SECRET: 'local-secret' })
    const words = ['webhook', 'listen', '--port', '0', '--inspect', '0']
    const inspector = await startInspector(world, words)
    expectDocument('webhook-listen', inspector.ready)
    const page = await openTab(inspector.url)
    const post = async (body: string, headers: [string, string][], query = '') => {
      await fetch(`${inspector.ready.url}${query}`, { method: 'POST', body, headers })
    }
    const body = paymentBody('a-1')
    const signature = headersOf(body).filter(([name]) => name === 'x-signature')
    await post(body, signature)
    await post(body, signature)
    await post(body, [['X-Signature', '0'.repeat(64)]])
    await post(body, [])
    await post('no json', [['X-Debug', 'local-secret']])
    await eventually(() => rows(page).count()).toBe(5)
    const verdicts = await rows(page).locator('.verdict').allTextContents()
    expect(verdicts).toEqual(['✗ no signature', '✗ no signature', '✗ wrong signature', '✓ dup', '✓ ok'])
    await rows(page).first().click()
    await eventually(() => page.locator('.detail').textContent()).toContain('X-Debug••••')
    await rows(page).nth(2).click()
    // Whether its cause was looked for at once depends on how busy the listener was.
    await eventually(() => page.locator('.detail').textContent()).toMatch(
      /The sender used another secret, or the body was changed|No cause was found; tried: an empty body/,
    )
    expect(await page.getByRole('button', { name: 'Replay…' }).count()).toBe(0)
    await page.reload()
    await eventually(() => rows(page).count()).toBe(5)
    await page
      .locator('.detail')
      .getByText(/another secret|No cause was found/i)
      .waitFor()
    await post('it holds local-secret', [], '?a=1&token=in-the-path')
    const newest = async () => [(await inspector.ask('events')).events].flat()
    await eventually(async () => (await newest()).length).toBe(6)
    expect(await inspector.ask('bytes?key=m5')).toMatchObject({
      error: { hint: "Look at it on this page: it is only in the listener's memory" },
    })
    const { facts } = await inspector.ask('event?key=m5')
    expect(JSON.stringify(facts)).toContain('/?a=1&token=••••')
    for (let count = 0; count < 20; count++) await post('x'.repeat(1_000_000), [])
    await eventually(async () => JSON.stringify((await newest())[0])).toContain('"m25"')
    expect(await newest()).toHaveLength(17)
    const { exit, stderr } = await inspector.interrupt()
    expect([exit, stderr]).toEqual([0, ''])
    await page.locator('.connection').getByText('pixgate is not reachable').waitFor()
  })

  it('scrolls through 10,000 events with few of them in the document', { timeout: 60_000 }, async () => {
    const world = emptyWorld()
    await storeMany(world, EVENTS)
    const page = await openTab((await startInspector(world)).url)
    const selected = (text: string) => page.locator('[aria-selected=true]').getByText(text).waitFor()
    await rows(page).getByText('#10000').waitFor()
    expect(await page.locator('.bar').textContent()).toContain('10000 recorded')
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
    expect(await page.locator('[aria-selected=true]').getAttribute('aria-posinset')).toBe('10000')
    await page.getByRole('button', { name: '1 new' }).click()
    await rows(page).getByText('live-1').waitFor()
    await recordEvent(world, paymentBody('live-2'))
    await rows(page).first().getByText('live-2').waitFor()
    await page.keyboard.press('/')
    await search(page, 'id-7')
    await page.getByText('events: 100').waitFor()
    await page.getByText('Only the newest 100 are shown').waitFor()
    expect(page.faults).toEqual([])
  })

  it('filters by event, verdict and forward, also what arrives', async () => {
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

  it('fits into 360 px, in light and dark, and axe finds nothing', { timeout: 60_000 }, async () => {
    const world = await sandboxWorld()
    const long = 'x'.repeat(300)
    const data = { idTransaction: long, status: 'PAID', amount: 9_999_999_999.99, payerName: long }
    await storeIn(world, receivedEvent(JSON.stringify({ event: long, data }), { headers: [[long, long]] }))
    await world.prepare(['qr', 'create', '--amount', '25'])
    const { url } = await startInspector(world)
    const viewport = { width: 360, height: 640 }
    const colours: unknown[] = []
    const violations: unknown[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openTab(url, { viewport, colorScheme })
      const overflow = async () => {
        await page.evaluate(axe.source)
        violations.push(
          await page.evaluate(
            'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
          ),
        )
        return page.evaluate(`[document.scrollingElement, ...document.querySelectorAll('.pane, .scrolls, .scroll, dialog')]
          .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.className)`)
      }
      const overflowing: unknown[] = [await overflow()]
      await rows(page).click()
      await page.getByRole('button', { name: 'Show the exact bytes' }).click()
      await page.locator('pre.bytes').waitFor()
      overflowing.push(await overflow())
      await page.keyboard.press('e')
      await page.getByLabel('Body, unmasked').waitFor()
      overflowing.push(await overflow())
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Back' }).click()
      expect(await page.locator('.detail').isVisible()).toBe(false)
      for (const view of ['Payments', 'Sandbox']) {
        await openView(page, view)
        await page.locator('.master :is(.row, .card)').first().waitFor()
        for (const part of await page.locator('.master summary').all()) await part.click()
        overflowing.push(await overflow())
      }
      expect(overflowing.flat()).toEqual([])
      colours.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
    }
    expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(20, 22, 26)'])
    expect(violations.flat()).toEqual([])
  })
})
