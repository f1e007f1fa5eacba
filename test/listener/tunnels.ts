import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openTunnel, type Tunnel, type TunnelOptions } from '../../src/listener/tunnel.ts'

/** A folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-tunnel-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a shell script; gives the command line that runs it. */
export function script(folder: string, ...lines: readonly string[]): string {
  const path = join(folder, 'tunnel.sh')
  writeFileSync(path, `${lines.join('\n')}\n`)
  return `exec sh '${path}'`
}

/** Opens a tunnel that is closed when the test ends. */
export function tunnelOf(command: string, options: Partial<TunnelOptions> = {}): Tunnel {
  const tunnel = openTunnel({ command, port: 4242, env: process.env, onLeft: () => undefined, ...options })
  onTestFinished(() => tunnel.close())
  return tunnel
}

/** True for a process that runs; one that has ended and was not fetched by its parent does not. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout)
}
