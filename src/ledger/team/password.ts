import { readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { inHome } from '../../storage/userFolders.ts'
import { t } from '../../text/translate.ts'
import { systemCode } from '../../wire/errors.ts'
import type { LedgerAddress } from './ledgerAddress.ts'

/** The access bits of group and others. */
const OTHERS = 0o077

/**
 * The password of a login from the places that every PostgreSQL client reads: `PGPASSWORD`, then the file that `PGPASSFILE` names, or `~/.pgpass`.
 * Undefined if they have none. `notice` gets a sentence for a file that is ignored because others can read it.
 */
export function readServerPassword(
  address: LedgerAddress,
  env: Readonly<Record<string, string | undefined>>,
  notice: (line: string) => void,
): string | undefined {
  if (env.PGPASSWORD) return env.PGPASSWORD
  const path = env.PGPASSFILE || defaultPath(env)
  const text = path === undefined ? undefined : readPrivateText(path, notice)
  return text === undefined ? undefined : passwordIn(text, address)
}

function defaultPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (platform() !== 'win32') return inHome('.pgpass', env)
  return env.APPDATA && join(env.APPDATA, 'postgresql', 'pgpass.conf')
}

/** The text of a file that only its owner can read; undefined if there is none, as for other clients. */
function readPrivateText(path: string, notice: (line: string) => void): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (!found.isFile()) {
      notice(t`\`${path}\` is ignored, because it is not a plain file`)
      return undefined
    }
    if (platform() !== 'win32' && (found.mode & OTHERS) !== 0) {
      notice(t`\`${path}\` is ignored, because other users can read it; \`chmod 600\` changes that`)
      return undefined
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    notice(t`\`${path}\` is ignored, because it cannot be read`)
    return undefined
  }
}

/** A line `host:port:database:user:password`; `\:` and `\\` are literal, and only the last field may have a plain colon. */
const LINE = /^((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):(.*)$/

/** The password of the first line that matches, where `*` matches everything; undefined if it is empty. */
function passwordIn(text: string, { host, port, database, user }: LedgerAddress): string | undefined {
  const wanted = [host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    const fields = line.startsWith('#') ? null : LINE.exec(line)?.slice(1)
    if (fields?.length !== wanted.length + 1) continue
    if (!wanted.every((value, index) => fields[index] === '*' || unescaped(fields[index] ?? '') === value)) continue
    return unescaped(fields.at(-1) ?? '') || undefined
  }
  return undefined
}

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, '$1')
}
