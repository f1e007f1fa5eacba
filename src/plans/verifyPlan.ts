import type { EnvironmentVariables } from '../programInfo.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type AllowedSigners, NAMESPACE, signerOf } from './allowedSigners.ts'
import type { OpenPlan } from './plan.ts'
import type { NamedSignature } from './planFiles.ts'
import { isSigned, isSignedBy } from './sshKeygen.ts'
import { fingerprintOf, keyTypeOf, readSshSignature } from './sshSignature.ts'

/** What signatures are verified with. */
export interface Verification {
  /** The list that is in force; null if there is none, so that any key but the maker's approves. */
  list: AllowedSigners | null
  /** The file of revoked keys beside the list; null if there is none. */
  revoked: string | null
  /** When the keys must have been valid, in ms. */
  atMs: number
  env: EnvironmentVariables
}

/** Verifies who made a plan, and returns the Base64 of the maker's key. Throws UsageError that says what is wrong. */
export async function verifyMaker(open: OpenPlan, signature: string, verification: Verification): Promise<string> {
  return verify(open, { principal: open.plan.maker, signature }, verification)
}

/**
 * Verifies an approval and returns the Base64 of the approver's key. It must be of another person than the maker, with another key. Throws UsageError that
 * says what is wrong.
 */
export async function verifyApproval(
  open: OpenPlan,
  makerKey: string,
  approval: NamedSignature,
  verification: Verification,
): Promise<string> {
  const key = await verify(open, approval, verification)
  assertSecondPerson(open, makerKey, { principal: approval.principal, key }, verification.list)
  return key
}

/** Throws UsageError if a person or a key is the maker's own. Without a list names prove nothing, so only keys are compared. */
export function assertSecondPerson(
  { id, shown, plan }: OpenPlan,
  makerKey: string,
  { principal, key }: { principal: string; key: string },
  list: AllowedSigners | null,
): void {
  const isSameName = list !== null && principal === plan.maker
  if (!isSameName && key !== makerKey) return
  throw new UsageError(
    isSameName
      ? t`${principal} made the plan ${id} and cannot approve it, too`
      : t`The key of ${plan.maker}, who made the plan ${id}, cannot approve it, too`,
    {
      details: [t`Nothing was sent or changed`],
      hint: t`Ask a second person to run \`pixgate plan approve ${commandArgument(shown)}\` with a key of their own`,
    },
  )
}

async function verify(
  { id, text }: OpenPlan,
  { principal, signature }: NamedSignature,
  { list, revoked, atMs, env }: Verification,
): Promise<string> {
  const fail = (why: string) =>
    new UsageError(t`The signature of ${principal} is not valid for the plan ${id}: ${why}`, {
      details: [t`Nothing was sent or changed`],
      hint: t`Ask ${principal} for the plan and the signature again, unchanged`,
    })
  const read = readSshSignature(signature)
  if (read === undefined) throw fail(t`it is not an SSH signature`)
  const { key, namespace } = read
  if (namespace !== NAMESPACE) throw fail(t`it is for \`${namespace}\`, not for \`${NAMESPACE}\``)
  // One key can have any number of certificates, each of which would pass for another key.
  if (keyTypeOf(key)?.includes('-cert-'))
    throw fail(t`it was made with a certificate, and only plain keys are accepted`)
  if (list === null) {
    if (!(await isSigned(text, signature, env))) throw fail(t`it is for another text`)
    return key
  }
  const signer = signerOf(list, key)
  if (signer === undefined) throw fail(t`the list of approvers does not have the key ${fingerprintOf(key)}`)
  if (signer.principal !== principal) throw fail(t`its key is that of ${signer.principal} in the list of approvers`)
  if (await isSignedBy(text, signature, principal, { ...list, revoked, atMs }, env)) return key
  // OpenSSH's exit code does not say why.
  if (!(await isSigned(text, signature, env))) throw fail(t`it is for another text`)
  throw fail(t`its key has expired, is not valid yet, or was revoked`)
}
