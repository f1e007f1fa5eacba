import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from improving the code of undici's parser in the background: on Node.js 20 the process waits for that at its
 * end. It comes after undici is loaded, because V8 takes back what it once compiled under the same flags only.
 */
export function stayInFirstTier(): void {
  setFlagsFromString('--liftoff-only')
}
