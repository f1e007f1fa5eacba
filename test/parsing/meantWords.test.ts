import { expect, it } from 'vitest'
import { type Rejected, rejection, wordsOf } from '../parsedCommandLine.ts'
import { assertHintsCanBeTyped } from '../typedHints.ts'

const REFUND = 'Did you mean `refund`? See `pixgate refund --help`'
const TRANSFER = 'Did you mean `pixgate transfer`?'
const CREATE = 'Did you mean `qr create`? See `pixgate qr create --help`'
const DECODE = 'Did you mean `qr decode`? See `pixgate qr decode --help`'
const STATUS = 'Did you mean `status`? See `pixgate status --help`'
const BATCH = 'Did you mean `batch transfer`? See `pixgate batch transfer --help`'
const HISTORY = 'Did you mean `pixgate history`?'
const FIND = 'Did you mean `history find`? See `pixgate history find --help`'
const RECEIPT = 'Did you mean `history show --receipt`? See `pixgate history show --help`'
const STATEMENT = 'Did you mean `history check --statement`? See `pixgate history check --help`'
const RESUME = 'Did you mean `resume`? See `pixgate resume --help`'
const PROFILE = 'Did you mean `profile add`? See `pixgate profile add --help`'
const LISTEN = 'Did you mean `pixgate webhook listen`?'
const VERIFY = 'Did you mean `webhook verify`? See `pixgate webhook verify --help`'
const BALANCE = 'See the balance in the dashboard; the gateway has no query for it'
const CANCEL = 'See `pixgate refund --help` to return a received payment; a Pix that was sent cannot be cancelled'
const NO_DESCRIPTION = 'Omit it; the gateway takes no description of a payment'

/** Words in place of a command, and the hint. */
const COMMANDS: readonly (readonly [words: string, hint: string])[] = [
  ['estornar estorno devolver devolucao devolução reembolsar reembolso refunds ESTORNAR estonar', REFUND],
  ['pagar pagamento transferir transferencia transferência enviar saque sacar pay send payout pix', TRANSFER],
  ['cobrar cobranca cobrança receber qrcode qr-code gerar charge', CREATE],
  ['ler decodificar copia-e-cola', DECODE],
  ['consultar consulta situacao situação estado check get', STATUS],
  ['lote lotes planilha folha fornecedores bulk import', BATCH],
  ['extrato historico histórico lista listar transacoes transações log list statement', HISTORY],
  ['procurar buscar pesquisar search', FIND],
  ['comprovante recibo receipt', RECEIPT],
  ['conciliar conciliacao conciliação reconcile', STATEMENT],
  ['continuar retomar retry', RESUME],
  ['perfil perfis conta config login configurar setup auth', PROFILE],
  ['saldo balance', BALANCE],
  ['cancelar cancel desfazer undo', CANCEL],
  ['escutar ouvir receptor listen', LISTEN],
  ['verificar validar assinatura verify', VERIFY],
  ['ajuda socorro', 'Did you mean `pixgate help`?'],
  ['keys', 'Run `pixgate help keys`'],
]

/** The end of a command line whose option is not known, and the hint. */
const OPTIONS: readonly (readonly [line: string, hint: string])[] = [
  ['transfer --valor 10', 'Did you mean `--amount`?'],
  ['transfer --quantia 10', 'Did you mean `--amount`?'],
  ['qr create --value 10', 'Did you mean `--amount`?'],
  ['transfer --chave maria@example.com', 'Did you mean `--key`?'],
  ['transfer --chave-pix=maria@example.com', 'Did you mean `--key`?'],
  ['transfer --tipo cpf', 'Did you mean `--key-type`?'],
  ['history --tipo qr', 'Did you mean `--kind`?'],
  ['refund x --motivo y', 'Did you mean `--reason`?'],
  ['history settle x --motivo y', 'Did you mean `--because`?'],
  ['history --mes 11/2026', 'Did you mean `--month`?'],
  ['history --mês 11/2026', 'Did you mean `--month`?'],
  ['history --dia 22/11/2026', 'Did you mean `--day`?'],
  ['qr create --data 22/11/2026', 'Did you mean `--due-date`?'],
  ['history --desde 7d', 'Did you mean `--since`?'],
  ['history --ate 22/11/2026', 'Did you mean `--until`?'],
  ['history --perfil prod', 'Did you mean `--profile`?'],
  ['batch report x --saida r.xlsx', 'Did you mean `--out`?'],
  ['transfer --sim', 'Did you mean `--yes`?'],
  ['transfer --descricao aluguel', NO_DESCRIPTION],
  ['refund x --descricao y', 'Did you mean `--reason`?'],
  ['transfer --mes 11/2026', 'Run `pixgate transfer --help`'],
  ['refund --id c25990', 'Write the id alone, without `--id`'],
]

/** A word in place of the command of a group, and the hint. */
const SUBCOMMANDS: readonly (readonly [line: string, hint: string])[] = [
  ['qr gerar', 'Did you mean `create`?'],
  ['batch pagar a.csv', 'Did you mean `transfer`?'],
  ['profile remover shop', 'Did you mean `remove`?'],
  ['sandbox pagar x', 'Did you mean `pay`?'],
  ['webhook listar', 'Did you mean `events`?'],
  ['history buscar maria', 'Did you mean `find`?'],
  ['history maria silva', 'Run `pixgate history find maria silva` to search'],
  ['webhook help', 'Run `pixgate webhook --help`'],
]

const FILES: readonly Rejected[] = [
  [
    'batch fornecedores.csv',
    '`pixgate batch` has no command `fornecedores.csv`',
    'Write what its rows are: `pixgate batch transfer fornecedores.csv` or `pixgate batch refund fornecedores.csv`',
  ],
  [
    ['folha de novembro.xlsx'],
    '`pixgate` has no command `folha de novembro.xlsx`',
    "Write what its rows are: `pixgate batch transfer 'folha de novembro.xlsx'` or `pixgate batch refund 'folha de novembro.xlsx'`",
  ],
]

it.each(COMMANDS)('suggests what is meant by: %s', async (words, hint) => {
  for (const word of words.split(' ')) {
    expect(await rejection([word])).toEqual([`\`pixgate\` has no command \`${word}\``, hint])
  }
  assertHintsCanBeTyped(`hint: ${hint}`)
})

it.each(OPTIONS)('suggests the option that is meant: %s', async (line, hint) => {
  const [message, found] = (await rejection(wordsOf(line))) ?? []
  expect([message?.includes('has no option `--'), found]).toEqual([true, hint])
})

it.each(SUBCOMMANDS)('suggests the command of the group that is meant: %s', async (line, hint) => {
  const [message, found] = (await rejection(wordsOf(line))) ?? []
  expect([message?.includes('has no command `'), found]).toEqual([true, hint])
})

it.each(FILES)('asks what the rows of a file are: %j', async (typed, message, hint) => {
  expect(await rejection(wordsOf(typed))).toEqual([message, hint])
})

it.each([
  ['history --kind devolução', 'refund'],
  ['history --state payed', 'paid'],
  ['profile add x --environment producao', 'production'],
])('suggests the value that is meant: %s', async (line, value) => {
  const [, hint] = (await rejection(wordsOf(line))) ?? []
  expect(hint).toMatch(new RegExp(`^Did you mean \`${value}\`\\? Use one of: `))
})
