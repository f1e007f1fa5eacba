import type { Owner } from '../../../src/ledger/accounts.ts'
import { type Database, integerOf } from '../../../src/storage/sqlite.ts'
import { plainAddress } from './spelling.ts'

/** The numbers of accounts in the ledger. One that was found is not looked up again, because it never changes. */
export class AccountNumbers {
  readonly #found = new Map<string, number>()

  /** The number of an account; null if the ledger does not know it. */
  of(database: Database, { baseUrl, clientId }: Owner): number | null {
    const name = JSON.stringify([baseUrl, clientId])
    const known = this.#found.get(name)
    if (known !== undefined) return known
    const address = plainAddress(baseUrl)
    const row = database.get('SELECT id FROM account WHERE base_url = ? AND client_id = ?', address, clientId)
    if (row === undefined) return null
    const id = integerOf(row, 'id')
    this.#found.set(name, id)
    return id
  }
}
