import { KEY_TYPES } from '../../pix/pixKey.ts'
import type { EnvironmentKind } from '../../profiles/profile.ts'
import { CASH_OUT_CODE_NAMES } from '../../sandbox/cashOutCodes.ts'
import { FAULT_ENDPOINTS, FAULT_KINDS } from '../../sandbox/faults.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import { SCHEMA_NAMES } from '../../schemas/catalogue.ts'
import { OUTPUT_FORMATS } from '../../terminal/printer.ts'
import { INTENT_KINDS, TRANSACTION_STATES } from '../../timeline/ledgerFilter.ts'
import { FINDINGS } from '../../timeline/records.ts'
import { FINAL_PAYMENT_STATUSES } from '../../wire/answers.ts'
import { WEBHOOK_STYLES } from '../../wire/eventBody.ts'
import { EVENT_NAMES } from '../../wire/eventFacts.ts'
import { REFUND_ID_FIELDS } from '../../wire/requests.ts'
import type { SignatureEncoding } from '../../wire/signatureHeader.ts'
import { SHELLS } from './shells.ts'

/**
 * What a value can be completed with: fixed words, files, a command line of the system, names that only the program knows
 * (see `pixgate __complete`), or nothing.
 */
export type ValueKind =
  | { type: 'words'; words: readonly string[] }
  | { type: 'files' | 'command' | 'profiles' | 'ids' | 'text' }

const TEXT: ValueKind = { type: 'text' }
const FILES: ValueKind = { type: 'files' }
const IDS: ValueKind = { type: 'ids' }
const PROFILES: ValueKind = { type: 'profiles' }

/**
 * Options by name, arguments in brackets; the path of a command or group in front of them holds for it and all below it,
 * and the longest one counts. A value that help calls `<file>` needs no line here.
 */
const KINDS: ReadonlyMap<string, ValueKind> = new Map([
  ['--output', words(OUTPUT_FORMATS)],
  ['--profile', PROFILES],
  ['--key-type', words(KEY_TYPES)],
  ['--expect', words(FINAL_PAYMENT_STATUSES)],
  ['<id>', IDS],
  ['qr decode <code>', FILES],
  ['refund --id-field', words(REFUND_ID_FIELDS)],
  ['refund <original-id>', IDS],
  ['sandbox --webhook-style', words(WEBHOOK_STYLES)],
  ['sandbox --signature', words(namesOf<SignatureEncoding>({ hex: true, base64: true }))],
  ['sandbox --status-key', words(namesOf<SandboxOptions['statusKey']>({ status: true, statusTransaction: true }))],
  [
    'sandbox --refund-event',
    words(namesOf<SandboxOptions['refundEventStyle']>({ originalTransactionId: true, 'repeated-key': true })),
  ],
  ['sandbox exec <command>', { type: 'command' }],
  ['sandbox fail --error-code', words(CASH_OUT_CODE_NAMES)],
  ['sandbox fault <kind>', words(FAULT_KINDS)],
  ['sandbox fault --on', words(FAULT_ENDPOINTS)],
  ['webhook --signature-encoding', words(namesOf<SignatureEncoding>({ hex: true, base64: true }))],
  ['webhook listen --events', words(EVENT_NAMES)],
  ['webhook send <event>', words(EVENT_NAMES)],
  ['profile --environment', words(namesOf<EnvironmentKind>({ sandbox: true, production: true }))],
  ['profile <name>', PROFILES],
  ['profile add <name>', TEXT],
  ['history settle --as', words(FINDINGS)],
  ['history --kind', words(INTENT_KINDS)],
  ['history --state', words(TRANSACTION_STATES)],
  ['history --for-profile', PROFILES],
  ['schema <name>', words(SCHEMA_NAMES)],
  ['completion <shell>', words(SHELLS)],
])

/** How the value of an option is completed. `path` begins with the program's name, `long` with its dashes. */
export function optionKind(path: string, long: string, placeholder: string): ValueKind {
  return kindOf(path, long) ?? (placeholder === 'file' ? FILES : TEXT)
}

/** How an argument is completed. `name` is without brackets. */
export function argumentKind(path: string, name: string): ValueKind {
  return kindOf(path, `<${name}>`) ?? (name === 'file' ? FILES : TEXT)
}

function kindOf(path: string, name: string): ValueKind | undefined {
  const above = path.split(' ').slice(1)
  for (let depth = above.length; depth >= 0; depth--) {
    const kind = KINDS.get([...above.slice(0, depth), name].join(' '))
    if (kind !== undefined) return kind
  }
  return undefined
}

/** Throws for a word that a shell would take apart: the scripts embed these without quotes. */
function words(list: readonly string[]): ValueKind {
  for (const word of list) {
    if (!/^[\w:.-]+$/.test(word)) throw new Error(`${word} cannot stand in a completion script`)
  }
  return { type: 'words', words: list }
}

/** All members of a union, which the compiler holds to be complete. */
function namesOf<Word extends string>(members: Record<Word, true>): string[] {
  return Object.keys(members)
}
