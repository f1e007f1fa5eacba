import { enumOf } from './jsonSchema.ts'

/** The statuses of a payment, as a query and events report them. */
export const PAYMENT_STATUS = enumOf('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED')

/** How far a refund or a transfer is. */
export const SETTLEMENT = enumOf('PROCESSING', 'COMPLETED', 'FAILED')
