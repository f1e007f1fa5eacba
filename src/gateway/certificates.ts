import { t } from '../text/words.ts'
import type { BaseAddress } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'

/**
 * Rejects a remote address while Node.js does not check certificates, because anyone on the network path could then
 * read the credentials. Throws UsageError.
 */
export function assertCertificatesChecked(
  { host, isLoopback }: BaseAddress,
  env: Readonly<Record<string, string | undefined>>,
): void {
  if (isLoopback || env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  throw new UsageError(t`\`NODE_TLS_REJECT_UNAUTHORIZED=0\` turns off certificate checks`, {
    details: [t`The credentials could be sent to a server other than ${host}; nothing was sent`],
    hint: t`Unset it, and set \`NODE_EXTRA_CA_CERTS\` to trust your own certificate authority`,
  })
}
