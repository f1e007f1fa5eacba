import { expect } from 'vitest'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { sandboxWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { betweenSandbox, bringAbout, CASES, type Case, expected, found, reais, TOLD } from './statedPayments.ts'
import { startTeam } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

interface ListedPayment {
  pixgate: { state: string; knownBy: string }
  amount: number
}

itOnPostgres('says the same word on another desk', { timeout: 120_000 }, async () => {
  const sandbox = await sandboxWorld()
  const between = await betweenSandbox(sandbox.url)
  const team = await startTeam(postgres)
  const [desk, other] = [await team.newDesk(), await team.newDesk()]
  for (const { env } of [desk, other]) env.PIXGATE_BASE_URL = between.url
  const isHeld = ([, how]: Case) => how === 'held'
  for (const [place, each] of CASES.entries()) if (!isHeld(each)) await bringAbout(desk, sandbox.url, each, place)
  for (const each of [desk, other]) await each.prepare(['ledger', 'join', each.ledger])
  for (const [place, each] of CASES.entries()) if (isHeld(each)) await bringAbout(desk, sandbox.url, each, place)
  await between.reached

  const here = inThisProcess(other)
  const listed = JSON.parse((await here.run(['history', '-o', 'json'])).stdout) as ListedPayment[]
  const byAmount = (amount: string) => listed.find((each) => `R$ ${reais(Math.round(each.amount * 100))}` === amount)
  expect(found((amount) => byAmount(amount)?.pixgate.state)).toEqual(expected(([, , told]) => TOLD[told].state))
  for (const [lang, word] of [
    ['en', 'word'],
    ['pt-BR', 'palavra'],
  ] as const) {
    const { stdout } = await here.run(['history', '--lang', lang])
    const lines = stdout.split('\n').map((line) => line.split('\t'))
    // That this desk cannot verify an event follows the word.
    const wordOf = (amount: string) =>
      lines.find((cells) => cells[3]?.replace(/^-/, '') === amount)?.[2]?.split(',', 1)[0]
    expect(found(wordOf)).toEqual(expected(([, , told]) => TOLD[told][word]))
  }
})
