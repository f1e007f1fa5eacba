import type { Context } from '../context.ts'
import { maskTaxDocument } from '../pix/taxDocument.ts'
import type { Document } from '../terminal/printer.ts'
import { withPixgate } from '../views/documentFields.ts'
import { maskKey, maskName, maskText } from '../views/personalData.ts'
import { isObject } from '../wire/answers.ts'

/** A payment's document as it is shown: keys, names and tax documents of people masked, except in JSON and with `unmask`. */
export function shownDocument({ print }: Context, document: Document, unmask: boolean | undefined): Document {
  return unmask === true || print.format === 'json' ? document : maskedDocument(document)
}

/** A payment's document with keys, names and tax documents of people masked. */
export function maskedDocument(document: Document): Document {
  const { key, typeKey } = document
  const { owner, payee, errorMessage, reason, finding } = isObject(document.pixgate) ? document.pixgate : {}
  const shown = withPixgate(document, {
    ...(typeof owner === 'string' ? { owner: maskTaxDocument(owner) } : {}),
    ...(typeof payee === 'string' ? { payee: maskedPayee(payee, document) } : {}),
    ...(typeof errorMessage === 'string' ? { errorMessage: maskText(errorMessage) } : {}),
    ...(typeof reason === 'string' ? { reason: maskText(reason) } : {}),
    ...(isObject(finding) ? { finding: { ...finding, because: maskText(String(finding.because)) } } : {}),
  })
  return typeof key === 'string' ? { ...shown, key: maskKey(key, String(typeKey)) } : shown
}

/** A payee is a name, or the key or id that is also in the document. */
function maskedPayee(payee: string, { key, typeKey, originalTransactionId }: Document): string {
  if (payee === key) return maskKey(payee, String(typeKey))
  return payee === originalTransactionId ? payee : maskName(payee)
}
