import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { powershellScript } from './powershell.ts'
import { describeTree, type TreeShape } from './shape.ts'
import type { Shell } from './shells.ts'
import { zshScript } from './zsh.ts'

const RENDERERS: Readonly<Record<Shell, (tree: TreeShape) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
}

/** The completion script for this shell and command tree, with a line break at its end. */
export function completionScript(shell: Shell, tree: Command): string {
  return RENDERERS[shell](describeTree(tree))
}
