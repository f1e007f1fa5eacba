import { LANGUAGE_SOURCES } from '../../language.ts'
import { ENVIRONMENTS } from '../../profiles/profile.ts'
import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  describe,
  either,
  enumOf,
  INSTANT,
  list,
  NUMBER,
  OBJECT,
  objectOf,
  orNull,
  REAIS,
  TEXT,
  type ValueOf,
} from '../../schemas/jsonSchema.ts'
import { LANGUAGES } from '../../text/languages.ts'

const PROFILE = {
  name: TEXT,
  active: BOOLEAN,
  environment: enumOf(...ENVIRONMENTS),
  baseUrl: ADDRESS,
  clientId: TEXT,
  callbackUrl: orNull(ADDRESS),
  secret: objectOf(
    { source: enumOf('built-in', 'stored', 'env', 'command', 'keychain', 'none'), masked: TEXT },
    { variable: TEXT, program: TEXT },
  ),
  maxAmount: orNull(REAIS),
  maxDay: orNull(REAIS),
  readOnly: BOOLEAN,
  lang: describe('The language of what people read; null if the profile does not say', orNull(enumOf(...LANGUAGES))),
  checkCommand: orNull(TEXT),
  company: orNull(TEXT),
  companyDocument: orNull(TEXT),
  ledger: describe(
    'The address of the shared ledger of its account; null for the ledger of this machine',
    orNull(TEXT),
  ),
}
const CHANGED = { pixgate: objectOf({ warnings: list(TEXT) }) }
const SETTING_VALUE = orNull(either(TEXT, NUMBER, BOOLEAN))
const PROFILE_CHANGE = objectOf({
  at: INSTANT,
  user: TEXT,
  machine: TEXT,
  action: enumOf('add', 'edit', 'remove', 'undo', 'rule'),
  changes: list(objectOf({ setting: TEXT, from: SETTING_VALUE, to: SETTING_VALUE })),
})
const FIELD = { id: TEXT, name: TEXT, value: TEXT }

/** The JSON of the commands that need no gateway, by the names that `pixgate schema` gives them. */
export const OFFLINE_SCHEMAS = {
  'qr-decode': objectOf({
    valid: BOOLEAN,
    kind: orNull(enumOf('static', 'dynamic', 'recurrence')),
    key: orNull(TEXT),
    url: orNull(TEXT),
    amount: orNull(REAIS),
    merchantName: orNull(TEXT),
    merchantCity: orNull(TEXT),
    txid: orNull(TEXT),
    crc: orNull(TEXT),
    fields: list(objectOf(FIELD, { fields: list(objectOf(FIELD, { fields: list(OBJECT) })) })),
    errors: list(TEXT),
    warnings: list(TEXT),
  }),
  'qr-draw': objectOf({
    code: TEXT,
    valid: BOOLEAN,
    drawing: orNull(TEXT),
    errors: list(TEXT),
    warnings: list(TEXT),
  }),
  'webhook-verify': objectOf(
    {
      valid: BOOLEAN,
      encoding: orNull(enumOf('hex', 'base64')),
      reason: orNull(enumOf('missing', 'malformed', 'mismatch')),
      cause: describe('Why it does not match, if that was proved', orNull(TEXT)),
      tried: list(TEXT),
      secret: objectOf({ source: TEXT, length: COUNT, sha256Prefix: { type: 'string', pattern: '^[0-9a-f]{8}$' } }),
    },
    {
      serializer: TEXT,
      serializers: list(TEXT),
      profile: TEXT,
      recovered: TEXT,
      construction: TEXT,
      profilesNotTried: list(TEXT),
      warnings: list(TEXT),
    },
  ),
  'webhook-sign': objectOf({ signature: TEXT, encoding: enumOf('hex', 'base64') }),
  'profile-list': list(objectOf(PROFILE)),
  'profile-show': objectOf({
    ...PROFILE,
    rules: describe(
      'Of the account, so for every profile of it; null if the ledger cannot be read',
      orNull(
        objectOf({
          payeesOnly: BOOLEAN,
          payeeWait: orNull(TEXT),
          requireExternalId: BOOLEAN,
          approvalFrom: orNull(REAIS),
          approvers: orNull(TEXT),
        }),
      ),
    ),
    sources: { type: 'object', additionalProperties: TEXT },
    changes: describe('The newest 10, newest first; null if the ledger cannot be read', orNull(list(PROFILE_CHANGE))),
  }),
  'profile-add': objectOf(PROFILE, CHANGED),
  'profile-edit': objectOf(PROFILE, CHANGED),
  'profile-use': objectOf(PROFILE, CHANGED),
  'profile-remove': objectOf({ name: TEXT, removed: BOOLEAN, wasActive: BOOLEAN }, CHANGED),
  schema: describe('Without a name', list(TEXT)),
  lang: objectOf({ lang: enumOf(...LANGUAGES), source: enumOf(...LANGUAGE_SOURCES) }),
}

/** What such a command prints as JSON. */
export type OfflineDocument<Name extends keyof typeof OFFLINE_SCHEMAS> = ValueOf<(typeof OFFLINE_SCHEMAS)[Name]>
