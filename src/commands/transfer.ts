import type { Context } from '../context.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { readAmount, readTaxDocument, readText } from '../optionParsers.ts'
import { assertCanSend } from '../payments/consent.ts'
import { previewPayment } from '../payments/preview.ts'
import { KEY_TYPES } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { CALLBACK_URL_OPTION, callbackUrl } from './callbackUrl.ts'
import { defineCommand, defineOptions, type OptionsOf } from './command.ts'
import { DRY_RUN_OPTION } from './dryRun.ts'
import { readPayeeName } from './payee/options.ts'
import { payTransfer } from './payTransfer.ts'
import { PLAN_OPTIONS } from './plan/planOptions.ts'
import { promptFor } from './requiredValue.ts'
import { resumeTarget } from './resumeTarget.ts'
import { readDestination } from './transferDestination.ts'
import { readExternalId, resumeTransferById } from './transferSteps.ts'
import { TRANSFER_WAIT, waitOption } from './waitOptions.ts'

/** The options that describe a new transfer, which `--retry` excludes. */
const NEW_TRANSFER_OPTIONS = [
  '--key',
  '--to',
  '--amount',
  '--value',
  '--key-type',
  '--external-id',
  '--owner',
  '--document',
  '--callback-url',
  '--again',
  '--in-addition-to',
]

const OPTIONS = defineOptions(
  {
    flags: '--key <key>',
    description: 'PIX key of the receiver, see `pixgate help keys`',
    parse: readText,
  },
  {
    flags: '--to <name>',
    description: 'payee, in place of a key and its owner',
    parse: readPayeeName,
    completes: 'payees',
    conflicts: {
      options: ['--key', '--key-type', '--owner', '--document'],
      message: (other) =>
        t`\`--to\` names a payee, which has its own key and owner, so it cannot be combined with \`${other}\``,
      hint: (other) => t`Omit \`${other}\`; \`pixgate payee edit --help\` shows how to change a payee`,
    },
  },
  {
    flags: '--amount <amount>',
    description: 'amount in reais, such as 1.234,56 (alias --value)',
    parse: readAmountText,
  },
  { flags: '--value <amount>', description: 'alias of --amount', aliasOf: '--amount', parse: readAmountText },
  { flags: '--key-type <type>', description: `${KEY_TYPES.join(', ')} (default: detected)`, choices: KEY_TYPES },
  {
    flags: '--external-id <id>',
    description: 'your id for this transfer; the gateway carries out each id only once (default: generated)',
    parse: readText,
  },
  {
    flags: '--owner <document>',
    description: 'CPF or CNPJ that must own the key (alias --document)',
    parse: readTaxDocument,
  },
  { flags: '--document <document>', description: 'alias of --owner', aliasOf: '--owner', parse: readTaxDocument },
  CALLBACK_URL_OPTION,
  { flags: '--again', description: 'allow a repeat of an earlier payment, in a sandbox' },
  {
    flags: '--in-addition-to <external-id>',
    description: 'allow a repeat of this earlier payment (repeatable)',
    repeatable: true,
  },
  {
    flags: '--retry <external-id>',
    description: 'send a transfer with an unknown outcome again, like pixgate resume',
    parse: readExternalId,
    conflicts: {
      options: NEW_TRANSFER_OPTIONS,
      message: (other) => t`\`--retry\` sends exactly what was sent before, so it cannot be combined with \`${other}\``,
      hint: (other) => t`Omit \`${other}\` to continue the earlier transfer, or omit \`--retry\` to make a new one`,
    },
  },
  { flags: '--include-unknown', description: 'with --retry: also if it was sent over 24 hours ago' },
  waitOption('wait for the event with the result', TRANSFER_WAIT),
  DRY_RUN_OPTION,
  ...PLAN_OPTIONS,
)

type TransferOptions = OptionsOf<typeof OPTIONS>

export const transfer = defineCommand({
  options: OPTIONS,
  examples: [
    ['pixgate transfer --key maria@example.com --amount 150,00', 'asks before it sends'],
    ['pixgate transfer --to maria --amount 150,00', 'a payee, see `pixgate payee add --help`'],
    [
      'pixgate transfer --key 529.982.247-25 --owner 529.982.247-25 --amount 10 --yes',
      'send without asking, in a sandbox',
    ],
    ['pixgate transfer --to maria --amount 10 --external-id invoice-17 --dry-run', 'show the exact request'],
  ],
  run: sendTransfer,
})

async function sendTransfer(context: Context, options: TransferOptions): Promise<number> {
  const { dryRun: isDryRun, wait: waitMs = null } = options
  if (options.retry !== undefined) {
    const { includeUnknown } = options
    const target = await resumeTarget(context, 'pixgate transfer --retry', options.retry)
    if ('run' in target) throw runIsNotRetried(target.run.record.run)
    const plan = options.plan === undefined ? {} : { plan: options }
    return resumeTransferById(context, target.id, { isDryRun, waitMs, includeUnknown, ...plan })
  }
  if (options.plan !== undefined) context.forgoSecret()
  const account = await context.account()
  assertCanSend(account)
  const target = await callbackUrl(context, account, options.callbackUrl)
  const { isGuessedPhone, ...destination } = await readDestination(context, options)
  const typedId = options.externalId ?? (await askExternalId(context, account))
  const [externalId, isIdMadeUp] = typedId === undefined ? [context.newId(), true] : [typedId, false]
  const facts: TransferPayment = {
    kind: 'transfer',
    ...destination,
    callbackUrl: target,
  }
  const payments = await context.payments()
  if (options.plan === undefined) {
    return payTransfer(context, payments, { facts, externalId, isGuessedPhone, isIdMadeUp }, options)
  }
  const planned = { facts, externalId, payment: null, run: null, originalCents: null, isIdMadeUp }
  await previewPayment(payments, planned, options)
  const draft = { kind: 'transfer', payments: [{ facts, externalId }], repeats: options } as const
  const { makePlan } = await import('./plan/makePlan.ts')
  return makePlan(context, payments, draft, options)
}

function runIsNotRetried(run: string): UsageError {
  return new UsageError(t`\`${run}\` is a batch, and \`--retry\` is for one transfer`, {
    hint: t`Run \`pixgate resume ${run}\` to continue it`,
  })
}

/** Asks for the invoice number in production, because a meaningful id prevents a second payment. */
async function askExternalId({ settings, terminal }: Context, account: Account): Promise<string | undefined> {
  const isScripted = settings.yes || settings.confirm !== undefined
  if (account.environment === 'sandbox' || isScripted || !terminal.canAsk) return undefined
  return promptFor(terminal, t`Invoice number (used as the external id)`, readText)
}

function readAmountText(typed: string, name: string): number {
  return readAmount(readText(typed, name), name)
}
