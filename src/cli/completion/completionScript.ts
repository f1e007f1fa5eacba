import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import type { Shell } from './completion.ts'
import { fishScript } from './fish.ts'
import { powershellScript } from './powershell.ts'
import { describeTree, type TreeShape } from './treeShape.ts'
import { zshScript } from './zsh.ts'

const RENDERERS: Readonly<Record<Shell, (tree: TreeShape) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
}

/** Generates the completion script of a shell for a command tree, in the language of the tree. It ends with a line break. */
export function completionScript(shell: Shell, tree: Command): string {
  return RENDERERS[shell](describeTree(tree))
}
