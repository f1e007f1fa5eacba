import type { Context } from '../../context.ts'
import { maskTaxDocument } from '../../pix/taxDocument.ts'
import type { Document } from '../../terminal/printer.ts'
import { maskKey } from '../../views/personalData.ts'
import { isObject } from '../../wire/answers.ts'

/** A transaction's document as it is shown: people's keys and tax documents masked, except in JSON and where that is wished. */
export function shownDocument({ print }: Context, document: Document, unmask: boolean | undefined): Document {
  if (unmask === true || print.format === 'json') return document
  const { key, typeKey, pixgate } = document
  const inner = isObject(pixgate) ? pixgate : {}
  return {
    ...document,
    ...(typeof key === 'string' ? { key: maskKey(key, String(typeKey)) } : {}),
    pixgate: { ...inner, ...(typeof inner.owner === 'string' ? { owner: maskTaxDocument(inner.owner) } : {}) },
  }
}
