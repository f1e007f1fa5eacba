/**
 * The limit beside `batch transfer`: the same requests by a bare undici loop that keeps nothing. Its words are the address,
 * how many rows, and how many at once.
 */
import { Pool } from 'undici'

const [address = '', rows = '0', concurrency = '1'] = process.argv.slice(2)
const pool = new Pool(address, { connections: Number(concurrency) })
const headers = {
  accept: 'application/json',
  'content-type': 'application/json',
  ci: 'local',
  cs: 'local-secret',
}
let next = 0

async function worker() {
  while (next < Number(rows)) {
    const row = next++
    const body = JSON.stringify({
      value: 1.5,
      key: `person${row}@example.com`,
      typeKey: 'email',
      callbackUrl: 'http://127.0.0.1:4242/',
      externalId: `payroll-${String(row).padStart(16, '0')}`,
    })
    const answer = await pool.request({ method: 'POST', path: '/api/v1/gateway/pix-payment', headers, body })
    await answer.body.json()
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, worker))
await pool.close()
