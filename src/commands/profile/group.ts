import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { profileAdd } from './add.ts'
import { profileEdit } from './edit.ts'
import { profileList } from './list.ts'
import { profileRemove } from './remove.ts'
import { profileShow } from './show.ts'
import { profileUse } from './use.ts'

/** `pixgate profile`: stored credentials, each with the address that they belong to. */
export function profileGroup(run: Run): Command {
  return new Command('profile')
    .summary('stored credentials')
    .description('Store credentials, each with the address they belong to, and choose which are used')
    .addCommand(profileAdd(run))
    .addCommand(profileList(run))
    .addCommand(profileShow(run))
    .addCommand(profileUse(run))
    .addCommand(profileEdit(run))
    .addCommand(profileRemove(run))
    .addHelpText(
      'after',
      examples(
        ['pixgate profile list', 'what is stored, and which one is used'],
        ['pixgate profile use local', 'back to the sandbox on this machine'],
      ),
    )
}
