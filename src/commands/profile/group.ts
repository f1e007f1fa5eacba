import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { addEntries, type Entry, type Words } from '../entries.ts'
import { examples } from '../examples.ts'

const ENTRIES: readonly Entry[] = [
  ['add', 'store credentials', async () => (await import('./add.ts')).profileAdd],
  ['list', 'all stored profiles', async () => (await import('./list.ts')).profileList],
  ['show', 'one profile, with where its values come from', async () => (await import('./show.ts')).profileShow],
  ['use', 'choose the active profile', async () => (await import('./use.ts')).profileUse],
  ['edit', 'change a stored profile', async () => (await import('./edit.ts')).profileEdit],
  ['remove', 'forget a profile and its secret', async () => (await import('./remove.ts')).profileRemove],
]

/** `pixgate profile`: stored credentials, each with the address that they belong to. */
export function profileGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('profile')
    .description('Store credentials, each with the address they belong to, and choose which are used')
    .addHelpText(
      'after',
      examples(
        ['pixgate profile list', 'what is stored, and which one is used'],
        ['pixgate profile use local', 'back to the sandbox on this machine'],
      ),
    )
  return addEntries(group, ENTRIES, run, words)
}
