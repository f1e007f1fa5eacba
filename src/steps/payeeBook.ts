import type { FindPayee } from '../batch/paymentRows.ts'
import { defineOptions, type OptionsOf } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import type { Owner } from '../ledger/accounts.ts'
import { findPayee, type KnownPayee, type Payee, payeeNames, payeeSeq } from '../ledger/payees.ts'
import type { Writer } from '../ledger/writer.ts'
import { readKeyType, readTaxDocument, readText, withName } from '../optionParsers.ts'
import { Malformed } from '../pix/expectedError.ts'
import { type DeclaredKeyType, KEY_TYPES, mayBePixKey, readPixKey, typeWithOwner } from '../pix/pixKey.ts'
import { foldedText } from '../text/foldedText.ts'
import { safeText } from '../text/safeText.ts'
import { commandArgument } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type ActiveAccount, activeAccount } from './activeAccount.ts'

/** One payee to record: as it is now, undefined if there is none, and as it will be, null if it is removed. */
interface PayeeChange {
  name: string
  before: Pick<KnownPayee, 'name' | 'seq'> | undefined
  after: Payee | null
}

/** The payee with a name. Throws a UsageError that suggests similar names. */
export async function requirePayee(context: Context, account: ActiveAccount, name: string): Promise<KnownPayee> {
  const { payee, names } = await context.read((database) => ({
    payee: findPayee(database, account, name),
    names: payeeNames(database, account),
  }))
  if (payee !== undefined) return payee
  throw unknownPayee(name, names)
}

function unknownPayee(name: string, names: readonly string[]): UsageError {
  const close = closestName(name, names)
  return new UsageError(t`There is no payee \`${name}\``, {
    hint:
      close === undefined
        ? t`Run \`pixgate payee list\` to see all payees of this account`
        : t`Did you mean \`${close}\`? Run \`pixgate payee list\` to see all payees of this account`,
  })
}

/** Records changes of payees, all or none. Throws UsageError if one was changed after it was read. */
export async function recordPayees(
  context: Context,
  account: ActiveAccount,
  changes: readonly PayeeChange[],
): Promise<void> {
  const ledger = await context.ledger()
  await ledger.write((writer) => {
    for (const change of changes) recordPayee(writer, account, change)
  })
}

function recordPayee(writer: Writer, account: ActiveAccount, { name, before, after }: PayeeChange): void {
  if (payeeSeq(writer.database, account, name) !== before?.seq) {
    throw new UsageError(t`The payee ${name} was changed while this command ran`, {
      details: [t`Nothing was changed`],
      hint: t`Look at it with \`pixgate payee show ${commandArgument(name)}\`, then run the command again`,
    })
  }
  writer.append({ type: 'payee', owner: ownerOf(account), name: before?.name ?? name, payee: after })
}

/** What most fonts draw like a letter. */
const LOOK_ALIKES = {
  ...{ a: 'АаΑα', b: 'ВвЬьΒβ', c: 'Сс', d: 'ԁ', e: 'ЕеΕε', h: 'НнҺһΗ', i: 'іıι', j: 'Јј', k: 'КкΚκ', l: '1I|ІΙ' },
  ...{
    m: 'МмΜ',
    n: 'Νη',
    o: '0ОоΟο',
    p: 'РрΡρ',
    q: 'ԛ',
    s: 'Ѕѕ',
    t: 'ТтΤτ',
    u: 'υ',
    v: 'ѵν',
    w: 'ԝω',
    x: 'ХхΧχ',
    y: 'УуΥγ',
  },
  z: 'Ζ',
}
const LETTERS = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, drawn]) => Array.from(drawn, (each) => [each, letter] as const)),
)

/** Two letters that most fonts draw like one. */
const LOOK_ALIKE_PAIRS = { rn: 'm', vv: 'w' }

/**
 * How a name looks, whatever its accents, its case, its spaces and its punctuation, also with letters in the place of those that look like them: two payees
 * of which one look is the same would be taken for each other.
 */
export function looksOfName(name: string): readonly string[] {
  // Spaces and punctuation go, except between digits: 1.1 is not 11.
  const plain =
    name.normalize('NFKD').replace(/(?<!\p{N})[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+(?!\p{N})/gu, '') || name
  const drawn = foldedText(Array.from(plain, (letter) => LETTERS.get(letter) ?? letter).join(''))
  const joined = Object.entries(LOOK_ALIKE_PAIRS).reduce((name, [pair, one]) => name.replaceAll(pair, one), drawn)
  return [foldedText(plain), joined]
}

function looksLike(name: string): (other: string) => boolean {
  const looks = looksOfName(name)
  return (other) => looksOfName(other).some((look) => looks.includes(look))
}

/** True for a name with letters of several alphabets, some of which look like others. */
export function mixesAlphabets(name: string): boolean {
  const alphabets = [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /[^\P{L}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u,
  ]
  return alphabets.filter((alphabet) => alphabet.test(name)).length > 1
}

/** The name that was probably meant: one that looks the same, else the closest one; undefined if none is close. */
function closestName(typed: string, names: readonly string[]): string | undefined {
  return names.find(looksLike(typed)) ?? nearest(typed, names)[0]
}

/** Throws UsageError if letters of a new name, or the name of another payee of the account, look like others. */
export async function assertNoLookAlike(context: Context, account: ActiveAccount, name: string): Promise<void> {
  if (mixesAlphabets(name)) {
    throw new UsageError(t`\`${name}\` has letters of several alphabets, which look alike`, {
      details: [t`Nothing was changed`],
      hint: t`Type the name with letters of one alphabet`,
    })
  }
  const names = await context.read((database) => payeeNames(database, account))
  const other = names.find(looksLike(name))
  if (other === undefined) return
  throw new UsageError(t`\`${name}\` looks like the payee \`${other}\``, {
    details: [t`Nothing was changed`],
    hint: t`Choose another name; \`pixgate payee show ${commandArgument(other)}\` shows that payee`,
  })
}

function ownerOf({ profile, environment, url, clientId }: ActiveAccount): Owner {
  return { profile, environment, baseUrl: url, clientId }
}

const TYPES_OF_PAYEES = KEY_TYPES.filter((type) => type !== 'paymentCode')

/** The options that `add` and `edit` share. */
export const PAYEE_OPTIONS = defineOptions(
  { flags: '--key <key>', description: 'PIX key, see `pixgate help keys`', parse: readText },
  {
    flags: '--key-type <type>',
    description: `${TYPES_OF_PAYEES.join(', ')} (default: detected)`,
    parse: readKeyType,
    completes: TYPES_OF_PAYEES,
  },
  {
    flags: '--owner <document>',
    description: 'CPF or CNPJ that must own the key; it is always sent',
    parse: readTaxDocument,
  },
  {
    flags: '--display-name <name>',
    description: 'the name that people see in lists and receipts',
    parse: readDisplayName,
  },
)

export type PayeeOptions = OptionsOf<typeof PAYEE_OPTIONS>

/** The name of a payee. Throws UsageError. */
export function readPayeeName(typed: string, option = '<name>'): string {
  const text = readText(typed, option)
  return withName(option, () => parsePayeeName(text))
}

/** Reads the key of a payee. Throws UsageError, also for one that may be a phone number or a mistyped CPF. */
export function readPayeeKey(
  typed: string,
  { keyType: declared, owner }: { keyType?: DeclaredKeyType | undefined; owner?: string | undefined },
): Pick<Payee, 'key' | 'keyType'> {
  const { key, keyType, isGuessedPhone } = withName('--key', () =>
    readPixKey(typed, typeWithOwner(typed, declared, owner)),
  )
  if (keyType === 'paymentCode') {
    throw new UsageError(t`\`--key\`: a payment code pays one bill, so it is no payee`, {
      hint: t`Pay it with \`pixgate transfer --key\`, or use the PIX key of the receiver`,
    })
  }
  if (isGuessedPhone) {
    throw new UsageError(t`\`--key\`: \`${key}\` could be a mobile number or a mistyped CPF`, {
      hint: t`Add \`--key-type phoneNumber\` if it is a mobile number, or correct the CPF`,
    })
  }
  return { key, keyType }
}

function readDisplayName(typed: string, option?: string): string {
  const text = readText(typed, option)
  return withName(option, () => parseDisplayName(text))
}

const NAME_CHARACTERS_MAX = 64
const DISPLAY_NAME_CHARACTERS_MAX = 200

/**
 * The name of a payee, without outer spaces. Throws Malformed for one that a person could take for something else: too long, with an invisible
 * character, a formula of a spreadsheet, or a PIX key, which may belong to somebody else.
 */
export function parsePayeeName(typed: string): string {
  const name = typed.trim()
  if (name.length > NAME_CHARACTERS_MAX) {
    throw new Malformed(
      t`The name of a payee has at most ${NAME_CHARACTERS_MAX} characters`,
      t`Use a short name, and a display name for the whole one`,
    )
  }
  assertShownAsItIs(name)
  if (mayBePixKey(name)) {
    throw new Malformed(t`\`${name}\` is a PIX key, not a name`, t`Use a short name, such as \`acme\``)
  }
  return name
}

/** The name that people see of a payee, without outer spaces. Throws Malformed like {@link parsePayeeName}, except for a key. */
export function parseDisplayName(typed: string): string {
  const name = typed.trim()
  if (name.length > DISPLAY_NAME_CHARACTERS_MAX) {
    throw new Malformed(
      t`The display name of a payee has at most ${DISPLAY_NAME_CHARACTERS_MAX} characters`,
      t`Shorten it`,
    )
  }
  assertShownAsItIs(name)
  return name
}

function assertShownAsItIs(name: string): void {
  if (/^[=+\-@']/.test(name)) {
    throw new Malformed(
      t`\`${name}\` begins with \`${name.slice(0, 1)}\`, so a spreadsheet would take it for a formula`,
      t`Begin the name with a letter or a digit`,
    )
  }
  if (safeText(name) === name) return
  throw new Malformed(t`\`${name}\` has an invisible character in it`, t`Type the name again`)
}

/** The most comparisons of unknown names of a file with those of payees that are made for suggestions; 100,000 take about a second. */
const COMPARISONS_MAX = 200_000

/** Looks up the payees that the rows of a file name in the ledger of the active account, which is chosen at the first one. */
export function payeeFinder(context: Context): FindPayee {
  let account: ReturnType<typeof activeAccount> | undefined
  let names: readonly string[] | undefined
  let comparisons = 0
  return async (name) => {
    account ??= activeAccount(context)
    const [ledger, own] = await Promise.all([context.ledger(), account])
    const payee = await ledger.read((database) => findPayee(database, own, name))
    if (payee !== undefined) return { payee }
    if (comparisons > COMPARISONS_MAX) return { payee: null, close: undefined }
    names ??= await ledger.read((database) => payeeNames(database, own))
    comparisons += names.length
    return { payee: null, close: closestName(name, names) }
  }
}
