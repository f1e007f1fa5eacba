import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { EnvironmentVariables } from '../programInfo.ts'
import { readInputFile } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type AllowedSigners, signerOf } from './allowedSigners.ts'
import { isPrincipal, principalOfUser } from './principal.ts'
import { agentKeys, publicKeyOf, signText, withFiles } from './sshKeygen.ts'
import { fingerprintOf, keyTypeOf, readSshSignature } from './sshSignature.ts'

/** The variable that names the file of a key. */
const SSH_KEY_VARIABLE = 'PIXGATE_SSH_KEY'

/** A key with which plans are signed, and whose it is. */
export interface SigningKey {
  principal: string
  /** The Base64 of its public half. */
  key: string
  /** The file of the private key, or of a public key whose private half the agent has; null for a key of the agent without a file. */
  file: string | null
  /** The public key as a line. */
  line: string
}

/** Where a key is looked for. */
export interface KeySources {
  /** `--ssh-key`. */
  typed: string | undefined
  /** The list of approvers that is in force; null if there is none. */
  list: AllowedSigners | null
  /** The user of the system. */
  user: string
  env: EnvironmentVariables
}

const USUAL_FILES = ['id_ed25519', 'id_ed25519_sk', 'id_ecdsa', 'id_ecdsa_sk', 'id_rsa']

/**
 * Chooses the key: that of `--ssh-key` or `PIXGATE_SSH_KEY`, else one of the agent that the list names, else the usual file. The list names its person;
 * without a list that is the comment of the key, or the user of the system. Throws UsageError.
 */
export async function chooseKey({ typed, list, user, env }: KeySources): Promise<SigningKey> {
  const named = typed ?? (env[SSH_KEY_VARIABLE] || undefined)
  if (named !== undefined) return keyOf(await lineOfFile(named, env), named, list, user)
  const fromAgent = list === null ? undefined : (await agentKeys(env)).find((line) => signerOf(list, keyIn(line)))
  if (fromAgent !== undefined) return keyOf(fromAgent, null, list, user)
  const folder = join(env.HOME || homedir(), '.ssh')
  const file = USUAL_FILES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (file !== undefined) return keyOf(await lineOfFile(file, env), file, list, user)
  throw new UsageError(t`There is no SSH key to sign the plan with`, {
    details: [
      t`Looked for \`--ssh-key\`, \`${SSH_KEY_VARIABLE}\`, a key of the agent that the list of approvers names, and in ${folder}`,
    ],
    hint: t`Make a key with \`ssh-keygen -t ed25519\`, or name one with \`--ssh-key\``,
  })
}

/** Signs a text with a key. Throws UsageError. */
export async function signWith(key: SigningKey, text: string, env: EnvironmentVariables): Promise<string> {
  const signature =
    key.file === null
      ? await withFiles({ 'key.pub': key.line }, (pathOf) => signText(text, pathOf('key.pub'), env))
      : await signText(text, key.file, env)
  if (readSshSignature(signature)?.key === key.key) return signature
  throw new UsageError(t`The plan was signed with another key than ${fingerprintOf(key.key)}`, {
    details: [t`Nothing was sent`],
    hint: t`Check that the file of the key and the file beside it that ends in \`.pub\` belong together`,
  })
}

function keyOf(line: string, file: string | null, list: AllowedSigners | null, user: string): SigningKey {
  const key = keyIn(line)
  if (keyTypeOf(key) === undefined) throw unreadableKey(file ?? 'ssh-agent')
  if (list === null) {
    // No list vouches for the name. The comment of a key is usually its owner's.
    const comment = line.trim().split(/\s+/)[2] ?? ''
    return { principal: isPrincipal(comment) ? comment : principalOfUser(user), key, file, line }
  }
  const signer = signerOf(list, key)
  if (signer !== undefined) return { principal: signer.principal, key, file, line }
  throw new UsageError(t`The list of approvers does not have the key ${fingerprintOf(key)}`, {
    details: [t`The list is \`${list.path}\``, t`The key is ${file ?? 'ssh-agent'}`, t`Nothing was sent or changed`],
    hint: t`Name a key that the list has with \`--ssh-key\``,
  })
}

/** The line of a public key: from the file beside a private one, else OpenSSH derives it, and may ask for a passphrase. */
async function lineOfFile(file: string, env: EnvironmentVariables): Promise<string> {
  if (!existsSync(file)) {
    throw new UsageError(t`The SSH key \`${file}\` does not exist`, {
      details: [t`Nothing was sent`],
      hint: t`Name the file of a key with \`--ssh-key\`, or make one with \`ssh-keygen -t ed25519\``,
    })
  }
  const besides = file.endsWith('.pub') ? file : `${file}.pub`
  const line = existsSync(besides) ? readInputFile(besides, 'sshKey').toString('utf8') : await publicKeyOf(file, env)
  if (line === undefined) throw unreadableKey(file)
  return line
}

function unreadableKey(file: string): UsageError {
  return new UsageError(t`\`${file}\` is not an SSH key that can be used`, {
    details: [t`Nothing was sent`],
    hint: t`Name the file of a key with \`--ssh-key\`, or make one with \`ssh-keygen -t ed25519\``,
  })
}

function keyIn(line: string): string {
  return line.trim().split(/\s+/)[1] ?? ''
}
