import { expect, it } from 'vitest'
import { csvBytes, officeFile, paidTwice, respelled, workbookBytes, wrongMoney } from './officeFiles.ts'

const SEED = 20_261_128
/** Each trait occurs several times; the long tests read thousands, of other writers too. */
const FILES = 28

it('sends of files as offices have them what a person sees in them, or nothing', async () => {
  const wrong: string[] = []
  for (let number = 0; number < FILES; number += 1) {
    const [workbook, csv] = [officeFile(SEED, number, 'xlsx'), officeFile(SEED, number, 'csv')]
    wrong.push(
      ...(await wrongMoney(workbook, workbookBytes(workbook))),
      ...(await wrongMoney(csv, csvBytes(csv, SEED))),
    )
  }
  expect(wrong).toEqual([])
})

it('pays a key once, whatever it is called', async () => {
  const twice: string[] = []
  for (let number = 0; number < FILES; number += 14) {
    const file = officeFile(SEED, number, 'xlsx')
    twice.push(...(await paidTwice(workbookBytes(file), workbookBytes(respelled(file, SEED)), file)))
  }
  expect(twice).toEqual([])
})
