import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BINARY, emptyWorld, NODE, type World } from '../world.ts'

// What can be completed is tried without a shell in completion.test.ts; here, what the script of each shell does with the answers.

/** A line when Tab is pressed, and the words that are offered then; `only` are all of them. */
interface CompletionCase {
  line: string
  has?: readonly string[]
  only?: readonly string[]
}

/** Words are without what comes before their last `=` or `:`. */
const CASES: readonly CompletionCase[] = [
  { line: 'pixgate ', has: ['demo', 'qr', 'refund', 'status', 'sandbox'] },
  { line: 'pixgate ref', only: ['refund'] },
  { line: 'pixgate __', only: [] },
  { line: 'pixgate -p local --output json sta', only: ['status'] },
  { line: 'pixgate --profile=local qr d', only: ['draw', 'decode'] },
  { line: 'pixgate sandbox --st', only: ['--status-key'] },
  { line: 'pixgate refund --output=j', only: ['json'] },
  { line: 'pixgate sandbox fault webhook:t', only: ['twice'] },
  { line: 'pixgate qr decode pic', only: ['picture.png'] },
  { line: 'pixgate status --from=pic', only: ['picture.png'] },
  { line: 'pixgate transfer --amount ', only: [] },
  { line: 'pixgate payee remove ', only: ['maria', 'marcos'] },
  { line: 'pixgate transfer --to=mari', only: ['maria'] },
  { line: 'pixgate sandbox exec -- mkdi', has: ['mkdir'] },
  { line: 'pixgate sandbox exec -- cat pic', only: ['picture.png'] },
]

const RC = `
source ${scriptOf('bash')}
show() { printf '%s\\n' "$*" >> "$HOME/shown"; }
PS1=
`
/** readline's keys: put in all completions, go to the beginning, and there write the command that notes the line. */
const KEYS = '\u001b*\u0001show '

it.skipIf(!isInstalled('bash') || !isInstalled('script'))('completes in bash', async () => {
  const { world, here } = await shellWorld()
  writeFileSync(join(world.home, 'rc'), RC)
  const typed = `${CASES.map(({ line }) => `${line}${KEYS}\n`).join('')}exit\n`
  runProgram('script', ['-qec', `bash --noprofile --rcfile ${world.home}/rc -i`, '/dev/null'], world, here, typed)
  const shown = readFileSync(join(world.home, 'shown'), 'utf8').trimEnd().split('\n')
  expect(shown).toHaveLength(CASES.length)
  expect(wrongLines(new Map(CASES.map(({ line }, index) => [line, addedTo(line, shown[index] ?? '')])))).toEqual({})
})

/** The words that came in place of the last one. */
function addedTo(line: string, shown: string): string[] {
  const before = line.slice(0, line.lastIndexOf(' ') + 1)
  if (shown.trimEnd() === line.trimEnd()) return []
  return shown.slice(before.length).trim().split(/\s+/)
}

const FISH = `
source ${scriptOf('fish')}
while read --line line
  for candidate in (complete -C $line)
    printf '%s\\t%s\\n' $line (string split -- \\t $candidate)[1]
  end
end`

it.skipIf(!isInstalled('fish'))('completes in fish', async () => {
  const { world, here } = await shellWorld()
  const lines = CASES.map(({ line }) => `${line}\n`).join('')
  expect(wrongLines(offeredIn(runProgram('fish', ['--no-config', '-c', FISH], world, here, lines)))).toEqual({})
})

/** The interactive shell: a key lists the completions of every line, and whatever is added is written down. */
const ZSH = `
source ${scriptOf('zsh')}
compadd() {
  if (( \${@[(I)-[OAD]]} )); then
    builtin compadd "$@"
    return
  fi
  local hit
  local -a hits
  builtin compadd -O hits "$@"
  for hit in $hits; do print -r -- "$line_to_try"$'\\t'"$hit" >> $HOME/offered; done
  builtin compadd "$@"
}
try() {
  local line_to_try
  for line_to_try in "\${(@f)$(<$HOME/lines)}"; do
    BUFFER=$line_to_try
    CURSOR=$#BUFFER
    zle list-choices
  done
  exit
}
zle -N try
bindkey '^T' try
`
/** Gives it a terminal, presses the key, and reads until it has ended. */
const ZSH_DRIVER = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source $HOME/interactive.zsh; print READY'
zpty -r -m shell seen '*READY*READY*'
zpty -w -n shell $'\\x14'
while zpty -r shell seen; do :; done
`

it.skipIf(!isInstalled('zsh'))('completes in zsh, also where nothing has loaded its completion', async () => {
  const { world, here } = await shellWorld()
  writeFileSync(join(world.home, 'lines'), CASES.map(({ line }) => line).join('\n'))
  writeFileSync(join(world.home, 'interactive.zsh'), ZSH)
  runProgram('zsh', ['-f', '-c', ZSH_DRIVER], world, here)
  expect(wrongLines(offeredIn(readFileSync(join(world.home, 'offered'), 'utf8')))).toEqual({})
})

function scriptOf(shell: string): string {
  return join(import.meta.dirname, '..', '..', 'completions', `pixgate.${shell}`)
}

/** The lines whose words are not what they must be, each with the words; empty where all are. */
function wrongLines(offered: ReadonlyMap<string, readonly string[]>): object {
  const wrong = CASES.flatMap(({ line, only, has = only ?? [] }) => {
    const words = (offered.get(line) ?? []).map((word) => word.replace(/^.*[=:]/, '').trim())
    const isWrong =
      has.some((word) => !words.includes(word)) || (only !== undefined && words.some((word) => !only.includes(word)))
    return isWrong ? [[line, words]] : []
  })
  return Object.fromEntries(wrong)
}

/** Reads lines of `line<tab>word` into the words of each line. */
function offeredIn(text: string): Map<string, string[]> {
  const offered = new Map<string, string[]>()
  for (const entry of text.split('\n')) {
    const [line = '', word] = entry.split('\t')
    if (word !== undefined) offered.set(line, [...(offered.get(line) ?? []), word])
  }
  return offered
}

/** A world with the real binary as `pixgate` on its path, payees of which one has a hostile name, and a folder `here` with a file in it. */
async function shellWorld(): Promise<{ world: World; here: string }> {
  const world = emptyWorld()
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
  return { world, here }
}

/** Runs a program in that world and returns its output; throws if it cannot be run at all. */
function runProgram(program: string, args: readonly string[], world: World, cwd: string, input = ''): string {
  const ran = spawnSync(program, args, { cwd, env: world.env, input, encoding: 'utf8', timeout: 60_000 })
  if (ran.error !== undefined) throw ran.error
  return ran.stdout + ran.stderr
}

/** Whether the program is on this machine; if not, warns loudly that its tests are skipped. */
function isInstalled(program: string): boolean {
  if (spawnSync(program, ['--version']).error === undefined) return true
  process.stderr.write(`\n!!! SKIPPED: ${program} is not installed, so its completions are not tried\n\n`)
  return false
}
