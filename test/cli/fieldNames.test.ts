import { describe, expect, it } from 'vitest'
import { fieldPaths } from '../../src/views/fieldNames.ts'
import { leafCommands } from '../commandTree.ts'
import { sandboxWorld } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, failureOf, inThisProcess } from './payments.ts'

const JSON_OF = { format: 'json', input: {} } as const

function pathsOf(command: string, ...names: string[]): string[] {
  return fieldPaths(names, { command, ...JSON_OF })
}

/** Seconds of a time as people see it, in São Paulo. */
function parseShown(text: string): number {
  const [, day, month, year, time] = /^(\d\d)\/(\d\d)\/(\d{4}) (\S+) BRT$/.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${time}-03:00`) / 1000
}

describe('--fields', () => {
  it('refuses a name that does not exist before anything is sent, and names the nearest', async () => {
    const world = inThisProcess(await sandboxWorld())
    const file = csvIn(world, 'rows.csv', 'key,value', ['maria@example.com,10'])
    const transfer = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes']
    const cases: [words: string[], typed: string, hint: string][] = [
      [transfer, 'nope', 'Run `pixgate schema transfer` to see all of them'],
      [[...transfer, '--dry-run'], 'boddy', 'Did you mean `body`?'],
      [transfer, 'idTransacton', 'Did you mean `idTransaction`?'],
      [['batch', 'transfer', file, '--yes'], 'externlId', 'Did you mean `externalId`?'],
      [['qr', 'create', '--amount', '5'], 'idTransaction,amount', 'there is no field `amount`'],
      [['webhook', 'send', 'pix.received', '--to', `${world.url}/x`, '--yes'], 'state', 'Did you mean `status`?'],
      [['history'], 'payer', 'Did you mean `payee`?'],
    ]
    for (const [words, typed, hint] of cases) {
      for (const format of [['-o', 'json'], []]) {
        const ran = await world.run([...words, '--fields', typed, ...format])
        expect([ran.exit, ran.stdout]).toEqual([2, ''])
        expect(ran.stderr).toContain(hint)
        expect(ran.stderr.length).toBeLessThan(400)
      }
    }
    const { transfers, payments } = Object(await carriedOut(world.url))
    expect([transfers, payments]).toEqual([[], []])
    expect(failureOf(await world.run(['status', 'x', '--fields', 'a.b', '-o', 'json']))).toMatchObject({ exit: 2 })
  })

  it('takes what the JSON has, by its path, by the end of it and by the name of its column', async () => {
    const world = inThisProcess(await sandboxWorld())
    const transfer = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id', 'a', '--yes']
    expect(await world.json([...transfer, '--fields', 'outcome,externalId'])).toEqual({
      pixgate: { outcome: 'accepted' },
      externalId: 'a',
    })
    const listed = await world.run(['history', '--lang', 'pt-BR', '--fields', 'estado,valor,ref'])
    expect(listed.stdout.split('\n')[0]?.split('\t')).toEqual(['estado', 'valor', 'ref.'])
    expect(pathsOf('history check', 'gateway', 'statement', 'verdict')).toEqual([
      'pixgate.gateway.status',
      'pixgate.statement.amount',
      'pixgate.verdict',
    ])
    expect(pathsOf('plan send', 'externalId', 'exitCode')).toEqual(['externalId', 'exitCode'])
    const receipt = { command: 'history show', format: 'json', input: { receipt: true } } as const
    expect(fieldPaths(['endToEndId', 'receiver.name'], receipt)).toEqual(['endToEndId', 'receiver.name'])
    const waited = { command: 'qr create', format: 'json', input: { wait: 1000 } } as const
    expect(fieldPaths(['amount'], waited)).toEqual(['amount'])
    expect(pathsOf('profile show', 'sources.baseUrl')).toEqual(['sources.baseUrl'])
    expect(pathsOf('history export', 'facts')).toEqual(['facts'])
  })

  it('gives a column the name that was typed, and its value', async () => {
    const world = inThisProcess(await sandboxWorld())
    await world.run(['qr', 'create', '--amount', '5', '--request-number', 'bolo-9'])
    await world.run(['sandbox', 'pay', 'bolo-9', '--yes'])
    await world.run(['status', 'bolo-9'])
    const [charge] = JSON.parse((await world.run(['history', '-o', 'json'])).stdout)
    const listed = async (...words: string[]) => (await world.run(['history', ...words])).stdout.trimEnd().split('\n')
    const [heads = '', cells = ''] = await listed('--fields', 'at,date,pixgate.at,idTransaction', '--lang', 'pt-BR')
    expect(heads.split('\t')).toEqual(['at', 'data', 'at', 'id da transação'])
    const [at = '', date, path, id] = cells.split('\t')
    expect([path, id]).toEqual([at, charge.idTransaction])
    expect(parseShown(at)).toBe(Math.floor(Date.parse(charge.pixgate.at) / 1000))
    expect(parseShown(date ?? '')).toBe(
      Math.floor(Math.max(Date.parse(charge.paidAt), Date.parse(charge.pixgate.at)) / 1000),
    )
  })

  it('has the names of every command', () => {
    const commands = leafCommands().map((name) => name.replaceAll('-', ' '))
    expect(commands.length).toBeGreaterThan(60)
    for (const command of commands) {
      // Its records have the fields of their types.
      if (command === 'history export') continue
      expect(() => pathsOf(command, 'no such name')).toThrow('--fields')
    }
  })

  it('is the schema of the command that runs', () => {
    expect(() => pathsOf('batch show', 'payee')).toThrow('--fields')
    expect(fieldPaths(['payee', 'amount'], { command: 'batch show', format: 'text', input: {} })).toEqual([
      'name',
      'amount',
    ])
  })
})
