import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  constant,
  describe,
  either,
  enumOf,
  HTTP_STATUS,
  INSTANT,
  type JsonSchema,
  list,
  MILLISECONDS,
  objectOf,
  orNull,
  TEXT,
  type ValueOf,
} from '../../schemas/jsonSchema.ts'
import { schemasBelow } from '../../terminal/fields.ts'
import { EVENT_FIELDS } from '../../views/events/eventFields.ts'

const TOO_SLOW = describe('True if the answer took longer than the 5 s that the service waits', BOOLEAN)

const EVENT = schemasBelow(EVENT_FIELDS, '')
const FACTS = objectOf({}, schemasBelow(EVENT_FIELDS, 'pixgate'))
const { forwards: FORWARDS = {}, ...ARRIVED } = EVENT
const RECORDED = objectOf({ ...ARRIVED, pixgate: FACTS, forwards: FORWARDS })

const DELIVERED = objectOf(
  {
    url: ADDRESS,
    event: orNull(TEXT),
    idTransaction: orNull(TEXT),
    status: orNull(HTTP_STATUS),
    ms: MILLISECONDS,
    error: orNull(TEXT),
    body: TEXT,
  },
  { n: COUNT, tooSlow: TOO_SLOW },
)
/** The result of sending one webhook. */
export type DeliveredDocument = ValueOf<typeof DELIVERED>

const CHECKED = objectOf({
  url: ADDRESS,
  verdict: enumOf('good', 'bad'),
  checks: list(
    objectOf({
      name: TEXT,
      sent: TEXT,
      status: orNull(HTTP_STATUS),
      ms: orNull(MILLISECONDS),
      verdict: enumOf('good', 'bad', 'not-proved'),
      cause: describe('A sentence; null if none is proved', orNull(TEXT)),
    }),
  ),
})
/** What a receiver did with each sample. */
export type CheckDocument = ValueOf<typeof CHECKED>

const DELIVERIES = describe('An object for one delivery, an array for several', either(DELIVERED, list(DELIVERED)))

/** The JSON of the webhook commands, by the names that `pixgate schema` gives them. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'webhook-listen': describe(
    'One line each',
    either(
      objectOf(
        { type: constant('ready'), url: ADDRESS, publicUrl: orNull(ADDRESS) },
        {
          inspectUrl: ADDRESS,
          routes: describe('Which events go where, as typed', list(objectOf({ events: TEXT, url: ADDRESS }))),
          forwardTo: describe('Gets what no route takes', ADDRESS),
        },
      ),
      objectOf(ARRIVED, { pixgate: FACTS }),
      objectOf(
        { type: constant('forward'), n: orNull(COUNT), url: ADDRESS, status: orNull(HTTP_STATUS), ms: MILLISECONDS },
        { body: TEXT, error: TEXT, errorCode: TEXT, tooSlow: TOO_SLOW },
      ),
      describe(
        'What was found about the signature of the refused webhook that arrived at this time',
        objectOf(
          { type: constant('diagnosis'), receivedAt: INSTANT, cause: orNull(TEXT), tried: list(TEXT) },
          { construction: TEXT, serializers: list(TEXT) },
        ),
      ),
      describe(
        'The number of lines that were skipped because the reader was too slow',
        objectOf({ type: constant('skipped'), lines: COUNT }),
      ),
      objectOf({
        type: constant('summary'),
        received: COUNT,
        valid: COUNT,
        invalid: COUNT,
        unsigned: COUNT,
        duplicates: COUNT,
        notStored: COUNT,
        forwarded: COUNT,
        notForwarded: COUNT,
        targets: list(objectOf({ url: ADDRESS, forwarded: COUNT, notForwarded: COUNT })),
        p50: MILLISECONDS,
        p95: MILLISECONDS,
        p99: MILLISECONDS,
      }),
    ),
  ),
  inspect: objectOf({ type: constant('ready'), url: describe('With the token', ADDRESS) }),
  'webhook-events': list(RECORDED),
  'webhook-events-show': describe('An object for one event, an array for several', either(RECORDED, list(RECORDED))),
  'webhook-check': CHECKED,
  'webhook-send': DELIVERIES,
  'webhook-replay': DELIVERIES,
}
