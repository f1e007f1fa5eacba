import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineCommand } from '../../commands/command.ts'
import { oneOf } from '../../commands/optionValues.ts'
import { SHELLS } from './shells.ts'

/** `pixgate completion`: the script that makes a shell complete `pixgate`. The package contains one for each shell. */
export const completion = defineCommand({
  description: 'Print the script that lets a shell complete commands, options and values with the Tab key',
  arguments: [{ name: '<shell>', description: SHELLS.join(', '), completes: SHELLS }],
  examples: [
    [
      'pixgate completion bash > ~/.pixgate-completion && echo "source ~/.pixgate-completion" >> ~/.bashrc',
      'bash, from the next shell on',
    ],
    [
      'mkdir -p ~/.zfunc && pixgate completion zsh > ~/.zfunc/_pixgate',
      'zsh; in ~/.zshrc: fpath=(~/.zfunc $fpath); autoload -U compinit; compinit',
    ],
    ['pixgate completion fish > ~/.config/fish/completions/pixgate.fish', 'fish, at once'],
    ['pixgate completion powershell >> $PROFILE', 'PowerShell, from the next one on'],
  ],
  async run({ terminal, world }, { shell: typed }) {
    const shell = oneOf(SHELLS, typed, '<shell>')
    const [, entry] = world.program
    const script = join(dirname(await realpath(entry)), '..', 'completions', `pixgate.${shell}`)
    terminal.data((await readFile(script, 'utf8')).trimEnd())
    return 0
  },
})
