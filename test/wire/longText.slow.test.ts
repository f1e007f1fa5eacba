import { expect, it } from 'vitest'
import { lineEndingVariants, trailingBreakVariants } from '../../src/diagnosis/signatureDiagnosis.ts'
import { readBrCode } from '../../src/pix/brCode.ts'
import { readPixKey } from '../../src/pix/pixKey.ts'
import { wrapWords } from '../../src/text/cellLayout.ts'
import { maskText } from '../../src/views/valueText.ts'
import { isHttpUrl, readBaseAddress, readTargetUrl, withoutPassword } from '../../src/wire/baseAddress.ts'
import { readDelivery } from '../../src/wire/rawRequest.ts'

const CHARACTERS = 100_000
/** Linear code takes a few ms, on a busy machine some hundred; what is quadratic takes many seconds. */
const MS_MAX = 2000

/** Text that patterns match nearly, again and again from each of its characters. */
const TEXTS = [
  'a',
  '1',
  ' ',
  '/',
  '@',
  '.',
  'a.',
  ' a',
  '\n',
  '\r\n',
  '\uFEFF',
  '"',
  '\\"',
  '{',
  '0101',
  '000201',
].flatMap((unit) => ['', 'a', '@', ' '].map((end) => unit.repeat(CHARACTERS / unit.length) + end))

const READERS: Record<string, (text: string) => unknown> = {
  readBaseAddress: (text) => readBaseAddress(text, '--base-url'),
  readTargetUrl: (text) => readTargetUrl(text, '--to'),
  isHttpUrl,
  withoutPassword,
  'withoutPassword of a URL': (text) => withoutPassword(`https://${text}`),
  readDelivery: (text) => readDelivery(Buffer.from(text)),
  'readDelivery of a header': (text) => readDelivery(Buffer.from(`X-Signature: a${text}\n\n{}`)),
  trailingBreakVariants: (text) => [...trailingBreakVariants(Buffer.from(text))],
  lineEndingVariants: (text) => [...lineEndingVariants(Buffer.from(text))],
  wrapWords: (text) => wrapWords(text, 80),
  maskText,
  readBrCode,
  'readBrCode of a code': (text) => readBrCode(`000201${text}`),
  readPixKey,
}

it.each(Object.entries(READERS))('%s takes no time for long text', (_, read) => {
  const slow = TEXTS.filter((text) => {
    const startMs = performance.now()
    try {
      read(text)
    } catch (error) {
      // A rejection is an answer; only a defect of the code is thrown on.
      if (error instanceof RangeError || error instanceof TypeError) throw error
    }
    return performance.now() - startMs > MS_MAX
  })
  expect(slow.map((text) => text.slice(0, 20))).toEqual([])
})

it.each([
  ['https://shop.example.com', 'https://••••@shop.example.com', 'https://maria:secret@shop.example.com'],
  ['no scheme', '••••@shop.example.com', '(maria) secret@shop.example.com'],
  ['several', '//••••@b', '//a:b@c@b'],
  ['none', 'shop example', 'shop example'],
])('the password of a URL is not shown: %s', (_, shown, text) => {
  expect(withoutPassword(text)).toBe(shown)
})
