import { defineCommand } from '../commandDefinition.ts'
import { readPackagedFile } from '../packagedFile.ts'

/** The shells of which `completions/` has the script, as `pixgate.<shell>`. */
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

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
  run: async ({ terminal }, { shell }) => {
    terminal.data(readPackagedFile(`completions/pixgate.${shell}`).trimEnd())
    return 0
  },
})
