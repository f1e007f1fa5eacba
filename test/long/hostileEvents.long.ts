import { expect, it } from 'vitest'
import { storeEvent } from '../../src/ledger/events.ts'
import { type Dice, diceOf } from '../campaign/dice.ts'
import { campaignSeed } from '../campaign/run.ts'
import { receivedEvent } from '../cli/storedEvents.ts'
import { inChromium, OTHER_SITE, openTab, startInspector, useBrowser } from '../inspector/chromium.ts'
import { writeTo } from '../ledger/storedLedger.ts'
import { emptyWorld } from '../world.ts'

const EVENTS = 5_000
const ON_A_PAGE = 200
const OPENED_ON_A_PAGE = 8
const seed = campaignSeed(20261126)

const RUN = 'window.hacked=1'
const ELSEWHERE = `http://${OTHER_SITE}:9/`

/** What runs or fetches something where it becomes part of a page. */
const BAIT = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${ELSEWHERE}a.png">`,
  `<svg/onload=${RUN}>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src="${ELSEWHERE}"></iframe>`,
  `<link rel=stylesheet href="${ELSEWHERE}">`,
  `<style>@import url(${ELSEWHERE})</style>`,
  `<base href="${ELSEWHERE}">`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}">`,
  `<form action="${ELSEWHERE}"><button autofocus onfocus="${RUN}">`,
  `<details open ontoggle="${RUN}">`,
  `<math><mi xlink:href="javascript:${RUN}">`,
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `"onmouseover="${RUN}`,
  `' autofocus onfocus='${RUN}`,
  `</script><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `</textarea></title><script>${RUN}</script>`,
  `\${${RUN}}{{constructor.constructor('${RUN}')()}}`,
  `url(${ELSEWHERE}b)`,
  '__proto__',
  'constructor',
  '\u202e\u2066\u200b\ufeff\u0000\u001b[2J\u0007',
  '\ud800',
  `e${'\u0301'.repeat(60)}`,
]

function hostileBody(dice: Dice): string {
  const bait = () => Array.from({ length: 1 + dice.below(3) }, () => BAIT[dice.below(BAIT.length)]).join('')
  const data = Object.fromEntries(
    ['idTransaction', 'externalId', 'status', 'payerName', 'destinationBank', 'errorCode', bait(), bait()].map(
      (key) => [key, bait()],
    ),
  )
  return JSON.stringify({
    event: dice.coin() ? 'pix.received' : bait(),
    [bait()]: { [bait()]: [bait()] },
    data: { ...data, amount: 1 },
  })
}

inChromium('the page', () => {
  useBrowser()

  it(`runs nothing of ${EVENTS} hostile events, and asks no other server`, async () => {
    const dice = diceOf(`${seed}/events`)
    const world = emptyWorld()
    await writeTo(world, (writer) => {
      for (let n = 0; n < EVENTS; n++) {
        const headers: [string, string][] = [[`X-${n}`, hostileBody(dice)]]
        storeEvent(writer, receivedEvent(hostileBody(dice), { headers, target: `/${BAIT[n % BAIT.length]}` }))
      }
    })
    const { url, origin } = await startInspector(world)
    const page = await openTab(url)
    const asked = new Set<string>()
    page.context().on('request', (request) => asked.add(new URL(request.url()).origin))
    page.on('dialog', () => asked.add('a dialog'))
    page.context().on('page', () => asked.add('another tab'))
    const rows = page.locator('.master [role=option]')
    let opened = 0
    for (let newest = EVENTS; newest > 0; newest -= ON_A_PAGE) {
      await rows.first().getByText(`#${newest}`).waitFor()
      for (let each = 0; each < OPENED_ON_A_PAGE; each++) {
        await rows.nth(dice.below(ON_A_PAGE)).click()
        await page.locator('.detail dt').first().waitFor()
        opened += 1
      }
      const found = await page.evaluate(
        '[window.hacked, document.images.length, document.scripts.length, document.querySelectorAll("iframe,link,base,svg,math,object,embed").length]',
      )
      expect(found).toEqual([undefined, 0, 2, 0])
      if (newest > ON_A_PAGE) await page.getByRole('button', { name: 'Older', exact: true }).click()
    }
    await page.keyboard.press('/')
    await page.getByLabel('Search').fill('script')
    await page.keyboard.press('Enter')
    await page.locator('.results [role=status], .message:not([hidden])').first().waitFor()
    expect([...asked]).toEqual([origin])
    expect(page.faults).toEqual([])
    console.log(`${EVENTS} events listed, ${opened} opened, seed ${seed}`)
  })
})
