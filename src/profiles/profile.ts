/** Where a profile's client secret is kept; only `stored` keeps the secret itself in the file. */
export type SecretSource =
  | { source: 'stored'; value: string }
  | { source: 'env'; variable: string }
  | { source: 'command'; command: string }
  /** `entry` is the name in the keychain. It is unique per secret, so that another address can never read it. */
  | { source: 'keychain'; entry: string }

export type EnvironmentKind = 'sandbox' | 'production'

/** A stored profile. Amounts are integer cents. */
export interface StoredProfile {
  /** As typed; `profileEnvironment` tells which environment is in effect. */
  environment: EnvironmentKind
  /** The remote host that a person has confirmed to be a sandbox. */
  confirmedSandboxHost?: string
  /** Validated, without a trailing slash. */
  baseUrl: string
  clientId: string
  secret: SecretSource
  callbackUrl?: string
  /** The limit per payment. */
  maxAmountCents?: number
  /** The limit per day, in São Paulo time. */
  maxDayCents?: number
  /** Refuses every command that moves money or signs. */
  readOnly?: boolean
  /** The name of the company that the account belongs to. */
  company?: string
  /** Its CPF or CNPJ without punctuation. */
  companyDocument?: string
}

/** The stored profiles by name, and the name of the active one. */
export interface ProfileStore {
  active: string | null
  profiles: ReadonlyMap<string, StoredProfile>
}
