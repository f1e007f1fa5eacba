import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
/** How long a killed process may take to disappear. */
const KILLED_MS = 500

/**
 * Sends a signal to a process group: the process and its descendants; 0 only checks that they exist. Returns false if none is
 * left. Throws the system's error, EPERM if they belong to another user. Windows has no process groups: any signal but 0 kills
 * the process and its descendants.
 */
export function signalProcessGroup(pid: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    if (process.platform === 'win32' && signal !== 0) {
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => undefined)
    } else process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    return false
  }
}

/** Terminates a process group and waits until it is gone; kills it after `killMs`. Returns false if that is not permitted. */
export async function endProcessGroup(pid: number, killMs: number): Promise<boolean> {
  try {
    for (const [signal, patienceMs] of [['SIGTERM', killMs] as const, ['SIGKILL', KILLED_MS] as const]) {
      if (!signalProcessGroup(pid, signal)) return true
      const patience = AbortSignal.timeout(patienceMs)
      while (!patience.aborted) {
        await sleep(POLL_MS)
        if (!signalProcessGroup(pid, 0)) return true
      }
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return false
    throw error
  }
}
