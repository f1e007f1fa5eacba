import createClient from 'openapi-fetch'
import type { components, paths } from './generated/openApiTypescript.js'

type Status = components['schemas']['StatusAnswer']['status']
type Code = components['schemas']['Error']['message']

/** What a shop does with each status; it does not compile if a status may be any text, or one that is not listed. */
function action(status: Status): 'wait' | 'ship' | 'stop' {
  switch (status) {
    case 'PENDING':
    case 'UNPAID':
      return 'wait'
    case 'PAID':
      return 'ship'
    case 'EXPIRED':
    case 'CANCELLED':
    case 'REFUNDED':
      return 'stop'
  }
}

/** True if the code says that there is no such transaction. */
function isUnknown(code: Code): boolean {
  // @ts-expect-error: there is no such code
  const isTypingError: boolean = code === 'TRANSACTION_NOT_FUOND'
  return code === 'TRANSACTION_NOT_FOUND' && !isTypingError
}

/** Creates a charge, queries it before and after it is paid, and queries one that does not exist. */
export async function buy(baseUrl: string, secret: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${secret}`, ci: 'local', cs: secret }
  const gateway = createClient<paths>({ baseUrl, headers })
  const created = await gateway.POST('/api/v2/gateway/request-qrcode', {
    body: { requestNumber: 'order-7', dueDate: '2099-12-31', amount: 10.5, callbackUrl: 'http://127.0.0.1:1/' },
  })
  if (created.data === undefined) throw new Error(created.error.message)
  const { idTransaction } = created.data
  const query = (id: string) =>
    gateway.GET('/api/v2/gateway/consult-transaction', { params: { query: { idTransaction: id } } })
  const before = await query(idTransaction)
  await gateway.POST('/sandbox/pay', { body: { id: idTransaction } })
  const after = await query(idTransaction)
  if (before.data === undefined || after.data === undefined) throw new Error('The charge cannot be queried')
  const missing = await query('00000000-0000-4000-8000-000000000000')
  return {
    amount: after.data.amount,
    actions: [action(before.data.status), action(after.data.status)],
    isUnknown: missing.error !== undefined && isUnknown(missing.error.message),
  }
}
