import { plainAmount } from './amount.ts'
import { hasScheme } from './brCodeFields.ts'
import { crc16, encodeTlv } from './tlv.ts'

/**
 * The contents of a BR Code: exactly one of `key` and `url` (at most 77 characters of printable ASCII, the url without a
 * scheme), an optional amount in cents, the merchant, and for a static code a txid of 1–25 letters and digits. `once` is
 * true for a single payment and false for several; if omitted, the code does not say.
 */
export interface BrCodeContents {
  key?: string
  url?: string
  amountCents?: number
  merchantName: string
  merchantCity: string
  txid?: string
  once?: boolean
}

/**
 * Writes a BR Code in printable ASCII: accents are dropped, other characters become `?`, the name is cut at 25 characters
 * and the city at 15. Throws a RangeError if the contents do not make a valid code.
 */
export function writeBrCode(contents: BrCodeContents): string {
  const { key, url, amountCents, merchantName, merchantCity, txid = '***', once } = contents
  if ((key === undefined) === (url === undefined)) throw new RangeError('a BR Code has either a key or a url')
  if (url !== undefined && hasScheme(url)) throw new RangeError('the url of a BR Code has no scheme')
  if (!/^(?:\*\*\*|[A-Za-z0-9]{1,25})$/.test(txid)) throw new RangeError('a txid is 1 to 25 letters and digits')
  if (amountCents === 0 && url === undefined) throw new RangeError('the amount of a static BR Code is not zero')
  const recipient = key === undefined ? encodeTlv('25', printable(url ?? '')) : encodeTlv('01', printable(key))
  const checked = [
    encodeTlv('00', '01'),
    once === undefined ? '' : encodeTlv('01', once ? '12' : '11'),
    encodeTlv('26', encodeTlv('00', 'br.gov.bcb.pix') + recipient),
    encodeTlv('52', '0000'),
    encodeTlv('53', '986'),
    amountCents === undefined ? '' : encodeTlv('54', amountOf(amountCents)),
    encodeTlv('58', 'BR'),
    encodeTlv('59', asciiText(merchantName, 25)),
    encodeTlv('60', asciiText(merchantCity, 15)),
    encodeTlv('62', encodeTlv('05', txid)),
    '6304',
  ].join('')
  return checked + crc16(checked)
}

function printable(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new RangeError('a key or url in a BR Code is printable ASCII without spaces')
  return text
}

function amountOf(cents: number): string {
  const text = plainAmount(cents)
  if (!/^\d{1,10}\.\d\d$/.test(text)) throw new RangeError(`a BR Code cannot hold the amount ${text}`)
  return text
}

/** Printable ASCII of at most `charactersMax` characters. */
function asciiText(text: string, charactersMax: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?')
  return plain.trim().slice(0, charactersMax).trim()
}
