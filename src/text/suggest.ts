import { withoutAccents } from './foldedText.ts'

/** The known words closest to a mistyped one, best first: at most 3, within edits of 40 % of its length. */
export function nearest(typed: string, known: readonly string[]): string[] {
  const editsMax = Math.max(1, Math.floor(typed.length * 0.4))
  return known
    .map((word) => ({ word, edits: editDistance(typed, word) }))
    .filter(({ edits, word }) => edits <= editsMax || (typed.length >= 3 && word.startsWith(typed)))
    .sort((one, other) => one.edits - other.edits || one.word.localeCompare(other.word, 'en'))
    .slice(0, 3)
    .map(({ word }) => word)
}

/** The number of insertions, deletions, replacements and swaps of adjacent letters between two words. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let edits = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (column > 1 && row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        edits = Math.min(edits, (beforePrevious[column - 2] ?? 0) + 1)
      }
      current.push(edits)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}

/** Shorter words are close to too many others. */
const LETTERS_MIN = 5

/**
 * What Brazilians and users of other programs type, and the commands that they mean. These are suggestions and never run: a word that moves
 * money must be the one that the help names.
 */
const COMMANDS: readonly (readonly [command: string, words: string, isComplete?: 'complete'])[] = [
  ['refund', 'estornar estorno estornos devolver devolucao devolucoes reembolsar reembolso refunds'],
  ['transfer', 'pagar pagamento transferir transferencia enviar saque sacar pay send payout pix', 'complete'],
  ['qr create', 'cobrar cobranca receber qrcode qr-code gerar criar charge'],
  ['qr decode', 'ler decodificar copia-e-cola'],
  ['status', 'consultar consulta situacao estado check get'],
  ['batch transfer', 'lote lotes planilha folha fornecedores bulk import importar'],
  ['history', 'extrato historico lista listar transacoes pagamentos log list statement', 'complete'],
  ['history find', 'procurar buscar pesquisar search find'],
  ['history show --receipt', 'comprovante comprovantes recibo receipt'],
  ['history report', 'relatorio fechamento mes report'],
  ['batch report', 'relatorio fechamento report'],
  ['history check --statement', 'conciliar conciliacao reconcile'],
  ['resume', 'continuar retomar retry'],
  ['profile add', 'perfil perfis conta config login configurar setup auth'],
  ['webhook listen', 'escutar ouvir receptor listen', 'complete'],
  ['webhook verify', 'verificar validar assinatura verify'],
  ['payee list', 'favorecido favorecidos contato contatos beneficiario', 'complete'],
  ['plan approve', 'aprovar aprovacao solicitacao approve'],
  ['lang', 'idioma portugues language', 'complete'],
  ['help', 'ajuda socorro', 'complete'],
  ['sandbox', 'simulador simular emulador servidor server start', 'complete'],
  ['demo', 'demonstracao exemplo', 'complete'],
]

/** What no command does: tell the balance, or cancel a payment. */
const WITHOUT_COMMAND: readonly (readonly ['balance' | 'cancel', words: string])[] = [
  ['balance', 'saldo balance'],
  ['cancel', 'cancelar cancel desfazer undo'],
]

/** What people type for the commands of a group, such as `pixgate profile remover`. */
const SUBCOMMANDS: readonly (readonly [command: string, words: string])[] = [
  ['create', 'criar novo nova gerar new add'],
  ['add', 'criar adicionar cadastrar incluir novo nova new create'],
  ['draw', 'desenhar mostrar show'],
  ['decode', 'ler decodificar read'],
  ['transfer', 'pagar pagamento pagamentos transferir transferencia transferencias enviar pay send'],
  ['refund', 'estornar estorno estornos devolver devolucao devolucoes reembolsar reembolso refunds'],
  ['list', 'listar lista ls'],
  ['show', 'mostrar ver exibir abrir detalhes get view'],
  ['find', 'procurar buscar pesquisar search'],
  ['report', 'relatorio fechamento'],
  ['check', 'conferir conciliar conciliacao verificar'],
  ['settle', 'resolver informar'],
  ['backup', 'copia salvar'],
  ['export', 'exportar'],
  ['import', 'importar'],
  ['use', 'usar trocar mudar switch'],
  ['edit', 'editar alterar mudar update set'],
  ['remove', 'remover excluir apagar deletar delete rm'],
  ['verify', 'verificar validar conferir check'],
  ['sign', 'assinar'],
  ['listen', 'escutar ouvir receber'],
  ['send', 'enviar mandar'],
  ['events', 'eventos listar list'],
  ['replay', 'reenviar repetir reentregar resend'],
  ['pay', 'pagar'],
  ['expire', 'expirar vencer'],
  ['cancel', 'cancelar'],
  ['chargeback', 'contestar contestacao estornar estorno'],
  ['return', 'devolver devolucao'],
  ['fault', 'falha erro error'],
  ['advance', 'avancar'],
  ['state', 'estado situacao status'],
  ['start', 'iniciar rodar servidor run server'],
  ['reset', 'limpar zerar reiniciar'],
]

/** What people type for options, and the options that they mean; a command has at most some of them. */
const OPTIONS: readonly (readonly [options: string, words: string])[] = [
  ['--amount', '--valor --quantia --value'],
  ['--key', '--chave --chave-pix --pix'],
  ['--to --key', '--para --favorecido --to'],
  ['--key-type --kind', '--tipo'],
  ['--reason --because', '--motivo'],
  ['--reason', '--descricao --description'],
  ['--month', '--mes'],
  ['--day --due-date', '--dia --data --date'],
  ['--due-date', '--vencimento'],
  ['--since', '--desde --de --from'],
  ['--until', '--ate'],
  ['--profile', '--perfil --conta'],
  ['--out --results --png', '--arquivo --saida --file'],
  ['--yes', '--sim'],
  ['--lang', '--idioma'],
  ['--owner --payer-tax-id --company-document --document', '--documento --cpf --cnpj'],
  ['--name --payer-name --company', '--nome'],
  ['--external-id --request-number --reference', '--nota --nf --pedido --referencia'],
  ['--sheet', '--planilha --aba'],
  ['--limit', '--limite'],
  ['--all', '--todos --tudo'],
  ['--full', '--total --integral'],
  ['--output', '--formato --format'],
  ['--wait', '--esperar --espera --aguardar'],
  ['--dry-run', '--simular --simulacao --teste'],
  ['--help', '--ajuda'],
]

/** What people type for values, and the values that they mean. */
const VALUES: readonly (readonly [value: string, words: string])[] = [
  ['production', 'producao prod live'],
  ['sandbox', 'teste testes homologacao test'],
  ['transfer', 'transferencia pagamento saque'],
  ['refund', 'devolucao estorno reembolso'],
  ['qr', 'cobranca qrcode'],
  ['paid', 'pago paga'],
  ['not-paid', 'nao-pago'],
  ['returned', 'devolvido'],
  ['refused', 'recusado recusada'],
  ['accepted', 'aceito aceita'],
  ['unknown', 'desconhecido'],
]

/**
 * The command that a word means in place of one: a command line without `pixgate`, its words without options, and whether it can be run without more;
 * undefined for other words.
 */
export function meantCommand(typed: string) {
  const word = withoutAccents(typed.trim())
  const [command, , complete] = COMMANDS.find(([, words]) => words.split(' ').includes(word)) ?? []
  if (command === undefined) return undefined
  const path = command.split(' ').filter((each) => !each.startsWith('-'))
  return { command, path, isComplete: complete !== undefined }
}

/** What a word means that no command does. */
export function meantWithoutCommand(typed: string): 'balance' | 'cancel' | undefined {
  return meanings(WITHOUT_COMMAND, typed)[0]
}

/** The word closest to a mistyped one among those that mean a command; undefined if none is close. */
export function nearestMeantWord(typed: string): string | undefined {
  const words = COMMANDS.flatMap(([, row]) => row.split(' ')).filter((word) => word.length >= LETTERS_MIN)
  return nearest(withoutAccents(typed.trim()), words)[0]
}

/** The subcommands that a word can mean in a group. */
export function meantSubcommands(typed: string): string[] {
  return meanings(SUBCOMMANDS, typed)
}

/** The options, such as `--amount`, that a word such as `--valor` can mean; undefined for other words. */
export function meantOptions(typed: string): string[] | undefined {
  const found = meanings(OPTIONS, typed).flatMap((options) => options.split(' '))
  return found.length === 0 ? undefined : found
}

/** The values that a word such as `celular` can mean. */
export function meantValues(typed: string): string[] {
  return meanings(VALUES, typed)
}

function meanings<Meant extends string>(table: readonly (readonly [Meant, string])[], typed: string): Meant[] {
  const word = withoutAccents(typed.trim())
  return table.filter(([, words]) => words.split(' ').includes(word)).map(([meant]) => meant)
}
