import { VERSION } from '../programInfo.ts'
import { type JsonSchema, TEXT } from '../schemas/jsonSchema.ts'
import { CONTROL_SCHEMAS, SERVICE_SCHEMAS } from '../schemas/sandbox.ts'
import { EVENT_SCHEMAS } from '../schemas/webhooks.ts'
import { ENDPOINT_PATHS } from '../wire/requests.ts'
import { SIGNATURE_HEADER } from '../wire/signatureHeader.ts'
import { controlPaths } from './openApiControl.ts'
import { jsonBody, jsonResponse, type OpenApiPart, operation } from './openApiParts.ts'

const BEARER = [{ clientSecret: [] }]
const CLIENT_PAIR = [{ clientId: [], clientSecretHeader: [] }]

/** The OpenAPI 3.1 document of the service and of the sandbox's control API at this address. */
export function openApi(url: string): OpenApiPart {
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
    paths: { ...servicePaths(), ...controlPaths() },
    webhooks: webhooks(),
    components: {
      schemas: { ...SERVICE_SCHEMAS, ...CONTROL_SCHEMAS },
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

function servicePaths(): OpenApiPart {
  return {
    [ENDPOINT_PATHS.createQrCode]: {
      post: operation('gateway', 'createQrCode', 'Create a dynamic PIX QR code (cash-in)', {
        security: BEARER,
        requestBody: jsonBody('QrCodeRequest'),
        responses: { 200: jsonResponse('The code was created', 'QrCodeAnswer'), ...errorResponses(400, 401, 413) },
      }),
    },
    [ENDPOINT_PATHS.refund]: {
      post: operation('gateway', 'refund', 'Refund all or part of a received payment', {
        security: BEARER,
        requestBody: jsonBody('RefundRequest'),
        responses: {
          200: jsonResponse('The refund was accepted', 'RefundAnswer'),
          ...errorResponses(400, 401, 404, 413, 422),
        },
      }),
    },
    [ENDPOINT_PATHS.transfer]: {
      post: operation('gateway', 'transfer', 'Send a PIX transfer to a PIX key (cash-out)', {
        security: CLIENT_PAIR,
        requestBody: jsonBody('TransferRequest'),
        responses: {
          200: jsonResponse('The transfer was accepted', 'TransferAnswer'),
          ...errorResponses(400, 401, 403, 404, 413),
        },
      }),
    },
    [ENDPOINT_PATHS.consultTransaction]: {
      get: operation('gateway', 'consultTransaction', 'Query the status of a payment', {
        security: BEARER,
        parameters: [{ name: 'idTransaction', in: 'query', required: true, schema: TEXT }],
        responses: { 200: jsonResponse('The status', 'StatusAnswer'), ...errorResponses(400, 401, 404, 429) },
      }),
    },
  }
}

function errorResponses(...statuses: readonly number[]): OpenApiPart {
  return Object.fromEntries(statuses.map((status) => [status, jsonResponse('Refused', 'Error')]))
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
          parameters: [{ name: SIGNATURE_HEADER, in: 'header', required: true, schema: signature() }],
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 200: { description: 'Received; any other answer, or none within 5 s, is a failed delivery' } },
        },
      },
    ]),
  )
}

function signature(): JsonSchema {
  const description = 'HMAC-SHA256 of the exact bytes of the body with the client secret, in hex or Base64'
  return { type: 'string', description }
}
