import { it } from 'vitest'
import { canTrace } from '../syscalls.ts'
import { expectDurableBeforeSent } from './durability.ts'

const isTraced = canTrace()
if (!isTraced)
  console.warn('SKIPPED: strace is missing or not allowed, so the order of writes and requests is not tested')

it.skipIf(!isTraced).each(['transfer', 'refund'] as const)(
  'has a %s on the disk before the first byte of its request leaves',
  { timeout: 60_000 },
  (kind) => expectDurableBeforeSent(kind, 0),
)
