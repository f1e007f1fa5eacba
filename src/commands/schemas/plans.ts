import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  describe,
  enumOf,
  list,
  objectOf,
  orNull,
  REAIS,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { schemasBelow } from '../../terminal/fields.ts'
import { PLAN_FIELDS } from '../../views/plans/planFields.ts'

const LISTED = schemasBelow(PLAN_FIELDS, '')

const PLAN = {
  ...LISTED,
  account: objectOf({ baseUrl: ADDRESS, clientId: TEXT }),
  reference: describe('Of a batch', orNull(TEXT)),
  sourceSha256: describe('SHA-256 of the file of a batch', orNull(TEXT)),
  warnings: list(TEXT),
  newKeys: COUNT,
  rules: describe('The rules that a plan of the kind `profile` changes', list(objectOf({ setting: TEXT }))),
  payments: list(
    objectOf({
      amount: REAIS,
      target: describe('The key of a transfer, or the id of the payment that is refunded', TEXT),
      externalId: orNull(TEXT),
      paidBefore: describe('How many payments the ledger knows to the same target', COUNT),
      lastAmount: orNull(REAIS),
      isUnusual: BOOLEAN,
      isRepeat: BOOLEAN,
      payee: describe(
        'The payee with this key, if no payment to it is confirmed since it was added or changed',
        orNull(TEXT),
      ),
      payeeState: orNull(enumOf('new', 'changed')),
    }),
  ),
}

/** What `--plan` prints instead of the answer to a payment. */
export const MADE_PLAN = objectOf({ ...PLAN, file: describe('null if only the ledger has it', orNull(TEXT)) })

/** The JSON of the commands about plans. */
export const PLAN_SCHEMAS = {
  'plan-list': list(objectOf(LISTED)),
  'plan-show': objectOf(PLAN),
  'plan-approve': objectOf(PLAN),
  'plan-reject': objectOf(PLAN),
  'plan-send': describe(
    'What the payment itself would print; with --watch a line for each plan: `plan`, `exitCode` and `error`, which is null if it was sent',
    objectOf({}),
  ),
} as const
