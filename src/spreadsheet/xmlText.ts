const ATTRIBUTE = /([^\s=<>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text with its entities decoded; unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,4}));/gi, (whole, decimal, hex, entity) => {
    if (entity !== undefined) return ENTITIES[String(entity)] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** The attributes in the text of a tag, their entities decoded, by their names without a namespace prefix. */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', doubleQuoted, singleQuoted = ''] of tag.matchAll(ATTRIBUTE)) {
    if (!name.startsWith('xmlns')) attributes.set(localName(name), decodeEntities(doubleQuoted ?? singleQuoted))
  }
  return attributes
}

/** A name without its namespace prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
