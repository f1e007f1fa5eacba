import { VERSION } from '../programInfo.ts'
import { describe, type JsonSchema, OBJECT, TEXT } from '../schemas/jsonSchema.ts'
import { CONTROL_SCHEMAS } from '../schemas/sandboxAnswers.ts'
import { EVENT_SCHEMAS } from '../schemas/webhookBodies.ts'
import { SIGNATURE_HEADER } from '../wire/signature.ts'
import { CONTROL_CALLS, CONTROL_PREFIX, type ControlCall } from './control.ts'
import { ENDPOINT_ANSWERS, STATUS_ANSWERS } from './endpointAnswers.ts'
import { ENDPOINTS, type Endpoint } from './endpoints.ts'
import { ENDPOINT_REQUESTS } from './requestBodies.ts'

type OpenApiPart = Readonly<Record<string, unknown>>

const SCHEMAS = { ...ENDPOINT_REQUESTS, ...ENDPOINT_ANSWERS, ...CONTROL_SCHEMAS }

const SECURITY = {
  bearer: [{ clientSecret: [] }],
  pair: [{ clientId: [], clientSecretHeader: [] }],
  /** Without a token for callers on this machine, with the control token for all others. */
  control: [{}, { controlToken: [] }],
}

const CONTROL_ANSWERS: Readonly<Record<keyof typeof CONTROL_SCHEMAS, string>> = {
  Transaction: 'The transaction afterwards',
  Fault: 'The fault as parsed',
  Faults: 'The faults that are still to come',
  Clock: 'The time afterwards',
  State: 'The state',
  History: 'The transaction and what happened to it',
  Deliveries: 'The deliveries',
  Requests: 'The requests and their answers',
  Health: 'It is running',
}

const REFUSED = { description: 'Refused', ...jsonContent(reference('Error')) }

const SIGNATURE = describe('HMAC-SHA256 of the exact bytes of the body with the client secret, in hex or Base64', TEXT)

/**
 * The OpenAPI 3.1 document of the service and of the sandbox's control API at this address, of which queries name the status with
 * this key.
 */
export function openApi(url: string, statusKey: keyof typeof STATUS_ANSWERS = 'status'): OpenApiPart {
  return {
    openapi: '3.1.0',
    info: {
      title: 'PIX gateway sandbox',
      version: VERSION,
      summary: 'An instant-payment (PIX) gateway with its webhooks, and the control API of the pixgate sandbox',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: [
      { name: 'gateway', description: 'The service' },
      { name: 'control', description: 'Simulate the payer, the banks, time and failures' },
    ],
    paths: Object.fromEntries([
      ...ENDPOINTS.map((endpoint) => [endpoint.path, endpointPath(endpoint)]),
      ...Object.entries(CONTROL_CALLS).map(([name, call]) => [CONTROL_PREFIX + name, controlPath(name, call)]),
      ['/healthz', informationPath('health', 'Is the sandbox running?', CONTROL_ANSWERS.Health, reference('Health'))],
      ['/openapi.json', informationPath('openapi', 'This document', 'This document', OBJECT)],
    ]),
    webhooks: webhooks(),
    components: {
      schemas: { ...SCHEMAS, StatusAnswer: STATUS_ANSWERS[statusKey] },
      securitySchemes: {
        clientSecret: { type: 'http', scheme: 'bearer', description: 'The client secret' },
        clientId: { type: 'apiKey', in: 'header', name: 'ci', description: 'The client id' },
        clientSecretHeader: { type: 'apiKey', in: 'header', name: 'cs', description: 'The client secret' },
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The value of `--control-token`; needed beyond this machine only',
        },
      },
    },
  }
}

function endpointPath(endpoint: Endpoint): OpenApiPart {
  const { operationId, summary, credentials, request, response, responseDescription, errors } = endpoint
  return {
    [endpoint.method.toLowerCase()]: {
      tags: ['gateway'],
      operationId,
      summary,
      security: SECURITY[credentials],
      ...(request === undefined
        ? { parameters: [{ name: 'idTransaction', in: 'query', required: true, schema: TEXT }] }
        : { requestBody: { required: true, ...jsonContent(reference(request)) } }),
      responses: responses(responseDescription, response, errors),
    },
  }
}

function controlPath(name: string, call: ControlCall): OpenApiPart {
  const { method, summary, body, answer } = call
  const members = Object.entries(body.members)
  const isOfTransaction = 'id' in body.members
  const change = isOfTransaction ? [400, 403, 404, 409] : [400, 403]
  const question = isOfTransaction ? [400, 403, 404] : [403]
  return {
    [method.toLowerCase()]: {
      tags: ['control'],
      operationId: name,
      summary,
      security: SECURITY.control,
      ...(method === 'GET'
        ? { parameters: members.map(([name, { schema }]) => ({ name, in: 'query', required: name === 'id', schema })) }
        : { requestBody: { required: members.length > 0, ...jsonContent(body.schema) } }),
      responses: responses(CONTROL_ANSWERS[answer], answer, method === 'GET' ? question : change),
    },
  }
}

function informationPath(operationId: string, summary: string, description: string, schema: JsonSchema): OpenApiPart {
  const answer = { description, ...jsonContent(schema) }
  return { get: { tags: ['control'], operationId, summary, security: [], responses: { 200: answer, 405: REFUSED } } }
}

function responses(description: string, answer: keyof typeof SCHEMAS, errors: readonly number[]): OpenApiPart {
  return {
    200: { description, ...jsonContent(reference(answer)) },
    ...Object.fromEntries(errors.map((status) => [status, REFUSED])),
  }
}

function jsonContent(schema: JsonSchema): OpenApiPart {
  return { content: { 'application/json': { schema } } }
}

function reference(schema: keyof typeof SCHEMAS): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` }
}

/** What the service posts to the callback URL; the signature covers the exact bytes of the body. */
function webhooks(): OpenApiPart {
  return Object.fromEntries(
    Object.entries(EVENT_SCHEMAS).map(([name, schema]) => [
      name,
      {
        post: {
          operationId: `webhook-${name}`,
          summary: name === 'payment' ? 'The general notification for dashboards' : `The event ${name}`,
          // The signature is what the receiver knows the service by.
          security: [],
          parameters: [{ name: SIGNATURE_HEADER, in: 'header', required: true, schema: SIGNATURE }],
          requestBody: { required: true, ...jsonContent(schema) },
          responses: { 200: { description: 'Received; any other answer, or none within 5 s, is a failed delivery' } },
        },
      },
    ]),
  )
}
