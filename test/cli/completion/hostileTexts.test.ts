import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { expect, it, onTestFinished } from 'vitest'
import type { Shell } from '../../../src/cli/completion/completion.ts'
import { completionScript } from '../../../src/cli/completion/completionScript.ts'
import { isInstalled } from '../completionCases.ts'

const ODD = `it's "so": [a:b] (c) {d} $HOME $(date) \`date\` \\ 100% #x; <e> !f`

/** A tree whose texts hold all that means something to a shell. */
function oddTree(): Command {
  const odd = new Command('odd')
    .alias('strange')
    .summary(ODD)
    .option('-l, --level <a:b>', ODD)
    .addOption(new Option('--secret <x>', ODD).hideHelp())
    .argument('[file]', ODD)
  return new Command('pixgate').addCommand(odd).addCommand(new Command('unseen').summary(ODD), { hidden: true })
}

function scriptFile(shell: Shell): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'script')
  writeFileSync(path, completionScript(shell, oddTree()))
  return path
}

function run(program: string, args: readonly string[]): string[] {
  const ran = spawnSync(program, args, { encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  return ran.stdout.trimEnd().split('\n')
}

it.skipIf(!isInstalled('fish'))('shows odd texts in fish as they are', () => {
  const source = `source ${scriptFile('fish')}`
  const complete = (line: string) => run('fish', ['--no-config', '-c', `${source}; complete -C '${line}'`])
  expect(complete('pixgate ')).toEqual([`odd\t${ODD}`])
  expect(complete('pixgate odd --l')).toEqual([`--level\t${ODD}`])
  expect(complete('pixgate strange --l')).toEqual([`--level\t${ODD}`])
})

it.skipIf(!isInstalled('zsh'))('hands odd texts to zsh with its own escapes', () => {
  const stubs = `compdef() { }; _arguments() { print -rl -- "$@"; state=command }; _describe() { print -rl -- $below }`
  const call = (line: string) => run('zsh', ['-f', '-c', `${stubs}; source ${scriptFile('zsh')}; ${line}`])
  const text = ODD.replace('\\', '\\\\').replace('[a:b]', '\\[a:b\\]')
  const specs = call('_pixgate__odd')
  expect(specs).toContain(`(-l --level)--level=[${text}]:a\\:b: `)
  expect(specs).toContain(`(-l --level)-l+[${text}]:a\\:b: `)
  expect(call('_pixgate')).toContain(`odd:${ODD}`)
})

it.skipIf(!isInstalled('bash'))('knows an alias in bash, and offers nothing that is hidden', () => {
  const complete = (line: string, word: number) => {
    const call = `COMP_LINE='${line}' COMP_POINT=${line.length} COMP_CWORD=${word}; COMP_WORDS=($COMP_LINE); _pixgate`
    return run('bash', ['-c', `source ${scriptFile('bash')}; ${call}; printf '%s\\n' "\${COMPREPLY[@]}"`])
  }
  expect(complete('pixgate ', 1)).toEqual(['odd'])
  expect(complete('pixgate strange --', 2)).toEqual(['--level', '--help'])
})

it('gives PowerShell only letters that it reads in any code page', () => {
  const tree = new Command('pixgate').option('--plain', "it's").option('--odd', 'a \u2018b\u2019 "c" $d `e` ção')
  const script = completionScript('powershell', tree)
  expect(script).toContain("'it''s'")
  expect(script).toContain('"a $([char]8216)b$([char]8217) `"c`" `$d ``e`` $([char]231)$([char]227)o"')
})
