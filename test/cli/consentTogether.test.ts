import { expect } from 'vitest'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'
import { atOnce, carriedOut, inProduction, remembered } from './payments.ts'

/** Asks two people on this machine at the same time, and gives what each was told after both said yes. */
async function bothAnswer(world: World, words: readonly (readonly string[])[], question: string, answer: string) {
  const terminals = words.map((each) => onTerminal(world, each))
  for (const terminal of terminals) await terminal.shows(question)
  for (const terminal of terminals) terminal.press(answer)
  const ends = await Promise.all(terminals.map(({ ended }) => ended))
  return ends
    .map(({ exit, screen }) => ({
      exit,
      error: /\nerror: ([\s\S]*?)\nhint:/.exec(screen)?.[1]?.replaceAll(/\s+/g, ' '),
    }))
    .sort((one, other) => one.exit - other.exit)
}

itOnTerminal('sends exactly one if two people say yes to the same payment', async () => {
  const world = await sandboxWorld()
  const words = (amount: string) => ['transfer', '--key', 'maria@example.com', '--amount', amount]
  const rounds = await atOnce(['1', '2', '3', '4'], (amount) =>
    bothAnswer(world, [words(amount), words(amount)], '(y/N)', 'y\r'),
  )
  const told = [
    { exit: 0 },
    { exit: 2, error: expect.stringMatching(/^(?:The same payment|Another process is currently sending) /) },
  ]
  expect(rounds).toMatchObject([told, told, told, told])
  const values = (await carriedOut(world.url)).transfers.map(({ value }) => value)
  expect(values.sort()).toEqual([1, 2, 3, 4])
  expect((await remembered(world)).map((each) => each.split(' ')[1]).sort()).toEqual([...Array(4).fill('accepted')])
})

itOnTerminal('keeps the limit of a day if two people say yes', async () => {
  const { url } = await sandboxWorld()
  const world = await inProduction(emptyWorld(), url, { maxDayCents: 10_000 })
  const words = ['maria', 'joao'].map((name) => {
    return ['transfer', '--key', `${name}@example.com`, '--amount', '60', '--external-id', `for ${name}`]
  })
  const told = await bothAnswer(world, words, 'Type the amount to send it', '60\r')
  expect(told).toMatchObject([{ exit: 0 }, { exit: 2, error: expect.stringContaining('would exceed the R$ 100,00') }])
  expect((await carriedOut(url)).transfers).toHaveLength(1)
})
