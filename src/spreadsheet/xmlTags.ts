/** An opening tag of an XML text. */
export interface XmlTag {
  /** Without its namespace prefix, like the names of the attributes. */
  name: string
  /** Reads the attributes, their entities decoded. */
  attributes(): ReadonlyMap<string, string>
}

/** Where a part of XML ends whose content is no markup. */
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' }
const ATTRIBUTE = /\s*([^\s=<>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The opening tags with one of these names, in their order; comments and quoted markup are skipped. Takes time in proportion to the text. */
export function* openingTags(xml: string, names: readonly string[]): Generator<XmlTag> {
  const beginnings = new RegExp(`<!--|<!\\[CDATA\\[|<\\?|<(?:[^\\s<>/:!?"'=]+:)?(${names.join('|')})(?=[\\s/>])`, 'g')
  for (let found = beginnings.exec(xml); found !== null; found = beginnings.exec(xml)) {
    const [beginning, name] = found
    const start = beginnings.lastIndex
    if (name !== undefined) {
      yield { name, attributes: () => attributesAt(xml, start) }
      continue
    }
    const end = xml.indexOf(ENDS[beginning] ?? '', start)
    if (end === -1) return
    beginnings.lastIndex = end
  }
}

function attributesAt(xml: string, start: number): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  ATTRIBUTE.lastIndex = start
  for (let found = ATTRIBUTE.exec(xml); found !== null; found = ATTRIBUTE.exec(xml)) {
    const [, name = '', doubleQuoted, singleQuoted = ''] = found
    if (!name.startsWith('xmlns')) attributes.set(withoutPrefix(name), decodeEntities(doubleQuoted ?? singleQuoted))
  }
  return attributes
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Text with its entities decoded; unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,4}));/gi, (whole, decimal, hex, entity) => {
    if (entity !== undefined) return ENTITIES[String(entity)] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
