import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { World } from '../world.ts'
import { control, paidPayment } from './payments.ts'

/** A way to pay. `prepare` comes before the rule; it returns the words of a payment for each bad input. */
export interface Door {
  name: string
  prepare(place: { host: World; url: string }, count: number): Promise<string[][]>
}

const places = (count: number) => Array.from({ length: count }, (_, index) => index)
const transferWords = (id: string, amount: number) => [
  ...['transfer', '--key', `${id}@example.com`, '--amount', String(amount), '--external-id', id],
  ...['--callback-url', 'http://127.0.0.1:1/'],
]

/** A batch of one payment, in a file of its own. */
function batchWords(home: string, id: string, amount: number): string[] {
  const csv = join(home, `${id}.csv`)
  writeFileSync(csv, `key,value\n${id}@example.com,${amount}\n`)
  return ['batch', 'transfer', csv, '--callback-url', 'http://127.0.0.1:1/']
}

/** Sends what has an unknown outcome, because nothing arrived. */
async function sendLost(url: string, host: World, words: readonly string[]): Promise<void> {
  await control(url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
  expect((await host.run([...words, '--yes'])).exit).toBe(5)
}

export const DOORS: readonly Door[] = [
  {
    name: 'transfer',
    prepare: async (_stage, count) => places(count).map((place) => transferWords(`single-${place}`, 10 + place)),
  },
  {
    name: 'refund',
    async prepare({ url }, count) {
      const words: string[][] = []
      for (const place of places(count)) {
        const original = await paidPayment(url, 50 + place)
        words.push([
          'refund',
          original,
          '--reason',
          'damaged',
          '--amount',
          '5',
          '--callback-url',
          'http://127.0.0.1:1/',
        ])
      }
      return words
    },
  },
  {
    name: 'batch',
    prepare: async ({ host }, count) => places(count).map((place) => batchWords(host.home, `row-${place}`, 10 + place)),
  },
  {
    name: 'resume',
    async prepare({ host, url }, count) {
      for (const place of places(count)) await sendLost(url, host, batchWords(host.home, `run-${place}`, 10 + place))
      const runs: { run: string }[] = JSON.parse(await host.prepare(['batch', 'list', '-o', 'json']))
      return runs.map(({ run }) => ['resume', run])
    },
  },
  {
    name: '--retry',
    async prepare({ host, url }, count) {
      for (const place of places(count)) await sendLost(url, host, transferWords(`again-${place}`, 10 + place))
      return places(count).map((place) => ['transfer', '--retry', `again-${place}`])
    },
  },
]
