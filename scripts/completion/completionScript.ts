import type { Command } from 'commander'
import type { Shell } from '../../src/commands/completion.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { powershellScript } from './powershell.ts'
import { describeTree, type TreeShape } from './shape.ts'
import { zshScript } from './zsh.ts'

const RENDERERS: Readonly<Record<Shell, (tree: TreeShape) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
}

/** Generates the completion script of a shell for a command tree. It ends with a line break. */
export function completionScript(shell: Shell, tree: Command): string {
  return RENDERERS[shell](describeTree(tree))
}
