import { formatDuration } from '../pix/duration.ts'
import { t } from '../text/words.ts'
import type { BaseAddress } from '../wire/address.ts'
import { NotReached } from '../wire/errors.ts'
import type { ExchangeFault } from './exchange.ts'

/** What the code of a failure to reach the target through a proxy begins with. */
export const PROXY_CODE = 'PROXY_'

/** The failure of a request of which nothing left, in words that the system's code chooses. */
export function unreachable(address: BaseAddress, fault: ExchangeFault, code: string, timeoutMs: number): NotReached {
  const details = [t`Nothing was sent`]
  if (fault === 'timeout') {
    return new NotReached(t`No connection to ${address.host} stood within ${formatDuration(timeoutMs)}`, {
      details,
      hint: t`Check the network, proxy and firewall; repeating is safe`,
    })
  }
  if (code.startsWith(PROXY_CODE)) {
    return new NotReached(t`The proxy opened no way to ${address.host}`, {
      details: [...details, t`The reason is ${code.slice(PROXY_CODE.length)}`],
      hint: t`Check \`HTTPS_PROXY\` and \`NO_PROXY\`; repeating is safe`,
    })
  }
  if (code === 'ECONNREFUSED') {
    return new NotReached(t`Nobody listens at ${address.host}`, {
      details,
      hint: address.isLoopback
        ? t`Start the sandbox in another terminal with \`pixgate sandbox\`, or name its address with \`--base-url\``
        : t`Check the base address ${address.url}; repeating is safe`,
    })
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new NotReached(t`The name ${address.host} cannot be found`, {
      details,
      hint: t`Check the spelling of the base address and the network; repeating is safe`,
    })
  }
  if (isCertificateProblem(code)) {
    return new NotReached(t`The certificate of ${address.host} is not one that this machine trusts`, {
      details: [...details, t`The system says ${code}`],
      hint: t`Name your network's own certificate authority, if it has one, with \`NODE_EXTRA_CA_CERTS\``,
    })
  }
  return new NotReached(t`${address.host} was not reached`, {
    details: [...details, t`The system says ${code}`],
    hint: t`Check the network and the base address; repeating is safe`,
  })
}

/** True where trying again cannot help: the other side's certificate is not accepted. */
export function isCertificateProblem(code: string): boolean {
  return (
    code.startsWith('ERR_TLS_') || /CERT|SIGNATURE|ISSUER|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME/.test(code)
  )
}
