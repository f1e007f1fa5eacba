import type { JsonSchema } from '../../schemas/jsonSchema.ts'
import { SANDBOX_SCHEMAS } from '../../schemas/sandboxAnswers.ts'
import { EVENT_SCHEMAS } from '../../schemas/webhookBodies.ts'
import { LEDGER_SCHEMAS } from './ledger.ts'
import { OFFLINE_SCHEMAS } from './offline.ts'
import { PAYEE_SCHEMAS } from './payees.ts'
import { PAYMENT_SCHEMAS } from './payments.ts'
import { PLAN_SCHEMAS } from './plans.ts'
import { WEBHOOK_SCHEMAS } from './webhooks.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const SCHEMAS: ReadonlyMap<string, JsonSchema> = new Map(
  [
    EVENT_SCHEMAS,
    PAYMENT_SCHEMAS,
    OFFLINE_SCHEMAS,
    LEDGER_SCHEMAS,
    PLAN_SCHEMAS,
    PAYEE_SCHEMAS,
    WEBHOOK_SCHEMAS,
    SANDBOX_SCHEMAS,
  ].flatMap((topic) => Object.entries(topic)),
)

/** The names of all schemas: the five webhook bodies, then the JSON output of each command. */
export const SCHEMA_NAMES: readonly string[] = [...SCHEMAS.keys()]

/** The JSON Schema with this name, with its `$schema` and title; undefined if there is none. */
export function schemaOf(name: string): JsonSchema | undefined {
  const schema = SCHEMAS.get(name)
  return schema === undefined ? undefined : { $schema: DIALECT, title: name, ...schema }
}
