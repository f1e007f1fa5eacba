/** The limit beside `status` of many ids: the same queries by a bare undici loop. Words: the address, how many, how many at once. */
import { Pool } from 'undici'

const [address = '', count = '0', concurrency = '1'] = process.argv.slice(2)
const pool = new Pool(address, { connections: Number(concurrency) })
const headers = { accept: 'application/json', ci: 'local', cs: 'local-secret' }
let next = 0

async function worker() {
  while (next < Number(count)) {
    const path = `/api/v2/gateway/consult-transaction?idTransaction=${next++}`
    const answer = await pool.request({ method: 'GET', path, headers })
    await answer.body.json()
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, worker))
await pool.close()
