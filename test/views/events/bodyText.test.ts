import { Chalk } from 'chalk'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bodyLines } from '../../../src/views/events/eventText.ts'
import { maskEmail, maskKey, maskText } from '../../../src/views/valueText.ts'

const style = new Chalk({ level: 0 })
const shown = (body: string, unmask = false) => bodyLines(Buffer.from(body), { style, unmask }).join('\n')

it('keeps number forms, order and repeated keys', () => {
  expect(shown('{"b":10.50,"a":[1e2,{}],"b":"x","c":[],"d":[null,true]}')).toBe(
    '{\n  "b": 10.50,\n  "a": [\n    1e2,\n    {}\n  ],\n  "b": "x",\n  "c": [],\n  "d": [\n    null,\n    true\n  ]\n}',
  )
})

it.each([
  ['{"payerName":"MARIA SILVA 52998224725"}', '"payerName": "MARIA SILVA ***.982.247-**"'],
  ['{"destinationTaxId":"52998224725"}', '"destinationTaxId": "***.982.247-**"'],
  ['{"payerTaxId":52998224725}', '"payerTaxId": "***.982.247-**"'],
  ['{"cpfs":["52998224725"]}', '"***.982.247-**"'],
  ['{"client":{"email":"maria@example.com"}}', '"email": "m***@example.com"'],
  ['{"phoneNumber":"+5511987654321"}', '"phoneNumber": "***"'],
  ['{"externalId":"52998224725"}', '"externalId": "52998224725"'],
  ['{"errorMessage":"key of 529.982.247-25"}', '"errorMessage": "key of ***.982.247-**"'],
  ['{"event":"pix.received","destinationBank":"Banco do Brasil"}', '"destinationBank": "Banco do Brasil"'],
  [
    '{"idTransaction":"0b7c2d3e-5b1a-4c1e-9d2f-123456789012"}',
    '"idTransaction": "0b7c2d3e-5b1a-4c1e-9d2f-123456789012"',
  ],
])('masks what is personal in %s', (body, line) => {
  expect(shown(body)).toContain(line)
  expect(JSON.parse(shown(body, true))).toEqual(JSON.parse(body))
})

it('shows what is not JSON as safe lines', () => {
  expect(shown('<p>\r\n\u001b[2J529.982.247-25')).toBe('<p>\n\\u{1b}[2J***.982.247-**')
  expect(shown('')).toBe('')
})

it('is the same JSON and harmless, whatever it contains', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = shown(JSON.stringify(value), true)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    }),
  )
})

it.each([
  ['52998224725', 'document', '***.982.247-**'],
  ['+5511987654321', 'phoneNumber', '***4321'],
  ['maria@example.com', 'email', 'm***@example.com'],
  ['0b935d10-3c90-4af3-8776-dd18622a7941', 'randomKey', '0b935d10-3c90-4af3-8776-dd18622a7941'],
  ['@maria', 'alias', '***'],
])('masks the key %j of the type %s', (key, keyType, masked) => {
  expect(maskKey(key, keyType)).toBe(masked)
})

it.each([
  ['key 52998224725', 'key ***.982.247-**'],
  ['of 11.222.333/0001-81, sorry', 'of **.222.333/0001-**, sorry'],
  ['12.ABC.345/01DE-35', '**.ABC.345/01DE-**'],
  ['PIX_KEY_NOT_FOUND', 'PIX_KEY_NOT_FOUND'],
  ['CPF529.982.247-25', 'CPF***.982.247-**'],
  ['id a52998224725', 'id a52998224725'],
  ['id 123456789012', 'id 123456789012'],
  ['to maria@example.com.', 'to m***@example.com.'],
])('masks the text %j', (text, masked) => {
  expect(maskText(text)).toBe(masked)
})

it('masks addresses', () => {
  expect([maskEmail('maria@example.com'), maskEmail('maria')]).toEqual(['m***@example.com', '***'])
})
