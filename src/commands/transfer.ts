import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import { checkMoneyAllowed } from '../money/allowed.ts'
import { comparedWith } from '../money/comparedWith.ts'
import { pay } from '../money/pay.ts'
import { ownerOf } from '../money/recording.ts'
import { requestOf } from '../money/send.ts'
import { formatReais, parseAmount, reaisFromCents } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { checkKey, detectKeyType, KEY_TYPES, type KeyType } from '../pix/pixKey.ts'
import { parseTaxDocument } from '../pix/taxDocument.ts'
import type { Account } from '../profiles/account.ts'
import { reading } from '../settings.ts'
import { t } from '../text/words.ts'
import type { TransferIntent } from '../timeline/records.ts'
import { foldTransactions } from '../timeline/transactions.ts'
import { UsageError } from '../wire/errors.ts'
import type { TransferBody } from '../wire/requests.ts'
import { callbackUrl, typedCallbackUrl } from './callbackUrl.ts'
import { defineCommand } from './command.ts'
import { showDryRun } from './dryRun.ts'
import { DEFAULT_WAIT, eitherOption, notBlank, oneOf, refuseCsv, typedOrAsked, waitMsOf } from './optionValues.ts'
import { showTransfer, transferRows } from './transferText.ts'

interface TransferOptions {
  key?: string
  amount?: string
  value?: string
  keyType?: string
  externalId?: string
  owner?: string
  document?: string
  callbackUrl?: string
  again?: boolean
  inAdditionTo?: string
  retry?: string
  wait?: string | true
  dryRun?: boolean
}

/** What describes a transfer that has not been sent before. */
const NEW_TRANSFER_OPTIONS: readonly (readonly [name: keyof TransferOptions, option: string])[] = [
  ['key', '--key'],
  ['amount', '--amount'],
  ['value', '--value'],
  ['keyType', '--key-type'],
  ['externalId', '--external-id'],
  ['owner', '--owner'],
  ['document', '--document'],
  ['callbackUrl', '--callback-url'],
  ['again', '--again'],
  ['inAdditionTo', '--in-addition-to'],
]

/** `pixgate transfer`: sends money to a PIX key. */
export const transfer = defineCommand({
  description: 'Send an instant PIX transfer to a PIX key; its result arrives as an event',
  options: [
    { flags: '--key <key>', description: 'the destination PIX key, sent as typed' },
    { flags: '--amount <amount>', description: 'in reais: 10, 10.50, 10,50 or 1.234,56 (alias --value)' },
    { flags: '--value <amount>', description: 'the same as --amount' },
    { flags: '--key-type <type>', description: `${KEY_TYPES.join(', ')} (default: detected)`, completes: KEY_TYPES },
    { flags: '--external-id <id>', description: 'your id, carried out only once (default: generated)' },
    { flags: '--owner <document>', description: 'CPF or CNPJ that must own the key (alias --document)' },
    { flags: '--document <document>', description: 'the same as --owner' },
    {
      flags: '--callback-url <url>',
      description: 'receives its events, listen for the running listener (default: of the profile)',
    },
    { flags: '--again', description: 'make the same payment once more, in a sandbox' },
    { flags: '--in-addition-to <external-id>', description: 'make the same payment once more, naming the earlier one' },
    { flags: '--retry <external-id>', description: 'go on with a transfer in doubt, like pixgate resume' },
    { flags: '--wait [duration]', description: `wait for the event that tells its end (default ${DEFAULT_WAIT})` },
    { flags: '--dry-run', description: 'print the exact request, secrets redacted, and stop' },
  ],
  examples: [
    ['pixgate transfer --key maria@example.com --amount 150,00', 'asks before anything moves'],
    [
      'pixgate transfer --key 52998224725 --key-type document --owner 52998224725 --amount 10 --yes',
      'without a question, in a sandbox',
    ],
    [
      'pixgate transfer --key maria@example.com --amount 10 --callback-url listen --wait=5m --yes',
      'while `pixgate webhook listen` runs: exit 0 when it is paid, in a sandbox',
    ],
    [
      'pixgate transfer --key maria@example.com --amount 10 --external-id invoice-17 --dry-run',
      'see the exact request',
    ],
  ],
  run: sendTransfer,
})

async function sendTransfer(context: Context, options: TransferOptions): Promise<number> {
  refuseCsv(context)
  const waitMs = waitMsOf(options.wait)
  if (options.retry !== undefined) {
    refuseBesideRetry(options)
    const { resumeByExternalId } = await import('./resumeSteps.ts')
    return resumeByExternalId(context, options.retry, { isDryRun: options.dryRun === true, waitMs })
  }
  const account = await context.account()
  checkMoneyAllowed(account, context.world.env)
  const keyWords = { question: t`PIX key of the receiver`, example: 'maria@example.com' }
  const key = (await typedOrAsked(context, options.key, '--key', keyWords)).trim()
  const { option, typed } = eitherOption(['--amount', options.amount], ['--value', options.value])
  const amountWords = { question: t`Amount in reais`, example: '10,50' }
  const amountText = await typedOrAsked(context, typed, option, amountWords)
  const amountCents = reading(option, () => parseAmount(amountText))
  const keyType = readKeyType(key, options.keyType)
  if (keyType === 'paymentCode') checkPaymentCode(key, amountCents)
  const owner = readOwner(options)
  const externalId = notBlank(await externalIdOf(context, options.externalId, account), '--external-id')
  const target = callbackUrl(account, await typedCallbackUrl(context, account, options.callbackUrl))
  const body: TransferBody = {
    value: reaisFromCents(amountCents),
    key,
    typeKey: keyType,
    callbackUrl: target,
    externalId,
    ...(owner === undefined ? {} : { documentValidation: owner }),
  }
  const intent: TransferIntent = {
    type: 'intent',
    kind: 'transfer',
    ...ownerOf(account),
    externalId,
    key,
    typeKey: keyType,
    documentValidation: owner ?? null,
    amountCents,
    body: JSON.stringify(body),
  }
  if (options.dryRun) return showDryRun(context, describeRequest(requestOf(account, intent)))
  if (waitMs !== null) await (await import('./listener.ts')).checkListener(context, account, target)

  const desk = await context.money()
  const earlier = foldTransactions(await desk.timeline.readUndamaged(comparedWith(intent, desk.now())))
  const destination = keyType === 'paymentCode' ? t`this payment code` : key
  const question = {
    amountCents,
    rows: transferRows(intent, earlier, account, { nowMs: desk.now(), err: desk.terminal.err }),
    text: t`Send ${formatReais(amountCents)} to ${destination}?`,
  }
  const wish = { again: options.again === true, inAdditionTo: options.inAdditionTo }
  const accepted = await pay(desk, intent, question, wish)
  showTransfer(context, account, accepted, { externalId, outcome: 'accepted', waits: waitMs !== null })
  if (waitMs === null) return 0
  const { idTransaction } = accepted
  const { showFinalEvent } = await import('./finalEvent.ts')
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId }, waitMs)
}

/** A retry sends what was sent before: another amount or key beside it would be ignored. Throws UsageError. */
function refuseBesideRetry(options: TransferOptions): void {
  const [, option] = NEW_TRANSFER_OPTIONS.find(([name]) => options[name] !== undefined) ?? []
  if (option === undefined) return
  throw new UsageError(t`\`--retry\` sends exactly what was sent before, so \`${option}\` cannot stand beside it`, {
    hint: t`Leave it out to go on with the earlier transfer; leave \`--retry\` out to make another one`,
  })
}

/** In production a person is asked for the number of the invoice, because an id that means something stops a second payment. */
async function externalIdOf(context: Context, typed: string | undefined, account: Account): Promise<string> {
  if (typed !== undefined) return typed
  const { settings, terminal } = context
  const isScripted = settings.yes || settings.confirm !== undefined
  if (account.environment === 'sandbox' || isScripted || !terminal.canAsk) return context.newId()
  return terminal.askText(t`Invoice number, which becomes the external id`)
}

function readKeyType(key: string, typed: string | undefined): KeyType {
  if (typed === undefined) return reading('--key', () => detectKeyType(key))
  const keyType = oneOf(KEY_TYPES, typed, '--key-type')
  reading('--key', () => checkKey(key, keyType))
  return keyType
}

function checkPaymentCode(code: string, amountCents: number): void {
  const brCode = readBrCode(code)
  if (!brCode.valid) {
    throw new UsageError(t`\`--key\`: this payment code is broken`, {
      details: brCode.errors,
      hint: t`Copy the whole code again; \`pixgate qr decode\` shows what is in it`,
    })
  }
  if (brCode.amountCents !== null && brCode.amountCents !== 0 && brCode.amountCents !== amountCents) {
    throw new UsageError(
      t`\`--amount\` is ${formatReais(amountCents)}, but the payment code asks for ${formatReais(brCode.amountCents)}`,
      { hint: t`Pay what the code asks for, or ask the receiver for another code` },
    )
  }
}

function readOwner(options: TransferOptions): string | undefined {
  const { option, typed } = eitherOption(['--owner', options.owner], ['--document', options.document])
  return typed === undefined ? undefined : reading(option, () => parseTaxDocument(notBlank(typed, option)).document)
}
