import { deflateSync } from 'node:zlib'
import { planText } from '../../src/plans/plan.ts'
import type { Dice } from '../campaign/dice.ts'

/** A small picture, uncompressed before it was packed. */
export function png(dice: Dice): Buffer {
  const side = 8 + dice.below(24)
  const row = () =>
    Buffer.concat([Buffer.from([dice.below(5)]), Buffer.from(Array.from({ length: side }, () => dice.below(2) * 255))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, row)))
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** A public key as `allowed_signers` has it. */
export function sshKey(seed: number): string {
  const type = Buffer.from('ssh-ed25519')
  const length = Buffer.from([0, 0, 0, type.length])
  return Buffer.concat([length, type, Buffer.from([0, 0, 0, 32]), Buffer.alloc(32, seed)]).toString('base64')
}

/** The text of a plan of one or more transfers. */
export function examplePlan(count: number): string {
  const requests = Array.from({ length: count }, (_, place) => ({
    value: 12.5,
    key: `p${place}@example.com`,
    typeKey: 'email',
    callbackUrl: 'http://127.0.0.1:4242/',
    externalId: `id-${place}`,
  }))
  const rows = requests.map(({ externalId }, place) => ({
    line: place + 2,
    id: externalId,
    isTypedId: true,
    cells: [],
  }))
  const batch = { reference: 'x', file: null, columns: [], fields: {} }
  return planText({
    version: 1,
    kind: 'transfer',
    account: { baseUrl: 'http://127.0.0.1:4010', clientId: 'local' },
    requests,
    totalCents: 1250 * count,
    warnings: [],
    sourceSha256: null,
    maker: 'maria',
    expiresAt: '2026-11-27T12:00:00.000Z',
    ...(count > 1 ? { batch, rows } : {}),
  })
}
