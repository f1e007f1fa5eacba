import envPaths from 'env-paths'
import type { EnvironmentVariables } from './programInfo.ts'

/** The data folder, which holds the ledger. */
export function dataFolder(env: EnvironmentVariables): string {
  return env.PIXGATE_DATA_DIR || standardFolders().data
}

/** The configuration folder, which holds the stored profiles. */
export function configFolder(env: EnvironmentVariables): string {
  return env.PIXGATE_CONFIG_DIR || standardFolders().config
}

/** The cache folder, which can be deleted at any time. */
export function cacheFolder(): string {
  return standardFolders().cache
}

function standardFolders(): { data: string; config: string; cache: string } {
  return envPaths('pixgate', { suffix: '' })
}
