import {
  byteOrderMarkVariants,
  characterSetVariants,
  lineEndingVariants,
  trailingBreakVariants,
} from './bodyVariants.ts'
import { type JsonTree, readJsonTree } from './jsonTree.ts'
import { writtenForms } from './serialisers.ts'
import { isSignedBy } from './signature.ts'

/** Possible causes of a mismatch, in the order in which they are tried. */
export const CAUSES = [
  'secret-whitespace',
  'other-profile',
  'trailing-newline',
  'bom',
  'crlf',
  'latin1',
  'reserialized',
] as const

export type SignatureCause = (typeof CAUSES)[number]

/** Another profile's secret, under the profile's name. */
export interface OtherSecret {
  profile: string
  secret: string
}

/** A signature that does not match, and the secrets that may have been used. */
export interface Mismatch {
  body: Buffer
  /** The 32 bytes of the signature. */
  digest: Uint8Array
  /** The expected secrets, the current one first. */
  secrets: readonly string[]
  others: readonly OtherSecret[]
}

/** The result of a diagnosis. A cause is proved, because the signature matches if it is undone. */
export interface SignatureDiagnosis {
  /** Null if no cause was found. */
  cause: SignatureCause | null
  /** The causes that were tried; if one was found, it is the last. */
  tried: SignatureCause[]
  /** The bytes that were signed, if they differ from the given ones; null if they do not or are unknown. */
  original: Buffer | null
  /** The serialisers that write the original's JSON, most likely first; only for `reserialized`. */
  serialisers: readonly string[]
  /** The other profile whose secret matches. */
  profile: string | null
  /** The index of the expected secret that matches, with or without white space; 0 if none does. */
  secretIndex: number
  /** False if the body is not JSON, so it cannot have been reserialised. */
  isJson: boolean
  /** True if the body is too large to try all serialised forms. */
  isCutShort: boolean
}

type Found = Partial<Pick<SignatureDiagnosis, 'original' | 'serialisers' | 'profile' | 'secretIndex'>>

/** White space that gets into a secret when it is copied or read from a file. */
const BEFORE = ['', ' ', '\t', '\n', '\r\n', '\u00a0', '\uFEFF']
const BEHIND = ['', '\n', '\r\n', '\r', ' ', '\t', ' \n', '\n\n', '\u00a0', '\0']
/** What can be serialised and hashed in about a second. */
const WRITTEN_CHARACTERS_MAX = 64 * 1024 * 1024

/** Finds the cause of a mismatch by trying what would match. */
export function diagnoseSignature(mismatch: Mismatch): SignatureDiagnosis {
  const { body } = mismatch
  const tree = readJsonTree(body.toString('utf8').replace(/^\uFEFF/, ''))
  const budget = { characters: WRITTEN_CHARACTERS_MAX }
  const checks: Record<SignatureCause, (() => Found | undefined) | undefined> = {
    'secret-whitespace': () => secretWithWhiteSpace(mismatch),
    'other-profile': mismatch.others.length === 0 ? undefined : () => otherProfile(mismatch),
    'trailing-newline': () => firstSigned(mismatch, trailingBreakVariants(body)),
    bom: () => firstSigned(mismatch, byteOrderMarkVariants(body)),
    crlf: () => firstSigned(mismatch, lineEndingVariants(body)),
    latin1: () => firstSigned(mismatch, characterSetVariants(body)),
    reserialized: tree === undefined ? undefined : () => writtenAgain(mismatch, tree, budget),
  }
  const diagnosis: SignatureDiagnosis = {
    cause: null,
    tried: [],
    original: null,
    serialisers: [],
    profile: null,
    secretIndex: 0,
    isJson: tree !== undefined,
    isCutShort: false,
  }
  for (const cause of CAUSES) {
    const check = checks[cause]
    if (check === undefined) continue
    diagnosis.tried.push(cause)
    const found = check()
    if (found !== undefined) return { ...diagnosis, ...found, cause }
  }
  return { ...diagnosis, isCutShort: budget.characters < 0 }
}

function secretWithWhiteSpace({ body, digest, secrets }: Mismatch): Found | undefined {
  for (const [secretIndex, secret] of secrets.entries()) {
    const bare = secret.trim()
    for (const before of BEFORE) {
      for (const behind of BEHIND) {
        const other = before + bare + behind
        if (other !== '' && other !== secret && isSignedBy(digest, body, other)) return { secretIndex }
      }
    }
  }
  return undefined
}

function otherProfile({ body, digest, others }: Mismatch): Found | undefined {
  const owner = others.find(({ secret }) => isSignedBy(digest, body, secret))
  return owner === undefined ? undefined : { profile: owner.profile }
}

function firstSigned(mismatch: Mismatch, variants: Iterable<Buffer>): Found | undefined {
  for (const original of variants) {
    const secretIndex = signerOf(mismatch, original)
    if (secretIndex !== -1) return { original, secretIndex }
  }
  return undefined
}

/** Tries serialised forms until one matches or the budget is used up. */
function writtenAgain(mismatch: Mismatch, tree: JsonTree, budget: { characters: number }): Found | undefined {
  for (const { text, serialisers } of writtenForms(tree)) {
    budget.characters -= text.length * mismatch.secrets.length
    if (budget.characters < 0) return undefined
    const secretIndex = signerOf(mismatch, text)
    if (secretIndex !== -1) return { original: Buffer.from(text), serialisers, secretIndex }
  }
  return undefined
}

/** The index of the secret that signed this content; -1 if none did. */
function signerOf({ digest, secrets }: Mismatch, content: Uint8Array | string): number {
  return secrets.findIndex((secret) => isSignedBy(digest, content, secret))
}
