import type { JsonSchema } from '../schemas/jsonSchema.ts'

/** What is kept was not written by this build. */
export class UnknownContent extends Error {}

/** Where a sandbox writes down what it holds, as one JSON text for each thing. All of it is in memory, too; it is only read at the start. */
export interface Keeper {
  /** What is kept of a kind, in the order in which it was first kept. Throws UnknownContent for what this build cannot have written. */
  all<Value>(kind: string, schema: JsonSchema<Value>): Value[]
  /** Keeps a thing, in place of the one with this id. */
  put(kind: string, id: string, value: object): void
  /** Forgets everything. */
  clear(): void
  /** To be awaited before anything leaves the sandbox: true once what was put is written. After false nothing may leave any more. */
  written(): Promise<boolean>
  close(): void
}

/** Keeps nothing, for a sandbox that ends with its process. */
export const NOTHING_KEPT: Keeper = {
  all: () => [],
  put: () => undefined,
  clear: () => undefined,
  written: async () => true,
  close: () => undefined,
}

/** Makes a sandbox of what is kept somewhere. */
export type KeptIn = <Parts>(start: (keeper: Keeper) => Parts) => Parts
