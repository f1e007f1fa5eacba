import { join } from 'node:path'
import { expect } from 'vitest'
import { type RefundPayment, requestBody, type TransferPayment } from '../../src/ledger/facts.ts'
import type { SharedRecord } from '../../src/ledger/team/sharedRecords.ts'
import { saoPauloDay } from '../../src/pix/calendar.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import { type Written, writeByHand } from '../ledger/team/newRecords.ts'
import { connected, itOnPostgres, soon, type TestPostgres, withPostgres } from '../postgres.ts'
import { workbookText } from '../workbookText.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, failureOf, inThisProcess, paidPayment } from './payments.ts'
import { type Desk, startTeam, type Team, transferTo } from './teamDesks.ts'
import { hmac } from './webhookTarget.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

async function recordsOf(team: Team, { login }: Desk): Promise<SharedRecord[]> {
  return (await connected(postgres.address(login, team.database))).recordsAfter(0, 1000, soon())
}

/** The next number of an event. */
async function nextNumber(team: Team, desk: Desk): Promise<number> {
  return (await recordsOf(team, desk)).filter(({ type }) => type === 'event').length + 1
}

/** The record of an event as a listener writes it, with differences from what its bytes say. */
function eventOf(url: string, n: number, body: string, signature: string, differences: object = {}): Written {
  const { happenedAt, ...facts } = readEventFacts(body) ?? {}
  const content = {
    ...{ type: 'event', n, duplicateOf: null, isSigned: true, via: 'listen', target: '/' },
    owner: { profile: null, environment: 'sandbox', baseUrl: url, clientId: 'local' },
    headers: [['X-Signature', signature]],
    bodyBase64: Buffer.from(body).toString('base64'),
    ...facts,
    ...differences,
  }
  return { type: 'event', content: JSON.stringify(content) }
}

function transferBody(idTransaction: string, status: string, value = 5): string {
  const isPaid = status === 'PAID_OUT'
  return JSON.stringify({
    event: isPaid ? 'transfer.completed' : 'transfer.failed',
    data: {
      ...{ idTransaction, typeTransaction: 'PIX_CASHOUT', statusTransaction: status, value },
      ...(isPaid
        ? { destinationName: 'MARIA', destinationTaxId: '52998224725', destinationBank: 'B' }
        : { errorCode: 'KEY_NOT_FOUND', errorMessage: 'no' }),
    },
  })
}

const FORGED = '00'.repeat(32)
const repeat = { exit: 2, outcome: 'not-sent' }

async function idOf(desk: Desk, externalId: string): Promise<string> {
  const [payment] = JSON.parse(`[${await desk.prepare(['history', 'show', externalId, '-o', 'json'])}]`)
  return payment.idTransaction
}

itOnPostgres('frees nothing by an event that the paying machine cannot verify, and names it', async () => {
  const team = await startTeam(postgres)
  const desk = inThisProcess(await team.joinedDesk())
  const ana = await postgres.newLogin('pixgate_member')
  await desk.prepare(transferTo('v@example.com', 'one'))
  const file = csvIn(desk, 'b.csv', 'key,value', ['v@example.com,5'])
  const original = await paidPayment(team.url, 30)
  const refund = ['refund', original, '--amount', '20', '--reason', 'broken', '--yes']
  const { idTransaction: refunded } = JSON.parse(await desk.prepare([...refund, '-o', 'json']))
  const id = await idOf(desk, 'one')
  const failed = transferBody(id, 'ERROR')
  const returned = JSON.stringify({
    event: 'refund.status',
    data: { idTransaction: refunded, originalTransactionId: original, status: 'FAILED', amount: 20 },
  })
  const first = await nextNumber(team, desk)
  const { url } = team
  await writeByHand(postgres, team.database, ana, [
    eventOf(url, first, failed, FORGED),
    // What its bytes do not say, which a secret may have signed.
    eventOf(url, first + 1, transferBody(id, 'PAID_OUT'), hmac(transferBody(id, 'PAID_OUT'), 'local-secret'), {
      status: 'ERROR',
      event: 'transfer.failed',
    }),
    eventOf(url, first + 1, failed, hmac(failed, 'another-secret'), { idTransaction: 'else' }),
    eventOf(url, first + 1, failed, FORGED, { amountCents: Number.MAX_SAFE_INTEGER }),
    eventOf(url, first + 1, 'junk', FORGED, { status: 'ERROR', idTransaction: id, subject: 'transfer' }),
    // No number is left after this one.
    eventOf(url, Number.MAX_SAFE_INTEGER, failed, FORGED),
    { ...eventOf(url, first + 1, failed, FORGED), at: '2020-01-01T00:00:00.000Z' },
    eventOf(url, first + 2, failed, hmac(failed, '')),
    eventOf(url, first + 3, failed, ''),
    eventOf(url, first + 4, returned, FORGED),
    {
      type: 'clock',
      content: JSON.stringify({ type: 'clock', environment: 'sandbox', gatewayAt: '2026-01-01T00:00:00.000Z' }),
      at: '2026-01-01T00:00:00.000Z',
    },
  ])
  const before = await team.booked()
  const plan = [...transferTo('v@example.com', 'plan'), '--plan', `${desk.home}/p.json`]
  for (const args of [transferTo('v@example.com', 'two'), plan, refund, ['resume', 'one', '--yes']]) {
    const result = await desk.run([...args, '-o', 'json'])
    expect([args[0], failureOf(result)]).toEqual([args[0], expect.objectContaining(repeat)])
  }
  const batch = await desk.run(['batch', 'transfer', file, '--yes'])
  expect([batch.exit, await team.booked()]).toEqual([expect.not.stringMatching('^0$'), before])
  expect((await carriedOut(team.url)).refunds).toHaveLength(1)
  const shown = JSON.parse(await desk.prepare(['history', 'show', 'one', '-o', 'json']))
  expect(shown.pixgate).toMatchObject({ state: 'not-paid', verified: false })

  const named = new RegExp(`Event ${first}, recorded by ${ana} on .* does not match the client secret`)
  const question = await desk.run(transferTo('other@example.com', 'three'))
  const check = await desk.run(['history', 'check'])
  const doctor = await desk.run(['doctor'])
  for (const { stderr, stdout } of [question, check, doctor]) expect(stderr + stdout).toMatch(named)
  // Five of them are no records of events, by their facts or their numbers, and one is a clock that no server had.
  expect([...check.stderr.matchAll(/Record \d+ of the shared ledger, written by/g)]).toHaveLength(6)
  expect(check.stderr).not.toContain('damaged')
  // A desk that copies everything anew sees the same.
  const anew = inThisProcess(await team.joinedDesk())
  expect(failureOf(await anew.run([...transferTo('v@example.com', 'two'), '-o', 'json']))).toMatchObject(repeat)

  // What the gateway signed frees, whoever recorded it.
  const genuine = transferBody(id, 'ERROR', 5).replace('"no"', '"not found"')
  await writeByHand(postgres, team.database, ana, [eventOf(url, first + 5, genuine, hmac(genuine, 'local-secret'))])
  await desk.prepare(transferTo('v@example.com', 'two'))
  expect(await team.booked()).toHaveLength(before.length + 2)
})

itOnPostgres(
  'keeps a payment at the time at which the server stored it, and a payee waiting from then on',
  async () => {
    const team = await startTeam(postgres)
    const desk = inThisProcess(await team.joinedDesk())
    const ana = await postgres.newLogin('pixgate_member')
    await desk.prepare([
      'profile',
      'add',
      'shop',
      '--base-url',
      team.url,
      '--client-id',
      'local',
      '--no-test',
      '--client-secret-command',
      'echo local-secret',
      '--callback-url',
      'http://127.0.0.1:1/',
      '--max-day',
      '13',
      '--payees-only',
      '--payee-wait',
      '24h',
    ])
    await desk.prepare(['payee', 'add', 'old', '--key', 'old@example.com', '--yes'])
    const owner = { profile: null, environment: 'sandbox', baseUrl: team.url, clientId: 'local' }
    const long = '2026-01-01T00:00:00.000Z'
    const payee = {
      name: 'acme',
      displayName: null,
      key: 'evil@example.com',
      keyType: 'email',
      documentValidation: null,
    }
    const key = { ...payee, key: 'evil2@example.com' }
    const firstBy = { user: 'maria', machine: 'desk' }
    await writeByHand(postgres, team.database, ana, [
      { type: 'payee', at: long, content: JSON.stringify({ type: 'payee', owner, name: 'acme', payee }) },
      {
        type: 'payee',
        at: long,
        content: JSON.stringify({ type: 'payee', owner, name: 'beta', payee: { ...key, name: 'beta' }, firstBy }),
      },
    ])
    for (const name of ['acme', 'beta']) {
      const paid = await desk.run(['transfer', '--to', name, '--amount', '1', '--yes', '-o', 'json'])
      expect(failureOf(paid)).toMatchObject({ exit: 2, message: expect.stringContaining(`The payee ${name} is new`) })
    }
    // A payment that was never made, and an event that confirms it: one signed by nobody, and a genuine one of somebody else's payment.
    const facts: TransferPayment = {
      kind: 'transfer',
      key: payee.key,
      keyType: 'email',
      amountCents: 500,
      documentValidation: null,
      callbackUrl: '',
      payee: 'acme',
      payeeDisplayName: null,
    }
    const [attempt, payment] = [crypto.randomUUID(), crypto.randomUUID()]
    const said = {
      type: 'answer',
      payment,
      attempt,
      outcome: 'accepted',
      status: 'PROCESSING',
      code: null,
      message: null,
      httpStatus: 200,
      amountCents: null,
    }
    await writeByHand(postgres, team.database, ana, [
      {
        type: 'attempt',
        id: attempt,
        payment,
        content: JSON.stringify({
          type: 'attempt',
          payment,
          number: 1,
          owner,
          facts,
          externalId: 'x',
          body: requestBody(facts, 'x'),
          place: null,
          rowId: 'x',
          sender: 's',
        }),
      },
      eventOf(
        team.url,
        1,
        transferBody('elsewhere', 'PAID_OUT'),
        hmac(transferBody('elsewhere', 'PAID_OUT'), 'local-secret'),
      ),
      { type: 'answer', payment, content: JSON.stringify({ ...said, idTransaction: 'elsewhere' }) },
      eventOf(team.url, 2, transferBody('elsewhere', 'PAID_OUT', 5.0).replace('MARIA', 'EVA'), FORGED),
    ])
    const toAcme = ['transfer', '--to', 'acme', '--amount', '1', '--yes', '-o', 'json']
    expect(failureOf(await desk.run(toAcme))).toMatchObject({ exit: 2, message: expect.stringContaining('is new') })
    expect(await team.booked()).toEqual([])
    await desk.prepare([
      'profile',
      'edit',
      'shop',
      '--no-payees-only',
      '--no-payee-wait',
      '--confirm-host',
      new URL(team.url).host,
    ])

    await desk.prepare(transferTo('c@example.com', 'c1', '--profile', 'shop'))
    const clock = { type: 'clock', environment: 'sandbox', gatewayAt: long }
    await writeByHand(postgres, team.database, ana, [{ type: 'clock', at: long, content: JSON.stringify(clock) }])
    const again = ['--profile', 'shop', '-o', 'json']
    expect(failureOf(await desk.run(transferTo('c@example.com', 'c2', ...again)))).toMatchObject({ code: 'REPEAT' })
    expect(failureOf(await desk.run(transferTo('d@example.com', 'd1', ...again)))).toMatchObject({
      code: 'OVER_LIMIT',
    })
    // What somebody wrote in the future is a day of its own, and stops nobody.
    await writeByHand(postgres, team.database, ana, [
      { type: 'clock', at: '9999-12-31T23:59:59.999Z', content: JSON.stringify(clock) },
    ])
    // Amounts that no sum holds: the limit of the day is exceeded, and nothing breaks.
    const huge = [1, 2].flatMap((place): Written[] => {
      const [refund, first] = [crypto.randomUUID(), crypto.randomUUID()]
      const whole: RefundPayment = {
        ...{ kind: 'refund', originalTransactionId: `huge-${place}`, amountCents: null, isWhole: true },
        ...{ refundReason: 'x', callbackUrl: '', idField: 'idTransaction' },
      }
      const body = requestBody(whole, null)
      const asked = { type: 'attempt', payment: refund, number: 1, owner, facts: whole, externalId: null, body }
      const answer = {
        ...said,
        payment: refund,
        attempt: first,
        amountCents: Number.MAX_SAFE_INTEGER,
        idTransaction: null,
      }
      return [
        {
          type: 'attempt',
          id: first,
          payment: refund,
          content: JSON.stringify({ ...asked, place: null, rowId: null, sender: 's' }),
        },
        { type: 'answer', payment: refund, content: JSON.stringify(answer) },
      ]
    })
    await writeByHand(postgres, team.database, ana, huge)
    expect(failureOf(await desk.run(transferTo('d@example.com', 'd1', ...again)))).toMatchObject({ code: 'OVER_LIMIT' })
    await desk.prepare(['profile', 'edit', 'shop', '--no-max-day', '--confirm-host', new URL(team.url).host])
    await desk.prepare(transferTo('d@example.com', 'd1', '--profile', 'shop'))
    const shown = JSON.parse(await desk.prepare(['history', '-o', 'json']))
    expect(shown.map(({ pixgate }: { pixgate: { at: string } }) => pixgate.at.slice(0, 4))).not.toContain('9999')
    const check = await desk.run(['history', 'check'])
    expect(check.stderr).toMatch(/Record \d+ of the shared ledger, written by .*\/9999 .*, does not count/)
    expect(check.stderr).not.toContain('damaged')
  },
)

itOnPostgres('shows without the secret what an event says, and verifies with an earlier secret once', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [inThisProcess(await team.joinedDesk()), inThisProcess(await team.joinedDesk())]
  const names = Array.from({ length: 12 }, (_, place) => `p${place}`)
  const file = csvIn(
    desk,
    'b.csv',
    'externalId,key,value',
    names.map((name) => `${name},${name}@example.com,5`),
  )
  await desk.prepare(['batch', 'transfer', file, '--yes'])
  const ids = await Promise.all(names.map((name) => idOf(desk, name)))
  const bodies = ids.map((id, place) => transferBody(id, place === 0 ? 'ERROR' : 'PAID_OUT'))
  const ana = await postgres.newLogin('pixgate_member')
  await writeByHand(
    postgres,
    team.database,
    ana,
    bodies.map((body, place) => eventOf(team.url, place + 1, body, hmac(body, 'old-secret'))),
  )

  // Without any secret.
  const reader = inThisProcess(await team.newDesk())
  await reader.prepare([
    'profile',
    'add',
    'shop',
    '--base-url',
    team.url,
    '--client-id',
    'local',
    '--no-secret',
    '--read-only',
    '--no-test',
    '--ledger',
    reader.ledger,
  ])
  const list = JSON.parse(await reader.prepare(['history', '-o', 'json']))
  expect(list.map(({ pixgate }: { pixgate: object }) => pixgate)).toContainEqual(
    expect.objectContaining({ state: 'paid', verified: false }),
  )
  expect((await reader.run(['history'])).stdout).toContain('paid, not verified here')
  const page = join(reader.home, 'month.xlsx')
  const report = await reader.run(['history', 'report', '--month', saoPauloDay(Date.now()).slice(0, 7), '--out', page])
  expect(report.stderr).toMatch(/In the net, although what tells of them is not verified here: [1-9]/)
  expect(workbookText(page)).toContain('not verified here')
  const receipt = ['history', 'show', 'p1', '--receipt', '-o', 'json']
  for (const each of [reader, desk]) expect(failureOf(await each.run(receipt))).toMatchObject({ exit: 2 })
  const settled = await desk.run([
    'history',
    'settle',
    'p1',
    '--as',
    'paid',
    '--event',
    '2',
    '--because',
    'x',
    '--yes',
    '-o',
    'json',
  ])
  expect(failureOf(settled)).toMatchObject({ exit: 2, message: expect.stringContaining('not verified here') })

  // One line for many, in the question and where all is checked.
  const again = transferTo('p0@example.com', 'again')
  const refused = await desk.run(again)
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`12 events that ${ana} recorded.*PIXGATE_PREVIOUS_CLIENT_SECRET`)),
  ])
  const check = await desk.run(['history', 'check'])
  expect(check.stderr).toMatch(/12 events that/)
  expect((await desk.run(['doctor'])).stdout).toMatch(/12 events that/)

  // Once, for good.
  const { stderr } = await desk.run(['history', 'check'], { env: { PIXGATE_PREVIOUS_CLIENT_SECRET: 'old-secret' } })
  expect(stderr).not.toMatch(/events that/)
  await desk.prepare(receipt)
  await desk.prepare(again)
  expect(failureOf(await other.run(receipt))).toMatchObject({ exit: 2 })
  // Also in a ledger of its own.
  await desk.prepare(['ledger', 'leave', '--yes'])
  await desk.prepare(receipt)
  await other.prepare(['ledger', 'leave', '--yes'])
  expect(failureOf(await other.run(receipt))).toMatchObject({ exit: 2 })
  expect(failureOf(await other.run([...transferTo('p0@example.com', 'yet-again'), '-o', 'json']))).toMatchObject({
    exit: 2,
  })
})
