import { expect, it } from 'vitest'
import { expectBatchDurable, expectDurableBeforeSent } from './durability.ts'
import { canTrace, readTrace } from './syscalls.ts'

const CAN_TRACE = canTrace()
if (!CAN_TRACE)
  console.warn('SKIPPED: strace is missing or may not trace, so nobody looks whether an intent is durable')

const underTrace = it.skipIf(!CAN_TRACE)

underTrace(
  'has the intent of a transfer on the disk before a byte of its POST leaves',
  { timeout: 60_000 },
  async () => {
    for (let run = 0; run < 2; run++) await expectDurableBeforeSent('transfer', run)
  },
)

underTrace('has the intent of a refund on the disk before a byte of its POST leaves', { timeout: 60_000 }, async () => {
  await expectDurableBeforeSent('refund', 0)
})

underTrace(
  'has each row of a batch on the disk before its POST, and its end before it is said',
  { timeout: 60_000 },
  () => expectBatchDurable(12),
)

it('reads a trace of several threads', () => {
  const trace = [
    '10 fsync(17</d/timeline.log> <unfinished ...>',
    '11 write(20<TCP:[1->2]>, "POST / HTTP/1.1\\r\\n", 17 <unfinished ...>',
    '10 <... fsync resumed>) = 0',
    '12 pwrite64(17</d/timeline.log>, "x) = 3", 6, 0) = 6',
    '11 <... write resumed>) = 17',
    '12 write(1<pipe:[3]>, "y", 1) = -1 EPIPE (Broken pipe)',
    '12 --- SIGPIPE {si_signo=SIGPIPE} ---',
    '10 +++ exited with 0 +++',
  ].join('\n')
  expect(readTrace(trace)).toEqual([
    { name: 'fsync', args: '17</d/timeline.log>', result: 0, begin: 0, end: 2 },
    { name: 'pwrite64', args: '17</d/timeline.log>, "x) = 3", 6, 0', result: 6, begin: 3, end: 3 },
    { name: 'write', args: '20<TCP:[1->2]>, "POST / HTTP/1.1\\r\\n", 17', result: 17, begin: 1, end: 4 },
    { name: 'write', args: '1<pipe:[3]>, "y", 1', result: -1, begin: 5, end: 5 },
  ])
})
