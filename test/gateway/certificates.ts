import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The host name that a proxy of the tests leads to the fault gateway. */
export const GATEWAY_HOST = 'gateway.test'

export interface Certificates {
  /** Path of the authority's certificate, for NODE_EXTRA_CA_CERTS. */
  caPath: string
  /** For `gateway.test` and 127.0.0.1. */
  right: { key: Buffer; cert: Buffer }
  /** By the same authority, for `other.test`. */
  otherHost: { key: Buffer; cert: Buffer }
  remove(): void
}

/** An authority of the tests' own and certificates by it, made with openssl. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-ca-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=tests')
  const make = (name: string, altNames: string) => {
    openssl('req', ...newKey, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`)
    writeFileSync(at(`${name}.ext`), `subjectAltName=${altNames}`)
    const signing = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2']
    const files = ['-in', at(`${name}.csr`), '-out', at(`${name}.pem`), '-extfile', at(`${name}.ext`)]
    openssl('x509', '-req', ...files, ...signing)
    return { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) }
  }
  return {
    caPath: at('ca.pem'),
    right: make('right', `DNS:${GATEWAY_HOST},IP:127.0.0.1`),
    otherHost: make('other', 'DNS:other.test'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
