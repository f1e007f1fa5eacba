/** What events can be filtered by. */
export interface EventFacets {
  /** A name of the service's events, or `other`. */
  event: string
  /** Whether it was accepted; `unsigned` for one accepted without a signature. */
  verdict: 'genuine' | 'repeated' | 'unsigned' | 'refused'
  /** What became of the last forward or replay. */
  forward: 'received' | 'failed' | 'none'
}

/** The facets that an event must have; a missing one limits nothing. */
export type EventFilter = { readonly [Facet in keyof EventFacets]?: string }

/** The names of the facets, in the order in which people see them. */
export const FACETS = ['event', 'verdict', 'forward'] as const satisfies readonly (keyof EventFacets)[]

/** True for an event that a filter lets through. The server asks it of what is recorded, the page of what arrives. */
export function isMatch(facets: EventFacets, filter: EventFilter): boolean {
  return FACETS.every((name) => filter[name] === undefined || filter[name] === facets[name])
}
