import { describe, expect, it } from 'vitest'
import { readBatchFile } from '../../../src/batch/batchFile.ts'
import { UsageError } from '../../../src/wire/errors.ts'
import { rowsOf } from './csvFiles.ts'

async function failure(text: string, options: { map?: string[]; kind?: 'transfer' | 'refund' } = {}) {
  const { map = [], kind = 'transfer' } = options
  const error = await readBatchFile(Buffer.from(text), kind, { reference: 'folha', map }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof UsageError)) throw new Error('no UsageError')
  return { message: error.message, hint: error.hint, faults: error.faults }
}

describe('the header', () => {
  it.each<[string, string[]]>([
    ['key,value\na@b.co,1', []],
    ['VALUE ; Key\n1;a@b.co', []],
    ['\ufeffkey\tvalue\na@b.co\t1', []],
    ['sep=;\r\nkey;value\r\na@b.co;1', []],
    ['chave;valor\na@b.co;1', ['key=chave,value=valor']],
    ['Chave_PIX:;VALOR (R$)\na@b.co;1', []],
    ['Chave ;VALOR\na@b.co;1', ['KEY = chave', 'value=valor']],
    ['"Chave, do favorecido";"Valor=R$"\na@b.co;1', ['key=Chave, do favorecido,value=Valor=R$']],
    ['key;valor;chave\nmy own;1;a@b.co', ['key=chave,value=valor']],
    ['key,value,,\na@b.co,1,,', []],
  ])('is found in %j', async (text, map) => {
    expect(await rowsOf(text, 'transfer', { map })).toMatchObject([{ key: 'a@b.co', amountCents: 100 }])
  })

  it('may give one column to two fields', async () => {
    const map = ['key=cpf,documentValidation=cpf,value=valor']
    const rows = await rowsOf('cpf;valor\n11144477735;10', 'transfer', { map })
    expect(rows).toMatchObject([{ key: '11144477735', keyType: 'document', documentValidation: '11144477735' }])
  })

  it.each([
    [
      '',
      'The file is empty',
      'Begin it with a line of names, such as `key,value,typeKey,externalId,documentValidation,callbackUrl,currency,name,payee`',
    ],
    [
      '\n\r\n',
      'The file is empty',
      'Begin it with a line of names, such as `key,value,typeKey,externalId,documentValidation,callbackUrl,currency,name,payee`',
    ],
    [
      'key,nome\n',
      'The header has no column `value`: its columns are `key`, `nome`',
      "Say which columns these are: `--map 'value=…'`",
    ],
    [
      'chave do dia,Valor ($)\n',
      'The header of the file has 2 faults',
      "Say which columns these are: `--map 'key=chave do dia,value=Valor ($)'`",
    ],
    [
      'keys,valeu\n',
      'The header of the file has 2 faults',
      'Say which columns these are: `--map key=keys,value=valeu`',
    ],
    ...['a@b.co|1\n', 'Ana;111.444.777-35;50,00\n', 'Ana - 111.444.777-35 - R$ 50,00\n', 'Ana;R$ 50;x\n'].map(
      (text) => [
        text,
        'The file has no line with the names of its columns: line 1 holds a key or an amount',
        'Write such a line above it, with one name for each column of the rows, such as `key,value`',
      ],
    ),
    [
      'Para quem (ex.: ana@example.com);Quanto (ex.: 10,50)\n',
      'The header of the file has 2 faults',
      "Say which columns these are: `--map 'key=…,value=…'`",
    ],
    [
      // The first row says more of what headings say than they do.
      'RA_NOME;RA_CIC;RA_TPCHAVE;RA_CHAVPIX;TOTAL\nANA;11144477735;CPF;11144477735;2345,67\n',
      'The header of the file has 2 faults',
      'Say which columns these are: `--map key=RA_CHAVPIX,value=TOTAL`',
    ],
    ['key,value,nome,Key\n', 'The header has the column `Key` more than once', 'Give each column a unique name'],
    ['key,value,nome,NOME\n', 'The header has the column `NOME` more than once', 'Give each column a unique name'],
    [
      'key,"value\n',
      'The header cannot be read: A quote `"` is opened here and never closed. The lines after it were not read',
      'Correct line 1',
    ],
  ])('is refused in %j', async (text, message, hint) => {
    expect(await failure(text)).toMatchObject({ message, hint })
  })

  it('has its faults by line and column', async () => {
    const faults = (await failure('\n\nnome,nome,key')).faults?.map(({ line, column }) => [line, column])
    expect(faults).toEqual([
      [3, 'nome'],
      [3, 'value'],
    ])
  })

  it.each([
    ['key=chav', '`--map key=chav`: the file has no column `chav`', 'Did you mean `chave`?'],
    [
      'key=documento',
      '`--map key=documento`: the file has no column `documento`',
      'Choose from its columns `chave`, `valor`',
    ],
    [
      'keys=chave',
      '`--map`: there is no field `keys`',
      'Did you mean `key`? The fields are `key`, `value`, `typeKey`, `externalId`, `documentValidation`, `callbackUrl`, `currency`, `name`, `payee`',
    ],
    [
      'amount=valor',
      '`--map`: there is no field `amount`',
      'Choose from the fields `key`, `value`, `typeKey`, `externalId`, `documentValidation`, `callbackUrl`, `currency`, `name`, `payee`',
    ],
    ['key', '`--map key` is not a field and a column', 'Write it like `--map key=name of the column`'],
    ['key=', '`--map key=` is not a field and a column', 'Write it like `--map key=name of the column`'],
    ['', '`--map ` is not a field and a column', 'Write it like `--map key=name of the column`'],
    ['key=chave,key=valor', '`--map` names two columns for `key`', 'Name only one column'],
  ])('refuses --map %j', async (map, message, hint) => {
    expect(await failure('chave;valor\n', { map: [map] })).toMatchObject({ message, hint })
  })

  it.each([
    [
      'key,value,documentValidaton',
      [
        'The column `documentValidaton` is not sent. If it is meant to be `documentValidation`, add `--map documentValidation=documentValidaton`',
      ],
    ],
    [
      'key,value,external_id',
      ['The column `external_id` is not sent. If it is meant to be `externalId`, add `--map externalId=external_id`'],
    ],
    ['key,value,nome,cidade', []],
  ])('remarks on %j', async (text, remarks) => {
    expect((await readBatchFile(Buffer.from(text), 'transfer', { reference: 'folha' })).remarks).toEqual(remarks)
  })

  it('says that refunds without amounts return all that is left', async () => {
    const options = { reference: 'r', isFull: true }
    const file = await readBatchFile(Buffer.from('originalTransactionId,refundReason'), 'refund', options)
    expect(file.remarks).toEqual(['The file has no column `amount`, so all that is left of each payment is refunded'])
  })
})
