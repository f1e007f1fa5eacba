import type { Context } from '../../context.ts'
import { unknownRun } from '../../payments/unknownRun.ts'
import { defineCommand } from '../command.ts'
import { findRunByName } from './findRunByName.ts'
import { resumeRun } from './resumeRun.ts'
import { RESUME_OPTIONS, type ResumeOptions } from './runOptions.ts'

export const batchResume = defineCommand({
  arguments: [{ name: '<run>', description: 'name of the run' }],
  options: [
    ...RESUME_OPTIONS,
    { flags: '--dry-run', description: 'apply every rule, print what would be sent, and send nothing' },
  ],
  examples: [['pixgate batch resume run-5f0c2a9b1d3e', 'after a crash, a refusal or Ctrl-C']],
  run: resume,
})

async function resume(
  context: Context,
  { run: name, ...options }: ResumeOptions & { run: string; dryRun: boolean },
): Promise<number> {
  const known = await findRunByName(context, name)
  if (known === undefined) throw unknownRun(name)
  return resumeRun(context, known, options)
}
