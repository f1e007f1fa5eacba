import { PAYMENT_TEMPLATES, type PaymentTemplate } from '../batch/spreadsheet/paymentTemplates.ts'
import { BANK_FILES, type BankFile } from '../reconcile/bankFiles.ts'

type PageLanguage = 'en' | 'pt'

const HEADER_LINE =
  /^"?(?:\p{L}+[;,"]+)*"?(?:data|dt_mov|transaction date|release_date|date;|tipo,data|data e hora|id,type|transacao_id|id,movementdate|conta"?;"data_mov)/iu

/** Of what stands in the place of a bank's name. */
const PORTUGUESE: Readonly<Record<string, string>> = {
  'Accounting programs': 'programas contábeis',
  'English headings': 'títulos em inglês',
  'Coded headings': 'títulos em código',
  'Headings on two lines': 'títulos em duas linhas',
  'Days on lines of their own': 'dias em linhas próprias',
}

const TEXTS: Readonly<Record<PageLanguage, { head: string; statements: string; payments: string; tail: string }>> = {
  en: {
    head: `# Files that are read

What banks and wallets export, and what pixgate makes of it. The tests read every file on this page, with invented data in its layout, and in other encodings,
with other separators, notes and orders of columns, and cut off anywhere.
`,
    statements: `## Statements

\`pixgate history check --statement\` reads these without \`--map\`. [Check a bank statement](check-a-statement.md) has the rules.

| bank | format | begins with | |
|---|---|---|---|`,
    payments: `## Lists of payments

\`pixgate batch transfer\` reads these as they are, or names the columns and asks which one is meant. [Files of payments](payment-files.md) has the rules.

| from | columns | read as |
|---|---|---|`,
    tail: `## What is not read

Each is named, with what to do: \`.xls\` of old Excel or with a password, \`.xlsb\`, \`.ods\`, \`.numbers\`, web pages (HTML) and XML under the name of a workbook, PDF, RTF,
archives, JSON, CNAB, text whose columns only blanks part, QIF, MT940, an OFX statement in place of a list of payments, a statement of balances only, and what Excel,
LibreOffice and macOS leave beside a file (\`~$list.xlsx\`, \`._list.csv\`). Days without a year are read if a line above the table names the period.

A file that is cut off is refused: OFX without its end; a table whose last line has no line end, begins like the others, and has fewer cells or decimals. An amount
in another currency is a fault.

## Codes

\`qr decode\`, \`qr draw\` and \`transfer --key\` read a copied code without what stuck to it, and name that: invisible characters, no-break spaces, quotes, line
breaks, \`pix:\` before it, words before or behind it, what links, web pages, JSON and word processors write for a sign, and the \`***\` that chats take away. Its checksum must prove that
it is whole; two codes in one text are named. A letter or digit right behind it is an error, and so is anything beside it in a file. A CRC that lost its zeros, lengths
counted in bytes, a name or a code that was cut, and the digits of a boleto are named. UTF-16, as PowerShell writes it, is read.
`,
  },
  pt: {
    head: `# Arquivos que são lidos

O que bancos e carteiras exportam, e o que o pixgate faz com isso. Os testes leem cada arquivo desta página, com dados inventados em seu formato, e também em outras
codificações, com outros separadores, notas e ordens de colunas, e cortados em qualquer lugar.
`,
    statements: `## Extratos

\`pixgate history check --statement\` lê estes sem \`--map\`.

| banco | formato | começa com | |
|---|---|---|---|`,
    payments: `## Listas de pagamentos

\`pixgate batch transfer\` lê estas como são, ou aponta as colunas e pergunta qual é a certa. Veja [Pagar fornecedores](pagar-fornecedores.md).

| de | colunas | lidas como |
|---|---|---|`,
    tail: `## O que não é lido

Cada um é apontado, com o que fazer: \`.xls\` do Excel antigo ou com senha, \`.xlsb\`, \`.ods\`, \`.numbers\`, páginas da web (HTML) e XML com nome de planilha,
PDF, RTF, arquivos compactados, JSON, CNAB, texto cujas colunas só espaços separam, QIF, MT940, um extrato OFX no lugar de uma lista de pagamentos, um extrato só com
saldos, e o que Excel, LibreOffice e macOS deixam ao lado de um arquivo (\`~$lista.xlsx\`, \`._lista.csv\`). Dias sem ano são lidos se uma linha acima da tabela traz o
período.

Um arquivo cortado é recusado: OFX sem o fim; uma tabela cuja última linha não tem quebra, começa como as outras e tem menos células ou casas decimais. Um valor em
outra moeda é um erro.

## Códigos

\`qr decode\`, \`qr draw\` e \`transfer --key\` leem um código copiado sem o que grudou nele, e o apontam: caracteres invisíveis, espaços especiais, aspas, quebras de
linha, \`pix:\` antes dele, palavras antes ou depois, o que links, páginas da web, JSON e editores de texto escrevem no lugar de um sinal, e o \`***\` que aplicativos de mensagens tiram. O
CRC precisa provar que o código está inteiro; dois códigos em um texto são apontados. Uma letra ou um dígito logo depois dele é um erro, e em um arquivo também o é
qualquer coisa ao lado dele. Um CRC que perdeu zeros, comprimentos contados em bytes, um nome ou um código cortado e os dígitos de um boleto são apontados. UTF-16, como o
PowerShell escreve, é lido.
`,
  },
}

/** The page of what is read, \`docs/files.md\` or its Portuguese, from the files and lists that the tests read. */
export function filesPage(language: PageLanguage): string {
  const { head, statements, payments, tail } = TEXTS[language]
  const byBank = BANK_FILES.toSorted((one, other) => bankOf(one, language).localeCompare(bankOf(other, language), 'pt'))
  return [
    head,
    statements,
    ...byBank.map((file) => row(bankOf(file, language), file.format, beginning(file), file.note[language])),
    '',
    payments,
    ...PAYMENT_TEMPLATES.map((each) => row(each.from[language], code(each.lines[0]), readAs(each, language))),
    '',
    tail,
  ].join('\n')
}

function bankOf({ bank }: BankFile, language: PageLanguage): string {
  return (language === 'pt' && PORTUGUESE[bank]) || bank
}

/** Its line of headings, or its first one. */
function beginning({ content, format }: BankFile): string {
  if (format === 'OFX') return ''
  const lines = typeof content === 'string' ? content.split('\r\n') : content.map((cells) => cells.join(' ; '))
  return code(lines.find((line) => HEADER_LINE.test(line)) ?? lines[0] ?? '')
}

const REFUSED = {
  en: { columns: 'refused: say which columns', rows: 'refused: say which rows' },
  pt: { columns: 'recusada: diga quais colunas', rows: 'recusada: diga quais linhas' },
} as const

function readAs({ read, refused }: PaymentTemplate, language: PageLanguage): string {
  if (read === null) return REFUSED[language][refused?.of ?? 'columns']
  return Object.entries(read)
    .map(([column, field]) => `${code(column)} ${field}`)
    .join(', ')
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
