import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '../../src/text/languages.ts'
import { listenHere } from '../cli/listener.ts'
import { writeTransfer } from '../cli/sentPayments.ts'
import { writePaid, writeReceived } from '../cli/statementWorld.ts'
import { sandboxWorld } from '../world.ts'
import type { PageWorld } from './typedPage.ts'

const POLL_MS = 10
const HOUR_MS = 3_600_000

interface SandboxState {
  transfers: { status: string }[]
  refunds: { status: string }[]
  deliveries: { outcome: string }[]
}

type SandboxWorld = Awaited<ReturnType<typeof sandboxWorld>>

interface PageWorldOptions {
  prepare?: typeof writeMonth | undefined
  language?: Language
}

/**
 * What the pages ask for at their beginning: a ledger, empty unless it is prepared, a sandbox, and a listener as its callback. The
 * commands speak the language of the page.
 */
export async function pageWorld({ prepare, language = 'en' }: PageWorldOptions = {}): Promise<PageWorld> {
  const world = await sandboxWorld({}, { PIXGATE_LANG: language })
  const prepared = await prepare?.(world)
  const listener = await listenHere(world)
  world.env.PIXGATE_CALLBACK_URL = listener.url
  return {
    world,
    replaced: new Map([
      ...(prepared === undefined ? [] : [prepared]),
      ['http://127.0.0.1:4010', world.url],
      ['http://127.0.0.1:4242/', listener.url],
      // The reader's own server.
      ['http://127.0.0.1:3000/pix', listener.url],
    ]),
    settled: () => settled(world.url),
  }
}

/** Waits until the sandbox has settled every payment and delivered every webhook. */
async function settled(url: string): Promise<void> {
  for (;;) {
    const state: SandboxState = JSON.parse(await (await fetch(`${url}/sandbox/state`)).text())
    const isOpen = [...state.transfers, ...state.refunds].some(({ status }) => status === 'PROCESSING')
    if (!isOpen && state.deliveries.every(({ outcome }) => outcome !== 'waiting')) return
    await sleep(POLL_MS)
  }
}

/**
 * Writes the September of which the pages about a month and a statement tell, and returns how they call the month. Here it is the last
 * one, because lists show dates of more than a year ago in another way.
 */
export async function writeMonth(world: SandboxWorld): Promise<readonly [shown: string, actual: string]> {
  // Its last day; São Paulo is three hours behind UTC.
  const day = new Date(Date.now() - 3 * HOUR_MS)
  day.setUTCDate(0)
  const [year = '', month = ''] = day.toISOString().split('-')
  const at = (date: string, time = '13:00') => `${year}-${month}-${date}T${time}:00Z`
  const shop = { ...world, owner: { baseUrl: world.url } }
  await writeReceived(shop, 'order-1001', 15_000, at('03', '14:00'), { name: 'Carlos Nunes', at: at('03', '14:05') })
  await writePaid(shop, 'nf-101', 123_456, at('04'), { name: 'Padaria do Zé Ltda' })
  await writePaid(shop, 'nf-102', 25_000, at('08'), { name: 'Maria Aparecida da Silva' })
  await writePaid(shop, 'nf-103', 8_000, at('10'))
  await writeTransfer(shop, {
    externalId: 'nf-104',
    at: at('14'),
    owner: shop.owner,
    facts: { amountCents: 9990 },
    answer: { outcome: 'unknown', idTransaction: null, status: null },
  })
  await writeReceived(shop, 'order-1002', 2_500, at('21', '20:00'), { name: 'Ana Souza', at: at('21', '20:40') })
  return ['09/2026', `${month}/${year}`]
}
