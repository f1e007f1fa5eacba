import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { workbookText } from '../workbookText.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inThisProcess, paidPayment } from './payments.ts'
import { nameOf, people, planned, rewrite, signatureOf } from './planPeople.ts'

const { maria, joao, ana } = people(afterAll, 'maria', 'joao', 'ana')
const TRANSFER = ['transfer', '--key', 'joana@example.com', '--amount', '150', '--external-id', 'invoice-1']

/** A world with a plan that Maria made of a transfer. */
async function withPlan() {
  const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
  return { world, file: await planned(world, TRANSFER, maria) }
}

const approve = (file: string, { file: key } = joao) => ['plan', 'approve', file, '--ssh-key', key, '--yes']
const send = (file: string) => ['plan', 'send', file, '--yes']

describe('a plan', () => {
  it('sends and changes nothing, is private, and says what will be on the wire', async () => {
    const { world, file } = await withPlan()
    expect(await carriedOut(world.url)).toMatchObject({ transfers: [] })
    expect(await world.json(['history'])).toEqual([])
    for (const each of [file, `${file}.maria.sig`]) expect(statSync(each).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      kind: 'transfer',
      account: { baseUrl: world.url, clientId: 'local' },
      requests: [
        {
          value: 150,
          key: 'joana@example.com',
          typeKey: 'email',
          callbackUrl: 'http://127.0.0.1:4242/',
          externalId: 'invoice-1',
        },
      ],
      totalCents: 15_000,
      warnings: ['First payments to a key: 1'],
      sourceSha256: null,
      maker: 'maria',
      expiresAt: expect.stringMatching(/^20\d\d-.*Z$/),
    })
  })

  it('is sent once, after a second person approved it', async () => {
    const { world, file } = await withPlan()
    expect(failureOf(await world.run([...send(file), '-o', 'json']))).toMatchObject({
      exit: 2,
      code: 'APPROVAL_REQUIRED',
      message: `The plan ${nameOf(file)} is not approved`,
    })
    await world.prepare(approve(file))
    expect(existsSync(`${file}.joao.sig`)).toBe(true)
    await world.prepare(send(file))
    expect(failureOf(await world.run([...send(file), '-o', 'json']))).toMatchObject({ exit: 2 })
    expect((await carriedOut(world.url)).transfers).toMatchObject([{ externalId: 'invoice-1', value: 150 }])
    expect(await world.json(['plan', 'list'])).toEqual([
      {
        plan: nameOf(file),
        kind: 'transfer',
        requests: 1,
        totalCents: 15_000,
        maker: 'maria',
        approvers: ['joao'],
        sentRequests: 1,
        state: 'sent',
        madeAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        rejected: null,
      },
    ])
    await world.prepare(['history', 'check'])
  })

  it('is passed on as files to a machine that has the secret', async () => {
    const { world, file } = await withPlan()
    const elsewhere = { env: { PIXGATE_DATA_DIR: join(world.home, 'joao') } }
    await world.prepare(approve(file), elsewhere)
    const host = { env: { PIXGATE_DATA_DIR: join(world.home, 'host') } }
    await world.prepare(send(file), host)
    expect((await carriedOut(world.url)).transfers).toHaveLength(1)
    expect(await world.json(['plan', 'list'], host)).toMatchObject([{ state: 'sent', approvers: ['joao'] }])
  })

  it('of a refund queries the payment when it is sent', async () => {
    const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
    const original = await paidPayment(world.url, 30)
    const words = ['refund', original, '--reason', 'damaged']
    const unknown = await world.run([...words, '--plan', '--ssh-key', maria.file, '-o', 'json'])
    expect(failureOf(unknown)).toMatchObject({ exit: 2, hint: 'Add `--amount` with the amount to refund' })
    const file = await planned(world, [...words, '--amount', '12,50'], maria)
    await world.prepare(approve(file))
    await world.prepare(send(file))
    expect((await carriedOut(world.url)).refunds).toMatchObject([{ originalTransactionId: original, amount: 12.5 }])
  })

  it('of a batch pays each row once, and what was refused needs a plan of its own', async () => {
    const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
    const csv = join(world.home, 'pay.csv')
    writeFileSync(csv, 'key,value,name\na@example.com,10,Ana\nb@example.com,20,Bia\nc@example.com,30,Caio\n')
    const file = await planned(world, ['batch', 'transfer', csv, '--callback-url', 'http://127.0.0.1:1/'], maria)
    await world.prepare(approve(file))
    await control(world.url, 'fault', { kind: 'NO_FUNDS', on: 'transfer', times: 1 })
    expect((await world.run([...send(file), '-o', 'json'])).exit).toBe(1)
    expect((await carriedOut(world.url)).transfers).toHaveLength(2)
    const [run] = (await world.json(['batch', 'list'])) as unknown as { run: string }[]
    expect((await world.run(send(file))).exit).toBe(2)
    const again = await planned(world, ['resume', run?.run ?? '', '--refused'], maria, 'again.json')
    await world.prepare(approve(again))
    await world.prepare(send(again))
    expect((await carriedOut(world.url)).transfers.map(({ value }) => value).sort()).toEqual([10, 20, 30])
    expect((await world.run(send(again))).exit).toBe(2)
    expect(await world.json(['history', 'find', 'Bia'])).toHaveLength(1)
  })

  it('shows each thing that it permits beside its payments, and refuses an id that names nothing', async () => {
    const { world, file } = await withPlan()
    const more = [
      '--in-addition-to',
      'invoice-1',
      '--callback-url',
      'https://elsewhere.example/pix',
      '--expires',
      '960h',
    ]
    const second = [...TRANSFER.slice(0, -1), 'invoice-2', ...more]
    const unknown = await world.run([
      ...second,
      '--in-addition-to',
      'invoice-9',
      '--plan',
      '--ssh-key',
      maria.file,
      '-o',
      'json',
    ])
    expect(failureOf(unknown)).toMatchObject({ exit: 2, message: expect.stringContaining('invoice-9') })
    const short = nameOf(file).slice(0, 'plan-'.length + 5)
    expect(failureOf(await world.run(['plan', 'show', short, '-o', 'json']))).toMatchObject({
      exit: 2,
      message: expect.stringContaining('too short'),
      details: nameOf(file),
      hint: expect.stringContaining('at least 6 digits'),
    })
    const b = await planned(world, second, maria, 'b.json')
    const permits = async () => (await world.json(['plan', 'show', b])).permissions
    const of = (state: string, plan: string | null) => [
      { kind: 'in-addition-to', value: 'invoice-1', refersTo: { state, plan } },
      { kind: 'callback-url', value: 'https://elsewhere.example/pix', refersTo: null },
      { kind: 'long-expiry', value: expect.stringMatching(/Z$/), refersTo: null },
    ]
    expect(await permits()).toEqual(of('open', nameOf(file)))
    const text = await world.prepare(['plan', 'show', b])
    expect(text).toMatch(/^permits +also pays if invoice-1 is paid, which is in a plan, open: plan-\w{16}$/m)
    expect(text).toMatch(/^permits +events, .*go to https:\/\/elsewhere\.example\/pix, which is not/m)
    expect(text).toMatch(/^permits +can be sent until .*, more than 30 days after it was made$/m)
    const csv = await world.run(['plan', 'show', b, '-o', 'csv'])
    expect(csv.stderr.match(/^warning: The plan permits: /gm)).toHaveLength(3)
    await world.prepare(approve(file))
    expect(await permits()).toEqual(of('approved', nameOf(file)))
    await world.prepare(send(file))
    expect(await permits()).toEqual(of('accepted', nameOf(file)))
    expect(await world.json(['plan', 'show', file])).toMatchObject({ permissions: [] })
    const id = await paidPayment(world.url, 5)
    const refund = ['refund', id, '--amount', '1', '--reason', 'twice', '--despite-chargeback']
    const c = await planned(world, refund, maria, 'c.json')
    expect((await world.json(['plan', 'show', c])).permissions).toMatchObject([
      { kind: 'despite-chargeback', value: id, refersTo: null },
    ])
  })

  it('names as approvers only those whose signatures it has verified', async () => {
    const { world, file } = await withPlan()
    writeFileSync(`${file}.the-boss.sig`, 'hello\n')
    const forged = { principal: 'the-boss', verified: false }
    const made = { principal: 'maria', verified: true }
    const show = () => world.json(['plan', 'show', file])
    expect(await show()).toMatchObject({ state: 'open', approvers: [], signatures: [made, forged] })
    await world.prepare(approve(file))
    const valid = {
      state: 'approved',
      approvers: ['joao'],
      signatures: [made, { principal: 'joao', verified: true }, forged],
    }
    const shown = { newKeys: 1, paidBefore: 0 }
    expect(await show()).toMatchObject({ ...valid, approvals: [{ by: 'joao', shown }] })
    expect(await world.prepare(['plan', 'show', file])).toMatch(/^signatures +not valid: the-boss$/m)
    // Who approves again is still one person.
    expect(await world.json(approve(file))).toMatchObject(valid)
    expect(await show()).toMatchObject(valid)
    expect(await world.json(['plan', 'list'])).toMatchObject([{ approvers: ['joao'] }])
    const without = await world.run(['plan', 'show', file, '-o', 'json'], { env: { PATH: world.home } })
    expect(JSON.parse(without.stdout)).toMatchObject({
      approvers: [],
      signatures: [{ principal: 'maria', verified: null }, {}, {}],
    })
    await world.prepare(send(file))
    // What the approver was shown stays, although the key is paid by now.
    expect(await show()).toMatchObject({
      state: 'sent',
      approvals: [{ by: 'joao', shown }],
      payments: [{ paidBefore: 1 }],
    })
  })

  it('shows every payment with the words of its file, how the file was read, as text, CSV and a workbook', async () => {
    const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
    await world.prepare(['payee', 'add', 'acme', '--key', 'f1@example.com'])
    const rows = Array.from({ length: 12 }, (_, i) => `Empresa ${i + 1};f${i + 1}@example.com;${i + 1},00;NF-${i + 1}`)
    const csv = csvIn(world, 'pay.csv', 'Fornecedor;Chave Pix;Valor;NF', [...rows, 'Total;;78,00;'])
    const file = await planned(world, ['batch', 'transfer', csv], maria)
    const { payments, read } = await world.json(['plan', 'show', file])
    expect(payments).toHaveLength(12)
    // First what goes to a payee without a confirmed payment, and to new keys; then the largest.
    expect(payments).toContainEqual(
      expect.objectContaining({
        ...{ target: 'f1@example.com', payee: 'acme', payeeState: 'new', fileName: 'Empresa 1', fileReference: 'NF-1' },
        externalId: expect.stringMatching(/^pay-/),
      }),
    )
    expect(read).toEqual({
      columns: { key: 'Chave Pix', value: 'Valor', name: 'Fornecedor' },
      remarks: ['UTF-8, semicolon', expect.stringContaining('is not sent: `Total`')],
    })
    const text = await world.prepare(['plan', 'show', file])
    expect(text).toMatch(/^columns +`Chave Pix` is key, `Valor` is amount, `Fornecedor` is name$/m)
    for (let i = 1; i <= 12; i += 1) expect(text).toContain(`in the file: Empresa ${i}, NF-${i}`)
    const listed = await world.prepare(['plan', 'show', file, '-o', 'csv'])
    expect(listed.trim().split('\n')).toHaveLength(13)
    const out = join(world.home, 'plan.xlsx')
    await world.prepare(['plan', 'show', file, '--out', out])
    const shown = workbookText(out)
    for (const word of ['Empresa 12', 'NF-12', 'f12@example.com', 'Fornecedor', 'signatures'])
      expect(shown).toContain(word)
  })

  it('is compared with the last batch to the same receivers, not with an unrelated one', async () => {
    const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
    const file = (name: string, ...rows: string[]) => csvIn(world, `${name}.csv`, 'key;value', rows)
    const lastOf = async (plan: string) =>
      (await world.prepare(['plan', 'show', plan])).match(/^last batch +(.*)/m)?.[1]
    await world.prepare(['batch', 'transfer', file('suppliers', 'gas@example.com;9', 'water@example.com;8'), '--yes'])
    const first = file('october', 'rosa@example.com;10', 'rui@example.com;20')
    expect(await lastOf(await planned(world, ['batch', 'transfer', first], maria))).toBeUndefined()
    await world.prepare(['batch', 'transfer', first, '--yes'])
    await world.prepare(['batch', 'transfer', file('more', 'gas@example.com;7'), '--yes'])
    const second = file('november', 'rosa@example.com;11', 'new@example.com;20')
    expect(await lastOf(await planned(world, ['batch', 'transfer', second], maria, 'second.json'))).toMatch(
      /^october, /,
    )
  })

  it.each([
    ['the credentials are refused', 'status:401', 1, 4, [1, 0]],
    ['so many rows in a row are refused', 'PIX_KEY_NOT_FOUND', 5, 1, [5, 4]],
  ] as const)(
    'of a batch names what is not sent because %s, and sends it later',
    async (_, kind, times, code, [most, least]) => {
      const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
      const rows = Array.from({ length: 20 }, (_row, index) => `p${index}@example.com,${index + 1}`)
      const file = await planned(world, ['batch', 'transfer', csvIn(world, 'pay.csv', 'key,value', rows)], maria)
      await world.prepare(approve(file))
      await control(world.url, 'fault', { kind, on: 'transfer', times })
      const stopped = await world.run([...send(file), '-o', 'json'])
      const lines = linesOf(stopped)
      const summary = lines.pop()
      expect([stopped.exit, lines.length]).toEqual([code, rows.length])
      const unsent = lines.filter(({ outcome }) => outcome === 'not-sent')
      expect(unsent.length).toBeGreaterThan(0)
      expect(unsent.every(({ errorCode }) => errorCode === null)).toBe(true)
      expect(summary).toMatchObject({ notSent: unsent.length })
      const refused = lines.filter(({ outcome }) => outcome === 'refused')
      expect([refused.length <= most, refused.length > least]).toEqual([true, true])

      const later = await world.run([...send(file), '-o', 'json'])
      // What was refused is named again.
      expect([later.exit, linesOf(later).filter(({ outcome }) => outcome === 'refused').length]).toEqual([
        1,
        refused.length,
      ])
      expect((await carriedOut(world.url)).transfers).toHaveLength(rows.length - refused.length)
    },
  )

  it('covers the same bytes again of a transfer with an unknown outcome', async () => {
    const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
    await control(world.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
    expect((await world.run([...TRANSFER, '--yes'])).exit).toBe(5)
    const file = await planned(world, ['transfer', '--retry', 'invoice-1'], maria)
    await world.prepare(approve(file))
    await world.prepare(send(file))
    expect((await carriedOut(world.url)).transfers).toHaveLength(1)
    expect(await world.json(['plan', 'list'])).toMatchObject([{ state: 'sent', sentRequests: 1 }])
  })

  it('is interrupted while something of it is left that no process sends, and says how far it came', async () => {
    const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
    const csv = csvIn(world, 'pay.csv', 'key,value', ['a@example.com,1', 'b@example.com,2', 'c@example.com,3'])
    const file = await planned(world, ['batch', 'transfer', csv], maria)
    await world.prepare(approve(file))
    await control(world.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
    expect((await world.run(send(file))).exit).toBe(5)
    const states = async () => JSON.parse(await world.prepare(['plan', 'list', '-o', 'json']))
    expect(await states()).toMatchObject([{ state: 'interrupted', sentRequests: 3, requests: 3 }])
    expect(await world.prepare(['plan', 'show', nameOf(file).slice(5, 12)])).toMatch(
      /^state +outcome unknown, 3 of 3 tried, /m,
    )
    await world.prepare(send(file))
    expect(await states()).toMatchObject([{ state: 'sent', sentRequests: 3 }])
  })
})

describe('nothing is sent', () => {
  it.each<[string, (file: string) => void, RegExp]>([
    [
      'with one changed byte',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"value":150', '"value":151')),
      /`totalCents` is not the sum of its requests$/,
    ],
    [
      'with another key',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('joana@', 'other@')),
      /^The signature of maria is not valid for the plan plan-\w{16}: it is for another text$/,
    ],
    [
      'written in another way',
      (file) => rewrite(file, 'maria', maria, (text) => text.replace('"version": 1', '"version":1')),
      /it is not written as pixgate writes plans$/,
    ],
    [
      'with a request twice',
      (file) =>
        rewrite(file, 'maria', maria, (text) => text.replace(/^( {4}\{.*\})$/m, '$1,\n$1').replace('15000', '30000')),
      /request 2 is in it twice$/,
    ],
    [
      'of another account',
      (file) => rewrite(file, 'maria', maria, (text) => text.replace('"clientId":"local"', '"clientId":"other"')),
      /is for another account: other at /,
    ],
    [
      'that has expired',
      (file) => rewrite(file, 'maria', maria, (text) => text.replace(/"expiresAt": "20\d\d/, '"expiresAt": "2019')),
      /expired at /,
    ],
    [
      'without a signature of its maker',
      (file) => writeFileSync(`${file}.maria.sig`, ''),
      /: it is not an SSH signature$/,
    ],
    [
      'with an approval in another namespace',
      (file) => writeFileSync(`${file}.joao.sig`, signatureOf(joao, readFileSync(file, 'utf8'), 'file')),
      /: it is for `file`, not for `pixgate`$/,
    ],
    [
      'with an approval of another text',
      (file) => writeFileSync(`${file}.joao.sig`, signatureOf(joao, 'other')),
      /^The signature of joao is not valid .*: it is for another text$/,
    ],
    [
      "with an approval by the maker's key under another name",
      (file) => writeFileSync(`${file}.ana.sig`, signatureOf(maria, readFileSync(file, 'utf8'))),
      /^The key of maria, who made the plan plan-\w{16}, cannot approve it, too$/,
    ],
  ])('of a plan %s', async (_what, spoil, message) => {
    const { world, file } = await withPlan()
    spoil(file)
    const failure = failureOf(await world.run([...send(file), '-o', 'json']))
    expect(failure).toMatchObject({ exit: 2, message: expect.stringMatching(message) })
    expect((await carriedOut(world.url)).transfers).toEqual([])
  })

  it('of a plan that was rejected, and it cannot be approved any more', async () => {
    const { world, file } = await withPlan()
    await world.prepare(approve(file))
    await world.prepare(['plan', 'reject', file, '--because', 'it is paid'])
    for (const words of [send(file), approve(file, ana)]) {
      const failure = failureOf(await world.run([...words, '-o', 'json']))
      expect(failure).toMatchObject({ exit: 2, message: expect.stringMatching(/ was rejected by .*: it is paid$/) })
    }
    expect((await carriedOut(world.url)).transfers).toEqual([])
    const rejected = { by: expect.any(String), at: expect.stringMatching(/Z$/), because: 'it is paid' }
    expect(await world.json(['plan', 'list'])).toMatchObject([{ state: 'rejected', rejected }])
    expect(await world.json(['plan', 'show', nameOf(file)])).toMatchObject({ state: 'rejected', rejected })
    expect(await world.prepare(['plan', 'show', file])).toMatch(/^rejected +by .*: it is paid$/m)
    expect(await world.json(['plan', 'list', '--state', 'open'])).toEqual([])
    expect(await world.json(['plan', 'list', '--since', '1h', '--limit', '1'])).toHaveLength(1)
  })

  it('on a machine without ssh-keygen', async () => {
    const { world, file } = await withPlan()
    const failure = failureOf(await world.run([...approve(file), '-o', 'json'], { env: { PATH: world.home } }))
    expect(failure).toMatchObject({
      exit: 2,
      message:
        '`ssh-keygen`, which signs and verifies plans, failed: it could not be started: it does not exist (ENOENT)',
    })
  })
})

it('plans nothing of a run of which nothing is left', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ['maria@example.com,1'])
  const { run } = linesOf(await world.run(['batch', 'transfer', path, '--yes', '-o', 'json'])).at(-1) ?? {}
  const plan = join(world.home, 'plan.json')
  const refused = await world.run(['resume', String(run), `--plan=${plan}`, '--json'])
  const message = expect.stringContaining('nothing to plan')
  expect(failureOf(refused)).toMatchObject({ exit: 2, outcome: 'not-sent', message })
  expect(existsSync(plan)).toBe(false)
})
