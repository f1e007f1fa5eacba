import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'
import { atOnce, carriedOut, control, failureOf, inThisProcess, paidPayment, remembered, TRANSFER } from './payments.ts'

const JSON_YES = ['-o', 'json', '--yes']
const REASON = ['--reason', 'ordered twice']
const TO_MARIA = ['transfer', '--key', 'maria@example.com']

it('prints what was sent: amount, id, status and external id', async () => {
  const world = await sandboxWorld()
  const { exit, stdout } = await world.run([...TRANSFER, '--yes'])
  const [sent] = (await carriedOut(world.url)).transfers
  expect(exit).toBe(0)
  expect(stdout.split('\n')).toEqual([
    'amount       R$ 1.500,00',
    `id           ${sent?.idTransaction}`,
    'state        accepted',
    'external id  invoice-17',
    '',
  ])
})

it('sends no payment twice unless an option allows it', async () => {
  const world = inThisProcess(await sandboxWorld())
  await world.json([...TRANSFER, '--yes'])
  const repeated = [...TO_MARIA, '--amount', '1500', ...JSON_YES]
  const failure = failureOf(await world.run(repeated))
  expect(failure).toMatchObject({ exit: 2, code: 'REPEAT', outcome: 'not-sent', externalId: 'invoice-17' })
  expect(failure.details).toMatch(/^Earlier: invoice-17, \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d BRT, by .+ on .+, accepted$/)
  expect(failure.hint).toMatch(/; to pay it again, repeat the command with `--again`$/)
  const typedId = failureOf(await world.run([...TRANSFER, ...JSON_YES]))
  expect(typedId.hint).toMatch(/, repeat the command with `--again` and another `--external-id`$/)
  const otherwise = ['transfer', '--key', ' maria@example.com ', '--amount', 'R$ 1.500,00', ...JSON_YES]
  expect(failureOf(await world.run(otherwise))).toMatchObject({ exit: 2, code: 'REPEAT' })
  const sameId = [...TO_MARIA, '--amount', '1', '--external-id', 'invoice-17', '--again', ...JSON_YES]
  expect(failureOf(await world.run(sameId))).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'invoice-17' })
  expect((await carriedOut(world.url)).transfers).toHaveLength(1)

  expect((await world.run([...repeated, '--again'])).exit).toBe(0)
  expect((await world.run([...repeated, '--in-addition-to', 'invoice-17'])).exit).toBe(2)
  expect((await world.run([...TO_MARIA, '--amount', '1500,01', ...JSON_YES])).exit).toBe(0)
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value)).toEqual([1500, 1500, 1500.01])
})

it('sends nothing that conflicts with an unknown outcome, whatever is typed', async () => {
  const world = inThisProcess(await sandboxWorld())
  await control(world.url, 'fault', { kind: 'drop-after' })
  const doubt = failureOf(await world.run([...TRANSFER, ...JSON_YES]))
  expect(doubt).toMatchObject({ exit: 5, code: 'OUTCOME_UNKNOWN', outcome: 'unknown', externalId: 'invoice-17' })
  expect(doubt.hint).toContain('`pixgate resume invoice-17`')
  const others = ['', '--again', '--in-addition-to invoice-17', '--external-id invoice-17', '--external-id invoice-18']
  await atOnce(others, async (words) => {
    const run = await world.run([...TO_MARIA, '--amount', '1500', ...words.split(' ').filter(Boolean), ...JSON_YES])
    const failure = failureOf(run)
    expect(failure).toMatchObject({ exit: 2, code: 'REPEAT', outcome: 'not-sent', externalId: 'invoice-17' })
    expect(failure.hint).toContain('`pixgate resume invoice-17`')
    expect(failure.message).toBe(
      words === '--external-id invoice-17'
        ? 'The outcome of the transfer `invoice-17` is unknown, so it is not sent again'
        : 'The outcome of the same transfer is unknown, so it is not sent under another id',
    )
  })
  const sameId = [...TO_MARIA, '--amount', '2', '--external-id', 'invoice-17', '--again', ...JSON_YES]
  expect(failureOf(await world.run(sameId))).toMatchObject({ exit: 2, code: 'REPEAT' })
  expect((await world.run([...TO_MARIA, '--amount', '2', ...JSON_YES])).exit).toBe(0)
  expect((await carriedOut(world.url)).transfers.map(({ value }) => value)).toEqual([1500, 2])
})

it('says so when the gateway holds the external id of somebody else', async () => {
  const world = inThisProcess(await sandboxWorld())
  await world.json([...TRANSFER, '--yes'])
  const elsewhere = { env: { PIXGATE_DATA_DIR: `${world.home}/elsewhere` } }
  const failure = failureOf(await world.run([...TRANSFER, ...JSON_YES], elsewhere))
  expect(failure).toMatchObject({
    exit: 1,
    code: 'DUPLICATE_EXTERNAL_ID',
    outcome: 'refused',
    externalId: 'invoice-17',
  })
  // The gateway holds one, no matter which machine sent it, so the same payment under another id is a repeat.
  const other = [...TO_MARIA, '--amount', '1500', '--external-id', 'invoice-18', ...JSON_YES]
  expect(failureOf(await world.run(other, elsewhere))).toMatchObject({ exit: 2, code: 'REPEAT' })
  expect((await world.run([...other, '--again'], elsewhere)).exit).toBe(0)
  expect((await carriedOut(world.url)).transfers).toHaveLength(2)
})

it('sends exactly one of two that are sent at the same moment', async () => {
  const world = await sandboxWorld()
  const amounts = [1, 2, 3, 4, 5]
  await atOnce(amounts, async (amount) => {
    const words = [...TO_MARIA, '--amount', String(amount), ...JSON_YES]
    const runs = await Promise.all([world.run(words), world.run(words)])
    expect(runs.map(({ exit }) => exit).sort()).toEqual([0, 2])
    const loser = runs.find(({ exit }) => exit === 2)
    if (loser !== undefined) expect(failureOf(loser)).toMatchObject({ code: 'REPEAT', outcome: 'not-sent' })
  })
  const values = (await carriedOut(world.url)).transfers.map(({ value }) => value)
  expect(values.sort((one, other) => one - other)).toEqual(amounts)
  expect((await remembered(world)).filter((each) => each.endsWith('unknown'))).toEqual([])
}, 60_000)

it('returns the rest after a part, and never more than what is left', async () => {
  const world = inThisProcess(await sandboxWorld())
  const id = await paidPayment(world.url, 10)
  const refund = ['refund', id, ...REASON, '--yes']
  expect(await world.json([...refund, '--amount', '4'])).toMatchObject({ amount: 4, originalTransactionId: id })
  const repeat = failureOf(await world.run([...refund, '--amount', '4', '-o', 'json']))
  expect(repeat).toMatchObject({ exit: 2, code: 'REPEAT', outcome: 'not-sent' })
  expect(repeat.hint).toMatch(/; to refund it again, repeat the command with `--again`$/)
  const tooMuch = failureOf(await world.run([...refund, '--amount', '6,01', '-o', 'json']))
  expect(tooMuch).toMatchObject({ exit: 1, code: 'REFUND_NOT_ALLOWED', outcome: 'not-sent' })
  // What the query said is kept, so what is left is known without another one.
  expect(await world.json([...refund, '--skip-query'])).toMatchObject({ amount: 6 })
  const over = failureOf(await world.run([...refund, '--amount', '1', '-o', 'json']))
  expect(over).toMatchObject({ exit: 1, outcome: 'not-sent' })
  expect((await carriedOut(world.url)).refunds.map(({ amount }) => amount)).toEqual([4, 6])
  expect(await remembered(world)).toEqual([`${id} accepted`, `${id} accepted`])
})

it('refunds without a query, and never against the ledger', async () => {
  const world = inThisProcess(await sandboxWorld())
  const [id, pending] = [await paidPayment(world.url, 10), 'ae3c2c52-6b3d-4d3f-9a33-0b6e2b6a9d11']
  const refund = ['refund', id, ...REASON, '--skip-query', '--yes']
  expect(await world.json(refund)).toMatchObject({ amount: 10 })
  expect(failureOf(await world.run([...refund, '-o', 'json']))).toMatchObject({
    exit: 2,
    code: 'REPEAT',
    outcome: 'not-sent',
  })
  const part = failureOf(await world.run([...refund, '--amount', '1', '-o', 'json']))
  expect(part).toMatchObject({ exit: 1, outcome: 'not-sent' })
  const missing = failureOf(await world.run(['refund', pending, ...REASON, '--skip-query', ...JSON_YES]))
  expect(missing).toMatchObject({ exit: 3, code: 'TRANSACTION_NOT_FOUND', outcome: 'refused' })
  expect((await carriedOut(world.url)).refunds).toHaveLength(1)
})

it('blocks a payment whose refund has an unknown outcome until a person settles it', async () => {
  const world = inThisProcess(await sandboxWorld())
  const id = await paidPayment(world.url, 10)
  const refund = ['refund', id, ...REASON, '--yes']
  await control(world.url, 'fault', { kind: 'drop-before' })
  // The query is the first call, so this one is sent without.
  const doubt = failureOf(await world.run([...refund, '--amount', '4', '--skip-query', '-o', 'json']))
  expect(doubt).toMatchObject({ exit: 5, code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })
  for (const words of [
    ['--amount', '1'],
    ['--amount', '4', '--again'],
    ['--amount', '2', '--skip-query'],
  ]) {
    expect(failureOf(await world.run([...refund, ...words, '-o', 'json']))).toMatchObject({ exit: 2, code: 'REPEAT' })
  }
  const resumed = failureOf(await world.run(['resume', id, ...JSON_YES]))
  expect(resumed).toMatchObject({ exit: 2, outcome: 'not-sent' })
  const settle = /pixgate history settle ([-\w]+)/.exec(String(resumed.hint))?.[1] ?? ''
  const settled = await world.json(['history', 'settle', settle, '--as', 'not-paid', '--because', 'not in the list'])
  expect(settled).toMatchObject({ status: 'FAILED', pixgate: { knownBy: 'person', state: 'not-paid' } })
  const asBefore = failureOf(await world.run([...refund, '--amount', '4', '-o', 'json']))
  expect(asBefore).toMatchObject({
    exit: 2,
    code: 'REPEAT',
    details: expect.stringContaining('settled it as not paid'),
  })
  expect(await world.json([...refund, '--amount', '4', '--again'])).toMatchObject({ amount: 4 })
  expect((await carriedOut(world.url)).refunds).toHaveLength(1)
})
