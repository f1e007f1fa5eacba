import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { TestPostgres } from '../postgres.ts'
import { type ProcessResult, sandboxWorld, type World } from '../world.ts'
import { approverLine, intoLocalLedger, intoSharedLedger, recordsOf, type WriteByHand } from './forgedRecords.ts'
import { carriedOut, failureOf, inThisProcess } from './payments.ts'
import type { Door } from './planDoors.ts'
import { certifiedSignature, nameOf, type Person, rewrite, signatureOf } from './planPeople.ts'
import { startTeam } from './teamDesks.ts'

/** The people of the matrix; the list has Maria with two keys, João, and an old key. */
export type Cast = Readonly<Record<'maria' | 'second' | 'joao' | 'old' | 'eva', Person>>

/** One ledger, one way to pay, and what is refused there. */
export interface MatrixStage {
  cast: Cast
  url: string
  /** Who makes and sends, and who approves: another machine with another login, or the same one without a shared ledger. */
  host: World
  approver: World
  write: WriteByHand
  /** Of who approves, with a shared ledger. */
  login?: string
  /** The file of the list, and its text. */
  approvers: string
  list: string
}

/** A plan that Maria made, in a file. */
interface Cell extends MatrixStage {
  file: string
  text: string
  /** The words that would pay without a plan. */
  words: readonly string[]
}

const YES = ['--yes', '-o', 'json']
const send = ({ host, file }: Cell, env: Record<string, string> = {}) =>
  host.run(['plan', 'send', file, ...YES], { env })
const approve = ({ approver, file }: Cell, key: string, env: Record<string, string> = {}) =>
  approver.run(['plan', 'approve', file, '--ssh-key', key, ...YES], { env })

/** Sends a plan with another approval: beside its file, or written by hand into a shared ledger, where a file counts for nothing. */
async function sendApproved(
  cell: Cell,
  principal: string,
  signature: string,
  env: Record<string, string> = {},
): Promise<ProcessResult> {
  writeFileSync(`${cell.file}.${principal}.sig`, signature)
  if (cell.login !== undefined) {
    const plan = nameOf(cell.file)
    const { owner } = recordsOf(cell.url)
    const content = { type: 'plan-approval', plan, owner, approver: principal, signature } as const
    if (cell.text === readFileSync(cell.file, 'utf8')) await cell.write([{ content, login: cell.login }])
  }
  return send(cell, env)
}

/** Sends a plan whose text was changed, signed again by both. */
function sendChanged(cell: Cell, change: (text: string) => string): Promise<ProcessResult> {
  rewrite(cell.file, 'maria', cell.cast.maria, change)
  return sendApproved(cell, 'joao', signatureOf(cell.cast.joao, readFileSync(cell.file, 'utf8')))
}

/** Sends an approved plan while the list of approvers is another one. */
function sendWithList(cell: Cell, list: string): Promise<ProcessResult> {
  writeFileSync(cell.approvers, list)
  return sendApproved(cell, 'joao', signatureOf(cell.cast.joao, cell.text))
}

/** What a shared ledger says of a file whose text nobody planned there. */
const NOT_THERE = /^The shared ledger does not have the plan in /

/** What is tried with a plan, and the one sentence that says what is wrong, also with a shared ledger. Every command exits with 2. */
export const BAD_INPUTS: readonly [string, (cell: Cell) => Promise<ProcessResult>, RegExp, RegExp?][] = [
  ['no plan', ({ host, words }) => host.run([...words, ...YES]), /needs the approval of a second person/],
  ['no approval', (cell) => send(cell), /^The plan plan-\w{16} is not approved$/],
  [
    'one changed byte',
    async (cell) => {
      writeFileSync(`${cell.file}.joao.sig`, signatureOf(cell.cast.joao, cell.text))
      writeFileSync(cell.file, cell.text.replace('"maker": "maria"', '"maker": "naria"'))
      writeFileSync(`${cell.file}.naria.sig`, readFileSync(`${cell.file}.maria.sig`))
      return send(cell)
    },
    /^The signature of naria is not valid .*: its key is that of maria in the list of approvers$/,
    NOT_THERE,
  ],
  [
    'one changed byte of a request',
    async (cell) => {
      writeFileSync(`${cell.file}.joao.sig`, signatureOf(cell.cast.joao, cell.text))
      writeFileSync(
        cell.file,
        cell.text.replace('"callbackUrl":"http://127.0.0.1:1/', '"callbackUrl":"http://127.0.0.1:2/'),
      )
      return send(cell)
    },
    /^The signature of maria is not valid for the plan plan-\w{16}: it is for another text$/,
    NOT_THERE,
  ],
  [
    'another account',
    (cell) => sendChanged(cell, (text) => text.replace('"clientId":"local"', '"clientId":"other"')),
    /is for another account: other at /,
    NOT_THERE,
  ],
  [
    'a request twice',
    (cell) =>
      sendChanged(cell, (text) =>
        text
          .replace(/("requests": \[\n)( {4}\{.*\})/, '$1$2,\n$2')
          .replace(/"totalCents": (\d+)/, (_, cents) => `"totalCents": ${2 * Number(cents)}`),
      ),
    /request 2 is in it twice$/,
  ],
  [
    'larger than the limit',
    async (cell) => {
      writeFileSync(cell.file, cell.text + ' '.repeat(16 * 1024 * 1024))
      return send(cell)
    },
    /16 MiB/,
  ],
  [
    'an expired plan',
    (cell) => sendChanged(cell, (text) => text.replace(/"expiresAt": "20\d\d/, '"expiresAt": "2019')),
    /^The plan plan-\w{16} expired at /,
    NOT_THERE,
  ],
  [
    'a signature of another namespace',
    (cell) => sendApproved(cell, 'joao', signatureOf(cell.cast.joao, cell.text, 'git')),
    /it is for `git`, not for `pixgate`$/,
  ],
  [
    'a signature of another file',
    (cell) => sendApproved(cell, 'joao', signatureOf(cell.cast.joao, 'another file')),
    /^The signature of joao is not valid .*: it is for another text$/,
  ],
  [
    'an expired key',
    (cell) => sendApproved(cell, 'old', signatureOf(cell.cast.old, cell.text)),
    /^The signature of old .*: its key has expired, or is not valid yet$/,
  ],
  [
    'a certificate',
    (cell) => sendApproved(cell, 'joao', certifiedSignature(cell.cast.joao, cell.cast.eva, cell.text)),
    /^The signature of joao .*: it was made with a certificate, and only plain keys are accepted$/,
  ],
  [
    'a key that the list does not have',
    (cell) => sendApproved(cell, 'eva', signatureOf(cell.cast.eva, cell.text)),
    /the list of approvers does not have the key SHA256:/,
  ],
  [
    "the maker's second key under another name",
    (cell) => sendApproved(cell, 'joao', signatureOf(cell.cast.second, cell.text)),
    /^The signature of joao .*: its key is that of maria in the list of approvers$/,
  ],
  [
    "the maker's second key",
    (cell) => approve(cell, cell.cast.second.file),
    /^maria made the plan plan-\w{16} and cannot approve it, too$/,
  ],
  [
    'a pattern in the list',
    (cell) => sendWithList(cell, approverLine('maria', cell.cast.maria) + approverLine('*', cell.cast.joao)),
    /line 2: `\*` is a pattern, and each line must name one person$/,
  ],
  [
    'a key twice in the list',
    (cell) => sendWithList(cell, cell.list + approverLine('ana', cell.cast.joao)),
    /line 5: it has the key of line 3 again$/,
  ],
  ['a changed list', (cell) => sendWithList(cell, `${cell.list}# changed\n`), /was changed since it was set$/],
  ['an empty list', (cell) => sendWithList(cell, ''), /has no keys$/],
  [
    'a certificate authority in the list',
    (cell) => sendWithList(cell, cell.list.replace(' namespaces', ' cert-authority,namespaces')),
    /line 1: it has a certificate authority$/,
  ],
  [
    'an approval after the rejection',
    async (cell) => {
      await cell.approver.prepare(['plan', 'reject', cell.file, '--because', 'it is paid'])
      const refused = await approve(cell, cell.cast.joao.file)
      expect(refused.exit).toBe(2)
      return sendApproved(cell, 'joao', signatureOf(cell.cast.joao, cell.text))
    },
    /^The plan plan-\w{16} was rejected by .*: it is paid$/,
  ],
  [
    'a lowered rule',
    async ({ write, url, host, words }) => {
      await write([recordsOf(url).ruleSet(0, 100_000_000)])
      return host.run([...words, ...YES])
    },
    /needs the approval of a second person/,
  ],
  [
    'no ssh-keygen',
    async (cell) => {
      return sendApproved(cell, 'joao', signatureOf(cell.cast.joao, cell.text), { PATH: cell.host.home })
    },
    /^`ssh-keygen`, which signs and verifies plans, failed: it could not be started: it does not exist \(ENOENT\)$/,
  ],
  [
    'an agent that is gone',
    async (cell) => {
      // The private half of this key is in an agent.
      const half = join(cell.approver.home, 'half.pub')
      copyFileSync(`${cell.cast.joao.file}.pub`, half)
      return approve(cell, half, { SSH_AUTH_SOCK: join(cell.approver.home, 'no-agent') })
    },
    /^`.*half\.pub` could not sign the plan$/,
  ],
]

/** The list: Maria with two keys, João, and a key that has expired. */
function listOf({ maria, second, joao, old }: Cast): string {
  return (
    approverLine('maria', maria) +
    approverLine('maria', second) +
    approverLine('joao', joao) +
    approverLine('old', old, ',valid-before="20200101"')
  )
}

/** A stage without a shared ledger, or with one if there is a server. */
export async function newStage(cast: Cast, postgres?: TestPostgres): Promise<MatrixStage> {
  if (postgres === undefined) {
    const sandbox = await sandboxWorld({}, {}, onTestFinished)
    const host = inThisProcess(sandbox)
    return stageOf(cast, { url: sandbox.url, host, approver: host, write: intoLocalLedger(host) })
  }
  const team = await startTeam(postgres)
  const [host, approver] = [await team.joinedDesk(), await team.joinedDesk()]
  const write = intoSharedLedger(postgres, team.database, host.login)
  return stageOf(cast, {
    ...{ url: team.url, host: inThisProcess(host), approver: inThisProcess(approver) },
    ...{ write, login: approver.login },
  })
}

function stageOf(cast: Cast, parts: Pick<MatrixStage, 'url' | 'host' | 'approver' | 'write' | 'login'>): MatrixStage {
  const list = listOf(cast)
  const approvers = join(parts.host.home, 'approvers')
  writeFileSync(approvers, list)
  return { cast, approvers, list, ...parts }
}

/** Tries bad inputs at one door: each is refused and sends nothing, and the genuine plan beside it is sent exactly once. Returns how many were tried. */
export async function tryDoor(stage: MatrixStage, door: Door, bad: typeof BAD_INPUTS): Promise<number> {
  const { url, host, cast, write, approvers, list } = stage
  const payments = await door.prepare(stage, bad.length)
  const records = recordsOf(url)
  await write([records.approversSet(null, list, approvers), records.ruleSet(null, 0)])
  for (const [index, [what, attempt, alone, shared = alone]] of bad.entries()) {
    const message = stage.login === undefined ? alone : shared
    const words = payments[index] ?? []
    const cell = await makePlan(stage, words, `plan-${index}.json`)
    const before = await count(url)
    const failure = failureOf(await attempt(cell))
    expect([door.name, what, failure.exit, failure.message]).toEqual([
      door.name,
      what,
      2,
      expect.stringMatching(message),
    ])
    expect([what, await count(url)]).toEqual([what, before])
    restore(cell)
    const isRejected = what.includes('rejection')
    const genuine = isRejected ? await makePlan(stage, words, `plan-${index}-again.json`) : cell
    expect([what, (await approve(genuine, cast.joao.file)).stderr]).toEqual([what, ''])
    const sent = await send(genuine)
    expect([what, sent.exit, sent.stderr.replace(/.*does not count.*\n/g, '')]).toEqual([what, 0, ''])
    expect([what, await count(url)]).toEqual([what, before + 1])
    expect([what, (await send(genuine)).exit]).toEqual([what, 2])
    expect([what, await count(url)]).toEqual([what, before + 1])
  }
  await host.prepare(['history', 'check'])
  return bad.length
}

async function makePlan(stage: MatrixStage, words: readonly string[], name: string): Promise<Cell> {
  const file = join(stage.host.home, name)
  await stage.host.prepare([...words, '--plan', file, '--ssh-key', stage.cast.maria.file])
  expect(nameOf(file)).toMatch(/^plan-/)
  return { ...stage, file, text: readFileSync(file, 'utf8'), words }
}

/** The plan, its maker's signature and the list are as they were, and nothing else is beside them. */
function restore({ file, text, approvers, list, cast, host }: Cell): void {
  for (const name of readdirSync(host.home)) {
    if (join(host.home, name).startsWith(`${file}.`)) rmSync(join(host.home, name))
  }
  writeFileSync(file, text)
  writeFileSync(`${file}.maria.sig`, signatureOf(cast.maria, text))
  writeFileSync(approvers, list)
}

/** How many payments the gateway carried out. */
async function count(url: string): Promise<number> {
  const { transfers, refunds } = await carriedOut(url)
  return transfers.length + refunds.length
}
