import {
  byteOrderMarkVariants,
  characterSetVariants,
  lineEndingVariants,
  trailingBreakVariants,
} from './bodyVariants.ts'
import { type JsonTree, readJsonTree } from './jsonTree.ts'
import { type NamedWriter, writersOf } from './jsonWriters.ts'
import { writtenForms } from './serialisers.ts'
import { isSignedBy } from './signature.ts'
import { decodeSignature } from './signatureHeader.ts'
import { findConstruction, isAnyDigest } from './wrongConstruction.ts'

/** Possible causes of a mismatch, in the order in which they are tried. */
export const CAUSES = [
  'empty-body',
  'secret-whitespace',
  'other-profile',
  'trailing-newline',
  'bom',
  'crlf',
  'latin1',
  'wrong-construction',
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
  /** The header value, which may be malformed. */
  signature: string
  /** The expected secrets, the current one first. */
  secrets: readonly string[]
  others: readonly OtherSecret[]
  /** It may have been used as the key; null if it is not known. */
  clientId?: string | null
}

/** A mismatch whose signature has the right form. */
interface WellFormed extends Mismatch {
  /** The 32 bytes of the signature. */
  digest: Uint8Array
}

/** The result of a diagnosis. A cause is proved, because the signature matches if it is undone. */
export interface SignatureDiagnosis {
  /** Null if no cause was found. */
  cause: SignatureCause | null
  /** The causes that were tried, the one that was found among them. */
  tried: SignatureCause[]
  /** The bytes that were signed, if they differ from the given ones; null if they do not or are unknown. */
  original: Buffer | null
  /** All that may have written the given body after parsing the original; only for `reserialized`. */
  writers: readonly NamedWriter[]
  /** In how many ways the JSON was written to find the one that was signed. */
  formsTried: number
  /** How the signature was computed, as a formula: `sha256(body + secret)`; only for `wrong-construction`. */
  construction: string | null
  /** The other profile whose secret matches. */
  profile: string | null
  /** The index of the expected secret that matches, with or without white space; 0 if none does. */
  secretIndex: number
  /** True if the client id is known and was tried as the key. */
  triesClientId: boolean
  /** False if the body is not JSON, so it cannot have been reserialised. */
  isJson: boolean
  /** True if the body is too large to try all serialised forms. */
  isCutShort: boolean
}

type Found = Partial<Pick<SignatureDiagnosis, 'original' | 'writers' | 'construction' | 'profile' | 'secretIndex'>>
type Check = readonly [cause: SignatureCause, find: () => Found | undefined]

/** What is left for trying serialised forms, and how many were tried. */
interface Budget {
  characters: number
  forms: number
}

/** White space that gets into a secret when it is copied or read from a file. */
const BEFORE = ['', ' ', '\t', '\n', '\r\n', '\u00a0', '\uFEFF']
const BEHIND = ['', '\n', '\r\n', '\r', ' ', '\t', ' \n', '\n\n', '\u00a0', '\0']
/** What can be serialised and hashed in about a second. */
const WRITTEN_CHARACTERS_MAX = 64 * 1024 * 1024

/** Finds the cause of a mismatch by trying what would match. Nothing is tried if the header value cannot be a digest. */
export function diagnoseSignature(mismatch: Mismatch): SignatureDiagnosis {
  const { body, signature } = mismatch
  const tree = readJsonTree(body.toString('utf8').replace(/^\uFEFF/, ''))
  const budget: Budget = { characters: WRITTEN_CHARACTERS_MAX, forms: 0 }
  const digest = decodeSignature(signature)?.digest
  const asConstructed = (contents: 'received' | 'rewritten'): Check[] =>
    isAnyDigest(signature) ? [['wrong-construction', () => otherwiseSigned(mismatch, tree, contents)]] : []
  const checks: Check[] = [
    ...(digest === undefined ? [] : changesOf({ ...mismatch, digest })),
    ...asConstructed('received'),
    ...(digest === undefined || tree === undefined
      ? []
      : [['reserialized', () => writtenAgain({ ...mismatch, digest }, tree, budget)] satisfies Check]),
    // This takes longest and finds least.
    ...asConstructed('rewritten'),
  ]
  const diagnosis: SignatureDiagnosis = {
    cause: null,
    tried: [],
    original: null,
    writers: [],
    formsTried: 0,
    construction: null,
    profile: null,
    secretIndex: 0,
    triesClientId: (mismatch.clientId ?? null) !== null,
    isJson: tree !== undefined,
    isCutShort: false,
  }
  for (const [cause, find] of checks) {
    if (!diagnosis.tried.includes(cause)) diagnosis.tried.push(cause)
    const found = find()
    if (found !== undefined) return { ...diagnosis, ...found, formsTried: budget.forms, cause }
  }
  return { ...diagnosis, formsTried: budget.forms, isCutShort: budget.characters < 0 }
}

/** What may have changed the secret or the body of an HMAC-SHA256, except writing its JSON again. */
function changesOf(mismatch: WellFormed): Check[] {
  const { body, others } = mismatch
  return [
    ['empty-body', () => emptyBody(mismatch)],
    ['secret-whitespace', () => secretWithWhiteSpace(mismatch)],
    ...(others.length === 0 ? [] : [['other-profile', () => otherProfile(mismatch)] satisfies Check]),
    ['trailing-newline', () => firstSigned(mismatch, trailingBreakVariants(body))],
    ['bom', () => firstSigned(mismatch, byteOrderMarkVariants(body))],
    ['crlf', () => firstSigned(mismatch, lineEndingVariants(body))],
    ['latin1', () => firstSigned(mismatch, characterSetVariants(body))],
  ]
}

function otherwiseSigned(
  { body, signature, secrets, clientId = null }: Mismatch,
  tree: JsonTree | undefined,
  contents: 'received' | 'rewritten',
): Found | undefined {
  const found = findConstruction({ signature, body, secrets, clientId }, tree, contents)
  return found === undefined ? undefined : { construction: found.formula, secretIndex: found.secretIndex }
}

/** A body that is empty needs no proof; else the signature must be that of nothing. */
function emptyBody(mismatch: WellFormed): Found | undefined {
  const secretIndex = signerOf(mismatch, '')
  if (secretIndex !== -1) return { secretIndex }
  return mismatch.body.length === 0 ? {} : undefined
}

function secretWithWhiteSpace({ body, digest, secrets }: WellFormed): Found | undefined {
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

function otherProfile({ body, digest, others }: WellFormed): Found | undefined {
  const owner = others.find(({ secret }) => isSignedBy(digest, body, secret))
  return owner === undefined ? undefined : { profile: owner.profile }
}

function firstSigned(mismatch: WellFormed, variants: Iterable<Buffer>): Found | undefined {
  for (const original of variants) {
    const secretIndex = signerOf(mismatch, original)
    if (secretIndex !== -1) return { original, secretIndex }
  }
  return undefined
}

/** Tries serialised forms until one matches or the budget is used up. */
function writtenAgain(mismatch: WellFormed, tree: JsonTree, budget: Budget): Found | undefined {
  for (const { text } of writtenForms(tree)) {
    budget.forms += 1
    budget.characters -= text.length * mismatch.secrets.length
    if (budget.characters < 0) return undefined
    const secretIndex = signerOf(mismatch, text)
    if (secretIndex === -1) continue
    const signed = readJsonTree(text)
    const writers = signed === undefined ? [] : writersOf(signed, mismatch.body.toString('utf8'))
    return { original: Buffer.from(text), writers, secretIndex }
  }
  return undefined
}

/** The index of the secret that signed this content; -1 if none did. */
function signerOf({ digest, secrets }: WellFormed, content: Uint8Array | string): number {
  return secrets.findIndex((secret) => isSignedBy(digest, content, secret))
}
