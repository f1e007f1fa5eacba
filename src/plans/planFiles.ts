import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readInputFile } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type OpenPlan, readPlan } from './plan.ts'
import { isPrincipal } from './principal.ts'

/** A signature of a plan, and the name of who is said to have made it. */
export interface NamedSignature {
  principal: string
  signature: string
}

const EXTENSION = '.sig'
/** So many signatures beside a plan are read. */
const SIGNATURES_MAX = 100

/** The file of a person's signature beside that of a plan. */
export function signatureFile(file: string, principal: string): string {
  return `${file}.${principal}${EXTENSION}`
}

/** True for the name of a signature beside a plan of this name. */
function isSignatureFile(name: string, plan: string): boolean {
  return name.startsWith(`${plan}.`) && name.endsWith(EXTENSION)
}

/** Reads a plan from a file, with the signatures beside it: the maker's, and those of others. Throws UsageError. */
export function readPlanFile(file: string): { open: OpenPlan; maker: string; others: NamedSignature[] } {
  const bytes = readInputFile(file, 'plan')
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) {
    throw new UsageError(t`\`${file}\` is not a plan that can be used: it is not UTF-8`, {
      details: [t`Nothing was sent`],
      hint: t`Ask its maker to pass it on again, unchanged`,
    })
  }
  const open = readPlan(text, file)
  const signatures = readSignatures(file)
  const own = signatures.find(({ principal }) => principal === open.plan.maker)
  if (own === undefined) {
    throw new UsageError(t`The signature of ${open.plan.maker}, who made the plan, is missing`, {
      details: [t`It should be in \`${signatureFile(file, open.plan.maker)}\``, t`Nothing was sent`],
      hint: t`Ask ${open.plan.maker} to pass it on with the plan`,
    })
  }
  return { open, maker: own.signature, others: signatures.filter((each) => each !== own) }
}

function readSignatures(file: string): NamedSignature[] {
  const plan = basename(file)
  const names = readdirSync(dirname(file)).filter((name) => isSignatureFile(name, plan))
  return names
    .sort()
    .slice(0, SIGNATURES_MAX)
    .flatMap((name) => {
      const principal = name.slice(plan.length + 1, -EXTENSION.length)
      if (!isPrincipal(principal)) return []
      return [{ principal, signature: readInputFile(join(dirname(file), name), 'sshKey').toString('utf8') }]
    })
}
