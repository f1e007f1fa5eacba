import { expect, it } from 'vitest'
import { startWorld } from '../sandbox/sandboxWorld.ts'
import { emptyWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, failureOf } from './payments.ts'

const OWNER = '52998224725'

/** Sends a file of one row with the id `inv-1`, first without an owner, then with `owner`. */
async function sentTwice(key: string, owner: string) {
  const { url } = await startWorld()
  const world = emptyWorld({ PIXGATE_BASE_URL: url, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const send = (cell: string) => {
    const path = csvIn(world, 'payroll.csv', 'key,value,externalId,documentValidation', [`${key},1.50,inv-1,${cell}`])
    return world.run(['batch', 'transfer', path, '--yes', '-o', 'json'])
  }
  const first = await send('')
  return { first, second: failureOf(await send(owner)), carried: await carriedOut(url) }
}

it('takes a row that is sent again unchanged for the payment that was made', async () => {
  const { first, second } = await sentTwice('maria@example.com', '')
  expect(first.exit).toBe(0)
  expect(second).toMatchObject({ exit: 2, message: expect.stringContaining('Nothing of this file is left') })
})

it('does not take a row that asks for another owner for the payment that was made', async () => {
  const { first, second, carried } = await sentTwice('maria@example.com', OWNER)
  expect(first.exit).toBe(0)
  expect(second).toMatchObject({
    exit: 2,
    code: 'REPEAT',
    faults: [{ line: 2, column: 'externalId', message: expect.stringContaining('inv-1') }],
  })
  expect(carried.transfers).toHaveLength(1)
})

it('sends the CPF beside a key as its owner, says so under --yes, and in how many rows no owner is checked', async () => {
  const { url } = await startWorld()
  const world = emptyWorld({ PIXGATE_BASE_URL: url, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  // A valid CPF and a mobile number, paid to the CPF beside it; a key of somebody else; nobody known.
  const path = csvIn(world, 'payroll.csv', 'Nome;CPF;Chave Pix;Valor', [
    'Ana;619.239.693-07;61923969307;1,50',
    'Eva;529.982.247-25;111.444.777-35;2,50',
    'Rui;;rui@example.com;3,50',
  ])
  const sent = await world.run(['batch', 'transfer', path, '--yes'])
  expect(sent.stderr).toMatch(/^columns {7}.*`CPF` is owner/m)
  expect(sent.stderr).toMatch(/^owner {9}not checked in 1 of 3 rows$/m)
  const { transfers } = await carriedOut(url)
  expect(transfers.map(({ key }) => key).sort()).toEqual(['61923969307', 'rui@example.com'])
  expect(sent.stdout).toMatch(/^refused +1, R\$ [\d.,]+$/m)
  const one = ['transfer', '--key', '61923969307', '--owner', '619.239.693-07', '--amount', '9', '--dry-run']
  expect(await world.json(one)).toMatchObject({ body: { key: '61923969307', typeKey: 'document' } })
  const ana = ['payee', 'add', 'ana', '--key', '61923969307', '--owner', '619.239.693-07']
  expect(await world.json(ana)).toMatchObject({ key: '61923969307', keyType: 'document' })
  const none = csvIn(world, 'none.csv', 'Documento;Chave Pix;Valor', [
    'NF 7;eva@example.com;7',
    'NF 8;ivo@example.com;8',
  ])
  const checked = await world.run(['batch', 'transfer', none, '--dry-run'])
  expect(checked.stdout).toMatch(/^not sent {6}`Documento` \(your reference\)$/m)
  expect(checked.stdout).toMatch(/^owner {9}not checked in 2 of 2 rows$/m)
  expect(await world.json(['batch', 'transfer', none, '--dry-run'])).toMatchObject({ withoutOwner: 2 })
})
