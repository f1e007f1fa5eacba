import { defineCommand } from '../../commands/command.ts'
import { writtenFor } from '../../text/writtenFor.ts'

/** The shells that a completion script exists for; `completions/` has each one's in English as `pixgate.<shell>`. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

export const completion = defineCommand({
  arguments: [{ name: '<shell>', description: SHELLS.join(', '), choices: SHELLS }],
  examples: [
    [
      'pixgate completion bash > ~/.pixgate-completion && echo "source ~/.pixgate-completion" >> ~/.bashrc',
      'bash, for new shells',
    ],
    [
      'mkdir -p ~/.zfunc && pixgate completion zsh > ~/.zfunc/_pixgate',
      'zsh; in ~/.zshrc: fpath=(~/.zfunc $fpath); autoload -U compinit; compinit',
    ],
    ['pixgate completion fish > ~/.config/fish/completions/pixgate.fish', 'fish'],
    ['pixgate completion powershell >> $PROFILE', 'PowerShell, for new sessions'],
  ],
  acceptsCsv: true,
  async run({ terminal }, { shell }) {
    const { loadProgram } = await import('../program.ts')
    const { completionScript } = await import('./completionScript.ts')
    const script = await writtenFor('people', async () => completionScript(shell, await loadProgram()))
    terminal.data(script.trimEnd())
    return 0
  },
})
