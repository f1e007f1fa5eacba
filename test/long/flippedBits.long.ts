import { expect, it } from 'vitest'
import { campaignSeed } from '../campaign/run.ts'
import { type Aim, COLUMNS, flipBits, INDEXES, SCHEMA } from '../ledger/flippedBits.ts'

const FLIPS = Number(process.env.CAMPAIGN_RUNS ?? 300)
const AIMS: readonly Aim[] = [{ at: 'file' }, INDEXES, ...COLUMNS, SCHEMA]

it.each(AIMS)(
  `pays nothing again after any of ${FLIPS} flipped bits, and reports those in the data: $at`,
  async (aim) => {
    const seen = await flipBits(aim, FLIPS, campaignSeed(20261121))
    console.log(JSON.stringify({ aim, ...seen }))
    expect(seen).toMatchObject({ repeatable: [], defects: [], missed: [] })
  },
)
