import { defineOptions } from '../command.ts'
import type { TypedFilter } from './filterOptions.ts'

/** The options of a list of payments, as commander gives them. */
export interface TypedList extends TypedFilter {
  all?: boolean
  attempts?: boolean
  unmask?: boolean
}

/** Options that say how payments are listed. */
export const LIST_OPTIONS = defineOptions(
  { flags: '--all', description: 'of all accounts and environments, with separate sums' },
  { flags: '--attempts', description: 'each attempt, not each payment in its last state' },
  { flags: '--unmask', description: 'show keys, names and tax documents of people whole' },
)
