/** True for the code of a rejected certificate, for which a retry is useless. */
export function isCertificateProblem(code: string): boolean {
  return (
    code.startsWith('ERR_TLS_') || /CERT|SIGNATURE|ISSUER|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME/.test(code)
  )
}
