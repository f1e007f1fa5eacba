import { redact, type Secret, withoutSecretParameters } from './secret.ts'

/** Stands where a credential was that is neither stored nor exported. */
const REDACTED = '[redacted]'
const CREDENTIAL_HEADER = /^(?:(?:proxy-)?authorization|cookie)$/i

type Header = readonly [name: string, value: string]

/** True for headers as they are recorded. */
export function isHeaderList(value: unknown): value is Header[] {
  const isHeader = (each: unknown) =>
    Array.isArray(each) && each.length === 2 && each.every((text) => typeof text === 'string')
  return Array.isArray(value) && value.every(isHeader)
}

/** The path and query of a delivery, or the URL that it was forwarded to, without the secrets in it. */
export function redactTarget(target: string, secrets: readonly Secret[] = []): string {
  return redact(withoutSecretParameters(target, REDACTED), secrets, REDACTED)
}

/** The headers of a delivery without its credentials. */
export function redactHeaders(headers: readonly Header[], secrets: readonly Secret[] = []): [string, string][] {
  return headers.map(([name, value]) => [
    name,
    CREDENTIAL_HEADER.test(name) ? REDACTED : redact(value, secrets, REDACTED),
  ])
}

/** True for a recorded header that is not sent again: it is a credential, or what is recorded of it is not what was sent. */
export function isRedactedHeader([name, value]: Header): boolean {
  return CREDENTIAL_HEADER.test(name) || value.includes(REDACTED)
}

/** A recorded URL without the query parameters that were redacted, and their names; undefined if more than these was. */
export function withoutRedactedParameters(address: string): { address: string; omitted: string[] } | undefined {
  const [before = '', query] = address.split(/\?(.*)/s)
  if (before.includes(REDACTED)) return undefined
  if (query === undefined) return { address, omitted: [] }
  const parameters = query.split('&')
  const kept = parameters.filter((parameter) => !parameter.includes(REDACTED))
  const omitted = parameters
    .filter((parameter) => parameter.includes(REDACTED))
    .map((parameter) => parameter.split('=')[0] ?? '')
  return { address: kept.length === 0 ? before : `${before}?${kept.join('&')}`, omitted }
}
