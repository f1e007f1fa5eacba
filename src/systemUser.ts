import type { EnvironmentVariables } from './programInfo.ts'
import { accountEntry, accountName, textOfFile } from './storage/userFolders.ts'

/** The login id of a process that no login started, such as a service: -1 as 32 bits. */
const NO_LOGIN = 4_294_967_295

/**
 * The system's name of the user, or `uid 1001` for one without an entry and a variable `USER`, with the person who logged in behind it if that is another one: `finance (maria)` after `sudo -u finance`. Linux says
 * who logged in, also after `su`, and only root can change that. Where it does not say, `SUDO_USER` counts, which anyone can set.
 */
export function systemUser(env: EnvironmentVariables): string {
  const entry = accountEntry()
  const uid = entry?.uid ?? process.getuid?.() ?? -1
  const username = entry?.username ?? plainName(env.USER) ?? plainName(env.LOGNAME) ?? `uid ${uid}`
  const login = loginBehind(uid, env)
  return login === undefined || login === username ? username : `${username} (${login})`
}

/** The name of the login of this process, or `uid 1001` if it has no usable name; undefined if it is that of the user itself or not known. */
function loginBehind(uid: number, env: EnvironmentVariables): string | undefined {
  const typedUid = /^\d{1,10}$/.test(env.SUDO_UID ?? '') ? Number(env.SUDO_UID) : undefined
  const kernelUid = Number(textOfFile('/proc/self/loginuid')?.trim() || NO_LOGIN)
  const loginUid = kernelUid === NO_LOGIN ? typedUid : kernelUid
  if (loginUid === uid) return undefined
  const sudoName = loginUid === typedUid ? plainName(env.SUDO_USER) : undefined
  if (loginUid === undefined) return sudoName
  return plainName(accountName(loginUid)) ?? sudoName ?? `uid ${loginUid}`
}

function plainName(name: string | undefined): string | undefined {
  return name !== undefined && /^[\p{L}\p{N}_][\p{L}\p{N}_.@$+\\-]{0,63}$/u.test(name) ? name : undefined
}
