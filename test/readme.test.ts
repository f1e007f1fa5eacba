import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as errors from '../src/wire/errors.ts'
import { unknownWord, wordsOf } from './commandTree.ts'

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')

/** Every line of the page that calls pixgate, continued lines joined, as words. */
function commandLines(): string[][] {
  const fences = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  const lines = fences.flatMap((fence) => fence.replaceAll('\\\n', ' ').split('\n'))
  const inline = [...README.matchAll(/`(pixgate [^`]*)`/g)].map((match) => match[1] ?? '')
  return [...lines, ...inline]
    .filter((line) => line.startsWith('pixgate '))
    .map((line) => wordsOf(line.replace(/\s#.*$/, '').replace(/\s[|>]\s.*$/, '')))
}

it('shows only commands and options that exist', () => {
  const lines = commandLines()
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((words) => unknownWord(words) !== undefined).map((words) => words.join(' '))).toEqual([])
})

it('names every exit code that a failure can have', () => {
  const table = README.slice(README.indexOf('| exit | meaning'), README.indexOf('With several results'))
  const listed = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap((match) => (match[1] ?? '').split(',').map(Number))
  const facts = { hint: 'x' }
  const failures = [
    new errors.UsageError('x', facts),
    new errors.Refused('x', facts),
    new errors.NotFound('x', facts),
    new errors.AuthError('x', facts),
    new errors.OutcomeUnknown('x', facts),
    new errors.NotReached('x', facts),
    new errors.RateLimited('x', facts),
    new errors.Cancelled('x', facts),
  ]
  // Beside the failures: done, still pending, a defect, and an interruption by SIGTERM.
  const codes = [...failures.map(({ exitCode }) => exitCode), 0, 8, 70, 143]
  expect([...listed].sort((one, other) => one - other)).toEqual(codes.sort((one, other) => one - other))
})

it.each([
  ['the list of promises', 'docs/promises.md'],
  ['the map of the code', 'CONTRIBUTING.md'],
])('names only files that exist in %s', (_page, path) => {
  const root = join(import.meta.dirname, '..')
  const page = readFileSync(join(root, path), 'utf8')
  const files = [...page.matchAll(/`((?:src|test|bench|docs)\/[\w./-]+)`/g)].map((match) => match[1] ?? '')
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
