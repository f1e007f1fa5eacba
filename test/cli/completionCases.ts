import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_TYPES } from '../../src/pix/pixKey.ts'
import { BINARY, NODE, sandboxWorld, type World } from '../world.ts'

export const COMPLETIONS = join(import.meta.dirname, '..', '..', 'completions')

/** A line when Tab is pressed, and the words that are offered then; `only` are all of them. */
interface CompletionCase {
  line: string
  has?: readonly string[]
  lacks?: readonly string[]
  only?: readonly string[]
}

/** What each line must be completed with in every shell. Words are without what comes before their last `=` or `:`. */
export function completionCases(id: string): CompletionCase[] {
  const ids = [id]
  return [
    { line: 'pixgate ', has: ['demo', 'qr', 'refund', 'status', 'sandbox'], lacks: ['__complete', '--json', 'create'] },
    { line: 'pixgate ref', only: ['refund'] },
    { line: 'pixgate __', only: [] },
    { line: 'pixgate qr ', only: ['create', 'draw', 'decode'] },
    { line: 'pixgate -p local --output json sta', only: ['status'] },
    { line: 'pixgate -y --profile=local qr d', only: ['draw', 'decode'] },
    { line: 'pixgate --fields status ref', only: ['refund'] },
    { line: 'pixgate --', has: ['--profile', '--output', '--version', '--help'], lacks: ['--reason'] },
    { line: 'pixgate refund --', has: ['--reason', '--output', '--no-color'], lacks: ['--key', '--version'] },
    { line: 'pixgate sandbox pay --', has: ['--late', '--json', '--profile'], lacks: ['--port'] },
    { line: 'pixgate sandbox --st', only: ['--status-key'] },
    { line: 'pixgate -o ', only: ['text', 'json', 'csv'] },
    { line: 'pixgate refund -o j', only: ['json'] },
    { line: 'pixgate refund --output=j', only: ['json'] },
    { line: 'pixgate transfer --amount 10 --key-type ', only: KEY_TYPES },
    { line: 'pixgate refund --id-field ', only: ['originalTransactionId', 'idTransaction', 'both'] },
    { line: 'pixgate sandbox ', has: ['start', 'exec', 'pay'], lacks: [id] },
    { line: 'pixgate sandbox fault ', has: ['NO_FUNDS', 'drop-after'], lacks: ['--async'] },
    { line: 'pixgate sandbox fault webhook:t', only: ['twice'] },
    { line: 'pixgate sandbox start --signature ', only: ['hex', 'base64'] },
    { line: 'pixgate completion ', only: ['bash', 'zsh', 'fish', 'powershell'] },
    { line: 'pixgate -p ', only: ['local'] },
    { line: 'pixgate status --profile=lo', only: ['local'] },
    { line: 'pixgate status ', has: ids },
    { line: `pixgate status ${id} `, has: ids },
    { line: 'pixgate status -- ', has: ids },
    { line: 'pixgate refund --reason status ', has: ids },
    { line: 'pixgate sandbox chargeback ', has: ids },
    { line: `pixgate refund ${id} `, lacks: [id, 'picture.png'] },
    { line: 'pixgate qr decode pic', only: ['picture.png'] },
    { line: 'pixgate status --from pic', only: ['picture.png'] },
    { line: 'pixgate status --from=pic', only: ['picture.png'] },
    { line: 'pixgate qr create --png pic', only: ['picture.png'] },
    { line: 'pixgate transfer --amount ', only: [] },
    { line: 'pixgate transfer --to ', has: ['maria', 'marcos'], lacks: [id] },
    { line: 'pixgate transfer --to=mari', only: ['maria'] },
    { line: 'pixgate payee show mari', only: ['maria'] },
    { line: 'pixgate payee edit marc', only: ['marcos'] },
    { line: 'pixgate payee remove ', only: ['maria', 'marcos'] },
    { line: 'pixgate payee import pic', only: ['picture.png'] },
    { line: 'pixgate sandbox exec -- mkdi', has: ['mkdir'] },
    { line: 'pixgate sandbox exec -- cat pic', only: ['picture.png'] },
  ]
}

/** The lines whose words are not what they must be, each with the words; empty where all are. */
export function wrongLines(cases: readonly CompletionCase[], offered: ReadonlyMap<string, readonly string[]>): object {
  const wrong = cases.flatMap(({ line, only, has = only ?? [], lacks = [] }) => {
    const words = (offered.get(line) ?? []).map((word) => word.replace(/^.*[=:]/, '').trim())
    const isWrong =
      has.some((word) => !words.includes(word)) ||
      lacks.some((word) => words.includes(word)) ||
      (only !== undefined && words.some((word) => !only.includes(word)))
    return isWrong ? [[line, words]] : []
  })
  return Object.fromEntries(wrong)
}

/** A world with the real binary as `pixgate` on its path, one known id, and a folder `here` with a file in it. */
export async function shellWorld(): Promise<{ world: World; id: string; here: string }> {
  const world = await sandboxWorld()
  const { idTransaction } = JSON.parse(await world.prepare(['qr', 'create', '--amount', '10', '-o', 'json']))
  await world.prepare(['payee', 'import', '-'], {
    stdin: 'name,key\nmaria,maria@example.com\nmarcos,marcos@example.com\n$(touch x),touch@example.com\n',
  })
  const bin = join(world.home, 'bin')
  const here = join(world.home, 'here')
  mkdirSync(bin)
  mkdirSync(here)
  writeFileSync(join(here, 'picture.png'), '')
  writeFileSync(join(bin, 'pixgate'), `#!/bin/sh\nexec '${NODE}' '${BINARY}' "$@"\n`)
  chmodSync(join(bin, 'pixgate'), 0o755)
  world.env.PATH = `${bin}:${world.env.PATH ?? ''}`
  return { world, id: String(idTransaction), here }
}

/** Runs a program in that world and returns its output; throws if it cannot be run at all. */
export function runProgram(program: string, args: readonly string[], world: World, cwd: string, input = ''): string {
  const ran = spawnSync(program, args, { cwd, env: world.env, input, encoding: 'utf8', timeout: 20_000 })
  if (ran.error !== undefined) throw ran.error
  return ran.stdout + ran.stderr
}

/** Whether the program is on this machine; if not, warns loudly that its tests are skipped. */
export function isInstalled(program: string): boolean {
  if (spawnSync(program, ['--version']).error === undefined) return true
  process.stderr.write(`\n!!! SKIPPED: ${program} is not installed, so its completions are not tried\n\n`)
  return false
}

/** Reads lines of `line<tab>word` into the words of each line. */
export function offeredIn(text: string): Map<string, string[]> {
  const offered = new Map<string, string[]>()
  for (const entry of text.split('\n')) {
    const [line = '', word] = entry.split('\t')
    if (word !== undefined) offered.set(line, [...(offered.get(line) ?? []), word])
  }
  return offered
}
