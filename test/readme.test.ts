import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import * as errors from '../src/wire/errors.ts'
import { unknownWord, wordsOf } from './commandTree.ts'

const ROOT = join(import.meta.dirname, '..')
const LINES_MAX = 190
/** Pages for those who use pixgate. */
const PAGES = ['README.md', 'skills/pixgate/SKILL.md', ...guidesIn('docs')]
/** Pages in Portuguese, of which the README in Portuguese is the first. */
const PORTUGUESE_PAGES = ['README.pt-BR.md', ...guidesIn('docs/pt-BR')]

function guidesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Every line of a page that calls pixgate, continued lines joined, as words. */
function commandLines(page: string): string[][] {
  const fences = [...read(page).matchAll(/```(?:sh|console)\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  const lines = fences.flatMap((fence) => fence.replaceAll('\\\n', ' ').replaceAll(/^\$ /gm, '').split('\n'))
  const inline = [...read(page).matchAll(/`(pixgate [^`]*)`/g)].map((match) => match[1] ?? '')
  return [...lines, ...inline]
    .filter((line) => line.startsWith('pixgate '))
    .map((line) => wordsOf(line.replace(/\s#.*$/, '').replace(/\s[|>]\s.*$/, '')))
}

it.each(['README.md', 'README.pt-BR.md'])('has a %s that is soon read', (page) => {
  expect(read(page).split('\n').length).toBeLessThanOrEqual(LINES_MAX)
})

it('shows only commands and options that exist', () => {
  const lines = [...PAGES, ...PORTUGUESE_PAGES].flatMap(commandLines)
  expect(lines.length).toBeGreaterThan(150)
  expect(lines.filter((words) => unknownWord(words) !== undefined).map((words) => words.join(' '))).toEqual([])
})

/** The anchor that a heading gets. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}

function isReached(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, target))) return false
  return (
    anchor === undefined || [...read(target).matchAll(/^#+ (.*)$/gm)].some(([, text = '']) => anchorOf(text) === anchor)
  )
}

it.each([
  ['English', PAGES, 'README.pt-BR.md'],
  ['Portuguese', PORTUGUESE_PAGES, 'README.md'],
])('links in %s only to pages and headings that exist, and from the README to every guide', (_name, pages, other) => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(((?!https?:)[^)]+)\)/g)].map(([, link = '']) => ({ page, link })),
  )
  expect(links.filter(({ page, link }) => !isReached(page, link))).toEqual([])
  const linked = links.filter(({ page }) => page === pages[0]).map(({ link }) => link)
  expect(linked).toEqual(expect.arrayContaining([other, ...pages.slice(1)]))
})

it('names every exit code that a failure can have', () => {
  const page = read('docs/run-unattended.md')
  const table = page.slice(page.indexOf('| exit | meaning'), page.indexOf('With several results'))
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
  // Beside the failures: done, still pending, a defect, and an interruption by SIGTERM or SIGHUP.
  const codes = [...failures.map(({ exitCode }) => exitCode), 0, 8, 70, 143, 129]
  expect([...listed].sort((one, other) => one - other)).toEqual(codes.sort((one, other) => one - other))
})

it.each([
  ['the list of promises', 'docs/promises.md'],
  ['the map of the code', 'CONTRIBUTING.md'],
])('names only files that exist in %s', (_page, path) => {
  const files = [...read(path).matchAll(/`((?:src|test|bench|docs)\/[\w./-]+)`/g)].map((match) => match[1] ?? '')
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})
