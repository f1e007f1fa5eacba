import envPaths from 'env-paths'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder of what this machine remembers. */
export function dataFolder(env: Environment): string {
  return env.PIXGATE_DATA_DIR || standardFolders().data
}

/** The folder of the stored profiles. */
export function configFolder(env: Environment): string {
  return env.PIXGATE_CONFIG_DIR || standardFolders().config
}

/** The folder of what can be made again. */
export function cacheFolder(): string {
  return standardFolders().cache
}

/** Where programs of this system keep such things. */
function standardFolders(): { data: string; config: string; cache: string } {
  return envPaths('pixgate', { suffix: '' })
}
