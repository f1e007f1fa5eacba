import { expect, it } from 'vitest'
import { readDuration, readPort, readText, wholeNumber } from '../src/optionParsers.ts'

it.each(['x', '', '-1', '65536', '1.5', '0x10', ' 1', '１', '1e3'])('takes no port %j', (typed) => {
  expect(() => readPort(typed, '--port')).toThrow(`\`${typed}\` is not a valid value for \`--port\``)
})

it.each([
  [1, '1'],
  [500, '500'],
  [7, '007'],
])('takes %i, typed as %s', (value, typed) => expect(wholeNumber(1, 500)(typed, '--times')).toBe(value))

it.each(['0', '501', '99999999999999999'])('takes no number %s outside of its bounds', (typed) => {
  expect(() => wholeNumber(1, 500)(typed, '--times')).toThrow('is not a valid value')
})

it.each([
  ['5', 'The duration `5` has no unit'],
  ['', 'The duration is empty'],
  ['0s', 'The duration is zero'],
  ['366d', 'The duration `366d` is too long'],
])('takes no duration %j', (typed, message) => {
  expect(() => readDuration(typed, '--for')).toThrow(`\`--for\`: ${message}`)
})

it.each([
  ['--owner', '', '`--owner` is empty', 'Add a value after `--owner`'],
  ['<id>', ' ', '`<id>` is empty', 'Replace `<id>` with a value'],
  ['--by', 'a\u0000', '`--by` contains a line break or another control character', 'Type the value on a single line'],
])('takes no text for %s that is %j', (name, typed, message, hint) => {
  expect(() => readText(typed, name)).toThrow(expect.objectContaining({ message, hint }))
})
