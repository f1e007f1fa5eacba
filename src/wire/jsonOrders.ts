import type { JsonTree } from './jsonTree.ts'

type Member = { name: string; value: JsonTree }

/** Orders or filters the members of an object before they are written. */
export type MemberOrder = (members: readonly Member[]) => readonly Member[]

/** The members of all events, in the order of the specification. */
const SPECIFIED = [
  ...['event', 'data', 'idTransaction', 'originalTransactionId', 'externalId', 'typeTransaction', 'statusTransaction'],
  ...['status', 'amount', 'value', 'paidAt', 'timestamp', 'destinationName', 'destinationTaxId', 'destinationBank'],
  ...['errorCode', 'errorMessage', 'payerName', 'payerTaxId', 'paymentDate'],
]
const PLACES = new Map(SPECIFIED.map((name, place) => [name, place]))

export const originalOrder: MemberOrder = (members) => members

/** Sorted by the bytes of the names, as many serialisers write maps. */
export const sorted: MemberOrder = (members) => members.toSorted((a, b) => compareBytes(a.name, b.name))

/** Shorter names first, as PostgreSQL and MySQL store JSON. */
export const shorterFirst: MemberOrder = (members) =>
  members.toSorted((a, b) => Buffer.byteLength(a.name) - Buffer.byteLength(b.name) || compareBytes(a.name, b.name))

/** In the order of the specification; unknown members follow in their original order. */
export const specificationOrder: MemberOrder = (members) => members.toSorted((a, b) => placeOf(a) - placeOf(b))

/** Keeps only the last value of a repeated name, at the position of the first, as maps do. */
export const withoutRepeats: MemberOrder = (members) => {
  const values = new Map(members.map(({ name, value }) => [name, value]))
  return Array.from(values, ([name, value]) => ({ name, value }))
}

/** Applies an arrangement to all objects of a tree. */
export function reorder(tree: JsonTree, arrange: MemberOrder): JsonTree {
  if (tree.kind === 'array') return { kind: 'array', items: tree.items.map((item) => reorder(item, arrange)) }
  if (tree.kind !== 'object') return tree
  const members = arrange(tree.members).map(({ name, value }) => ({ name, value: reorder(value, arrange) }))
  return { kind: 'object', members }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function placeOf({ name }: Member): number {
  return PLACES.get(name) ?? SPECIFIED.length
}
