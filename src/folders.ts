import { isAbsolute, resolve } from 'node:path'
import type { EnvironmentVariables } from './programInfo.ts'
import { inHome, userFolder, wslPath } from './storage/userFolders.ts'
import { t } from './text/translate.ts'
import { UsageError } from './wire/errors.ts'

/** The data folder, which holds the ledger. Throws UsageError unless an absolute path is known for it. */
export function dataFolder(env: EnvironmentVariables): string {
  return namedFolder('PIXGATE_DATA_DIR', env) ?? userFolder('data', env) ?? homeless()
}

/** The configuration folder, which holds the stored profiles. Throws UsageError unless an absolute path is known for it. */
export function configFolder(env: EnvironmentVariables): string {
  return configFolderIfAny(env) ?? homeless()
}

/** {@link configFolder}, or undefined if the user has no home: then nothing can be stored. */
export function configFolderIfAny(env: EnvironmentVariables): string | undefined {
  return namedFolder('PIXGATE_CONFIG_DIR', env) ?? userFolder('config', env)
}

/** Folders that stop a machine if root closes them to others, as when the variable for the rest of a path is empty. */
const EVERYBODYS_FOLDERS: ReadonlySet<string> = new Set([
  '/',
  '/tmp',
  '/var/tmp',
  '/dev/shm',
  '/etc',
  '/home',
  '/opt',
  '/run',
  '/usr',
  '/var',
  '/var/lib',
])

/** The folder that a variable names; undefined if it is not set. */
function namedFolder(variable: 'PIXGATE_DATA_DIR' | 'PIXGATE_CONFIG_DIR', env: EnvironmentVariables) {
  const typed = env[variable]
  if (!typed) return undefined
  if (typed.startsWith('~/')) return inHome(typed.slice(2), env) ?? homeless()
  if (EVERYBODYS_FOLDERS.has(resolve(typed))) {
    throw new UsageError(t`\`${variable}\` is \`${typed}\`, which other users and programs need`, {
      details: [t`pixgate closes its folders to all other users`],
      hint: t`Name a folder that only pixgate uses, such as \`/var/lib/pixgate\``,
    })
  }
  if (isAbsolute(typed)) return typed
  throw new UsageError(t`\`${variable}\` is \`${typed}\`, which is not an absolute path`, {
    details: [
      t`Each folder in which pixgate is started would have another one, which knows nothing of what was paid from elsewhere`,
    ],
    hint: t`Write the whole path: from here that would be \`${wslPath(typed) ?? resolve(typed)}\``,
  })
}

function homeless(): never {
  throw new UsageError(
    t`It is not known where your files are: \`HOME\` is not an absolute path, and the account has no home`,
    {
      details: [t`Without its own folders pixgate cannot know what was paid`],
      hint: t`Set \`HOME\`, or both \`PIXGATE_DATA_DIR\` and \`PIXGATE_CONFIG_DIR\`, to absolute paths`,
    },
  )
}
