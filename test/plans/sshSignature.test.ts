import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isSigned } from '../../src/plans/sshSignature.ts'

it.skipIf(process.platform === 'win32')('does not call OpenSSH missing if it was killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'ssh-keygen')
  writeFileSync(program, '#!/bin/sh\nkill -9 $$\n')
  chmodSync(program, 0o700)
  await expect(isSigned('text', 'signature', { PATH: folder })).rejects.toMatchObject({
    message: '`ssh-keygen`, which signs and verifies plans, failed: it was killed by SIGKILL',
    hint: expect.stringMatching(/^Check that OpenSSH is installed .* run the command again$/),
  })
})
