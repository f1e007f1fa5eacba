import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { headersOf, paymentBody, recordEvent } from '../cli/recordedEvents.ts'
import { receivedEvent, storeIn } from '../cli/storedEvents.ts'
import { webhookTarget } from '../cli/webhookTarget.ts'
import { here } from '../inProcess.ts'
import { expectDocument } from '../schemas/validity.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { eventually, inChromium, openTab, startInspector, useBrowser } from './chromium.ts'

function rows(page: Page) {
  return page.locator('.master [role=option]')
}

async function openView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

/** Searches, and waits until the page says this; the answer to what was typed before may still come. */
async function search(page: Page, words: string, said: string): Promise<void> {
  await page.getByLabel('Search').fill(words)
  await page.keyboard.press('Enter')
  const status = page.locator('.results [role=status], .message:not([hidden])').first()
  await eventually(() => status.textContent()).toContain(said)
}

inChromium('the views of the page', () => {
  useBrowser()

  it('has the day of payment that lists have', async () => {
    const world = await sandboxWorld()
    const run = (words: readonly string[]) => world.prepare(words)
    await run(['sandbox', 'advance', '2d'])
    const created = JSON.parse(await run(['qr', 'create', '--amount', '7', '--no-qr', '-o', 'json']))
    await run(['sandbox', 'pay', created.idTransaction])
    await run(['status', created.idTransaction])
    const [, cells = ''] = (await run(['history', '--fields', 'date'])).split('\n')
    const page = await openTab((await startInspector(world)).url)
    await openView(page, 'Payments')
    await eventually(() => page.locator('.results .clock').allTextContents()).toEqual([cells])
  })

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
    for (const [words, said] of [
      ['maria', 'payments: 1, events: 1'],
      ['R$ 25', 'payments: 1, events: 0'],
      ['ana maria 9,50', 'payments: 0, events: 1'],
      ['nobody', 'Nothing found'],
      ['"bia"', 'payments: 0, events: 1'],
      ['null', 'Nothing found'],
      ['529.982.247-25', 'payments: 0, events: 1'],
      [String(idTransaction), 'payments: 1, events: 0'],
      ['today yesterday', 'The search contains more than one day or amount'],
    ] as const) {
      await search(page, words, said)
    }
    await search(page, 'maria', 'payments: 1')
    await page.locator('.results .row').first().click()
    await eventually(() => page.locator('.detail').textContent()).toContain('about to be sent')
    expect(await page.locator('.detail').textContent()).toContain('payerMaria Souza')
    await page.locator('.results .row').last().press('Enter')
    await eventually(() => page.locator('.detail').textContent()).toContain('e-9')
    await page.locator('.detail:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.results li:last-child > .row:focus').waitFor()
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
    await page.getByLabel('Search').fill('R$ 25')
    await page.locator('.results [role=status]').getByText('payments: 1, events: 0').waitFor()
    await openView(page, 'Sandbox')
    expect(await page.locator('.detail').textContent()).toBe('')
  })

  it('shows the sandbox and controls it', async () => {
    const world = await sandboxWorld()
    const target = await webhookTarget()
    await world.prepare(['qr', 'create', '--amount', '25', '--callback-url', target.url])
    const [payee, owner] = ['maria@example.com', '52998224725']
    const transfer = ['transfer', '--key', payee, '--owner', owner, '--amount', '3', '--callback-url', target.url]
    await world.prepare([...transfer, '--yes'])
    const state = async () => JSON.parse(await world.prepare(['sandbox', 'state', '-o', 'json']))
    const page = await openTab((await startInspector(world)).url)
    await page.keyboard.press('3')
    const payment = page.locator('.transaction', { hasText: 'payment' })
    const openMenu = () => payment.getByRole('button', { name: 'Actions of' }).click()
    await openMenu()
    await payment.getByRole('button', { name: 'Pay', exact: true }).click()
    await payment.getByText('PAID').waitFor()
    await openMenu()
    await payment.getByRole('button', { name: 'Charge back' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await payment.getByRole('button', { name: 'Charge back' }).isVisible()).toBe(false)
    await eventually(() => page.locator('.sandbox dl').last().textContent()).toContain('pix.received')
    await payment.locator('.row').click()
    await eventually(() => page.locator('.steps').textContent()).toMatch(
      /POST .*: 200 .*pix\.received PAID: 200 \(attempt 1 of 3\)/s,
    )
    await expect.poll(async () => (await state()).transfers[0].status).toBe('COMPLETED')
    expect(await page.locator('.transaction', { hasText: 'transfer' }).locator('.amount').textContent()).toBe(
      '-R$ 3,00',
    )
    expect(await payment.locator('.amount').textContent()).toBe('R$ 25,00')
    expect(await page.locator('.sandbox dl').first().textContent()).toContain('R$ 10.022,00')
    await openView(page, 'Payments')
    await eventually(() => page.locator('.results .amount').allTextContents()).toEqual(['-R$ 3,00', 'R$ 25,00'])
    await openView(page, 'Sandbox')
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
    // Both are true, before and after its cause was looked for, which a busy machine does later.
    await eventually(() => page.locator('.detail').textContent()).toMatch(
      /does not match, and its cause was not looked for yet; `pixgate webhook verify --last-refused` looks|No cause was found with this listener's secret; `pixgate webhook verify --last-refused` says what was tried/,
    )
    expect(await page.getByRole('button', { name: 'Replay…' }).count()).toBe(0)
    await page.reload()
    await eventually(() => rows(page).count()).toBe(5)
    await page
      .locator('.detail')
      .getByText(/was not looked for yet|No cause was found with/)
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
      await page.evaluate(axe.source)
      // Only the colours differ.
      const rules = colorScheme === 'dark' ? `{ runOnly: ['color-contrast'] }` : ''
      const overflow = async () => {
        violations.push(
          await page.evaluate(
            `axe.run(${rules}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
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
        const menu = page.getByRole('button', { name: 'Actions of' })
        if (await menu.isVisible()) {
          await menu.click()
          overflowing.push(await overflow())
        }
      }
      expect(overflowing.flat()).toEqual([])
      colours.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
    }
    expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(20, 22, 26)'])
    expect(violations.flat()).toEqual([])
  })
})
