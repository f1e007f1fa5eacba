import { KEY_TYPES } from '../../pix/pixKey.ts'
import { BOOLEAN, COUNT, describe, enumOf, INSTANT, list, objectOf, orNull, TEXT } from '../../schemas/jsonSchema.ts'
import { schemasBelow } from '../../terminal/fields.ts'
import { PAYEE_FIELDS } from '../../views/payees/payeeFields.ts'

const PAYEE = schemasBelow(PAYEE_FIELDS, '')
const PAYEE_VALUES = { displayName: orNull(TEXT), key: TEXT, keyType: enumOf(...KEY_TYPES), owner: orNull(TEXT) }
const PAYEE_CHANGE = objectOf({
  at: INSTANT,
  user: TEXT,
  machine: TEXT,
  removed: BOOLEAN,
  key: orNull(TEXT),
  keyType: orNull(TEXT),
  owner: orNull(TEXT),
  displayName: orNull(TEXT),
})

/** The JSON of the commands about payees. */
export const PAYEE_SCHEMAS = {
  'payee-list': list(objectOf(PAYEE)),
  'payee-add': objectOf(PAYEE),
  'payee-show': objectOf({ ...PAYEE, changes: describe('Newest first', list(PAYEE_CHANGE)) }),
  'payee-edit': objectOf(PAYEE),
  'payee-remove': objectOf({ name: TEXT, removed: BOOLEAN }),
  'payee-import': objectOf({
    new: COUNT,
    changed: describe('With another key, owner or display name', COUNT),
    changedKeys: describe('Those with another key or owner', COUNT),
    unchanged: COUNT,
    payees: describe(
      'Those that were added or changed',
      list(
        objectOf({
          name: TEXT,
          change: enumOf('new', 'key', 'other'),
          ...PAYEE_VALUES,
          before: orNull(objectOf(PAYEE_VALUES)),
        }),
      ),
    ),
  }),
} as const
