import { COMPANY_FORMS, nameInCapitals } from '../pix/payeeName.ts'

/** What banks write before the name of the other party, in capitals without accents. */
const BANK_WORDS = new Set(
  (
    'PIX ENV ENVIO ENVIADO ENVIADA RECEB RECEBIDO RECEBIDA RECEBIMENTO EMIT EMITIDO EMITIDA EFETUADO EFETUADA REALIZADO REALIZADA ' +
    'TRANSF TRANSFE TRANSFER TRANSFERENCI TRANSFERENCIA TRANSFERIDO TRF PAGAMENTO PAGAMENTOS PAGTO PAGT PGTO PGT PAGO PAG ' +
    'CREDITO CRED DEBITO DEB DEVOLUCAO DEVOLVIDO DEVOLVIDA DEVOL DEV ESTORNO ESTORNADO REEMBOLSO TED DOC TEF QR QRCODE CODE DINAMICO ESTATICO DIN EST QRS ' +
    'CHAVE CONTA CC CORRENTE AGENCIA AG BANCO BCO OUTRA OUTRO OUTROS IF INSTITUICAO INTERNO INTERNA SISPAG INTERNET MOBILE APP BANKING ONLINE ON LINE ' +
    'PELO PELA VIA POR PARA DE DA DO EM NO NA COM A O E AUT AUTOM AUTOMATICO AUTOMATICA FORNEC FORNECEDOR FORNECEDORES SALARIO SALARIOS BOLETO TITULO ' +
    'COMPRA CARTAO CP CPF CNPJ REM DES DEST REMETENTE DESTINATARIO FAVORECIDO ORIGEM DESTINO TARIFA TAR SERVICO SERVICOS IOF VALOR ID LANCAMENTO ' +
    'MESMA TITULARIDADE TIT INT TERCEIROS COBRANCA IMEDIATA PROGRAMADO AGENDADO AGENDADA AGEND SAIDA ENTRADA NR NUM ' +
    'PAYMENT PAYOUT RELEASE WITHDRAWAL DEPOSIT SENT RECEIVED REFUND FROM TO'
  ).split(' '),
)
/** They are left out or abbreviated in names, and companies have some of them at the end. */
const MINOR_WORDS = new Set(['DA', 'DE', 'DO', 'DAS', 'DOS', 'E', 'S', 'A', ...COMPANY_FORMS])
/** Where the parts of a description end: `Transferência enviada pelo Pix - MARIA - •••.456.789-••`. */
const SEPARATOR = /\s[-–—|]\s|[:;"()|]|\s{3,}/
/** Days, times, documents and other numbers, also right behind a cut name as in `MARIA S21/11`. */
const NUMBER = /[\d•*][\d•*./:,-]*/g
/** No bank cuts names to fewer characters, so a shorter name is a whole one. */
const CUT_CHARACTERS_MIN = 7
const CHARACTERS_MAX = 500

/** The words of a name in capitals without accents, without those that other spellings leave out. */
export function nameWords(name: string): string[] {
  const words = plainWords(name)
  const major = words.filter((word) => !MINOR_WORDS.has(word))
  return major.length > 0 ? major : words
}

/** The name of the other party as a statement has it. */
export interface StatedName {
  /** Its words. */
  party: readonly string[]
  /** All words of the name, or of the description without one, for a name that begins with words that banks use, too. */
  all: readonly string[]
}

/** The name on a line of a statement; null if the line only says what kind of payment it is. */
export function statedName(description: string, name: string | null): StatedName | null {
  const party = name === null ? wordsOfParty(description) : nameWords(name)
  return party.length === 0 ? null : { party, all: nameWords(name ?? description) }
}

function wordsOfParty(description: string): string[] {
  for (const part of description.slice(0, CHARACTERS_MAX).split(SEPARATOR)) {
    const words = plainWords(part)
    const start = words.findIndex((word) => !BANK_WORDS.has(word))
    const found = start === -1 ? [] : nameWords(words.slice(start).join(' '))
    if (found.some((word) => word.length > 1)) return found
  }
  return []
}

/**
 * True if the name on a statement may be that of a payment: their words are equal in their order, though one may have more of them, initials
 * instead of words, or an end that was cut off.
 */
export function mayBeSameName({ party, all }: StatedName, known: readonly string[]): boolean {
  return areAlike(party, known) || (all.length >= known.length && areAlike(all, known))
}

function areAlike(stated: readonly string[], known: readonly string[]): boolean {
  const isStatedShorter = stated.length <= known.length
  const [shorter, longer] = isStatedShorter ? [stated, known] : [known, stated]
  const canBeCut = stated.join(' ').length >= CUT_CHARACTERS_MIN
  let next = 0
  for (const [place, word] of shorter.entries()) {
    const isLastStated = isStatedShorter && place === stated.length - 1
    const isSame = (other: string) =>
      word === other || (place > 0 && isInitial(word, other)) || (isLastStated && canBeCut && other.startsWith(word))
    const found = longer.findIndex((other, index) => index >= next && isSame(other))
    // A bank may write other words before a name, but does not leave its first word out.
    if (found === -1 || (place === 0 && isStatedShorter && found > 0)) return false
    next = found + 1
  }
  return shorter.length > 0
}

function isInitial(one: string, other: string): boolean {
  return (one.length === 1 && other.startsWith(one)) || (other.length === 1 && one.startsWith(other))
}

function plainWords(text: string): string[] {
  return (
    nameInCapitals(text)
      .replace(NUMBER, ' ')
      .match(/\p{L}+/gu) ?? []
  )
}
