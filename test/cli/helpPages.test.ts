import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { pathOf, TOPICS } from '../../src/cli/help/helpPage.ts'
import { topicPage } from '../../src/cli/help/helpSubject.ts'
import { loadProgram } from '../../src/cli/program.ts'
import { setLanguage } from '../../src/language.ts'
import { type Language, SOURCE_LANGUAGE, TRANSLATED_LANGUAGES } from '../../src/text/languages.ts'
import { unknownWord, wordsOf } from '../commandTree.ts'
import { emptyWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'

const COLUMNS_MAX = 80
const LINES_MAX = 40
/** So many pages, of commands with many options, may be longer. */
const LONGER_PAGES = 5
/** How long these are at most: other languages take more room. */
const LONGEST = 60
const LONGEST_TRANSLATED = 62

const commands = commandsOf(await loadProgram())
const pages = pagesOf(commands)
const translatedPages = new Map(
  await Promise.all(TRANSLATED_LANGUAGES.map(async (language) => [language, await pagesIn(language)] as const)),
)

/** Every page as it is printed into a pipe, by the command line that prints it. */
function pagesOf(all: readonly Command[]): Map<string, string> {
  return new Map([
    ...all.map((command) => [`${pathOf(command)} --help`, pageOf(command)] as const),
    ...TOPICS.map(
      (topic) => [`pixgate help ${topic}`, topicPage(topic, { columns: COLUMNS_MAX, heading: String })] as const,
    ),
  ])
}

async function pagesIn(language: Language): Promise<Map<string, string>> {
  setLanguage(language, false)
  try {
    return pagesOf(commandsOf(await loadProgram()))
  } finally {
    setLanguage(SOURCE_LANGUAGE, false)
  }
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)]
}

function pageOf(command: Command): string {
  let page = ''
  command.configureOutput({ writeOut: (part) => (page += part) })
  command.outputHelp()
  return page
}

function linesOf(page: string): string[] {
  return page.replace(/\n$/, '').split('\n')
}

function page(commandLine: string): string {
  const found = pages.get(commandLine)
  if (found === undefined) throw new Error(`no page for ${commandLine}`)
  return found
}

describe.each([[SOURCE_LANGUAGE, pages] as const, ...translatedPages])('help in %s', (language, all) => {
  it('has no line that is wider than 80 columns', () => {
    const wide = [...all].flatMap(([name, text]) => linesOf(text).map((line) => ({ name, line })))
    expect(wide.length).toBeGreaterThan(1000)
    expect(wide.filter(({ line }) => line.length > COLUMNS_MAX)).toEqual([])
  })

  it('has no page that is longer than 40 lines, except the longest', () => {
    const longer = [...all].filter(([, text]) => linesOf(text).length > LINES_MAX)
    const named = longer.map(([name, text]) => `${name}: ${linesOf(text).length}`)
    expect(named.length > LONGER_PAGES ? named : []).toEqual([])
    expect(
      longer
        .filter(([, text]) => linesOf(text).length > (language === SOURCE_LANGUAGE ? LONGEST : LONGEST_TRANSLATED))
        .map(([name]) => name),
    ).toEqual([])
  })
})

it('is in the language that it is asked in', () => {
  for (const [language, all] of translatedPages) {
    expect(all.get('pixgate refund --help'), language).not.toBe(page('pixgate refund --help'))
  }
})

it('has examples on every page of a command, and then where the global options are', () => {
  const ending = /\nExamples:\n(?: .*\n)+\nGlobal options: pixgate help global\n$/
  const others = [...pages].filter(([name, text]) => name.endsWith(' --help') && !ending.test(text))
  expect(others.map(([name]) => name)).toEqual(['pixgate --help'])
})

it('describes every option on the page of its command, on that which the page names, or in the topic of global options', () => {
  const missing = commands.flatMap((command) => {
    const path = pathOf(command)
    const own = page(`${path} --help`)
    const elsewhere = [...own.matchAll(/`(pixgate [a-z -]+?)(?: --help)?`/g)].map(([, named = '']) =>
      pages.get(`${named} --help`),
    )
    const text = [own, ...elsewhere, page('pixgate help global')].join('\n')
    const shown = command
      .createHelp()
      .visibleOptions(command)
      .map(({ long = '' }) => long)
    return shown.filter((long) => !new RegExp(`${long}(?![\\w-])`).test(text)).map((long) => `${path} ${long}`)
  })
  expect(missing).toEqual([])
})

it('shows every command once on the main page, in groups, and every topic', () => {
  const main = page('pixgate --help')
  const groups = [...main.matchAll(/^([A-Z].*):\n((?: {2}[a-z].*\n)+)/gm)].map(([, heading, list = '']) => [
    heading,
    [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name),
  ])
  expect(groups.map(([heading]) => heading)).toEqual(['Move money', 'Look up', 'Webhooks', 'Practise', 'Set up'])
  expect(groups.flatMap(([, names]) => names)).toEqual(commands[0]?.commands.map((command) => command.name()))
  for (const topic of TOPICS) expect(main).toContain(topic)
})

it('names only commands and options that exist in the topics, in backticks and in lists', () => {
  const lines = TOPICS.flatMap((topic) =>
    [...page(`pixgate help ${topic}`).matchAll(/(?:`|^ {2})(pixgate(?: (?:[a-z]+|--[a-z-]+))+)/gm)].map(
      ([, line = '']) => line,
    ),
  )
  expect(lines.length).toBeGreaterThan(15)
  expect(lines.filter((line) => unknownWord(wordsOf(line)) !== undefined)).toEqual([])
})

const DAILY = ['transfer', 'refund', 'qr create', 'status', 'history', 'history list']

it.each(
  DAILY.flatMap((command) =>
    [SOURCE_LANGUAGE, ...TRANSLATED_LANGUAGES].map((language) => [command, language] as const),
  ),
)('fits what `%s -h` says in %s in a terminal of 24 lines, with its prompt', async (command, language) => {
  const { run } = inThisProcess(emptyWorld())
  const [short, whole] = [
    await run([...command.split(' '), '-h', '--lang', language]),
    await run([...command.split(' '), '--help', '--lang', language]),
  ]
  expect([short.exit, whole.exit]).toEqual([0, 0])
  const lines = linesOf(short.stdout)
  expect(lines.length).toBeLessThanOrEqual(23)
  expect(linesOf(whole.stdout).length).toBeGreaterThan(lines.length)
  const words = (text: string) => new Set(text.split(/\s+/))
  expect([...words(lines.slice(0, -1).join('\n'))].filter((word) => !words(whole.stdout).has(word))).toEqual([])
  expect(lines.at(-1)).toContain(`pixgate ${command} --help`)
  expect(short.stdout).toMatch(/\n {2}\$ pixgate /)
})

it('shows with -h all options of a command of which none is usual', async () => {
  const { run } = inThisProcess(emptyWorld())
  const whole = page('pixgate batch transfer --help')
  expect(await run(['batch', 'transfer', '-h'])).toEqual({ exit: 0, stdout: whole, stderr: '' })
})

it.each([
  ['help', 0, page('pixgate --help')],
  ['help qr create', 0, page('pixgate qr create --help')],
  ['help status 0b935d10', 0, page('pixgate status --help')],
  ['help webhook events', 0, page('pixgate webhook events --help')],
  ['help keys', 0, page('pixgate help keys')],
  ['help --help', 0, page('pixgate help --help')],
  ['-y help transfer', 0, page('pixgate transfer --help')],
  ['', 0, page('pixgate --help')],
])('pixgate %s', async (line, exit, stdout) => {
  expect(await inThisProcess(emptyWorld()).run(line.split(' ').filter(Boolean))).toEqual({ exit, stdout, stderr: '' })
})

it.each([
  ['help nonsense', 'nonsense', 'Run `pixgate help` for all commands and topics\n  pixgate help'],
  ['help transfr', 'transfr', 'Did you mean `pixgate help transfer`?\n  pixgate help transfer'],
  ['help key', 'key', 'Did you mean `pixgate help keys`?\n  pixgate help keys'],
  ['help qr crate', 'qr crate', 'Did you mean `pixgate help qr create`?\n  pixgate help qr create'],
  ['help estornar', 'estornar', 'Did you mean `pixgate help refund`?\n  pixgate help refund'],
  ['help qr gerar', 'qr gerar', 'Did you mean `pixgate help qr create`?\n  pixgate help qr create'],
  ['help qr nonsense', 'qr nonsense', 'Run `pixgate help qr`\n  pixgate help qr'],
  ['help constructor', 'constructor', 'Run `pixgate help` for all commands and topics\n  pixgate help'],
])('refuses %s', async (line, words, hint) => {
  const stderr = `error: There is no help on \`${words}\`\nhint: ${hint}\n`
  expect(await inThisProcess(emptyWorld()).run(line.split(' '))).toEqual({ exit: 2, stdout: '', stderr })
})

it('prints headings in bold on a terminal with colours, and nowhere else', async () => {
  const { run } = emptyWorld()
  const bold = (await run(['refund', '--help'], { env: { FORCE_COLOR: '1' } })).stdout
  for (const heading of ['Usage:', 'Arguments:', 'Options:', 'Examples:']) {
    expect(bold).toContain(`\u001b[1m${heading}\u001b[22m`)
  }
  const topic = await run(['help', 'keys'], { env: { FORCE_COLOR: '1' } })
  expect(topic.stdout).toMatch(/^\u001b\[1m/)
  for (const words of [
    ['refund', '--help'],
    ['refund', '--help', '--no-color'],
  ]) {
    const { stdout } = await run(words, { env: words.length > 2 ? { FORCE_COLOR: '1' } : {} })
    expect(stdout).not.toContain('\u001b')
  }
})

it('cuts no word in a narrow terminal', async () => {
  for (const { columns, page } of [40, 60].flatMap((columns) =>
    TOPICS.map((topic) => ({ columns, page: topicPage(topic, { columns, heading: String }) })),
  )) {
    const long = linesOf(page).filter((line) => line.length > columns && line.trim().includes(' '))
    expect(long).toEqual([])
  }
})

it.each([['-h'], ['--help']])('`%s` before the name of a command shows the page of that command', async (word) => {
  const world = emptyWorld()
  const before = await world.run([word, 'qr', 'create'])
  expect(before).toEqual(await world.run(['qr', 'create', word]))
  expect(before.stdout).toMatch(/^Usage: pixgate qr create /)
})
