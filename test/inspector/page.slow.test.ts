import { execFile } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { headersOf, paymentBody, recordEvent } from '../cli/recordedEvents.ts'
import { receivedEvent, storeIn } from '../cli/storedEvents.ts'
import { hmac, signaturesOf, webhookTarget } from '../cli/webhookTarget.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { eventually, inChromium, openTab, startInspector, useBrowser } from './chromium.ts'

const MARKUP = `<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>`
const HOSTILE = `${MARKUP}\u202e\u0007`
/** As people see it. */
const VISIBLE = `${MARKUP}\\u{202e}\\u{7}`

/** The rows of the list of events, the newest first. */
function rows(page: Page) {
  return page.locator('.master [role=option]')
}

function detail(page: Page) {
  return page.locator('.detail')
}

/** The value beside the first label of this name. */
function value(page: Page, label: string) {
  return page.locator('.detail dt').getByText(label, { exact: true }).first().locator('xpath=following-sibling::dd[1]')
}

inChromium('the page', () => {
  useBrowser()

  it('shows hostile text in every field and runs none of it', async () => {
    const world = await sandboxWorld()
    const data = { idTransaction: HOSTILE, externalId: HOSTILE, status: HOSTILE, errorCode: HOSTILE, amount: 1 }
    const body = JSON.stringify({
      event: HOSTILE,
      [HOSTILE]: HOSTILE,
      data: { ...data, payerName: HOSTILE, destinationBank: HOSTILE },
    })
    const headers: [string, string][] = [[HOSTILE, HOSTILE]]
    const forward = { url: `http://127.0.0.1:1/${HOSTILE}`, status: 500, ms: 1, body: HOSTILE, error: HOSTILE }
    const owner = { profile: HOSTILE, environment: 'sandbox', baseUrl: HOSTILE, clientId: HOSTILE } as const
    await storeIn(world, receivedEvent(body, { headers, target: `/${HOSTILE}`, owner }), [forward])
    await world.prepare(['qr', 'create', '--amount', '1', '--request-number', MARKUP, '--payer-name', MARKUP])
    const page = await openTab((await startInspector(world)).url)
    await rows(page).click()
    for (const label of ['event', 'status', 'id']) expect(await value(page, label).textContent()).toContain(VISIBLE)
    expect(await value(page, VISIBLE).textContent()).toBe(VISIBLE)
    expect(await value(page, 'arrived').textContent()).toContain(VISIBLE)
    expect(await value(page, 'account').textContent()).toContain(VISIBLE)
    expect(await page.locator('.detail .forwards').textContent()).toContain(VISIBLE)
    expect(await page.locator('.detail .forwards pre').textContent()).toBe(VISIBLE)
    await page.getByRole('button', { name: 'Show the exact bytes' }).click()
    await page.locator('pre.bytes').waitFor()
    await page.getByRole('button', { name: 'Replay…' }).click()
    await page.getByLabel('Target URL').fill('http://127.0.0.1:1/')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('dialog .preview pre').filter({ hasText: 'window.hacked' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Payments', exact: true }).click()
    await page.locator('.master .row').first().click()
    expect(await value(page, 'order').textContent()).toBe(MARKUP)
    await page.getByRole('button', { name: 'Sandbox', exact: true }).click()
    expect(await page.locator('.master .transaction').textContent()).toContain(MARKUP)
    expect(await page.evaluate('[window.hacked, document.images.length, document.scripts.length]')).toEqual([
      undefined,
      0,
      2,
    ])
    expect(page.faults).toEqual([])
  })

  it('shows what arrives in every tab, with verdict, headers, exact bytes, masked fields and forwards', async () => {
    const world = emptyWorld()
    const { url } = await startInspector(world)
    const tabs = [await openTab(url), await openTab(`${url}#event=1`)]
    const [first, second] = tabs as [Page & { faults: string[] }, Page]
    expect(await first.locator('.empty').textContent()).toBe('No event has arrived yet')
    const payer = { payerName: 'Maria Souza', payerTaxId: '52998224725' }
    const body = JSON.stringify({
      event: 'pix.received',
      data: { idTransaction: 'a-1', status: 'PAID', amount: 10.5, ...payer },
    })
    const headers: [string, string][] = [...headersOf(body), ['Authorization', 'Bearer a-bearer-token']]
    const forward = {
      url: 'http://me:password@127.0.0.1:3000/?key=of-the-forward&a=1',
      status: 404,
      ms: 12,
      body: 'no such path',
      error: null,
    }
    const target = '/webhooks?a=1&token=of-the-path&Signature=of-the-path'
    await storeIn(world, receivedEvent(body, { headers, target }), [forward])
    for (const tab of tabs) await rows(tab).waitFor()
    const shown = await rows(first).textContent()
    for (const part of ['✓ ok', 'pix.received', 'PAID', 'R$ 10,50', '#1', 'a-1', '404 12 ms'])
      expect(shown).toContain(part)
    expect(await rows(second).textContent()).toBe(shown)
    await rows(first).click()
    expect(await value(first, 'from').textContent()).toBe('Maria Souza, ***.982.247-**')
    expect(await value(first, 'signature').textContent()).toBe('✓ valid')
    expect(await value(first, 'x-signature').textContent()).toBe(hmac(body))
    expect(await value(first, 'Authorization').textContent()).toBe('••••')
    expect(await value(first, 'arrived').textContent()).toContain('/webhooks?a=1&token=[redacted]&Signature=[redacted]')
    const all = (await detail(first).textContent()) ?? ''
    for (const part of [
      '404',
      '12 ms',
      'no such path',
      'There is nothing at this path',
      `${body.length} bytes, SHA-256`,
    ]) {
      expect(all).toContain(part)
    }
    for (const secret of [
      '52998224725',
      '529.982.247-25',
      'a-bearer-token',
      'password',
      'of-the-path',
      'of-the-forward',
    ]) {
      expect(all).not.toContain(secret)
    }
    await first.getByRole('button', { name: 'Show the exact bytes' }).click()
    const dump = (await first.locator('pre.bytes').textContent()) ?? ''
    const bytes = dump.split('\n').flatMap((line) => line.slice(8, 55).trim().split(' '))
    expect(Buffer.from(bytes.join(''), 'hex').toString()).toBe(body)
    const downloading = first.waitForEvent('download')
    await first.getByRole('button', { name: 'Save as a file' }).click()
    expect(await text(await (await downloading).createReadStream())).toBe(body)
    await recordEvent(world, paymentBody('b-2'))
    await eventually(() => rows(first).count()).toBe(2)
    expect(await rows(first).first().textContent()).toContain('b-2')
    expect(first.faults).toEqual([])
    const unmasked = await startInspector(world, ['inspect', '--port', '0', '--unmask'])
    const { facts } = await unmasked.ask('event?key=1')
    expect(facts).toContainEqual(['from', 'Maria Souza, 529.982.247-25'])
  })

  it('replays exactly, and edited and re-signed', async () => {
    const world = emptyWorld()
    const target = await webhookTarget({ body: 'thank you' })
    target.answer(500, 200)
    const body = paymentBody('a-1')
    await recordEvent(world, body, { forwards: [{ url: target.url, status: 500 }] })
    const page = await openTab((await startInspector(world)).url)
    await rows(page).click()
    await detail(page).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Preview' }).click()
    const send = page.getByRole('button', { name: `Send event 1 to ${target.url}` })
    await page.locator('.preview').getByText('its last forward target').waitFor()
    expect(target.posted).toEqual([])
    await send.click()
    await page.locator('.preview pre').filter({ hasText: 'thank you' }).waitFor()
    expect(target.posted.map(({ body: sent }) => sent)).toEqual([body])
    expect(target.posted.map(signaturesOf)).toEqual([[hmac(body)]])
    await eventually(() => page.locator('.detail .forwards li').count()).toBe(2)

    await page.getByLabel('edited and re-signed').check()
    const field = page.getByLabel('Body, unmasked')
    await eventually(() => field.inputValue()).toBe(body)
    await field.fill(body.replace('10.50', '0.01').replace('PAID', 'REFUNDED'))
    await page.getByRole('button', { name: 'Preview' }).click()
    await send.click()
    await page.locator('.preview').getByText('200').waitFor()
    const edited = body.replace('10.50', '0.01').replace('PAID', 'REFUNDED')
    expect(target.posted[1]?.body).toBe(edited)
    expect(target.posted.map(signaturesOf)[1]).toEqual([hmac(edited)])
    const shown = await world.prepare(['webhook', 'events', 'show', '1', '-o', 'json'])
    expect(JSON.parse(shown).forwards).toHaveLength(2)

    await page.getByLabel('the exact bytes, headers and signature').check()
    await page.getByRole('button', { name: 'Preview' }).click()
    await send.waitFor()
    const elsewhere = await webhookTarget()
    await world.prepare(['webhook', 'replay', '1', '--to', elsewhere.url])
    await send.click()
    // A replay to another address moves no later one.
    await expect.poll(() => [target.posted.length, elsewhere.posted.length]).toEqual([3, 1])
  })

  it('signs with a production secret only if a person types the amount', async () => {
    const world = emptyWorld()
    const target = await webhookTarget()
    const gateway = 'https://gateway.example'
    const add = ['profile', 'add', 'prod', '--base-url', gateway, '--client-id', 'shop', '--client-secret-stdin']
    await world.prepare(add, { stdin: 'a-production-secret' })
    const owner = { profile: 'prod', environment: 'production', baseUrl: gateway, clientId: 'shop' } as const
    await recordEvent(world, paymentBody('a-1'), { owner, forwards: [{ url: target.url, status: 200 }] })
    const inspector = await startInspector(world, ['inspect', '--port', '0', '--yes', '--confirm', 'prod'])
    const page = await openTab(`${inspector.url}#event=1`)
    expect(await rows(page).textContent()).toContain('production')
    const look = async () => {
      await page.getByRole('button', { name: 'Replay…' }).click()
      await page.getByLabel('edited and re-signed').check()
      await eventually(() => page.getByLabel('Body, unmasked').inputValue()).toContain('10.50')
      await page.getByLabel('Body, unmasked').fill(paymentBody('a-1', '25.50'))
      await page.getByRole('button', { name: 'Preview' }).click()
      expect(await page.locator('.preview .warning').textContent()).toContain('a signed payment that never happened')
    }
    await look()
    await page.getByLabel('Type the amount to sign it').fill('10,50')
    await page.getByRole('button', { name: 'Send event 1' }).click()
    expect(await page.locator('.preview [role=alert]').textContent()).toContain('The typed text does not match')
    await page.keyboard.press('Escape')
    expect(target.posted).toEqual([])
    await look()
    await page.getByLabel('Type the amount to sign it').fill('25,50')
    await page.getByRole('button', { name: 'Send event 1' }).click()
    await page.locator('.preview').getByText('200').waitFor()
    expect(target.posted.map(signaturesOf)).toEqual([[hmac(target.posted[0]?.body ?? '', 'a-production-secret')]])
  })

  it('compares two deliveries, by keyboard', async () => {
    const world = emptyWorld()
    await recordEvent(world, paymentBody('a-1'))
    await recordEvent(world, paymentBody('a-1', '12.00'))
    const page = await openTab((await startInspector(world)).url)
    await rows(page).first().waitFor()
    await page.keyboard.press('j')
    await eventually(() => detail(page).textContent()).toContain('"amount": 12.00')
    await page.keyboard.press('d')
    await page.getByRole('button', { name: 'Remove the mark' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await eventually(() => detail(page).textContent()).toContain('"amount": 10.50')
    await page.keyboard.press('d')
    await page.getByRole('heading', { name: 'Comparison' }).waitFor()
    const lines = await page.locator('.diff .line:not(.same)').allTextContents()
    const signed = (amount: string) => `x-signature: ${hmac(paymentBody('a-1', amount))}\n`
    expect(lines).toEqual([
      `− ${signed('12.00')}`,
      `+ ${signed('10.50')}`,
      '−     "amount": 12.00\n',
      '+     "amount": 10.50\n',
    ])
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('replay the selected event').waitFor()
  })
  it('copies an event as a curl command that sends the same bytes, without credentials', async () => {
    const world = emptyWorld()
    const target = await webhookTarget()
    const body = paymentBody("it's-1")
    const headers: [string, string][] = [...headersOf(body), ['Authorization', 'Bearer a-bearer-token']]
    await recordEvent(world, body, { headers, forwards: [{ url: target.url, status: 500 }] })
    const permissions = ['clipboard-read', 'clipboard-write']
    const page = await openTab((await startInspector(world)).url, { permissions })
    await rows(page).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('button', { name: 'Copy as cURL' }).waitFor()
    await page.keyboard.press('c')
    await page.locator('.message').getByText('It does not send Authorization: credentials are not copied').waitFor()
    const command = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(command).not.toContain('bearer')
    await promisify(execFile)('sh', ['-c', command], { timeout: 10_000 })
    expect(target.posted.map(({ body: sent }) => sent)).toEqual([body])
    expect(target.posted.map(signaturesOf)).toEqual([[hmac(body)]])
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new DOMException('no'))`)
    await page.keyboard.press('c')
    expect(await page.getByRole('textbox', { name: 'Copy this command' }).inputValue()).toBe(command)
  })

  it('names the command that edits a body that a text field would change', async () => {
    const world = emptyWorld()
    await recordEvent(world, paymentBody('a-1').replace('\n', '\r\n'))
    const page = await openTab(`${(await startInspector(world)).url}#event=1`)
    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByText('pixgate webhook replay 1 --set').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    expect(await page.locator('.preview [role=alert]').textContent()).toContain('The body is empty')
  })
})
