import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTo } from '../ledger/storedLedger.ts'
import type { HostileOutside } from './hostileOutside.ts'
import type { Person } from './planPeople.ts'

/** The name of the company and the reference of a run, with formulas at their beginnings and behind separators. */
export const COMPANY = '=1+1;=1+1'
const REFERENCE = '=1+1;=1+1,=1+1'

/** What was paid to hostile payees. */
export interface HostileParties {
  /** A run that a second person approved, whose rows name payees. */
  run: string
  /** Its plan, and the file of the batch. */
  plan: string
  file: string
  maker: Person
  approver: Person
}

/**
 * Has a member of the team write a payee for each text, as psql can, whose name, display name and, in a transfer, external id are the text; a refund for each, whose reason it
 * is, for one text in `typedEach`; and a batch to all payees, with a hostile reference and file name, that one person requests and another approves.
 */
export async function hostileParties(
  { run, world, owner }: HostileOutside,
  texts: readonly string[],
  { maker, approver, typedEach = 1 }: { maker: Person; approver: Person; typedEach?: number },
): Promise<HostileParties> {
  const named = texts.map((text, place) => ({ text, name: `${text} ${place}`, handle: `payee-${place}`, place }))
  await writeTo(world, (writer) => {
    for (const { text, name, handle, place } of named) {
      const payee = {
        displayName: text,
        key: `q${place}@example.com`,
        keyType: 'email' as const,
        documentValidation: null,
      }
      for (const each of [name, handle])
        writer.append({ type: 'payee', owner, name: each, payee: { ...payee, name: each } })
    }
  })
  for (const { text, name, place } of named) {
    // What nobody can type is in the display names.
    if (place % typedEach !== 0 || /\p{Cc}/u.test(text)) continue
    const id = `${text}-${place}`
    await run('transfer', `--to=${name}`, '--amount', `${place + 1}`, `--external-id=${id}`, '--yes', '--again')
    await run('refund', randomUUID(), `--reason=${text}`, '--amount', `${place + 1}`, '--skip-query', '--yes')
  }
  const file = join(world.home, '=1+1;=1+1.csv')
  writeFileSync(file, `payee,value\n${named.map(({ handle, place }) => `${handle},"${1000 + place},00"`).join('\n')}\n`)
  const plan = join(world.home, 'hostile.plan.json')
  const made = await run('batch', 'transfer', file, `--reference=${REFERENCE}`, '--plan', plan, '--ssh-key', maker.file)
  const approved = await run('plan', 'approve', plan, '--ssh-key', approver.file, '--yes')
  const sent = await run('plan', 'send', plan, '--yes', '-o', 'json')
  const last = JSON.parse(sent.stdout.trimEnd().split('\n').at(-1) ?? 'null')
  if (last?.type !== 'summary') throw new Error([made, approved, sent].map(({ stderr }) => stderr).join('\n'))
  return { run: String(last.run), plan, file, maker, approver }
}
