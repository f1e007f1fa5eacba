import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { workbookText } from '../workbookText.ts'
import { sandboxWorld, type World } from '../world.ts'
import { approverLine } from './forgedRecords.ts'
import { carriedOut, control, failureOf, inProduction, inThisProcess, paidPayment } from './payments.ts'
import { people, planned } from './planPeople.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')
const CONFIRM = ['--confirm', 'prod']
const HOST = ['--confirm-host', '127.0.0.1']

const LIST = approverLine('maria', maria) + approverLine('joao', joao)

/** A production profile from whose account everything needs approval, unless another amount is given. */
async function stage(from = '0', list = LIST) {
  const sandbox = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(await inProduction(sandbox, sandbox.url))
  const approvers = join(world.home, 'approvers')
  writeFileSync(approvers, list)
  await world.prepare(['profile', 'edit', 'prod', '--approval-from', from, '--approvers', approvers])
  return { ...world, url: sandbox.url, approvers }
}

const transferTo = (key: string, amount: string, id: string) => [
  'transfer',
  '--key',
  `${key}@example.com`,
  '--amount',
  amount,
  '--external-id',
  id,
]
const approve = (file: string, { file: key } = joao) => ['plan', 'approve', file, '--ssh-key', key, ...CONFIRM]
const send = (file: string) => ['plan', 'send', file, ...CONFIRM]

async function refusalOf(world: World, words: readonly string[]) {
  const { exit, code, message, hint } = failureOf(await world.run([...words, '-o', 'json']))
  return { exit, code, message, hint }
}

/** Receipts, the report of a batch and that of a month say who requested and who approved. */
async function expectNamesInReports(world: World) {
  await world.prepare(['history', 'settle', 'one', '--as', 'paid', '--because', 'seen', ...CONFIRM])
  const receipt = ['history', 'show', 'one', '--receipt', '--on-my-word']
  expect(await world.prepare(receipt)).toMatch(/requested by +maria .*\n.* approved by +joao /)
  const file = join(world.home, 'receipt.pdf')
  await world.prepare([...receipt, '--pdf', file])
  expect(statSync(file).size).toBeGreaterThan(1000)
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const [batch, month] = [join(world.home, 'batch.xlsx'), join(world.home, 'month.xlsx')]
  await world.prepare(['batch', 'report', run, '--out', batch])
  expect(workbookText(batch)).toContain('of these requested by maria, approved by joao')
  await world.prepare(['history', 'report', '--month', monthOf(Date.now()), '--out', month])
  expect(workbookText(month)).toContain('requested by maria, approved by joao')
}

/** The month in São Paulo, `2026-11`. */
function monthOf(ms: number): string {
  return new Date(ms - 3 * 3_600_000).toISOString().slice(0, 7)
}

describe('a payment that needs approval', () => {
  it('is refused once the payee whose key it pays was changed, until its plan is made again', async () => {
    const world = await stage()
    const payTo = (words: string[], id: string) => ['transfer', ...words, '--amount', '5', '--external-id', id]
    await world.prepare(['payee', 'add', 'acme', '--key', 'old@example.com'])
    const approved = await planned(world, payTo(['--to', 'acme'], 'one'), maria, 'one.json')
    await world.prepare(approve(approved))
    const open = await planned(world, payTo(['--key', 'old@example.com'], 'two'), maria, 'two.json')
    await world.prepare(['payee', 'edit', 'acme', '--display-name', 'Acme Ltda'])
    await world.prepare(['payee', 'edit', 'acme', '--key', 'new@example.com', ...CONFIRM])
    for (const words of [send(approved), approve(open)])
      expect(await refusalOf(world, words)).toMatchObject({
        exit: 2,
        message: expect.stringMatching(/^The payee acme was changed or removed since the plan plan-\w{16} was made$/),
      })
    const again = await planned(world, payTo(['--to', 'acme'], 'one'), maria, 'again.json')
    for (const words of [approve(again), send(again)]) await world.prepare(words)
    // With its first key again, the plan is what it was.
    await world.prepare(['payee', 'edit', 'acme', '--key', 'old@example.com', ...CONFIRM])
    for (const words of [approve(open), send(open)]) await world.prepare(words)
    expect((await carriedOut(world.url)).transfers.map(({ key }) => key)).toEqual([
      'new@example.com',
      'old@example.com',
    ])
  })

  it('is refused as a transfer, a refund and a batch, and sent once with a plan', async () => {
    const world = await stage('1000')
    const original = await paidPayment(world.url, 5000)
    const csv = join(world.home, 'pay.csv')
    writeFileSync(csv, 'key,value\na@example.com,600\nb@example.com,400\n')
    const single = transferTo('maria', '1000', 'one')
    const refund = ['refund', original, '--reason', 'damaged', '--amount', '1000']
    const batch = ['batch', 'transfer', csv, '--callback-url', 'http://127.0.0.1:1/']
    for (const words of [single, refund, batch]) {
      expect(await refusalOf(world, [...words, ...CONFIRM])).toMatchObject({
        exit: 2,
        code: 'APPROVAL_REQUIRED',
        hint: expect.stringMatching(/^Run `pixgate .* --plan` and ask a second person to approve the plan$/),
      })
    }
    expect(await carriedOut(world.url)).toMatchObject({ transfers: [], refunds: [] })
    for (const [index, words] of [single, refund, batch].entries()) {
      const file = await planned(world, words, maria, `plan${index}.json`)
      await world.prepare(approve(file))
      await world.prepare(send(file))
      expect((await world.run(send(file))).exit).toBe(2)
    }
    const { transfers, refunds } = await carriedOut(world.url)
    expect(transfers.map(({ value }) => value).sort()).toEqual([1000, 400, 600])
    expect(refunds).toHaveLength(1)
    expect(await world.json(['history', 'show', 'one'])).toMatchObject({
      pixgate: { requestedBy: 'maria', approvedBy: 'joao' },
    })
    await expectNamesInReports(world)
    await world.prepare(['history', 'check'])
  })

  it('is refused by resume and --retry if it was sent before the rule', async () => {
    const sandbox = await sandboxWorld({}, {}, onTestFinished)
    const world = inThisProcess(await inProduction(sandbox, sandbox.url))
    const csv = join(world.home, 'pay.csv')
    writeFileSync(csv, 'key,value\nb@example.com,20\n')
    await control(sandbox.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 2 })
    expect((await world.run([...transferTo('a', '10', 'one'), ...CONFIRM])).exit).toBe(5)
    const batch = ['batch', 'transfer', csv, '--callback-url', 'http://127.0.0.1:1/', ...CONFIRM]
    expect((await world.run(batch)).exit).toBe(5)
    const run = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))[0].run
    const approvers = join(world.home, 'approvers')
    writeFileSync(approvers, LIST)
    await world.prepare(['profile', 'edit', 'prod', '--approval-from', '0', '--approvers', approvers])
    for (const words of [
      ['resume', 'one'],
      ['transfer', '--retry', 'one'],
      ['resume', run],
    ]) {
      expect(await refusalOf(world, [...words, ...CONFIRM])).toMatchObject({ exit: 2, code: 'APPROVAL_REQUIRED' })
    }
    expect((await carriedOut(sandbox.url)).transfers).toEqual([])
    for (const [index, id] of ['one', run].entries()) {
      const file = await planned(world, ['resume', id], maria, `resume${index}.json`)
      await world.prepare(approve(file))
      await world.prepare(send(file))
    }
    expect((await carriedOut(sandbox.url)).transfers.map(({ value }) => value).sort()).toEqual([10, 20])
  })

  it('is refused by resume of a refund, and the plan that its hint names sends it once more', async () => {
    const sandbox = await sandboxWorld({}, {}, onTestFinished)
    const world = inThisProcess(await inProduction(sandbox, sandbox.url))
    const [original, whole] = [await paidPayment(sandbox.url, 30), await paidPayment(sandbox.url, 40)]
    await control(sandbox.url, 'fault', { kind: 'drop-before', on: 'refund', times: 2 })
    for (const words of [
      [original, '--amount', '12.5'],
      [whole, '--full'],
    ])
      expect((await world.run(['refund', ...words, '--reason', 'damaged', ...CONFIRM])).exit).toBe(5)
    const [refund, refundOfWhole] = JSON.parse(await world.prepare(['history', '--kind', 'refund', '-o', 'json']))
    const approvers = join(world.home, 'approvers')
    writeFileSync(approvers, LIST)
    await world.prepare(['profile', 'edit', 'prod', '--approval-from', '0', '--approvers', approvers])
    const resume = ['resume', refund.pixgate.id, '--include-unknown']
    expect(await refusalOf(world, [...resume, ...CONFIRM])).toMatchObject({
      exit: 2,
      code: 'APPROVAL_REQUIRED',
      hint: `Run \`pixgate ${resume.join(' ')} --plan\` and ask a second person to approve the plan`,
    })
    const file = await planned(world, resume, maria)
    const shown = await world.prepare(['plan', 'show', file])
    expect(shown).toMatch(/resumes +[\w-]+\n/)
    expect(shown).toContain('the gateway carries it out once more')
    await world.prepare(approve(file))
    await world.prepare(send(file))
    expect((await carriedOut(sandbox.url)).refunds).toMatchObject([{ originalTransactionId: original, amount: 12.5 }])
    expect((await world.run(send(file))).exit).toBe(2)
    expect((await carriedOut(sandbox.url)).refunds).toHaveLength(1)
    // Its request names no amount, so an approver could not know how much it returns.
    const ofWhole = ['resume', refundOfWhole.pixgate.id, '--include-unknown']
    for (const words of [
      [...ofWhole, ...CONFIRM],
      [...ofWhole, '--plan', '--ssh-key', maria.file],
    ])
      expect(await refusalOf(world, words)).toMatchObject({
        exit: 2,
        message: expect.stringContaining('names no amount'),
        hint: expect.stringContaining('pixgate history settle'),
      })
  })

  it('of a refund with a plan is sent again without another plan', async () => {
    const world = await stage()
    const original = await paidPayment(world.url, 30)
    const file = await planned(world, ['refund', original, '--reason', 'damaged', '--amount', '12.5'], maria)
    await world.prepare(approve(file))
    await control(world.url, 'fault', { kind: 'drop-before', on: 'refund', times: 1 })
    expect((await world.run(send(file))).exit).toBe(5)
    const [{ pixgate }] = JSON.parse(await world.prepare(['history', '--kind', 'refund', '-o', 'json']))
    await world.prepare(['resume', pixgate.id, '--include-unknown', ...CONFIRM])
    expect((await carriedOut(world.url)).refunds).toMatchObject([{ amount: 12.5 }])
  })

  it('counts with what was sent without approval today, so that it cannot be sliced', async () => {
    const world = await stage('1000')
    await world.prepare([...transferTo('a', '600', 'one'), ...CONFIRM])
    expect(await refusalOf(world, [...transferTo('b', '400', 'two'), ...CONFIRM])).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      message:
        'R$ 400,00 needs the approval of a second person: with the R$ 600,00 that was sent today without it, it reaches R$ 1.000,00',
    })
    const file = await planned(world, transferTo('b', '400', 'two'), maria)
    await world.prepare(approve(file))
    await world.prepare(send(file))
    // What was approved does not count.
    await world.prepare([...transferTo('c', '399,99', 'three'), ...CONFIRM])
    expect((await carriedOut(world.url)).transfers).toHaveLength(3)
  })

  it('of a plan may be finished after the plan expired and the list changed, without another plan', async () => {
    const world = await stage()
    const file = await planned(world, transferTo('a', '10', 'one'), maria)
    await world.prepare(approve(file))
    await control(world.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
    expect((await world.run(send(file))).exit).toBe(5)
    writeFileSync(world.approvers, `${LIST}# changed\n`)
    await world.prepare(['resume', 'one', ...CONFIRM])
    expect((await carriedOut(world.url)).transfers).toHaveLength(1)
  })

  it('of a plan is refused while the file of the list has other bytes, if only a comment', async () => {
    const world = await stage()
    const file = await planned(world, transferTo('a', '10', 'one'), maria)
    await world.prepare(approve(file))
    writeFileSync(world.approvers, `${LIST}# changed\n`)
    expect(failureOf(await world.run([...send(file), '-o', 'json']))).toMatchObject({
      exit: 2,
      message: `The list of approvers \`${world.approvers}\` was changed since it was set`,
    })
    expect((await carriedOut(world.url)).transfers).toEqual([])
    writeFileSync(world.approvers, LIST)
    await world.prepare(send(file))
  })

  it('of a run is refused when refused rows are sent again without a plan of their own', async () => {
    const world = await stage()
    const csv = join(world.home, 'pay.csv')
    writeFileSync(csv, 'key,value\na@example.com,10\nb@example.com,20\n')
    const file = await planned(world, ['batch', 'transfer', csv, '--callback-url', 'http://127.0.0.1:1/'], maria)
    await world.prepare(approve(file))
    await control(world.url, 'fault', { kind: 'NO_FUNDS', on: 'transfer', times: 1 })
    await world.run(send(file))
    const run = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))[0].run
    expect((await world.run(['resume', run, '--refused', ...CONFIRM])).exit).toBe(2)
    expect((await carriedOut(world.url)).transfers).toHaveLength(1)
    const again = await planned(world, ['resume', run, '--refused'], maria, 'again.json')
    await world.prepare(approve(again))
    await world.prepare(send(again))
    expect((await carriedOut(world.url)).transfers).toHaveLength(2)
  })
})

it('sends with a plan what is left of a run of whole refunds, whose rows name no amount', async () => {
  const world = await stage('1000')
  const originals = [await paidPayment(world.url, 11), await paidPayment(world.url, 1200)]
  const csv = join(world.home, 'returns.csv')
  writeFileSync(csv, ['originalTransactionId', ...originals, ''].join('\n'))
  const batch = ['batch', 'refund', csv, '--full', '--reason', 'cancelled', '--limit', '1']
  const anew = await planned(
    world,
    ['refund', originals[1] ?? '', '--amount', '1200', '--reason', 'broken'],
    maria,
    'anew.json',
  )
  await world.prepare([...batch, ...CONFIRM])
  const run = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))[0].run
  expect((await world.run(['resume', run, ...CONFIRM])).exit).toBe(2)
  const file = await planned(world, ['resume', run], maria)
  // What is left of a run is sent as it was confirmed, and its payments are not queried again.
  const warnings = (plan: string) => JSON.parse(readFileSync(plan, 'utf8')).warnings.join('\n')
  expect(warnings(anew)).toContain('sending queries them')
  expect(warnings(file)).toContain('and sending does not query them')
  await world.prepare(approve(file))
  await world.prepare(send(file))
  const { refunds } = await carriedOut(world.url)
  expect(refunds.map(({ originalTransactionId, amount }) => [originalTransactionId, amount])).toEqual([
    [originals[0], 11],
    [originals[1], 1200],
  ])
  expect((await world.run(send(file))).exit).toBe(2)
})

describe('a rule that is lowered', () => {
  it('needs an approved plan of its own', async () => {
    const world = await stage('100')
    const edit = ['profile', 'edit', 'prod', '--approval-from', '5000']
    expect(await refusalOf(world, [...edit, ...HOST])).toMatchObject({ exit: 2, code: 'APPROVAL_REQUIRED' })
    const file = await planned(world, edit, maria)
    expect((await world.run(send(file))).exit).toBe(2)
    await world.prepare(approve(file))
    expect((await world.run([...transferTo('a', '100', 'one'), ...CONFIRM])).exit).toBe(2)
    await world.prepare(send(file))
    await world.prepare([...transferTo('a', '100', 'one'), ...CONFIRM])
    expect((await world.run(send(file))).exit).toBe(2)
    expect((await world.run([...transferTo('b', '5000', 'two'), ...CONFIRM])).exit).toBe(2)
    await world.prepare(['history', 'check'])
  })

  it('may be made stricter by one person', async () => {
    const world = await stage('100')
    await world.prepare(['profile', 'edit', 'prod', '--approval-from', '0'])
    expect((await world.run([...transferTo('a', '1', 'one'), ...CONFIRM])).exit).toBe(2)
  })

  it('needs a list of approvers first', async () => {
    const sandbox = await sandboxWorld({}, {}, onTestFinished)
    const world = inThisProcess(await inProduction(sandbox, sandbox.url))
    expect(await refusalOf(world, ['profile', 'edit', 'prod', '--approval-from', '5'])).toMatchObject({
      exit: 2,
      message: '`--approval-from` needs a list of the people who may approve',
    })
  })
})

it('is decided with what others send while the question is open', async () => {
  const world = await stage('1000')
  // Two of them are below the amount together, three are not.
  const results = await Promise.all(
    ['a', 'b', 'c', 'd'].map((key) => world.run([...transferTo(key, '400', key), ...CONFIRM, '-o', 'json'])),
  )
  expect(results.map(({ exit }) => exit).sort()).toEqual([0, 0, 2, 2])
  expect((await carriedOut(world.url)).transfers).toHaveLength(2)
})
