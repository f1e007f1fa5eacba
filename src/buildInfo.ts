import { readPackagedFile } from './packagedFile.ts'
import { VERSION } from './programInfo.ts'

/** What `npm run build` notes about a build in `dist/build.json`. */
interface BuildInfo {
  /** The day of the build, as `2026-11-22`. */
  readonly built: string
  /** The packages whose code is in the build, in the order of their names. */
  readonly packages: readonly { readonly name: string; readonly version: string }[]
}

export function readBuildInfo(): BuildInfo {
  return JSON.parse(readPackagedFile('dist/build.json'))
}

/** The lines of `pixgate --version -v`: the program, its engines, the day of the build, and the bundled packages. */
export async function versionDetails(): Promise<string> {
  const { sqliteVersion } = await import('./storage/sqlite.ts')
  const { built, packages } = readBuildInfo()
  return [
    `pixgate ${VERSION}`,
    `node ${process.versions.node}`,
    `sqlite ${await sqliteVersion()}`,
    `built ${built}`,
    ...packages.map(({ name, version }) => `${name} ${version}`),
  ].join('\n')
}
