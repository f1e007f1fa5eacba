import { readJsonTree } from './jsonTree.ts'
import {
  COMPACT,
  forMoney,
  JACKSON_STRINGS,
  JAVASCRIPT_STRINGS,
  type JsonLayout,
  layOut,
  type NumberStyle,
  PHP_STRINGS,
  PYTHON_ASCII,
  phpNumber,
  pythonFloat,
  SPACED,
  type StringStyle,
  shortest,
  twoDecimals,
  writeString,
} from './jsonWriters.ts'

/** The languages whose way of writing JSON a webhook body can have, the default first. */
export const WEBHOOK_STYLES = ['java', 'php', 'python', 'javascript'] as const

export type WebhookStyle = (typeof WEBHOOK_STYLES)[number]

interface WritingStyle {
  layout: JsonLayout
  strings: StringStyle
  numbers: NumberStyle
}

const STYLES: Readonly<Record<WebhookStyle, WritingStyle>> = {
  java: { layout: COMPACT, strings: JACKSON_STRINGS, numbers: forMoney(twoDecimals) },
  php: { layout: COMPACT, strings: PHP_STRINGS, numbers: phpNumber },
  python: { layout: SPACED, strings: PYTHON_ASCII, numbers: forMoney(pythonFloat) },
  javascript: { layout: COMPACT, strings: JAVASCRIPT_STRINGS, numbers: shortest },
}

/**
 * The text of a webhook body as a service in this language writes it. `java`: amounts with two decimals (`10.50`), as
 * Jackson writes a BigDecimal. `php`: `\/` for a slash and `\u00e3` for a letter outside ASCII, as `json_encode` does.
 * `python`: a space after each comma and colon, `\u00e3`, amounts as floats (`10.0`), as `json.dumps` does.
 * `javascript`: as `JSON.stringify` does (`10.5`).
 */
export function eventBody(event: object, style: WebhookStyle): string {
  const { layout, strings, numbers } = STYLES[style]
  const tree = readJsonTree(JSON.stringify(event))
  if (tree === undefined) throw new RangeError('the event is not JSON')
  return layOut(tree, layout, { text: (text) => writeString(text, strings), number: numbers })
}

/** How a service in this language writes strings. */
export function stringsOfStyle(style: WebhookStyle): StringStyle {
  return STYLES[style].strings
}

/** The body of a refund's event with the key `idTransaction` twice, as some services write it: refund, then original. */
export function repeatIdKey(body: string): string {
  return body.replace(/"originalTransactionId"(?=\s*:)/, '"idTransaction"')
}
