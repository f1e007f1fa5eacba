import { formatDuration } from '../pix/duration.ts'
import { LOCAL_PROFILE } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import { type BaseAddress, portOf } from '../wire/address.ts'
import { isCertificateProblem } from '../wire/certificateProblem.ts'
import { NotReached } from '../wire/errors.ts'
import type { ExchangeFault } from './exchange.ts'

/** The prefix of error codes for a target that could not be reached through a proxy. */
export const PROXY_CODE = 'PROXY_'

/** The failure of a request of which nothing was sent, with a message for the system's error code. */
export function unreachableFailure(
  address: BaseAddress,
  fault: ExchangeFault,
  code: string,
  timeoutMs: number,
): NotReached {
  const details = [t`Nothing was sent`]
  if (fault === 'timeout') {
    return new NotReached(t`Could not connect to ${address.host} within ${formatDuration(timeoutMs)}`, {
      details,
      hint: t`Check the network, proxy and firewall; it is safe to try again`,
    })
  }
  if (fault === 'too-late') {
    return new NotReached(t`The time in which this payment may be sent was over before its request could leave`, {
      code: 'LEDGER_NOT_REACHED',
      details,
      hint: t`Run the command again, which is safe; \`--timeout 2m\` gives it more time`,
    })
  }
  if (code.startsWith(PROXY_CODE)) {
    return new NotReached(t`The proxy could not connect to ${address.host}`, {
      details: [...details, t`Reason: ${code.slice(PROXY_CODE.length)}`],
      hint: t`Check \`HTTPS_PROXY\` and \`NO_PROXY\`; it is safe to try again`,
    })
  }
  if (code === 'ECONNREFUSED') {
    return new NotReached(t`Connection to ${address.host} refused`, {
      details,
      hint: address.isLoopback
        ? t`Start the sandbox with \`${sandboxCommand(address.url)}\` in another terminal, or set its address with \`--base-url\``
        : t`Check the base address ${address.url}; it is safe to try again`,
    })
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new NotReached(t`The host name ${address.host} could not be resolved`, {
      details,
      hint: t`Check the spelling of the base address and the network; it is safe to try again`,
    })
  }
  if (isCertificateProblem(code)) {
    return new NotReached(t`The certificate of ${address.host} is not trusted on this machine`, {
      details: [...details, t`System error ${code}`],
      hint: t`Set \`NODE_EXTRA_CA_CERTS\` if your network uses its own certificate authority`,
    })
  }
  return new NotReached(t`Could not reach ${address.host}`, {
    details: [...details, t`System error ${code}`],
    hint: t`Check the network and the base address; it is safe to try again`,
  })
}

/** The command that starts a sandbox at this local address. */
function sandboxCommand(url: string): string {
  const { port } = new URL(url)
  return port === '' || port === portOf(LOCAL_PROFILE.baseUrl) ? 'pixgate sandbox' : `pixgate sandbox --port ${port}`
}
