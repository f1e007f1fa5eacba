const BLOCK_BYTES = 64
const LENGTH_BYTES = 8

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
// biome-ignore format: eight in a line, as in the standard
const ROUND_WORDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]
/** The same of the square roots of the first eight. */
// biome-ignore format: as above
const INITIAL_WORDS = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]

/**
 * The SHA-256 of these bytes, 32 bytes (FIPS 180-4). For one short text: Node.js's own is many times as fast, and takes
 * longer to load than a whole command should.
 */
export function sha256(message: Uint8Array): Buffer {
  const padded = paddedMessage(message)
  const state = Int32Array.from(INITIAL_WORDS)
  const schedule = new Int32Array(64)
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) compress(state, schedule, padded, at)
  const digest = Buffer.alloc(32)
  state.forEach((word, index) => {
    digest.writeInt32BE(word, index * 4)
  })
  return digest
}

/** The SHA-256 of a text in UTF-8, as 64 hex digits. */
export function sha256Hex(text: string): string {
  return sha256(Buffer.from(text)).toString('hex')
}

/** The HMAC-SHA256 of these bytes, 32 bytes (RFC 2104). Throws RangeError where the key is empty: that signs nothing. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Buffer {
  if (key.length === 0) throw new RangeError('an empty key signs nothing')
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key)
  const inner = sha256(Buffer.concat([block.map((byte) => byte ^ 0x36), message]))
  return sha256(Buffer.concat([block.map((byte) => byte ^ 0x5c), inner]))
}

/** True where the digest is the HMAC-SHA256 of these bytes; compared in constant time. Throws like `hmacSha256`. */
export function isHmacSha256(digest: Uint8Array, key: Uint8Array, message: Uint8Array): boolean {
  let difference = digest.length ^ 32
  hmacSha256(key, message).forEach((byte, index) => {
    difference |= byte ^ (digest[index] ?? 0)
  })
  return difference === 0
}

/** The message, a one bit, zeros, and its length in bits, in whole blocks. */
function paddedMessage(message: Uint8Array): Buffer {
  const blocks = Math.ceil((message.length + 1 + LENGTH_BYTES) / BLOCK_BYTES)
  const padded = Buffer.alloc(blocks * BLOCK_BYTES)
  padded.set(message)
  padded[message.length] = 0x80
  padded.writeBigUInt64BE(BigInt(message.length) * 8n, padded.length - LENGTH_BYTES)
  return padded
}

/** Rotations are written out, because most of the time here goes before anything is optimised. */
function compress(state: Int32Array, schedule: Int32Array, padded: Buffer, at: number): void {
  for (let index = 0; index < 16; index++) schedule[index] = padded.readInt32BE(at + index * 4)
  for (let index = 16; index < 64; index++) {
    const early = schedule[index - 15] ?? 0
    const late = schedule[index - 2] ?? 0
    const mixedEarly = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3)
    const mixedLate = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10)
    schedule[index] = (schedule[index - 16] ?? 0) + mixedEarly + (schedule[index - 7] ?? 0) + mixedLate
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const mixedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const mixedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const first = (h + mixedE + choice + (ROUND_WORDS[index] ?? 0) + (schedule[index] ?? 0)) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + mixedA + majority) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word
  })
}
