import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The smallest change of a row of the table in CONTRIBUTING.md. */
interface Errand {
  /** Texts of the sources and what replaces them, by their files. */
  edits: readonly [file: string, find: string, replacement: string][]
  /** What the change adds, by which a fault that the compiler finds is known to be one of it. */
  word: string
  /** The other files that the compiler names then. */
  named: readonly string[]
}

const SETTING = `costCentre: {
    ...textKind(isNotBlank),
    of: 'profile',
    option: { flags: '--cost-centre <name>', description: 'cost centre' },
    removal: { flags: '--no-cost-centre', description: 'remove it' },
    label: declared\`company\`,
    question: declared\`company\`,
    isWeaker: null,
  },
  company: {`

const ERRANDS: Readonly<Record<string, Errand>> = {
  'a setting of a profile': {
    edits: [['src/profiles/settings.ts', 'company: {', SETTING]],
    word: 'costCentre',
    named: [],
  },
  'the repeat rule': {
    edits: [['src/pix/calendar.ts', 'REPEAT_DAYS = 6', 'REPEAT_DAYS = 3']],
    word: 'REPEAT_DAYS',
    named: [],
  },
  'an error code of the gateway': {
    edits: [
      [
        'src/wire/errorCodes.ts',
        '  NO_FUNDS: {',
        '  NO_ACCOUNT: { isSpecified: true, endsRun: true, meaning: null },\n  NO_FUNDS: {',
      ],
    ],
    word: 'NO_ACCOUNT',
    named: ['src/sandbox/faultKinds.ts'],
  },
  'a language': {
    edits: [['src/text/languages.ts', "['en', 'pt-BR']", "['en', 'pt-BR', 'es']"]],
    word: 'es',
    named: ['src/batch/rowResults.ts'],
  },
  'a status of a payment': {
    edits: [['src/wire/answers.ts', 'REFUNDED: true }', 'REFUNDED: true, HELD: false }']],
    word: 'HELD',
    named: [
      'src/commands/qr/create.ts',
      'src/ledger/paymentState.ts',
      'src/ledger/statusMeaning.ts',
      'src/views/valueText.ts',
    ],
  },
  'a kind of event': {
    edits: [
      [
        'src/schemas/webhookBodies.ts',
        "  'transfer.failed': objectOf({",
        "  'transfer.held': objectOf({ event: constant('transfer.held') }),\n  'transfer.failed': objectOf({",
      ],
      [
        'src/schemas/webhookBodies.ts',
        "  'transfer.failed': declared",
        "  'transfer.held': declared`a transfer was paid`,\n  'transfer.failed': declared",
      ],
    ],
    word: 'transfer.held',
    named: ['src/ledger/paymentState.ts', 'src/listener/samples.ts', 'src/sandbox/deliveries.ts'],
  },
  'a type of record': {
    edits: [
      [
        'src/ledger/records.ts',
        "  'machine-gone': object(",
        "  note: object({ text: string }),\n  'machine-gone': object(",
      ],
      [
        'src/ledger/records.ts',
        "  clock: { isOfPayment: false, travels: 'never'",
        "  note: { isOfPayment: false, travels: 'never', decides: false, stops: 'nothing' },\n  clock: { isOfPayment: false, travels: 'never'",
      ],
    ],
    word: 'note',
    named: ['src/ledger/derivedTables.ts', 'test/ledger/oracle/recordMemory.ts'],
  },
  'a field that is sent with a transfer': {
    edits: [['src/schemas/moneyBodies.ts', '  { externalId: line, doc', '  { message: line, externalId: line, doc']],
    word: 'message',
    named: ['src/ledger/facts.ts', 'src/views/payments/paymentQuestion.ts'],
  },
}

/** The tree without what is built and installed. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'pixgate-errands-'))
  for (const name of ['src', 'test', 'scripts', 'bench']) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
  }
  for (const name of readdirSync(ROOT).filter((file) => /\.(?:json|ts)$/.test(file))) {
    cpSync(join(ROOT, name), join(copy, name))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The faults that the compiler finds: in which file, and in which words. */
function faultsIn(tree: string): { file: string; text: string }[] {
  const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', 'test', '--pretty', 'false'], {
    cwd: tree,
    encoding: 'utf8',
  })
  return stdout.split(/\n(?! )/).flatMap((text) => {
    const [, file] = /^(\S+)\(\d+,\d+\): error /.exec(text) ?? []
    return file === undefined ? [] : [{ file, text }]
  })
}

/** The files that a row of the table names. */
function placesOf(change: string): string[] {
  const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const row = guide.split('\n').find((line) => line.startsWith(`| ${change} |`)) ?? ''
  return [...row.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, place = '']) => place)
}

it('names in CONTRIBUTING.md each place that the compiler names after the smallest change, and no other is named', {
  timeout: 120_000,
}, () => {
  const tree = copyOfTree()
  for (const [change, { edits }] of Object.entries(ERRANDS)) {
    for (const [file, find, replacement] of edits) {
      const path = join(tree, file)
      const text = readFileSync(path, 'utf8')
      expect([change, text.split(find).length]).toEqual([change, 2])
      writeFileSync(
        path,
        text.replace(find, () => replacement),
      )
    }
  }
  const faults = faultsIn(tree)
  const found = Object.entries(ERRANDS).map(([change, { edits, word, named }]) => {
    const own = faults.filter(({ text }) =>
      [`'${word}' is missing`, `'"${word}"' is missing`, `"${word}"; `].some((complaint) => text.includes(complaint)),
    )
    const places = placesOf(change)
    const unlisted = [...edits.map(([file]) => file), ...named].filter((file) => !places.includes(file))
    return { change, named: [...new Set(own.map(({ file }) => file))].toSorted(), unlisted }
  })
  expect(found).toEqual(Object.entries(ERRANDS).map(([change, { named }]) => ({ change, named, unlisted: [] })))
  const words = Object.values(ERRANDS).map(({ word }) => word)
  expect(faults.filter(({ text }) => !words.some((word) => text.includes(word)))).toEqual([])
})
