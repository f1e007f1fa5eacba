import { crc32, deflateSync } from 'node:zlib'
import encodeQR from 'qr'
import { planText } from '../../src/plans/plan.ts'
import type { Dice } from '../campaign/dice.ts'

/** A picture, and the text that its QR code has; undefined if it has none. */
export interface Picture {
  png: Buffer
  code: string | undefined
}

const CODES = ['1', 'PIX', 'a@b.co', 'https://pix.example/7', 'ação 💰'].map((code) => ({
  code,
  modules: encodeQR(code, 'raw', { border: 4 }),
}))

/** A small picture, of a QR code or of noise. */
export function picture(dice: Dice): Picture {
  const [kind, look, colour] = [dice.below(4), dice.below(LOOKS.length), dice.below(COLOURS.length)]
  if (kind === 0) return { png: noise(dice, COLOURS[colour] ?? GREY), code: undefined }
  const { code, modules } = CODES[dice.below(CODES.length)] ?? { code: '', modules: [] }
  const name = `${code} ${look} ${colour}`
  const drawn =
    DRAWN.get(name) ?? drawing(modules, LOOKS[look] ?? { scale: 2, isInverted: false }, COLOURS[colour] ?? GREY)
  DRAWN.set(name, drawn)
  return { png: Buffer.from(drawn), code }
}

/** Drawing takes longer than reading. */
const DRAWN = new Map<string, Buffer>()

interface Look {
  scale: number
  isInverted: boolean
}

const LOOKS: readonly Look[] = [2, 3].flatMap((scale) => [false, true].map((isInverted) => ({ scale, isInverted })))

function drawing(modules: readonly boolean[][], { scale, isInverted }: Look, colour: Colour): Buffer {
  const rows = modules.flatMap((row) => {
    const pixels = row.flatMap((isDark) => Array.from({ length: scale }, () => colour.pixel(isDark !== isInverted)))
    return Array.from({ length: scale }, () => [0, ...pixels.flat()])
  })
  return packed(modules.length * scale, colour, rows)
}

/** Any bytes, below any of the five filters. */
function noise(dice: Dice, colour: Colour): Buffer {
  const side = 8 + dice.below(24)
  const row = () => [dice.below(5), ...Array.from({ length: side }, () => colour.pixel(dice.coin())).flat()]
  return packed(side, colour, Array.from({ length: side }, row))
}

function packed(side: number, { type }: Colour, rows: readonly number[][]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, type, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(type === PALETTE ? [pngChunk('PLTE', Buffer.from([255, 255, 255, 0, 0, 0]))] : []),
    pngChunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const PALETTE = 3
const GREY: Colour = { type: 0, pixel: (isDark) => [isDark ? 0 : 255] }
const COLOURS: readonly Colour[] = [
  GREY,
  { type: 2, pixel: (isDark) => (isDark ? [0, 0, 90] : [255, 255, 200]) },
  { type: PALETTE, pixel: (isDark) => [isDark ? 1 : 0] },
  { type: 4, pixel: (isDark) => [0, isDark ? 255 : 0] },
  { type: 6, pixel: (isDark) => (isDark ? [0, 0, 0, 255] : [255, 255, 255, 255]) },
]

/** A type of colour, and the bytes of a pixel. */
interface Colour {
  type: number
  pixel: (isDark: boolean) => number[]
}

/** A chunk of a PNG file, with its checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
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
