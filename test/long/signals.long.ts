import { it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { SIGNALLED, signalCommand } from '../campaign/signals.ts'

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 200)
const seed = campaignSeed(Date.now() % 2 ** 31)

it.each(Object.keys(SIGNALLED))(`tells the truth when signals end %s at ${RUNS} moments`, async (command) => {
  console.log(command, JSON.stringify(await signalCommand(command, RUNS, seed)))
})
