import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { start } from '../gateway/running.ts'
import { emptyWorld, type World } from '../world.ts'

const EXEC = ['sandbox', 'exec', '--']

/** A world whose temporary files are its own, and a script that says on stderr that it runs. */
function execWorld(): World & { pids(): number[]; left(): string[] } {
  const world = emptyWorld()
  const temporary = join(world.home, 'tmp')
  mkdirSync(temporary)
  world.env.TMPDIR = temporary
  return {
    ...world,
    pids: () => readFileSync(join(world.home, 'pids'), 'utf8').trim().split('\n').map(Number),
    left: () => readdirSync(temporary),
  }
}

/** A script that notes itself and a process of its own in `pids`, and then waits. */
function waiting({ home }: World, first: string): string {
  const path = join(home, 'wait.sh')
  writeFileSync(
    path,
    `${first}\nsleep 600 & echo $! > '${home}/pids'; echo $$ >> '${home}/pids'; echo runs >&2; wait; wait\n`,
  )
  return path
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function until(check: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 8000
  while (!check() && Date.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(check()).toBe(true)
}

describe.runIf(process.platform === 'linux')('`sandbox exec` leaves nothing behind', () => {
  it.each([
    ['SIGTERM', '', 143],
    ['SIGTERM', "trap '' TERM", 143],
    ['SIGHUP', '', 129],
    ['SIGINT', '', 130],
    // The sandbox answers only after pixgate has named the command to the watchdog.
    ['SIGKILL', 'pixgate qr create --amount 1 >&2', -1],
  ] as const)('after %s (%s)', async (signal, first, exit) => {
    const world = execWorld()
    const running = start(world, [...EXEC, 'sh', waiting(world, first)])
    await running.said('runs')
    expect(world.left()).toHaveLength(1)
    running.signal(signal)
    const ended = await running.ended
    if (signal !== 'SIGKILL') {
      expect(ended.exit).toBe(exit)
      expect(world.left()).toEqual([])
    }
    await until(() => !world.pids().some(isRunning) && world.left().length === 0)
  })

  it('when the command ends and has left a process in the background', async () => {
    const world = execWorld()
    const ran = await world.run([...EXEC, 'sh', '-c', `sleep 600 >&- 2>&- & echo $! > '${world.home}/pids'; exit 3`])
    expect(ran.exit).toBe(3)
    expect(world.pids().filter(isRunning)).toEqual([])
    expect(world.left()).toEqual([])
  })
})

it('passes SIGINT on, and returns the exit code of the command', async () => {
  const world = execWorld()
  const running = start(world, [...EXEC, 'sh', waiting(world, "trap 'echo interrupted; exit 5' INT")])
  await running.said('runs')
  running.signal('SIGINT')
  expect(await running.ended).toMatchObject({ exit: 5, stdout: 'interrupted\n' })
})

it('puts the same pixgate on the PATH of the command', async () => {
  const world = execWorld()
  const ran = await world.run([...EXEC, 'sh', '-c', 'pixgate qr create --amount 1 -o json'])
  expect(ran.exit).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'PENDING' })
})

it('sets the address under other names with --env', async () => {
  const script = 'echo "$GATEWAY_URL $OTHER $PIXGATE_BASE_URL"'
  const words = ['--env', 'GATEWAY_URL', '--env', 'OTHER', '--', 'sh', '-c', script]
  const ran = await execWorld().run(['sandbox', 'exec', ...words])
  expect(ran.exit).toBe(0)
  const [first, ...others] = ran.stdout.trim().split(' ')
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(others).toEqual([first, first])
})

it('refuses a name that no variable can have', async () => {
  const ran = await execWorld().run(['sandbox', 'exec', '--env', 'A=b', '--', 'true'])
  expect(ran).toMatchObject({
    exit: 2,
    stderr:
      'error: `--env`: `A=b` is not the name of an environment variable\nhint: Write the name alone, like `--env GATEWAY_URL`\n',
  })
})
