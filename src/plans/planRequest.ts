import type { RefundPayment, TransferPayment } from '../ledger/facts.ts'
import { centsFromJson } from '../pix/amount.ts'
import { Malformed } from '../pix/malformed.ts'
import { assertPixKey, isKeyType } from '../pix/pixKey.ts'
import { ACCOUNT_RULES, type RuleChange } from '../profiles/accountRules.ts'
import type { SettingValue } from '../profiles/moneySettings.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { isHttpUrl } from '../wire/address.ts'
import type { RefundIdField } from '../wire/requests.ts'
import { objectIn, PlanFault, textIn } from './planValues.ts'

/** What a request of a plan asks for. Its amount is always known. */
export interface PlannedRequest {
  facts: TransferPayment | (RefundPayment & { amountCents: number })
  /** Of a transfer; null for a refund, which has none. */
  externalId: string | null
}

type Body = Readonly<Record<string, unknown>>

/** Reads the body of a request. `place` counts from 1. Throws PlanFault. */
export function readRequest(body: Body, kind: 'transfer' | 'refund', place: number): PlannedRequest {
  try {
    return kind === 'transfer' ? readTransfer(body) : readRefund(body)
  } catch (error) {
    if (!(error instanceof PlanFault) && !(error instanceof Malformed)) throw error
    throw new PlanFault(t`request ${place}: ${error.message}`)
  }
}

function readTransfer(body: Body): PlannedRequest {
  const members = ['value', 'key', 'typeKey', 'callbackUrl', 'externalId']
  objectIn({ request: body }, 'request', members, ['documentValidation'])
  const keyType = body.typeKey
  if (!isKeyType(keyType)) throw new PlanFault(t`\`typeKey\` is not a type of key`)
  const key = lineIn(body, 'key')
  assertPixKey(key, keyType)
  return {
    facts: {
      kind: 'transfer',
      key,
      keyType,
      amountCents: amountIn(body, 'value'),
      documentValidation: 'documentValidation' in body ? lineIn(body, 'documentValidation') : null,
      callbackUrl: urlIn(body),
      payee: null,
      payeeDisplayName: null,
    },
    externalId: lineIn(body, 'externalId'),
  }
}

/** A refund of a plan names its amount, so that whoever approves it knows how much is sent. */
function readRefund(body: Body): PlannedRequest {
  if (!('amount' in body)) throw new PlanFault(t`it refunds an unknown amount`)
  objectIn({ request: body }, 'request', ['refundReason', 'callbackUrl', 'amount'], ID_FIELDS)
  const [id, ...others] = ID_FIELDS.filter((name) => name in body).map((name) => lineIn(body, name))
  if (id === undefined || others.some((other) => other !== id)) {
    throw new PlanFault(t`it does not say which payment it refunds`)
  }
  return {
    facts: {
      kind: 'refund',
      originalTransactionId: id,
      amountCents: amountIn(body, 'amount'),
      isWhole: false,
      refundReason: lineIn(body, 'refundReason'),
      callbackUrl: urlIn(body),
      idField: idFieldOf(body),
    },
    externalId: null,
  }
}

const ID_FIELDS = ['originalTransactionId', 'idTransaction'] as const

function idFieldOf(body: Body): RefundIdField {
  if (ID_FIELDS.every((name) => name in body)) return 'both'
  return 'idTransaction' in body ? 'idTransaction' : 'originalTransactionId'
}

function amountIn(body: Body, name: string): number {
  const value = body[name]
  const cents = typeof value === 'number' ? centsFromJson(value) : undefined
  if (cents === undefined || cents === 0) throw new PlanFault(t`\`${name}\` is not an amount`)
  return cents
}

function lineIn(body: Body, name: string): string {
  const text = textIn(body, name)
  if (hasControlCharacter(text)) throw new PlanFault(t`\`${name}\` contains a control character`)
  return text
}

function urlIn(body: Body): string {
  const url = lineIn(body, 'callbackUrl')
  if (!isHttpUrl(url)) throw new PlanFault(t`\`callbackUrl\` is not a URL`)
  return url
}

/** Reads the change of a rule. Throws PlanFault. */
export function readRuleChange(body: Body): RuleChange {
  objectIn({ request: body }, 'request', ['rule', 'from', 'to'])
  const rule = ACCOUNT_RULES.find((each) => each === body.rule)
  if (rule === undefined) throw new PlanFault(t`\`rule\` is not a rule of an account`)
  return { rule, from: settingIn(body, 'from'), to: settingIn(body, 'to') }
}

function settingIn(body: Body, name: string): SettingValue {
  const value = body[name]
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new PlanFault(t`\`${name}\` is not the value of a rule`)
}
