import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
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

it('gives each run a secret, a callback and folders of its own, on which its listener listens', async () => {
  const world = execWorld()
  const script =
    'pixgate webhook listen --for 10s -o json --max-events 1 > "$1" & listener=$!; ' +
    'until grep -qs ready "$1"; do sleep 0.1; done; ' +
    'pixgate qr create --amount 1 --request-number order-7 -q > /dev/null; pixgate sandbox pay order-7 -q > /dev/null; ' +
    'wait $listener; env | grep ^PIXGATE_ | sort'
  const file = (n: number) => join(world.home, `listener-${n}`)
  const runs = await Promise.all([1, 2].map((n) => world.run([...EXEC, 'sh', '-c', script, 'sh', file(n)])))
  const variables = runs.map(
    ({ stdout }) =>
      new Map(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s) as [string, string]),
      ),
  )
  const names = ['BASE_URL', 'CALLBACK_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'CONFIG_DIR', 'DATA_DIR'].map(
    (name) => `PIXGATE_${name}`,
  )
  for (const [index, own] of variables.entries()) {
    expect(runs[index]?.stderr).toBe('')
    expect([...own.keys()]).toEqual(names)
    const [ready, event] = readFileSync(file(index + 1), 'utf8')
      .split('\n')
      .map((line) => line && JSON.parse(line))
    expect(ready.url).toBe(own.get('PIXGATE_CALLBACK_URL'))
    expect(event).toMatchObject({ valid: true, event: 'pix.received' })
  }
  const differ = names.filter((name) => variables[0]?.get(name) !== variables[1]?.get(name))
  expect(differ).toEqual(names.filter((name) => name !== 'PIXGATE_CLIENT_ID'))
})

it('keeps the callback that the user set, and says what was refused if the command fails', async () => {
  const world = execWorld()
  const shop = createServer((_, response) => response.writeHead(401).end('{"error":"signature"}'))
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void shop.close())
  const address = shop.address()
  const callback = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/pix`
  const script =
    'pixgate qr create --amount 1 --request-number order-7 -q > /dev/null; pixgate sandbox pay order-7 -q > /dev/null; ' +
    'pixgate status nonsense 2> /dev/null; until pixgate sandbox state -o json -q | grep -q given-up; do sleep 0.1; done; exit "$1"'
  const words = ['sandbox', 'exec', '--deliver-attempts', '1', '--', 'sh', '-c', script, 'sh']
  const env = { PIXGATE_CALLBACK_URL: callback }
  const failed = await world.run([...words, '3'], { env })
  expect(failed.exit).toBe(3)
  expect(failed.stderr).toMatch(
    new RegExp(
      [
        '^Refused by the sandbox',
        '  GET /api/v2/gateway/consult-transaction: 400 INVALID_TRANSACTION_ID',
        '    `idTransaction` must be the UUID of one transaction',
        'Webhooks that were not received',
        `  pix\\.received of [0-9a-f-]{36} to ${callback}: 401, attempts: 1`,
        '    \\{"error":"signature"\\}',
        '$',
      ].join('\\n'),
    ),
  )
  expect(await world.run([...words, '0'], { env })).toMatchObject({ exit: 0, stderr: '' })
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
