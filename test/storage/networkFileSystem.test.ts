import { expect, it } from 'vitest'
import { isShare, remoteMountOf } from '../../src/storage/networkFileSystem.ts'

/** As `mount` prints it on macOS 14. */
const MOUNTED = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect, root data)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
/dev/disk5s2 on /Volumes/Backup (1) (hfs, local, nodev, nosuid, journaled)
//maria@server/share on /Volumes/share (smbfs, nodev, nosuid, mounted by maria)
//maria@server/a%20on%20b on /Volumes/a on b (smbfs, nodev, nosuid, mounted by maria)
server:/export/home on /Users/maria/nfs (nfs, nodev, nosuid, mounted by maria)
afp_0TQCV10QsPgy0TShVK on /Volumes/afp (afpfs, nodev, nosuid, mounted by maria)
https://cloud.example/dav/ on /Volumes/dav (webdav, nodev, noexec, nosuid, mounted by maria)
maria@server:/home on /Users/maria/ssh (macfuse, nodev, nosuid, synchronous, mounted by maria)
/dev/disk6s1 on /Volumes/share/inner (apfs, local, nodev, nosuid, journaled)
`

it.each([
  ['/', undefined],
  ['/Users/maria/Library/Application Support/pixgate', undefined],
  ['/System/Volumes/Data/x', undefined],
  ['/Volumes/Backup (1)/pixgate', undefined],
  ['/Volumes/share', 'smbfs'],
  ['/Volumes/share/pixgate', 'smbfs'],
  ['/Volumes/shared', undefined],
  ['/Volumes/share/inner/pixgate', undefined],
  ['/Volumes/a on b/pixgate', 'smbfs'],
  ['/Users/maria/nfs/pixgate', 'nfs'],
  ['/Volumes/afp/pixgate', 'afpfs'],
  ['/Volumes/dav', 'webdav'],
  ['/Users/maria/ssh/pixgate', 'macfuse'],
  ['/System/Volumes/Data/home/maria', 'autofs'],
])('finds what %s is on in what `mount` prints on macOS: %s', (path, type) => {
  expect(remoteMountOf(path, MOUNTED)).toBe(type)
})

it('takes the later of two file systems on one folder, and no line for a local disk', () => {
  const both = '//m@s/a on /Volumes/x (smbfs, nodev)\n/dev/disk4 on /Volumes/x (apfs, local)\n'
  expect(remoteMountOf('/Volumes/x/y', both)).toBeUndefined()
  expect(remoteMountOf('/Volumes/x/y', '')).toBeUndefined()
})

it.each([
  ['\\\\server\\share\\pixgate', true],
  ['//server/share/pixgate', true],
  ['\\\\?\\UNC\\server\\share', true],
  ['\\\\wsl.localhost\\Debian\\home', true],
  ['C:\\Users\\maria\\AppData', false],
  ['\\\\?\\C:\\Users\\maria', false],
  ['\\\\.\\C:\\x', false],
])('tells whether %s of Windows is a share: %s', (path, expected) => {
  expect(isShare(path)).toBe(expected)
})
