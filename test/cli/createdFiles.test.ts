import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { canTrace } from '../syscalls.ts'
import { BINARY, NODE, sandboxWorld, type World } from '../world.ts'
import { hmac } from './webhookTarget.ts'

const isTraced = canTrace()
if (!isTraced)
  process.stderr.write('WITHOUT strace NOBODY SEES WITH WHICH MODE FILES ARE CREATED: this is not tested\n')

const MADE =
  /(?:openat|open)\((?:AT_FDCWD, )?"([^"]+)", [^,]*O_CREAT[^,]*, (\d+)\) = \d|mkdir(?:at)?\((?:AT_FDCWD, )?"([^"]+)", (\d+)\) = 0/g

/** Runs the binary with a umask that hides nothing, and gives what it created below the home, with the modes at that moment. */
async function createdBy(
  { env, home }: World,
  words: readonly string[],
  input = '',
): Promise<{ exit: number | null; made: [string, number][] }> {
  const trace = join(home, 'trace')
  const options = ['-f', '-s', '4096', '-e', 'trace=open,openat,mkdir,mkdirat', '-o', trace]
  const traced = ['-c', 'umask 0; exec "$@"', 'sh', 'strace', ...options, NODE, BINARY, ...words]
  const child = spawn('sh', traced, { env, cwd: home, stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(input)
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const lines = readFileSync(trace, 'utf8').replaceAll(/ <unfinished \.\.\.>\n/g, ')\n')
  const made = [...lines.matchAll(MADE)].map(([, file, fileMode, folder, folderMode]): [string, number] => [
    resolve(home, file ?? folder ?? ''),
    Number.parseInt(fileMode ?? folderMode ?? '', 8),
  ])
  // Opened again, a file keeps the mode that it has.
  const first = new Map(made.filter(([path]) => path.startsWith(`${home}/`)).reverse())
  return { exit, made: [...first] }
}

/** True for a path in a folder below the home that others may not enter. */
function isHidden(path: string, home: string): boolean {
  const folder = dirname(path)
  if (folder === home) return false
  return (existsSync(folder) && (statSync(folder).mode & 0o077) === 0) || isHidden(folder, home)
}

it.runIf(isTraced)(
  'creates every file private, so that there is no moment at which others could open it',
  { timeout: 60_000 },
  async () => {
    const world = await sandboxWorld()
    chmodSync(world.home, 0o755)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'maria', '-f', join(world.home, 'key')])
    const rows = 'key,value\na@example.com,1\n'
    const batch = await world.prepare(['batch', 'transfer', '-', '--reference', 'before', '--yes', '-o', 'json'], {
      stdin: rows,
    })
    const { run } = JSON.parse(batch.trimEnd().split('\n').at(-1) ?? '')
    const body = '{"a":1}'
    const cases: [words: string[], files: string[], input?: string][] = [
      [
        ['batch', 'transfer', '-', '--reference', 'x', '--again', '--results', 'results.csv', '--yes'],
        ['results.csv'],
        rows,
      ],
      [['batch', 'report', run, '--out', 'run.xlsx'], ['run.xlsx']],
      [['history', 'report', '--month', '2026-11', '--out', 'month.xlsx'], ['month.xlsx']],
      [['history', 'backup', 'backup.db'], ['backup.db']],
      [
        ['transfer', '--key', 'b@example.com', '--amount', '1', '--plan', 'plan.json', '--ssh-key', 'key'],
        ['plan.json', 'plan.json.maria.sig'],
      ],
      [
        [
          'webhook',
          'verify',
          '--body',
          '-',
          '--signature',
          hmac(body, 'local-secret', 'hex'),
          '--recover',
          'original.json',
        ],
        ['original.json'],
        `${body}\n`,
      ],
    ]
    for (const [words, files, input] of cases) {
      const { exit, made } = await createdBy(world, words, input)
      expect([words, exit]).toEqual([words, words[0] === 'webhook' ? 1 : 0])
      expect(made.filter(([path, mode]) => (mode & 0o077) !== 0 && !isHidden(path, world.home))).toEqual([])
      for (const file of files) {
        const beginnings = made.filter(([path]) => path.startsWith(join(world.home, file)))
        expect([file, beginnings.length > 0, statSync(join(world.home, file)).mode & 0o777]).toEqual([
          file,
          true,
          0o600,
        ])
      }
    }
  },
)
