import { describe, expect, it } from 'vitest'
import { readLedgerAddress } from '../../../src/ledger/team/ledgerAddress.ts'
import { UsageError } from '../../../src/wire/errors.ts'

function failureOf(text: string): UsageError {
  try {
    readLedgerAddress(text)
  } catch (error) {
    if (error instanceof UsageError) return error
  }
  throw new Error(`${text} was not refused with a UsageError`)
}

describe('the address of a shared ledger', () => {
  it.each([
    ['postgres://maria@DB.Example.com/payments', 'postgres://maria@db.example.com/payments', false],
    ['postgresql://maria@db.example.com:5432/payments', 'postgres://maria@db.example.com/payments', false],
    ['postgres://maria@[2001:db8::1]:6432/payments', 'postgres://maria@[2001:db8::1]:6432/payments', false],
    ['postgres://ana%40shop@10.0.0.5/p%C3%A1gina%20um', 'postgres://ana%40shop@10.0.0.5/p%C3%A1gina%20um', false],
    ['postgres://maria@localhost/payments', 'postgres://maria@localhost/payments', true],
    ['postgres://maria@[::1]/payments', 'postgres://maria@[::1]/payments', true],
    ['postgres://maria@127.0.0.9:5433/payments', 'postgres://maria@127.0.0.9:5433/payments', true],
  ])('reads %s', (text, url, isLoopback) => {
    expect(readLedgerAddress(text)).toMatchObject({ url, isLoopback })
    expect(readLedgerAddress(url)).toEqual(readLedgerAddress(text))
  })

  it('decodes its parts', () => {
    expect(readLedgerAddress('postgres://ana%40shop@[::1]:6432/p%C3%A1gina%20um')).toMatchObject({
      user: 'ana@shop',
      host: '::1',
      port: 6432,
      database: 'página um',
    })
  })

  it.each([
    ['', 'is not the address'],
    ['db.example.com/payments', 'is not the address'],
    ['mysql://maria@db.example.com/payments', 'is not the address'],
    ['https://maria@db.example.com/payments', 'is not the address'],
    ['postgres://maria@db.example.com:port/payments', 'is not the address'],
    ['postgres://db.example.com/payments', 'names no login'],
    ['postgres://maria@db.example.com', 'names no database'],
    ['postgres://maria@db.example.com/', 'names no database'],
    ['postgres://maria@db.example.com/a/b', 'names no database'],
    ['postgres://maria@db.example.com/a%00', 'names no database'],
    ['postgres://maria@db.example.com:0/payments', 'has no valid port'],
    ['postgres://maria@%2Fvar%2Frun/payments', 'names no server'],
    ['postgres://maria@a.example.com,b.example.com/payments', 'names no server'],
    ['postgres:///payments', 'names no login'],
    ['postgres://maria@db.example.com/payments?sslmode=disable', '`sslmode` cannot be set'],
    ['postgres://maria@db.example.com/payments?sslrootcert=x', '`sslrootcert` cannot be set'],
    ['postgres://maria@localhost/payments?sslmode=verify-full', '`sslmode` cannot be set'],
    ['postgres://maria@db.example.com/payments?options=-c%20x', '`options` cannot be set'],
    ['postgres://maria@db.example.com/payments?', 'has more than'],
    ['postgres://maria@db.example.com/payments#x', 'has more than'],
  ])('refuses %s', (text, message) => {
    expect(failureOf(text)).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) })
  })

  it.each([
    'postgres://maria:secret@db.example.com/payments',
    'postgres://maria:se#secret@db.example.com/payments',
    'postgres://maria:secret@db.example.com:port/payments',
    'postgres://maria:12#secret@db.example.com/payments',
    'postgres://maria:a@secret@db.example.com/payments',
    'postgres://maria@db.example.com/payments?password=secret',
    'postgres://maria@db.example.com/payments#secret',
  ])('never shows the password in %s', (text) => {
    const { message, hint, details } = failureOf(text)
    expect(`${message} ${hint} ${details.join()}`).not.toContain('secret')
  })
})
