import { expect, it } from 'vitest'
import { type BatchFileOptions, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { totalLineTexts } from '../../../src/views/batch/batchQuestion.ts'
import { LAYOUTS, type Layout } from './layouts.ts'

/** The rows of a layout that can be sent, with what a person is told of the rest. */
async function reading({ kind, bytes }: Layout, options: BatchFileOptions = {}) {
  const file = await readBatchFile(bytes, kind, { reference: 'folha', ...options })
  const names: string[] = []
  const { count, totalCents, faults, totalLines } = await judgeBatchFile(file, ({ cells }, isHeld) => {
    if (!isHeld) names.push(cells[file.fields.name ?? -1] ?? '')
  })
  const told = [...file.remarks, ...totalLineTexts(totalLines)]
  return { rows: count, totalCents, names, faults, told }
}

it.each(LAYOUTS)('reads $what', async (layout) => {
  const { error, options, rows, names, totalCents, told } = layout
  if (error !== undefined) await expect(reading(layout)).rejects.toThrow(error)
  if (options === null) return
  const expected = told.map((each) => expect.stringMatching(each))
  expect(await reading(layout, options)).toEqual({ rows, names, totalCents, faults: [], told: expected })
})
