/** Whose payment it is. The same ids of another base address or client id are other payments. */
export interface Owner {
  profile: string | null
  environment: 'sandbox' | 'production'
  baseUrl: string
  clientId: string
}

/** The account of the secret that an event was signed with. A secret alone has neither address nor id. */
export interface EventOwner {
  profile: string | null
  environment: 'sandbox' | 'production'
  baseUrl: string | null
  clientId: string | null
}
