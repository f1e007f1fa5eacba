import { BOOLEAN, COUNT, describe, record, TEXT } from '../schemas/jsonSchema.ts'
import { jsonResponse, type OpenApiPart, operation } from './openApiParts.ts'
import type { TransactionActionName } from './transactionActions.ts'

/** Without a token for callers on this machine, with the control token for all others. */
const SECURITY = [{}, { controlToken: [] }]

const ID = describe('Transaction id or its first 6 characters, payment code, request number or external id', TEXT)

const SUMMARIES: Readonly<Record<TransactionActionName, string>> = {
  pay: 'Pay a code, as the payer would',
  expire: 'Let a code expire unpaid',
  cancel: 'Cancel an unpaid code, or a transfer in progress',
  chargeback: 'Charge back a received payment',
  return: 'Return a transfer, as its receiver would',
  fail: 'Make a transfer or refund in progress fail',
  deliver: 'Deliver the last event of a transaction again',
}

/** The paths of the control API. */
export function controlPaths(): OpenApiPart {
  return {
    ...Object.fromEntries(
      Object.entries(SUMMARIES).map(([action, summary]) => [
        `/sandbox/${action}`,
        command(action, summary, bodyOf(action), jsonResponse('The transaction afterwards', 'Transaction')),
      ]),
    ),
    '/sandbox/fault': command(
      'fault',
      'Make the next calls or deliveries fail',
      record(
        { kind: describe('Such as drop-after, NO_FUNDS or webhook:twice', TEXT) },
        {
          times: { ...COUNT, minimum: 1 },
          async: BOOLEAN,
          on: describe('transfer, refund, qr, status, or an id, external id, request number or key', TEXT),
        },
      ),
      jsonResponse('The fault as parsed', 'Fault'),
    ),
    '/sandbox/advance': command(
      'advance',
      'Move the clock forward',
      record({ ms: { ...COUNT, minimum: 1 } }),
      jsonResponse('The time afterwards', 'Clock'),
    ),
    '/sandbox/reset': command('reset', 'Delete all state', record({}), jsonResponse('The state afterwards', 'State')),
    '/sandbox/state': question('state', 'Balance, transactions, deliveries and clock', 'State'),
    '/sandbox/requests': question('requests', 'The last 1,000 requests and their answers', 'Requests', [
      { name: 'failed', in: 'query', required: false, schema: BOOLEAN },
    ]),
    '/healthz': {
      get: operation('control', 'health', 'Is the sandbox running?', {
        security: [],
        responses: { 200: jsonResponse('It is running', 'Health') },
      }),
    },
    '/openapi.json': {
      get: operation('control', 'openapi', 'This document', {
        security: [],
        responses: {
          200: { description: 'This document', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      }),
    },
  }
}

function bodyOf(action: string): OpenApiPart {
  if (action === 'pay')
    return record({ id: ID }, { late: describe('Pay a code that has expired or was cancelled', BOOLEAN) })
  if (action === 'fail') return record({ id: ID }, { errorCode: TEXT })
  return record({ id: ID })
}

function command(name: string, summary: string, schema: OpenApiPart, answer: OpenApiPart): OpenApiPart {
  const errorStatuses = name === 'reset' ? [400, 403] : [400, 403, 404, 409]
  return {
    post: operation('control', name, summary, {
      security: SECURITY,
      requestBody: { required: name !== 'reset', content: { 'application/json': { schema } } },
      responses: {
        200: answer,
        ...Object.fromEntries(errorStatuses.map((status) => [status, jsonResponse('Refused', 'Error')])),
      },
    }),
  }
}

function question(name: string, summary: string, schema: string, parameters: readonly OpenApiPart[] = []): OpenApiPart {
  return {
    get: operation('control', name, summary, {
      security: SECURITY,
      parameters,
      responses: { 200: jsonResponse(summary, schema), 403: jsonResponse('Refused', 'Error') },
    }),
  }
}
