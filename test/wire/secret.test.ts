import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact, redactFields, Secret } from '../../src/wire/secret.ts'
import { CANARIES, echoesOf, leaksIn } from '../cli/canaries.ts'

/** Texts that a header can carry and that are no ordinary word. */
const secrets = fc
  .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((point) => String.fromCharCode(point)), minLength: 12 })
  .filter((text) => !/^\\+$/.test(text))

test('a secret is shown only by reveal()', () => {
  const secret = new Secret(CANARIES.awkward)
  const shown = [String(secret), JSON.stringify({ secret }), inspect({ deep: [secret] }, { showHidden: true })]
  expect(leaksIn(shown.join('\n'), [CANARIES.awkward])).toEqual([])
  expect(secret.reveal()).toBe(CANARIES.awkward)
})

test('is found in every form, and the text around it stays', () => {
  fc.assert(
    fc.property(fc.oneof(secrets, fc.constantFrom(...Object.values(CANARIES))), (text) => {
      const secret = new Secret(text)
      for (const echo of echoesOf(text)) {
        expect(leaksIn(redact(`<< ${echo} >>`, [secret]), [text])).toEqual([])
        expect(redact(`<< ${echo} >>`, [secret])).toMatch(/^<< .*••••.* >>$/)
      }
    }),
    { numRuns: 200 },
  )
})

test('is taken out of the texts, numbers and names of an answer, which keeps its shape', () => {
  const secret = new Secret('998877665544332')
  const fields = { a: [998877665544332, 'x 998877665544332', null, true], '998877665544332': { b: 1.5 } }
  expect(redactFields(fields, [secret])).toEqual({ a: ['••••', 'x ••••', null, true], '••••': { b: 1.5 } })
})

test.each(['a', 'local', 'status', 'PENDING', 'Refused', 'transaction', '123456', ''])(
  'an ordinary word as a secret takes no word away: "%s"',
  (word) => {
    const text = `{"status":"PENDING","idTransaction":"a-123456","message":"Refused: local transaction      x"}`
    expect(redact(text, [new Secret(word)])).toBe(text)
  },
)

test('is found quickly in a long text that is made to be searched for long', () => {
  const text = `${'Kx"7'}${'\\'.repeat(50_000)}${'%25'.repeat(50_000)}${'q+Zt/7Rk9vX2mW8sLp0aQe5'.repeat(5_000)}`
  expect(
    redact(
      text,
      Object.values(CANARIES).map((each) => new Secret(each)),
    ),
  ).toBe(text)
})
