import { type BaseAddress, readBaseAddress } from '../wire/address.ts'

/** The variable that holds the base address. */
export const ADDRESS_VARIABLE = 'PIXGATE_BASE_URL'

/** A base address that the user typed, and where. */
export interface TypedAddress extends BaseAddress {
  source: '--base-url' | typeof ADDRESS_VARIABLE
}

/** The base address from the option or the variable; undefined if neither is set. Throws UsageError. */
export function typedAddress(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): TypedAddress | undefined {
  const source = option === undefined ? ADDRESS_VARIABLE : '--base-url'
  const text = option ?? (env[ADDRESS_VARIABLE] || undefined)
  return text === undefined ? undefined : { ...readBaseAddress(text, source), source }
}
