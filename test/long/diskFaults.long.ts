import { expect, it } from 'vitest'
import { type DiskEndings, failDisk } from '../campaign/diskFaults.ts'
import { campaignSeed } from '../campaign/run.ts'
import { WRITING } from '../campaign/writingCommands.ts'
import { canTrace } from '../syscalls.ts'

const count = process.env.CAMPAIGN_RUNS === undefined ? undefined : Number(process.env.CAMPAIGN_RUNS)
const seed = campaignSeed(Date.now() % 2 ** 31)

it.each(Object.keys(WRITING))(
  'keeps everything whole while the disk fails at each system call of %s',
  async (command) => {
    expect(canTrace(), 'this needs strace').toBe(true)
    // A run of hours that was stopped says how far it came.
    const onRun = (endings: DiskEndings) => void process.stderr.write(`${command} ${JSON.stringify(endings)}\n`)
    await failDisk(command, { ...(count === undefined ? {} : { count }), seed, onRun })
  },
)
