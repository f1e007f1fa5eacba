import { t } from '../text/words.ts'
import type { BaseAddress } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'

/**
 * Refuses an address beyond this machine while Node.js does not check certificates, because anybody on the way could then
 * read the credentials. Throws UsageError.
 */
export function assertCertificatesChecked(
  { host, isLoopback }: BaseAddress,
  env: Readonly<Record<string, string | undefined>>,
): void {
  if (isLoopback || env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  throw new UsageError(t`Certificates are not checked, because \`NODE_TLS_REJECT_UNAUTHORIZED\` is 0`, {
    details: [t`The credentials could reach somebody other than ${host}; nothing was sent`],
    hint: t`Unset it; name your own certificate authority with \`NODE_EXTRA_CA_CERTS\``,
  })
}
