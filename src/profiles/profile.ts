/** Where a profile's client secret is to be found; only `stored` keeps the secret itself in the file. */
export type SecretSource =
  | { source: 'stored'; value: string }
  | { source: 'env'; variable: string }
  | { source: 'command'; command: string }
  /** `entry` is the name in the keychain, new for every secret, so that no other address can ever find it. */
  | { source: 'keychain'; entry: string }

export type EnvironmentKind = 'sandbox' | 'production'

/** A profile as the store keeps it. Amounts in integer cents. */
export interface StoredProfile {
  /** As typed; `profileEnvironment` says which environment counts. */
  environment: EnvironmentKind
  /** The host beyond this machine that a person has confirmed to be a sandbox. */
  confirmedSandboxHost?: string
  /** Checked, without a trailing slash. */
  baseUrl: string
  clientId: string
  secret: SecretSource
  callbackUrl?: string
  /** The most that one payment may move. */
  maxAmountCents?: number
  /** The most that may leave between two midnights in São Paulo. */
  maxDayCents?: number
  /** Refuses everything that moves money or signs. */
  readOnly?: boolean
  /** The name of the company that the account belongs to. */
  company?: string
  /** Its CPF or CNPJ without punctuation. */
  companyDocument?: string
}

/** All that is stored: the profiles by name, and which of them is used where none is named. */
export interface ProfileStore {
  active: string | null
  profiles: ReadonlyMap<string, StoredProfile>
}
