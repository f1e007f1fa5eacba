import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ProcessResult } from '../world.ts'
import type { HostileOutside } from './hostileOutside.ts'

/** Writes every kind of file that a spreadsheet opens as CSV; their paths. */
export async function formulaFiles({ run, batch, world }: HostileOutside): Promise<string[]> {
  const files: string[] = [batch.excel]
  const path = (name: string) => {
    const file = join(world.home, name)
    files.push(file)
    return file
  }
  for (const excel of [[], ['--excel']]) {
    const kind = excel.length
    const commands = [
      ['batch', 'report', batch.run, '--out', path(`batch-${kind}.csv`)],
      ['history', 'report', '--month', monthOfToday(), '--out', path(`month-${kind}.csv`)],
    ]
    for (const words of commands) {
      const { exit, stderr } = await run(...words, ...excel)
      expect([words, exit, stderr]).toEqual([words, 0, expect.anything()])
    }
  }
  const listed = await run('history', '--all-rows', '-o', 'csv', '--excel')
  expect(listed.exit).toBe(0)
  writeFileSync(path('history.csv'), listed.stdout)
  return files
}

function monthOfToday(): string {
  return new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo', year: 'numeric', month: '2-digit' }).format()
}

/** Controls but the line break, formats, surrogates without a partner, separators, what has no shape, what arranges hieroglyphs; and a ninth mark. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{13430}-\u{1345f}]|\p{M}{9}/u

/**
 * Runs every command that prints text from outside: those that list print all of the texts at once, and those about one thing are run for the first `single`
 * texts. Returns the outputs that are not safe, with their commands.
 */
export async function unsafeOutputs(
  outside: HostileOutside,
  texts: readonly string[],
  single: number,
): Promise<string[]> {
  const { run, batch, accepted, world } = outside
  const found: string[] = []
  let outputs = 0
  const judge = (words: readonly string[], { stdout, stderr }: ProcessResult) => {
    outputs += 1
    // Columns of a list in a pipe are separated by tabs.
    for (const text of [stdout.replaceAll('\t', ' '), stderr]) {
      const [unsafe, at] = [UNSAFE.exec(text)?.[0], UNSAFE.exec(text)?.index ?? 0]
      if (unsafe !== undefined)
        found.push(`${words.join(' ')}: ${JSON.stringify(text.slice(Math.max(0, at - 30), at + 30))}`)
    }
  }
  const tried = async (...words: string[]) => judge(words, await run(...words))
  const id = accepted[0] ?? ''
  const file = (name: string, content: string) => {
    const path = join(world.home, name)
    writeFileSync(path, content)
    return path
  }
  const statement = file(
    'statement.csv',
    `Data,Valor,Descrição\n${texts.map((text) => `01/11/2026,"1,00","${text.replaceAll('"', '""')}"`).join('\n')}\n`,
  )
  const faulty = file(
    'faulty.csv',
    `key,value\n${texts.map((text) => `"${text.replaceAll('"', '""')}","${text.replaceAll('"', '""')}"`).join('\n')}\n`,
  )
  const stored = file(
    'stored.jsonl',
    texts.map((text) => JSON.stringify({ body: text, headers: { [text]: text } })).join('\n'),
  )
  const ids = file('ids.csv', `id,status\n${texts.map((text) => `"${text.replaceAll('"', '""')}",PAID`).join('\n')}\n`)
  const payees = file(
    'payees.csv',
    `name,key\n${texts.map((text, place) => `p${place},"${text.replaceAll('"', '""')}"`).join('\n')}\n`,
  )
  for (const words of [
    ['batch', 'show', batch.run],
    ['batch', 'list'],
    ['batch', 'transfer', faulty, '--dry-run'],
    ['batch', 'transfer', batch.file, '--dry-run', '--reference', 'other'],
    ['resume', batch.run, '--refused', '--dry-run'],
    ['history', '--all-rows'],
    ['history', 'find', 'p1', '--all-rows'],
    ['history', 'show', id],
    ['history', 'check'],
    ['history', 'check', '--statement', statement],
    ['history', 'import', stored],
    ['status', id],
    ['status', '--from', ids],
    ['payee', 'import', payees, '--yes'],
    ['payee', 'list'],
    ['webhook', 'events', '--all-rows'],
    ['webhook', 'events', 'show', '1'],
    ['webhook', 'replay', '1', '--to', world.env.PIXGATE_BASE_URL ?? '', '--yes'],
    ['webhook', 'send', 'pix.received', '--to', world.env.PIXGATE_BASE_URL ?? '', '--yes'],
  ]) {
    await tried(...words)
  }
  for (const [place, text] of texts.slice(0, single).entries()) {
    const typed = text.replaceAll('\0', '\u0001')
    const body = file(
      'body',
      JSON.stringify({ event: text, data: { idTransaction: text, status: text, payer: { name: text } } }),
    )
    const request = file('request', `POST /${text} HTTP/1.1\r\nHost: ${text}\r\nX-Signature: ${text}\r\n\r\n${text}`)
    for (const words of [
      ['transfer', '--key', `k${place}@example.com`, '--amount', '1', '--yes'],
      ['transfer', '--key', typed, '--amount', typed, '--yes'],
      ['refund', crypto.randomUUID(), '--reason', typed || 'x', '--amount', '1', '--yes'],
      ['refund', crypto.randomUUID(), '--reason', typed || 'x', '--amount', '1', '--yes', '--skip-query'],
      ['qr', 'create', '--amount', '1', '--payer-name', typed, '--no-qr'],
      ['qr', 'decode', typed],
      ['qr', 'draw', typed],
      ['status', crypto.randomUUID()],
      ['status', typed],
      ['history', 'find', typed],
      ['history', 'show', typed],
      ['webhook', 'events', 'show', String(place + 1)],
      ['webhook', 'verify', '--body', body, '--signature', typed],
      ['webhook', 'verify', '--request', request],
      ['payee', 'add', typed, '--key', typed],
      [typed],
      ['transfer', `--${typed}`],
      ['--profile', typed, 'history'],
    ]) {
      await tried(...words)
    }
  }
  expect(outputs).toBe(19 + 18 * single)
  return found
}
