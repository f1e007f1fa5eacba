import type { JsonTree } from './jsonTree.ts'

type Member = { name: string; value: JsonTree }

/** What becomes of the members of an object before they are written. */
export type Arrangement = (members: readonly Member[]) => readonly Member[]

/** The members of all events and of the general format, in the order of the specification. */
const SPECIFIED = [
  ...['event', 'data', 'idTransaction', 'originalTransactionId', 'externalId', 'typeTransaction', 'statusTransaction'],
  ...['status', 'amount', 'value', 'paidAt', 'timestamp', 'destinationName', 'destinationTaxId', 'destinationBank'],
  ...['errorCode', 'errorMessage', 'payerName', 'payerTaxId', 'paymentDate'],
]
const PLACES = new Map(SPECIFIED.map((name, place) => [name, place]))

export const asTheyStand: Arrangement = (members) => members

/** By the bytes of the names, as maps are written that have no order of their own. */
export const sorted: Arrangement = (members) => members.toSorted((a, b) => compareBytes(a.name, b.name))

/** Shorter names first, as databases keep JSON. */
export const shorterFirst: Arrangement = (members) =>
  members.toSorted((a, b) => Buffer.byteLength(a.name) - Buffer.byteLength(b.name) || compareBytes(a.name, b.name))

/** As the specification lists them; others behind, in their own order. */
export const asSpecified: Arrangement = (members) => members.toSorted((a, b) => placeOf(a) - placeOf(b))

/** Of a repeated name the last value, in the place of the first: what every map of a language keeps. */
export const collapsed: Arrangement = (members) => {
  const values = new Map(members.map(({ name, value }) => [name, value]))
  return Array.from(values, ([name, value]) => ({ name, value }))
}

/** The tree with the members of all its objects arranged so. */
export function arranged(tree: JsonTree, arrange: Arrangement): JsonTree {
  if (tree.kind === 'array') return { kind: 'array', items: tree.items.map((item) => arranged(item, arrange)) }
  if (tree.kind !== 'object') return tree
  const members = arrange(tree.members).map(({ name, value }) => ({ name, value: arranged(value, arrange) }))
  return { kind: 'object', members }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function placeOf({ name }: Member): number {
  return PLACES.get(name) ?? SPECIFIED.length
}
