import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Sends a signal to a process and everything that it started, 0 to look for them only. False if all are gone. Throws the
 * system's error, EPERM if they belong to another user.
 */
export type SignalGroup = (pid: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 0) => boolean

const LOOK_AGAIN_MS = 20
/** How long a killed process may take to disappear. */
const GONE_MS = 500

/** Ends a process group: asks it to end, and kills it after `killMs`. False if that is not permitted. */
export async function endGroup(pid: number, signalGroup: SignalGroup, killMs: number): Promise<boolean> {
  try {
    for (const [signal, patienceMs] of [['SIGTERM', killMs] as const, ['SIGKILL', GONE_MS] as const]) {
      if (!signalGroup(pid, signal)) return true
      const patience = AbortSignal.timeout(patienceMs)
      while (!patience.aborted) {
        await sleep(LOOK_AGAIN_MS)
        if (!signalGroup(pid, 0)) return true
      }
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return false
    throw error
  }
}
