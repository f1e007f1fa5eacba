import { otherCharacters, otherEnds, otherLineEnds, otherMarks } from './bodyVariants.ts'
import { type JsonTree, readJsonTree } from './jsonTree.ts'
import { writtenForms } from './serialisers.ts'
import { isSignedBy } from './signature.ts'

/** Why a signature fits other bytes or another secret, in the order in which it is looked for. */
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

/** A signature that does not fit, and all that it may have been made with. */
export interface Mismatch {
  body: Buffer
  /** The 32 bytes of the signature. */
  digest: Uint8Array
  /** The secrets that were expected to fit, the current one first. */
  secrets: readonly string[]
  others: readonly OtherSecret[]
}

/** What was found; every cause is proved, because the signature fits what it says. */
export interface SignatureDiagnosis {
  /** Null where nothing fits. */
  cause: SignatureCause | null
  /** The causes that were looked for; one that was found is the last. */
  tried: SignatureCause[]
  /** The bytes that were signed, where they are not the given ones; null where they are, or where nothing fits. */
  original: Buffer | null
  /** Who writes the JSON as the original has it, the likeliest first; empty but for `reserialized`. */
  serialisers: readonly string[]
  /** The other profile whose secret fits. */
  profile: string | null
  /** The place of the secret that was expected and fits, with white space or not; 0 where none does. */
  secretIndex: number
  /** False where the body is no JSON that could have been written again. */
  isJson: boolean
  /** True where the body is so large that not all ways of writing it were tried. */
  isCutShort: boolean
}

type Found = Partial<Pick<SignatureDiagnosis, 'original' | 'serialisers' | 'profile' | 'secretIndex'>>

/** White space that gets into a secret where it is copied or read from a file. */
const BEFORE = ['', ' ', '\t', '\n', '\r\n', '\u00a0', '\uFEFF']
const BEHIND = ['', '\n', '\r\n', '\r', ' ', '\t', ' \n', '\n\n', '\u00a0', '\0']
/** As much as is written anew and hashed in a second. */
const WRITTEN_CHARACTERS_MAX = 64 * 1024 * 1024

/** Looks for the cause of a mismatch by computing what would fit. */
export function diagnoseSignature(mismatch: Mismatch): SignatureDiagnosis {
  const { body } = mismatch
  const tree = readJsonTree(body.toString('utf8').replace(/^\uFEFF/, ''))
  const budget = { characters: WRITTEN_CHARACTERS_MAX }
  const looks: Record<SignatureCause, (() => Found | undefined) | undefined> = {
    'secret-whitespace': () => secretWithWhiteSpace(mismatch),
    'other-profile': mismatch.others.length === 0 ? undefined : () => otherProfile(mismatch),
    'trailing-newline': () => firstSigned(mismatch, otherEnds(body)),
    bom: () => firstSigned(mismatch, otherMarks(body)),
    crlf: () => firstSigned(mismatch, otherLineEnds(body)),
    latin1: () => firstSigned(mismatch, otherCharacters(body)),
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
    const look = looks[cause]
    if (look === undefined) continue
    diagnosis.tried.push(cause)
    const found = look()
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

/** Takes from the budget what it writes, and ends where nothing is left. */
function writtenAgain(mismatch: Mismatch, tree: JsonTree, budget: { characters: number }): Found | undefined {
  for (const { text, serialisers } of writtenForms(tree)) {
    budget.characters -= text.length * mismatch.secrets.length
    if (budget.characters < 0) return undefined
    const secretIndex = signerOf(mismatch, text)
    if (secretIndex !== -1) return { original: Buffer.from(text), serialisers, secretIndex }
  }
  return undefined
}

/** The place of the secret with which this was signed, -1 where it is none of them. */
function signerOf({ digest, secrets }: Mismatch, content: Uint8Array | string): number {
  return secrets.findIndex((secret) => isSignedBy(digest, content, secret))
}
