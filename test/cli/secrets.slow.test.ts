import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { loadProgram } from '../../src/cli/program.ts'
import { CANARIES } from './canaries.ts'
import { driveEnvironment, driveProfiles, driveStored } from './secretDrive.ts'

/** The paths and own options of all commands that no line has in it. */
async function undriven(lines: readonly (readonly string[])[]): Promise<string[]> {
  const driven = new Set<string>()
  const tree = await loadProgram()
  for (const line of lines) {
    let command = tree
    driven.add(pathOf(command))
    for (const word of line) {
      if (word === '--') break
      const next = command.commands.find((each) => each.name() === word)
      if (next !== undefined) command = next
      driven.add(pathOf(command))
      const option = command.options.find((each) => each.long === word.split('=')[0] || each.short === word)
      if (option === undefined) continue
      driven.add(`${pathOf(command)} ${option.long}`)
      if (option.helpGroupHeading === 'Global options:') driven.add(`global ${option.long}`)
    }
  }
  return everything(tree).filter((name) => !driven.has(name))
}

function everything(command: Command): string[] {
  const own = command.options.map((option) =>
    option.helpGroupHeading === 'Global options:' ? `global ${option.long}` : `${pathOf(command)} ${option.long}`,
  )
  return [...new Set([pathOf(command), ...own, ...command.commands.flatMap(everything)])]
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

// Whether a command tells a secret does not depend on its alphabet, so each drive has one; test/long has them all.
test('no command shows or stores a secret, whatever its alphabet and source', { timeout: 120_000 }, async () => {
  const lines = [
    ...(await driveStored(CANARIES.awkward)),
    ...(await driveEnvironment(CANARIES.base64)),
    ...(await driveProfiles(CANARIES.hex)),
  ]
  expect(await undriven(lines), 'drive these in test/cli/secret*.ts').toEqual([])
})
