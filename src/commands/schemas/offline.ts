import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  describe,
  enumOf,
  list,
  OBJECT,
  objectOf,
  orNull,
  REAIS,
  TEXT,
  type ValueOf,
} from '../../schemas/jsonSchema.ts'

const PROFILE = {
  name: TEXT,
  active: BOOLEAN,
  environment: enumOf('sandbox', 'production'),
  baseUrl: ADDRESS,
  clientId: TEXT,
  callbackUrl: orNull(ADDRESS),
  secret: objectOf(
    { source: enumOf('built-in', 'stored', 'env', 'command', 'keychain'), masked: TEXT },
    { variable: TEXT, program: TEXT },
  ),
  maxAmount: orNull(REAIS),
  maxDay: orNull(REAIS),
  readOnly: BOOLEAN,
  company: orNull(TEXT),
  companyDocument: orNull(TEXT),
}
const CHANGED = { pixgate: objectOf({ warnings: list(TEXT) }) }
const FIELD = { id: TEXT, name: TEXT, value: TEXT }

/** The JSON of the commands that need no gateway, by the names that `pixgate schema` gives them. */
export const OFFLINE_SCHEMAS = {
  'qr-decode': objectOf({
    valid: BOOLEAN,
    kind: orNull(enumOf('static', 'dynamic')),
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
  'profile-show': objectOf({ ...PROFILE, sources: { type: 'object', additionalProperties: TEXT } }),
  'profile-add': objectOf(PROFILE, CHANGED),
  'profile-edit': objectOf(PROFILE, CHANGED),
  'profile-use': objectOf(PROFILE, CHANGED),
  'profile-remove': objectOf({ name: TEXT, removed: BOOLEAN, wasActive: BOOLEAN }, CHANGED),
  schema: describe('Without a name', list(TEXT)),
}

/** What such a command prints as JSON. */
export type OfflineDocument<Name extends keyof typeof OFFLINE_SCHEMAS> = ValueOf<(typeof OFFLINE_SCHEMAS)[Name]>
