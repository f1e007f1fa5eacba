import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  COMPLETIONS,
  completionCases,
  isInstalled,
  offeredIn,
  runProgram,
  shellWorld,
  wrongLines,
} from './completionCases.ts'

const SCRIPT = join(COMPLETIONS, 'pixgate.zsh')

/** The interactive shell: a key lists the completions of every line, and whatever is added is written down. */
const INTERACTIVE = `
autoload -Uz compinit && compinit -u -D
source ${SCRIPT}
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
const DRIVER = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source $HOME/interactive.zsh; print READY'
zpty -r -m shell seen '*READY*READY*'
zpty -w -n shell $'\\x14'
while zpty -r shell seen; do :; done
`

it.skipIf(!isInstalled('zsh'))('completes in zsh', async () => {
  const { world, id, here } = await shellWorld()
  expect(runProgram('zsh', ['-n', SCRIPT], world, here)).toBe('')
  const cases = completionCases(id)
  writeFileSync(join(world.home, 'lines'), cases.map(({ line }) => line).join('\n'))
  writeFileSync(join(world.home, 'interactive.zsh'), INTERACTIVE)
  runProgram('zsh', ['-f', '-c', DRIVER], world, here)
  expect(wrongLines(cases, offeredIn(readFileSync(join(world.home, 'offered'), 'utf8')))).toEqual({})
})
