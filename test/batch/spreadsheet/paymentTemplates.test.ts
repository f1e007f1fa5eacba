import { expect, it } from 'vitest'
import { judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { rowsOf } from './csvFiles.ts'
import { PAYMENT_TEMPLATES } from './paymentTemplates.ts'

const READ = PAYMENT_TEMPLATES.filter(({ read }) => read !== null)
const REFUSED = PAYMENT_TEMPLATES.filter(({ read }) => read === null)

it.each(READ.map((template) => [template.from.en, template] as const))(
  'reads the list of %s',
  async (_, { lines, read, cents }) => {
    const text = `${lines.join('\r\n')}\r\n`
    const { columns, fields } = await readBatchFile(Buffer.from(text), 'transfer', { reference: 'r' })
    const found = Object.fromEntries(Object.entries(fields).map(([field, place]) => [columns[place] ?? '', field]))
    expect(found).toEqual(read)
    expect(
      (await rowsOf(text, 'transfer', { marks: { today: '2026-11-29' } })).map(({ amountCents }) => amountCents),
    ).toEqual(cents)
  },
)

it.each(REFUSED.map((template) => [template.from.en, template] as const))(
  'names the columns of %s',
  async (_, { lines, refused }) => {
    await expect(judged(`${lines.join('\n')}\n`)).rejects.toMatchObject({
      message: expect.stringMatching(refused?.message ?? ''),
      hint: expect.stringMatching(refused?.hint ?? ''),
    })
  },
)

async function judged(text: string) {
  return judgeBatchFile(await readBatchFile(Buffer.from(text), 'transfer', { reference: 'r' }))
}

it('pays nothing that is in another currency', async () => {
  const lines = (currency: string) => `pix_key,amount,currency\nrita@example.com,95.00,${currency}\n`
  for (const currency of ['BRL', 'brl', 'R$', 'Real', 'reais', ''])
    expect(await rowsOf(lines(currency), 'transfer')).toHaveLength(1)
  for (const currency of ['USD', 'US$', 'EUR', 'pesos']) {
    await expect(rowsOf(lines(currency), 'transfer')).rejects.toThrow(`The amount is in \`${currency}\`, not in reais`)
  }
})
