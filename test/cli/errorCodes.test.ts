import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { answering } from '../gateway/faults.ts'
import { jsonAnswer } from '../gateway/rawHttp.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { listenHere } from './listener.ts'
import { carriedOut, control, failureOf, inThisProcess } from './payments.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'

const CNPJ_WITH_LETTERS = '12ABC34501DE35'
const ASK_RECEIVER = 'Ask the receiver for another PIX key, or to clear it up with their bank'

it('explains a code of the settlement system in an answer', async () => {
  const gateway = await startFaultGateway()
  gateway.always(answering(jsonAnswer(400, { statusCode: 400, message: 'AC03', details: 'CreditorAccount' })))
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const ran = await world.run(['transfer', '--key', 'a@example.com', '--amount', '1', '--yes'])
  expect(ran.exit).toBe(1)
  expect(ran.stderr).toContain("error: The receiver's branch or account number does not exist (AC03)\n")
  expect(ran.stderr).toContain('The gateway says: CreditorAccount\n')
  expect(ran.stderr).toContain(`hint: ${ASK_RECEIVER}\n`)
})

it('shows a code of the gateway beside what it means, in Portuguese too', async () => {
  const world = inThisProcess(await sandboxWorld())
  const words = ['transfer', '--key', 'nofunds@example.com', '--amount', '1', '--yes', '--lang', 'pt-BR']
  expect(await world.run(words)).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('erro: Saldo insuficiente (NO_FUNDS)\n'),
  })
})

it('explains the code of an event wherever the payment is shown', async () => {
  const world = await sandboxWorld()
  const file = csvIn(world, 'payroll.csv', 'key,value,externalId', ['a@example.com,1,invoice-1'])
  await world.prepare(['batch', 'transfer', file, '--yes'])
  const [{ idTransaction } = { idTransaction: '' }] = (await carriedOut(world.url)).transfers
  const data = { idTransaction, statusTransaction: 'ERROR', value: 1, errorCode: 'AC07' }
  await storeIn(
    world,
    receivedEvent(JSON.stringify({ event: 'transfer.failed', data }), {
      owner: { profile: 'local', environment: 'sandbox', baseUrl: world.url, clientId: 'local' },
    }),
  )
  for (const words of [
    ['history', 'show', 'invoice-1'],
    ['status', 'invoice-1'],
  ]) {
    const { stdout } = await world.run(words)
    expect(stdout).toMatch(/^reason +The receiver's account is closed \(AC07\)$/m)
    expect(stdout).toMatch(new RegExp(`^what to do +${ASK_RECEIVER}$`, 'm'))
  }
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  const shown = JSON.parse(await world.prepare(['batch', 'show', run, '-o', 'json']))
  expect(shown.rowsDetail).toMatchObject([{ errorCode: 'AC07', message: "The receiver's account is closed" }])
})

it('explains the code of an event that --wait waited for', async () => {
  const world = inThisProcess(await sandboxWorld())
  await listenHere(world)
  await control(world.url, 'fault', { kind: 'OPERATION_EXCEEDS_LIMIT', async: true })
  const words = ['transfer', '--key', 'maria@example.com', '--amount', '7', '--callback-url', 'listen', '--yes']
  const ran = await world.run([...words, '--wait=1m'])
  expect(ran.exit).toBe(1)
  expect(ran.stdout).toMatch(/^reason +The amount exceeds a limit of the account \(OPERATION_EXCEEDS_LIMIT\)$/m)
  expect(ran.stdout).toMatch(/^what to do +Ask the gateway which limit applies, .*R\$ 15\.000,00/m)
})

it('says why a key may be gone', async () => {
  const world = inThisProcess(await sandboxWorld())
  const ran = await world.run(['transfer', '--key', 'notfound@example.com', '--amount', '1', '--yes', '-o', 'json'])
  expect(failureOf(ran)).toMatchObject({
    code: 'PIX_KEY_NOT_FOUND',
    hint: expect.stringContaining('irregular at the tax authority are deleted'),
  })
})

it.each([
  ['as the key', ['--key', CNPJ_WITH_LETTERS]],
  ['as the owner', ['--key', 'a@example.com', '--owner', CNPJ_WITH_LETTERS]],
])('says that a CNPJ with letters %s may not be known yet', async (_name, words) => {
  const gateway = await startFaultGateway()
  gateway.always(answering(jsonAnswer(400, { statusCode: 400, message: 'DOCUMENT_VALIDATE' })))
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const pay = (more: readonly string[]) => world.run(['transfer', ...more, '--amount', '1', '--yes', '-o', 'json'])
  expect(failureOf(await pay(words)).hint).toContain('know CNPJs with letters')
  expect(failureOf(await pay(['--key', '11222333000181'])).hint).not.toContain('letters')
})
