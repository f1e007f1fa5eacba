type Environment = Readonly<Record<string, string | undefined>>

/** The folder of what this machine remembers. */
export async function dataFolder(env: Environment): Promise<string> {
  return env.PIXGATE_DATA_DIR || (await standardFolders()).data
}

/** The folder of the stored profiles. */
export async function configFolder(env: Environment): Promise<string> {
  return env.PIXGATE_CONFIG_DIR || (await standardFolders()).config
}

/** The folder of what can be made again. */
export async function cacheFolder(): Promise<string> {
  return (await standardFolders()).cache
}

/** Where programs of this system keep such things. */
async function standardFolders(): Promise<{ data: string; config: string; cache: string }> {
  const { default: envPaths } = await import('env-paths')
  return envPaths('pixgate', { suffix: '' })
}
