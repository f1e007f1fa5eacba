import { createClient } from './generated/heyApi/client/index.js'
import { consultTransaction, createQrCode, pay } from './generated/heyApi/sdk.gen.js'
import type { ConsultTransactionError, StatusAnswer } from './generated/heyApi/types.gen.js'

/** What a shop does with each status; it does not compile if a status may be any text, or one that is not listed. */
function action(status: StatusAnswer['status']): 'wait' | 'ship' | 'stop' {
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
function isUnknown({ message }: ConsultTransactionError): boolean {
  // @ts-expect-error: there is no such code
  const isTypingError: boolean = message === 'TRANSACTION_NOT_FUOND'
  return message === 'TRANSACTION_NOT_FOUND' && !isTypingError
}

/** Creates a charge, queries it before and after it is paid, and queries one that does not exist. */
export async function buy(baseUrl: string, secret: string): Promise<unknown> {
  // The scheme of each call decides which of the credentials are sent, and where.
  const client = createClient({ baseUrl, auth: ({ name }) => (name === 'ci' ? 'local' : secret) })
  const created = await createQrCode({
    client,
    body: { requestNumber: 'order-8', dueDate: '2099-12-31', amount: 10.5, callbackUrl: 'http://127.0.0.1:1/' },
  })
  if (created.data === undefined) throw new Error(created.error.message)
  const { idTransaction } = created.data
  const query = (id: string) => consultTransaction({ client, query: { idTransaction: id } })
  const before = await query(idTransaction)
  await pay({ client, body: { id: idTransaction } })
  const after = await query(idTransaction)
  if (before.data === undefined || after.data === undefined) throw new Error('The charge cannot be queried')
  const missing = await query('00000000-0000-4000-8000-000000000000')
  return {
    amount: after.data.amount,
    actions: [action(before.data.status), action(after.data.status)],
    isUnknown: missing.error !== undefined && isUnknown(missing.error),
  }
}
