import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { BINARY, NODE, sandboxWorld, type World } from '../world.ts'

const FULL = '/dev/full'
const canWrite = existsSync(FULL)
if (!canWrite) console.warn(`SKIPPED: there is no ${FULL}, so an output that cannot be written is not tested`)

/** Runs the binary with a stdout that cannot be written. */
function runIntoFull({ env }: World, args: readonly string[]) {
  return runInto(openSync(FULL, 'w'), [NODE, BINARY, ...args], env)
}

const KIBIBYTES_MAX = 16 * 1024

/** Runs the binary with a stdout that takes eight more bytes, as a file on a disk that is almost full. */
function runIntoAlmostFull({ env, home }: World, args: readonly string[]) {
  const path = join(home, 'almost-full')
  writeFileSync(path, '')
  truncateSync(path, KIBIBYTES_MAX * 1024 - 8)
  const limited = ['bash', '-c', `ulimit -f ${KIBIBYTES_MAX}; exec "$@"`, 'bash']
  return runInto(openSync(path, 'a'), [...limited, NODE, BINARY, ...args], env)
}

async function runInto(output: number, [program = '', ...words]: readonly string[], env: World['env']) {
  const child = spawn(program, words, { env, stdio: ['ignore', output, 'pipe'] })
  closeSync(output)
  const exit = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const stderr = child.stderr === null ? '' : await text(child.stderr)
  return { exit: await exit, stderr }
}

/** The error on the last line of stderr, with the documents that stdout did not take. */
function errorOf(stderr: string): { error: Record<string, unknown>; documents: Record<string, unknown>[] } {
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  const lines = String(error.details).split('\n')
  return { error, documents: lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)) }
}

async function stage() {
  const world = await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'https://shop.example/hook' })
  const state = async (): Promise<Record<string, { idTransaction: string }[]>> =>
    JSON.parse(await world.prepare(['sandbox', 'state', '-o', 'json']))
  return { world, state }
}

const transfer = (externalId: string) => [
  ...['transfer', '--key', 'maria@example.com', '--amount', '3', '--external-id', externalId, '--again', '--yes'],
]

it.runIf(canWrite)('ends a payment with exit 5 and tells its outcome and ids on stderr', async () => {
  const { world, state } = await stage()
  const words = await runIntoFull(world, transfer('order-1'))
  const { transfers = [] } = await state()
  expect(words.exit, words.stderr).toBe(5)
  expect(words.stderr).toContain(
    'error: Standard output cannot be written: the disk is full (ENOSPC); payments were sent: 1',
  )
  expect(words.stderr).toContain(`transfer order-1: accepted, id ${transfers[0]?.idTransaction}`)

  const json = await runIntoFull(world, [...transfer('order-2'), '-o', 'json'])
  const { error, documents } = errorOf(json.stderr)
  expect(json.exit).toBe(5)
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcome: 'accepted', exitCode: 5, externalId: 'order-2' })
  expect(error.hint).toContain('pixgate history show')
  expect(documents).toMatchObject([{ externalId: 'order-2', status: 'PROCESSING', pixgate: { outcome: 'accepted' } }])
})

it.runIf(canWrite)('ends a refund and a resumed transfer with exit 5', async () => {
  const { world, state } = await stage()
  const created = await world.prepare(['qr', 'create', '--amount', '10', '-o', 'json'])
  const { idTransaction } = JSON.parse(created)
  await world.prepare(['sandbox', 'pay', idTransaction])
  const refund = ['refund', idTransaction, '--reason', 'damaged', '--amount', '4', '--yes', '-o', 'json']
  const refunded = await runIntoFull(world, refund)
  expect(refunded.exit, refunded.stderr).toBe(5)
  const { refunds = [] } = await state()
  expect(errorOf(refunded.stderr).documents).toMatchObject([{ idTransaction: refunds[0]?.idTransaction, amount: 4 }])

  await world.prepare(['sandbox', 'fault', 'drop-after', '--on', 'transfer'])
  expect((await world.run(transfer('order-1'))).exit).toBe(5)
  const resumed = await runIntoFull(world, ['resume', 'order-1', '--yes', '-o', 'json'])
  expect(resumed.exit, resumed.stderr).toBe(5)
  expect(errorOf(resumed.stderr).error).toMatchObject({ outcome: 'accepted', externalId: 'order-1' })
  expect(errorOf(resumed.stderr).documents).toMatchObject([{ pixgate: { outcome: 'accepted-before' } }])
})

it.runIf(canWrite)('ends a batch with exit 5, with its rows and the run on stderr', async () => {
  const { world, state } = await stage()
  const file = join(world.home, 'rows.csv')
  writeFileSync(file, 'key,value,externalId\nana@example.com,1,row-1\nnotfound@example.com,2,row-2\n')
  const { exit, stderr } = await runIntoFull(world, ['batch', 'transfer', file, '--yes', '-o', 'json'])
  expect(exit, stderr).toBe(5)
  const { transfers = [] } = await state()
  const { error, documents } = errorOf(stderr)
  expect(error).toMatchObject({ outcome: 'accepted', exitCode: 5 })
  expect(documents).toContainEqual(
    expect.objectContaining({ externalId: 'row-1', idTransaction: transfers[0]?.idTransaction }),
  )
  expect(error.hint).toBe(`Run \`pixgate batch show ${documents.at(-1)?.run}\` to see what was sent`)
})

it.runIf(canWrite)('ends with exit 2 if no money moved, and names a charge that was created', async () => {
  const { world } = await stage()
  const created = await runIntoFull(world, ['qr', 'create', '--amount', '7', '--request-number', 'order-7'])
  expect(created.exit).toBe(2)
  expect(created.stderr).toContain('qr order-7: pending, id ')
  const refused = transfer('order-8').map((word) => word.replace('maria', 'notfound'))
  expect((await runIntoFull(world, refused)).exit).toBe(1)
  for (const args of [['history'], ['schema'], ['transfer', '--help'], ['--version']]) {
    const { exit, stderr } = await runIntoFull(world, args)
    expect(exit, `${args.join(' ')}: ${stderr}`).toBe(2)
    expect(stderr).toMatch(/^error: Standard output cannot be written: .*ENOSPC/m)
  }
})

it.runIf(canWrite)('notices that only the beginning of a text fits on the disk', async () => {
  const { world, state } = await stage()
  const paid = await runIntoAlmostFull(world, [...transfer('order-9'), '-o', 'json'])
  expect(paid.exit, paid.stderr).toBe(5)
  const { transfers = [] } = await state()
  expect(errorOf(paid.stderr).documents).toMatchObject([{ idTransaction: transfers[0]?.idTransaction }])
  for (const args of [
    ['completion', 'bash'],
    ['history', '-o', 'json'],
    ['transfer', '--help'],
  ]) {
    const { exit, stderr } = await runIntoAlmostFull(world, args)
    expect(exit, `${args.join(' ')}: ${stderr}`).toBe(2)
    expect(stderr).toContain('Standard output cannot be written: it would be larger than a file may be (EFBIG)')
  }
})
