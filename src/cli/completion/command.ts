import { Command } from 'commander'
import { examples } from '../../commands/examples.ts'
import { oneOf } from '../../commands/optionValues.ts'
import type { Context, Run } from '../../context.ts'
import { SHELLS } from './shells.ts'

/** `pixgate completion`: the script that makes a shell complete `pixgate`. `wholeTree` gives all of it. */
export function completion(run: Run, wholeTree: () => Promise<Command>): Command {
  return new Command('completion')
    .description('Print the script that lets a shell complete commands, options and values with the Tab key')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      examples(
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
      ),
    )
    .action(run((context, shell: string) => printScript(context, shell, wholeTree)))
}

async function printScript(context: Context, typed: string, wholeTree: () => Promise<Command>): Promise<number> {
  const shell = oneOf(SHELLS, typed, '<shell>')
  const { completionScript } = await import('./scripts.ts')
  context.terminal.data(completionScript(shell, await wholeTree()).trimEnd())
  return 0
}
