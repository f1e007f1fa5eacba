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

/** The attributes in the text of a tag, their entities decoded, by their names without a namespace prefix. What is not of the form `name="value"` is skipped. */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  let at = 0
  // Written as a loop, because there is one call for each cell of a sheet, and a pattern takes three times as long.
  for (let equals = tag.indexOf('='); equals !== -1; equals = tag.indexOf('=', at)) {
    let start = equals + 1
    while (isSpace(tag.charCodeAt(start))) start += 1
    const quote = tag[start]
    const end = quote === '"' || quote === "'" ? tag.indexOf(quote, start + 1) : -1
    if (end === -1) {
      at = equals + 1
      continue
    }
    const name = tag.slice(at, equals).trim()
    at = end + 1
    if (!name.startsWith('xmlns')) attributes.set(localName(name), decodeEntities(tag.slice(start + 1, end)))
  }
  return attributes
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/** A name without its namespace prefix. */
export function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}
