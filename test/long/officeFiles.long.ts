import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  csvBytes,
  type OfficeFile,
  officeFile,
  paidTwice,
  respelled,
  workbookBytes,
  wrongMoney,
} from '../batch/spreadsheet/officeFiles.ts'
import { campaignSeed } from '../campaign/run.ts'
import { emptyWorld } from '../world.ts'

const FILES = Number(process.env.CAMPAIGN_FILES ?? 2000)
const SEED = campaignSeed(20_261_128)
const PYTHON = join(import.meta.dirname, '..', 'officeWorkbooks.py')

const PROGRAMS: Readonly<Record<string, string>> = { LibreOffice: 'soffice', Python: 'python3' }

type Writer = (files: readonly OfficeFile[]) => readonly Uint8Array[]

const WRITERS: Readonly<Record<string, Writer>> = {
  'a CSV': (files) => files.map((file) => csvBytes(file, SEED)),
  'a workbook': (files) => files.map(workbookBytes),
  LibreOffice: savedByLibreOffice,
  Python: writtenByPython,
}

function isHere(writer: string): boolean {
  const program = PROGRAMS[writer]
  const isMissing = program !== undefined && spawnSync(program, ['--version']).status !== 0
  if (isMissing) process.stderr.write(`\n!!! SKIPPED: ${program} is missing, so it writes no files of offices\n\n`)
  return !isMissing
}

/** LibreOffice ends without a word at the 248th. */
const FILES_OF_A_START = 100

/** Many files in one start of the program, which takes longer than writing them. */
function savedByLibreOffice(files: readonly OfficeFile[]): Uint8Array[] {
  const folder = emptyWorld().home
  const saved = join(folder, 'saved')
  mkdirSync(saved)
  const paths = files.map((file) => join(folder, `${file.name}.xlsx`))
  files.forEach((file, place) => {
    writeFileSync(paths[place] ?? '', workbookBytes(file))
  })
  const profile = `-env:UserInstallation=file://${join(folder, 'office')}`
  const words = [profile, '--headless', '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', saved]
  for (let first = 0; first < paths.length; first += FILES_OF_A_START) {
    run('soffice', [...words, ...paths.slice(first, first + FILES_OF_A_START)])
  }
  return files.map(({ name }) => readFileSync(join(saved, `${name}.xlsx`)))
}

function writtenByPython(files: readonly OfficeFile[]): Uint8Array[] {
  const folder = emptyWorld().home
  const specs = files.map((file) => ({ ...file, path: join(folder, `${file.name}.xlsx`) }))
  run('python3', [PYTHON], JSON.stringify(specs))
  return specs.map(({ path }) => readFileSync(path))
}

function run(program: string, words: readonly string[], input = ''): void {
  const { status, stderr } = spawnSync(program, words, { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
}

it.each(Object.entries(WRITERS).filter(([writer]) => isHere(writer)))(
  `sends of ${FILES / 4} files of offices, each written as by %s, what a person sees in them, or nothing`,
  { timeout: 60 * 60_000 },
  async (writer, write) => {
    const kind = writer === 'a CSV' ? 'csv' : 'xlsx'
    const files = Array.from({ length: FILES / 4 }, (_, number) => officeFile(SEED, number, kind))
    const wrong: string[] = []
    for (const [place, bytes] of write(files).entries()) {
      const file = files[place]
      if (file !== undefined) wrong.push(...(await wrongMoney(file, bytes)))
    }
    expect(wrong).toEqual([])
  },
)

it.each(Object.entries(WRITERS).filter(([writer]) => isHere(writer)))(
  'pays the keys of files once, whatever they are called, written as by %s',
  { timeout: 60 * 60_000 },
  async (writer, write) => {
    const kind = writer === 'a CSV' ? 'csv' : 'xlsx'
    const all = Array.from({ length: FILES / 4 }, (_, number) => officeFile(SEED + 1, number, kind))
    const files = all.filter(({ isRefused }) => !isRefused)
    const [first, second] = [write(files), write(files.map((file) => respelled(file, SEED)))]
    const twice: string[] = []
    for (const [place, file] of files.entries()) {
      twice.push(...(await paidTwice(first[place] ?? new Uint8Array(), second[place] ?? new Uint8Array(), file)))
    }
    expect(twice).toEqual([])
  },
)
