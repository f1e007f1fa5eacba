import { createHash, createHmac } from 'node:crypto'
import { SECRET } from './listening.ts'
import { eventBody } from './webhooks.ts'

/** A way to write the header, as whole header lines, and what it is answered. */
export interface SignatureForm {
  name: string
  lines: string[]
  /** 200 if it is genuine; 400 if it is not HTTP. */
  status: 200 | 400 | 401
}

/** A body whose signature shows both characters that the two alphabets of Base64 write otherwise. */
export function bodyWithBothAlphabets(): Buffer {
  for (let index = 0; ; index++) {
    const body = eventBody(`forms-${index}`)
    const base64 = mac(body, SECRET).toString('base64')
    if (base64.includes('+') && base64.includes('/')) return body
  }
}

/** Every form that somebody has ever sent, or might. */
export function signatureForms(body: Buffer): SignatureForm[] {
  const bytes = mac(body, SECRET)
  const hex = bytes.toString('hex')
  const base64 = bytes.toString('base64')
  const base64url = bytes.toString('base64url')
  const other = mac(body, `${SECRET}x`)
  const mixed = [...hex].map((digit, index) => (index % 2 === 0 ? digit.toUpperCase() : digit)).join('')
  const wide = [...hex].map((digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) + 0xfee0)).join('')

  const genuine: Record<string, string> = {
    hex,
    'upper-case hex': hex.toUpperCase(),
    'hex of both cases': mixed,
    'prefix, hex': `sha256=${hex}`,
    'prefix, upper-case hex': `sha256=${hex.toUpperCase()}`,
    Base64: base64,
    base64url,
    'prefix, Base64': `sha256=${base64}`,
    'prefix, base64url': `sha256=${base64url}`,
    'spaces around': `   ${hex}  `,
    'tabs around': `\t${hex}\t`,
  }
  const rejected: Record<string, string> = {
    empty: '',
    'only spaces': '    ',
    '63 digits': hex.slice(1),
    '65 digits': `${hex}0`,
    '62 digits': hex.slice(2),
    '66 digits': `00${hex}`,
    'twice in one': hex + hex,
    'twice with a comma': `${hex}, ${hex}`,
    'twice with a semicolon': `${hex};${hex}`,
    'a letter behind f': `g${hex.slice(1)}`,
    'a letter at the end': `${hex.slice(1)}z`,
    'junk after': `${hex}junk`,
    'junk after a space': `${hex} junk`,
    'a semicolon after': `${hex};`,
    'a full stop after': `${hex}.`,
    'a space inside': `${hex.slice(0, 32)} ${hex.slice(32)}`,
    'a tab inside': `${hex.slice(0, 32)}\t${hex.slice(32)}`,
    'bytes with colons': bytes.toString('hex').replace(/(..)(?=.)/g, '$1:'),
    'with 0x': `0x${hex}`,
    'with #': `#${hex}`,
    'in double quotes': `"${hex}"`,
    'in single quotes': `'${hex}'`,
    'in brackets': `<${hex}>`,
    'the prefix alone': 'sha256=',
    'the prefix twice': `sha256=sha256=${hex}`,
    'the prefix in capitals': `SHA256=${hex}`,
    'the prefix with a dash': `sha-256=${hex}`,
    'the prefix with a colon': `sha256:${hex}`,
    'the prefix and a space': `sha256= ${hex}`,
    'another prefix': `sha1=${hex}`,
    'the prefix of a longer hash': `sha512=${hex}`,
    'the prefix behind': `${hex}=sha256`,
    'with a time stamp': `t=1767319445,v1=${hex}`,
    'with a version': `v1=${hex}`,
    'with a scheme': `HMAC-SHA256 ${hex}`,
    'as a bearer': `Bearer ${hex}`,
    'hex with padding': `${hex}=`,
    'Base64 without padding': base64.slice(0, -1),
    'Base64 with too much padding': `${base64}=`,
    'base64url with padding': `${base64url}=`,
    'both alphabets in one': `${base64.replace('+', '-')}`,
    'Base64 with a space inside': `${base64.slice(0, 20)} ${base64.slice(20)}`,
    'Base64 cut': base64.slice(0, 40),
    'Base64 cut, padded': `${base64.slice(0, 42)}==`,
    'Base64 of one byte more': Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64'),
    'Base64 of one byte less': bytes.subarray(1).toString('base64'),
    'Base64 with a stray bit': `${base64.slice(0, 42)}${nextLetter(base64.charAt(42))}=`,
    'base64url with a stray bit': `${base64url.slice(0, 42)}${nextLetter(base64url.charAt(42))}`,
    'Base64 of the hex digits': Buffer.from(hex).toString('base64'),
    'hex of the Base64': Buffer.from(base64).toString('hex'),
    'Base64 for an address': encodeURIComponent(base64),
    'hex for an address': `%${hex.slice(0, 2)}${hex.slice(2)}`,
    'another secret': other.toString('hex'),
    'another secret, Base64': other.toString('base64'),
    'another secret, base64url': other.toString('base64url'),
    'the secret with a line end': mac(body, `${SECRET}\n`).toString('hex'),
    'the empty secret': mac(body, '').toString('hex'),
    'no secret': createHash('sha256').update(body).digest('hex'),
    'the secret before the body': createHash('sha256').update(SECRET).update(body).digest('hex'),
    'the body as the secret': createHmac('sha256', body).update(SECRET).digest('hex'),
    'the body with a line end': mac(Buffer.concat([body, Buffer.from('\n')]), SECRET).toString('hex'),
    'an empty body': mac(Buffer.alloc(0), SECRET).toString('hex'),
    'a shorter hash': createHmac('sha1', SECRET).update(body).digest('hex'),
    'a longer hash': createHmac('sha512', SECRET).update(body).digest('hex'),
    'the beginning of a longer hash': createHmac('sha512', SECRET).update(body).digest('hex').slice(0, 64),
    'another hash of this length': createHmac('sha3-256', SECRET).update(body).digest('hex'),
    'the digits backwards': [...hex].reverse().join(''),
    'the bytes backwards': Buffer.from(bytes).reverse().toString('hex'),
    'only zeros': '0'.repeat(64),
    'only f': 'f'.repeat(64),
    'Base64 of zeros': Buffer.alloc(32).toString('base64'),
    'the bytes themselves': bytes.toString('latin1').replace(/[^\x21-\x7e\x80-\xff]/g, '.'),
    'wide digits': Buffer.from(wide).toString('latin1'),
    'arabic digits': Buffer.from(hex.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))).toString(
      'latin1',
    ),
    'a zero-width space': Buffer.from(`\u200b${hex}`).toString('latin1'),
    'a no-break space': `\xa0${hex}`,
    '10 KB of digits': '0123456789abcdef'.repeat(640),
    '10 KB after it': hex + ' '.repeat(10_000) + hex,
    'the secret': SECRET,
    'a word': 'undefined',
    'another word': 'null',
    'an object': '[object Object]',
    'a star': '*',
    JSON: `{"signature":"${hex}"}`,
  }
  const line = (value: string) => [`X-Signature: ${value}`]
  return [
    ...Object.entries(genuine).map(([name, value]) => ({ name, lines: line(value), status: 200 as const })),
    { name: 'name in small letters', lines: [`x-signature: ${hex}`], status: 200 },
    { name: 'name in capitals', lines: [`X-SIGNATURE: ${hex}`], status: 200 },
    { name: 'no space behind the colon', lines: [`X-Signature:${hex}`], status: 200 },
    ...Object.entries(rejected).map(([name, value]) => ({ name, lines: line(value), status: 401 as const })),
    { name: 'no header', lines: [], status: 401 },
    { name: 'the same twice', lines: [...line(hex), ...line(hex)], status: 401 },
    { name: 'right, then wrong', lines: [...line(hex), ...line('0'.repeat(64))], status: 401 },
    { name: 'wrong, then right', lines: [...line('0'.repeat(64)), ...line(hex)], status: 401 },
    { name: 'right, then empty', lines: [...line(hex), ...line('')], status: 401 },
    { name: 'empty, then right', lines: [...line(''), ...line(hex)], status: 401 },
    { name: 'two cases of the name', lines: [`x-signature: ${hex}`, `X-SIGNATURE: ${hex}`], status: 401 },
    { name: 'another name', lines: [`X-Hub-Signature-256: sha256=${hex}`], status: 401 },
    { name: 'a longer name', lines: [`X-Signature-256: ${hex}`], status: 401 },
    { name: 'a name with an underscore', lines: [`X_Signature: ${hex}`], status: 401 },
    { name: 'in the authorization', lines: [`Authorization: ${hex}`], status: 401 },
    { name: 'NUL inside', lines: line(`${hex.slice(0, 32)}\0${hex.slice(32)}`), status: 400 },
    { name: 'NUL after', lines: line(`${hex}\0`), status: 400 },
    { name: 'a control character', lines: line(`${hex}\x01`), status: 400 },
    { name: 'DEL', lines: line(`${hex}\x7f`), status: 400 },
    { name: 'a carriage return alone', lines: line(`${hex}\rX: y`), status: 400 },
    { name: 'a space before the colon', lines: [`X-Signature : ${hex}`], status: 400 },
  ]
}

function mac(body: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(body).digest()
}

/** The last letter of 32 bytes in Base64 carries four bits of them and two that say nothing. */
function nextLetter(letter: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return letters.charAt(letters.indexOf(letter) + 1)
}
