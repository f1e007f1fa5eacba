import { realpathSync, statfsSync } from 'node:fs'
import { platform } from 'node:os'

/** Types of file systems of Linux, by `statfs`, on which locks or the shared memory of SQLite's WAL mode do not work. */
const LINUX_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x786f4256, 'vboxsf'],
])

/** The path of `mount` on macOS. */
const MOUNT = '/sbin/mount'
const MOUNT_TIMEOUT_MS = 5_000

/** The name of the network file system that a folder is on; undefined for a disk of this machine. Throws the system's error. */
export function networkFileSystemOf(folder: string): string | undefined {
  switch (platform()) {
    case 'linux':
      return LINUX_TYPES.get(statfsSync(folder).type >>> 0)
    case 'darwin':
      // The types that `statfs` gives there are numbered anew at each start of the system.
      return remoteMountOf(realpathSync(folder), mountTable())
    case 'win32':
      // The system's own function resolves a drive letter that is mapped to a share.
      return isShare(realpathSync.native(folder)) ? 'SMB' : undefined
    default:
      return undefined
  }
}

/** Empty if the system does not tell what is mounted. */
function mountTable(): string {
  // Loaded here because only macOS needs it: it takes 2 ms.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout } = spawnSync(MOUNT, { encoding: 'utf8', timeout: MOUNT_TIMEOUT_MS })
  return status === 0 ? stdout : ''
}

/**
 * The type of the file system that holds a path of macOS if it is not `local`, by what `mount` prints there:
 * `//maria@server/share on /Volumes/share (smbfs, nodev, nosuid, mounted by maria)`.
 */
export function remoteMountOf(path: string, table: string): string | undefined {
  let longest = ''
  let remote: string | undefined
  for (const line of table.split('\n')) {
    const [, folder = '', facts = ''] = /^.*? on (\/.*) \(([^()]*)\)$/.exec(line) ?? []
    const isAbove = folder === '/' || path === folder || path.startsWith(`${folder}/`)
    // Of two file systems on one folder, the later covers the earlier.
    if (folder === '' || !isAbove || folder.length < longest.length) continue
    const [type, ...flags] = facts.split(', ')
    longest = folder
    remote = flags.includes('local') ? undefined : type
  }
  return remote
}

/** True for a path of Windows that names a share of a server: `\\server\share` or `\\?\UNC\server\share`. */
export function isShare(path: string): boolean {
  const plain = path.replaceAll('/', '\\')
  return /^\\\\\?\\UNC\\/i.test(plain) || /^\\\\[^\\?.]/.test(plain)
}
