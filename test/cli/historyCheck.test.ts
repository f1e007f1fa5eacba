import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { verdictOnAnswer, verdictWithoutAnswer } from '../../src/commands/history/check.ts'
import { sandboxWorld, type World } from '../world.ts'
import { control, failureOf, inProduction, inThisProcess } from './payments.ts'
import { writeEvent, writeTransfer } from './sentPayments.ts'

async function checking() {
  const world = inThisProcess(await sandboxWorld())
  return { ...world, owner: { baseUrl: world.url } }
}

async function verdicts(world: World, words: readonly string[] = []) {
  const ran = await world.run(['history', 'check', ...words, '-o', 'json'])
  const documents = JSON.parse(ran.stdout) as { pixgate: { name: string; verdict: string } }[]
  return { exit: ran.exit, said: documents.map(({ pixgate }) => [pixgate.name, pixgate.verdict]) }
}

async function code(world: World, requestNumber: string): Promise<string> {
  const { idTransaction } = await world.json(['qr', 'create', '--amount', '5', '--request-number', requestNumber])
  return String(idTransaction)
}

it('says what is open, late, unknown and paid there, and records what it was told', async () => {
  const world = await checking()
  expect(await verdicts(world)).toEqual({ exit: 0, said: [] })
  await code(world, 'order-1')
  await control(world.url, 'pay', { id: await code(world, 'order-2') })
  const said = (verdict: string) => [
    ['order-1', 'open'],
    ['order-2', verdict],
  ]
  expect(await verdicts(world)).toEqual({ exit: 1, said: said('paid-there') })
  expect(await verdicts(world)).toEqual({ exit: 0, said: said('agrees') })
  expect(await world.json(['history', 'show', 'order-2'])).toMatchObject({
    status: 'PAID',
    paidAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    pixgate: { state: 'paid', knownBy: 'gateway' },
  })
  await writeTransfer(world, { externalId: 'old', at: '2026-01-01T00:00:00.000Z', owner: world.owner })
  expect((await verdicts(world)).exit).toBe(0)
  expect(await verdicts(world, ['--since', '1h', '--kind', 'transfer'])).toEqual({ exit: 0, said: [] })
  await control(world.url, 'fault', { kind: 'drop-after' })
  await world.run(['transfer', '--key', 'joao@example.com', '--amount', '7', '--external-id', 'doubt', '--yes'])
  const before = (await world.run(['history', 'export'])).stdout
  expect(await verdicts(world, ['--kind', 'transfer'])).toEqual({
    exit: 5,
    said: [
      ['old', 'late'],
      ['doubt', 'unknown'],
    ],
  })
  expect((await world.run(['history', 'export'])).stdout).toBe(before)
})

it('is in the order of days: a charge that was paid later comes after one that was created meanwhile', async () => {
  const world = await checking()
  const first = await code(world, 'order-1')
  await code(world, 'order-2')
  await control(world.url, 'pay', { id: first })
  await verdicts(world)
  expect((await verdicts(world)).said).toEqual([
    ['order-2', 'open'],
    ['order-1', 'agrees'],
  ])
})

it('says where the gateway contradicts what was paid, and what it does not know', async () => {
  const world = await checking()
  await code(world, 'order-1')
  await world.json(['history', 'settle', 'order-1', '--as', 'paid', '--because', 'the payer says so'])
  await control(world.url, 'pay', { id: await code(world, 'order-2') })
  await world.json(['history', 'settle', 'order-2', '--as', 'paid', '--because', 'the payer says so'])
  expect(await verdicts(world)).toEqual({
    exit: 1,
    said: [
      ['order-1', 'not-paid-there'],
      ['order-2', 'agrees'],
    ],
  })
  await fetch(`${world.url}/sandbox/reset`, { method: 'POST', body: '{}' })
  expect((await verdicts(world)).said.map(([, verdict]) => verdict)).toEqual(['not-there', 'not-there'])
})

it('leaves other accounts out', async () => {
  const world = await checking()
  await writeTransfer(world, { externalId: 'other', at: '2026-01-01T00:00:00.000Z' })
  const ran = await world.run(['history', 'check'])
  const others = `Open payments of accounts other than the one at ${world.url}: 1. Add their \`--profile\` to check them`
  expect(ran).toEqual({ exit: 0, stdout: '', stderr: `${others}\nNo payment is open\n` })
})

it('is late after an hour, or once a code is past its expiry', () => {
  const facts = { kind: 'qr', requestNumber: 'order-1', amountCents: 1050, payer: null, payerName: null } as const
  const refund = {
    kind: 'refund',
    originalTransactionId: 'x',
    amountCents: 1050,
    isWhole: false,
    refundReason: 'twice',
    callbackUrl: 'http://127.0.0.1:1/',
    idField: 'originalTransactionId',
  } as const
  const sentMs = Date.UTC(2026, 0, 1)
  const sent = { facts: refund, amountCents: 1050, summary: { state: 'accepted', sentMs } } as const
  const hour = 60 * 60_000
  expect(verdictWithoutAnswer(sent, sentMs + hour)).toBe('open')
  expect(verdictWithoutAnswer(sent, sentMs + hour + 1)).toBe('late')
  expect(verdictWithoutAnswer({ ...sent, summary: { state: 'unknown', sentMs } }, sentMs)).toBe('unknown')
  const charge = { facts, amountCents: 1050, summary: { state: 'pending', sentMs } } as const
  const nowMs = Date.UTC(2026, 0, 1)
  const answer = (fields: object) => verdictOnAnswer(charge, { amount: 10.5, ...fields }, nowMs)
  expect(answer({ status: 'PENDING', expiresAt: '2025-12-31T23:59:59Z' })).toBe('late')
  expect(answer({ status: 'PENDING', expiresAt: '2026-01-01T00:00:01Z' })).toBe('open')
  expect(answer({ status: 'EXPIRED' })).toBe('not-paid-there')
  expect(answer({ status: 'PENDING', amount: 10.49 })).toBe('differs')
})

/** A ledger with four payouts of R$ 10,50 on one day, and what `check --statement` says of a file. */
async function withStatement() {
  const world = await checking()
  const at = '2026-11-21T12:00:00.000Z'
  for (const externalId of ['a', 'b', 'c', 'd']) await writeTransfer(world, { externalId, at, owner: world.owner })
  const path = join(world.home, 'statement.csv')
  const compared = async (lines: readonly string[], words: readonly string[] = []) => {
    writeFileSync(path, [...lines, ''].join('\n'), 'latin1')
    const ran = await world.run(['history', 'check', '--statement', path, ...words, '-o', 'json'])
    const documents = JSON.parse(ran.stdout) as { pixgate: { name: string; verdict: string } }[]
    return [ran.exit, documents.map(({ pixgate }) => `${pixgate.name} ${pixgate.verdict}`)]
  }
  return { world, path, compared }
}

it('compares a statement with the ledger, its headers in any language', async () => {
  const { world, path, compared } = await withStatement()
  const body = [
    '21/11/2026;a;-10,50;PAID_OUT',
    '21/11/2026 10:00;id-b;-10,51;',
    '21/11/2026;elsewhere;R$ 1.000,00;',
    '21/11/2026;a;-10,50;',
  ]
  const named = ['data;código;valor;situação', ...body]
  const [first, last] = [
    ['b differs', 'elsewhere only-there'],
    ['a duplicate', 'a match'],
  ]
  const onlyHere = ['c only-here', 'd only-here']
  expect(await compared(named)).toEqual([1, [...first, ...onlyHere, ...last]])
  expect(await compared(named, ['--month', '2026-10'])).toEqual([1, [...first, ...last]])
  expect(await compared(named, ['--kind', 'qr'])).toEqual([1, [...first, ...last]])
  const map = ['--map', 'id=k2,amount=k3', '--map', 'status=k4,date=k1']
  expect(await compared(['k1;k2;k3;k4', ...body], map)).toEqual([1, [...first, ...onlyHere, ...last]])
  writeFileSync(path, 'id,amount\na,10.50\nid-b,10.50\nc,10.50\nid-d,10.50\n')
  const all = await world.run(['history', 'check', '--statement', path])
  expect([all.exit, all.stdout]).toEqual([0, ''])
  expect(all.stderr).toMatch(/^match: 4, R\$ 42,00 here, R\$ 42,00 there\nwarning: The statement has no dates/)
})

it('takes no credit for a payout, and reads statuses in Portuguese', async () => {
  const { world, compared } = await withStatement()
  const data = { idTransaction: 'id-a', externalId: 'a', value: 10.5, status: 'PAID_OUT' }
  await writeEvent(world, '2026-11-21T12:00:05.000Z', { event: 'transfer.completed', data }, world.owner)
  const header = 'Id da transação,Valor (R$),Status'
  expect(await compared([header, 'a,"+10,50",'])).toMatchObject([1, expect.arrayContaining(['a differs'])])
  expect(await compared([header, 'a,"-10,50",Pago', 'b,"-10,50",'])).toMatchObject([
    1,
    expect.arrayContaining(['a match', 'b match']),
  ])
  expect(await compared([header, 'a,"-10,50",Cancelado'])).toMatchObject([1, expect.arrayContaining(['a differs'])])
  expect(await compared([header, 'c,"10,50",', 'a,"-10,50",'])).toMatchObject([
    1,
    expect.arrayContaining(['c differs', 'a match']),
  ])
})

it('takes a line for evidence that money moved, unless its status says otherwise', async () => {
  const { world, path, compared } = await withStatement()
  const at = '2026-11-21T12:00:00.000Z'
  const nothing = { idTransaction: null, status: null }
  const states = ['refused', 'not-sent', 'unknown'] as const
  const ids: string[] = []
  for (const outcome of states)
    ids.push(
      await writeTransfer(world, { externalId: outcome, at, owner: world.owner, answer: { ...nothing, outcome } }),
    )
  const header = 'data;id;valor;situação'
  const lines = (status: string) => states.map((id) => `21/11/2026;${id};-10,50;${status}`)
  const [, said] = await compared([header, ...lines(''), '21/11/2026;elsewhere;-1,00;'])
  expect(said).toEqual(expect.arrayContaining(states.map((id) => `${id} differs`)))
  const { stdout } = await world.run(['history', 'check', '--statement', path, '-o', 'json'])
  const differences = JSON.parse(stdout).map(
    (each: { pixgate: { differences?: string[] } }) => each.pixgate.differences,
  )
  expect(differences.slice(0, 4)).toEqual([['status'], ['status'], ['status'], []])
  const { stderr } = await world.run(['history', 'check', '--statement', path])
  expect(stderr.match(/→ Check whether [^→]*/g)?.map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(
      `^→ Check whether line 4 of the statement is the payment .* \`pixgate history settle ${ids[2]}\``,
    ),
  ])
  const [, refused] = await compared([header, ...lines('Recusado')])
  expect(refused).toEqual(expect.arrayContaining(['refused match', 'not-sent match', 'unknown differs']))
  expect((await world.run(['history', 'check', '--statement', path])).stderr).not.toContain('settle')
})

it('notices a ledger that was replaced by an older copy, until a person accepts it', async () => {
  const world = await inProduction(await checking(), 'http://127.0.0.1:9')
  const folder = join(world.home, 'data')
  const send = (id: string) => ['transfer', '--key', 'maria@example.com', '--amount', '7', '--external-id', id]
  const sandboxed = { PIXGATE_PROFILE: 'local' }
  expect((await world.run([...send('one'), '--yes'], { env: sandboxed })).exit).toBe(0)
  cpSync(folder, join(world.home, 'older'), { recursive: true })
  expect((await world.run([...send('two'), '--again', '--yes'], { env: sandboxed })).exit).toBe(0)
  rmSync(folder, { recursive: true })
  cpSync(join(world.home, 'older'), folder, { recursive: true })
  expect(
    failureOf(await world.run(['history', 'check', '-o', 'json'], { env: { PIXGATE_BASE_URL: '' } })),
  ).toMatchObject({
    exit: 1,
    code: 'LEDGER_OLDER',
  })
  const accept = ['history', 'check', '--accept-older', '-o', 'json']
  const production = { env: { PIXGATE_BASE_URL: '' } }
  expect(failureOf(await world.run([...accept, '--yes'], production))).toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  const accepted = await world.run([...accept, '--confirm', 'prod'], production)
  expect(JSON.parse(accepted.stdout)).toMatchObject({ accepted: true, missing: 2 })
  expect((await world.run(['history', 'check', '--kind', 'qr'], production)).exit).toBe(0)
  expect((await world.run(['history', 'export'])).stdout).toContain('"type":"accepted-older"')
})

it('copies the ledger for its owner alone, and never over a file', async () => {
  const { world } = await withStatement()
  const path = join(world.home, 'backup.db')
  expect(await world.json(['history', 'backup', path])).toMatchObject({ file: path, records: 8 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(failureOf(await world.run(['history', 'backup', path, '-o', 'json']))).toMatchObject({ exit: 2 })
  const lines = (await world.run(['history', 'export'])).stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})
