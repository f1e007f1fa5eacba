import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The host name that a proxy of the tests leads to the fault gateway. */
export const GATEWAY_HOST = 'gateway.test'

const OWN_NAMES = `DNS:${GATEWAY_HOST},IP:127.0.0.1`

export interface Certificates {
  /** Path of the authority's certificate, for NODE_EXTRA_CA_CERTS. */
  caPath: string
  /** For `gateway.test` and 127.0.0.1. */
  right: { key: Buffer; cert: Buffer }
  /** By the same authority, for `other.test`. */
  otherHost: { key: Buffer; cert: Buffer }
  /** As `right`, but expired. */
  expired: { key: Buffer; cert: Buffer }
  /** For `gateway.test` and 127.0.0.1, by no authority. */
  selfSigned: { key: Buffer; cert: Buffer }
  remove(): void
}

/** An authority of the tests' own and certificates by it, made with openssl. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-ca-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=tests')
  const make = (name: string, altNames: string, days = '2') => {
    openssl('req', ...newKey, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`)
    writeFileSync(at(`${name}.ext`), `subjectAltName=${altNames}`)
    const signing = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', days]
    const files = ['-in', at(`${name}.csr`), '-out', at(`${name}.pem`), '-extfile', at(`${name}.ext`)]
    openssl('x509', '-req', ...files, ...signing)
    return { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) }
  }
  const signedByItself = () => {
    const files = ['-keyout', at('self.key'), '-out', at('self.pem')]
    const name = ['-subj', '/CN=self', '-addext', `subjectAltName=${OWN_NAMES}`]
    openssl('req', '-x509', ...newKey, ...files, '-days', '2', ...name)
    return { key: readFileSync(at('self.key')), cert: readFileSync(at('self.pem')) }
  }
  return {
    caPath: at('ca.pem'),
    right: make('right', OWN_NAMES),
    otherHost: make('other', 'DNS:other.test'),
    expired: make('expired', OWN_NAMES, '-1'),
    selfSigned: signedByItself(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
