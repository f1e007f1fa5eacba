import { hostname, userInfo } from 'node:os'
import type { Context } from '../../context.ts'
import type { Holder } from '../../money/batch/batchLock.ts'

/** Who this process is for another one. */
export function holderOf(context: Context): Holder {
  const since = new Date(context.now()).toISOString()
  return { pid: context.pid, user: userInfo().username, machine: hostname(), since }
}
