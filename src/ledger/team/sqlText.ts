/**
 * A text as a string of SQL. Parameters would cost another round trip for each statement. This form does not depend on the setting
 * `standard_conforming_strings`, and the connection's encoding is always UTF-8. Throws for U+0000, which PostgreSQL cannot store.
 */
export function sqlText(text: string | null): string {
  if (text === null) return 'NULL'
  if (text.includes('\0')) throw new RangeError('PostgreSQL cannot store U+0000')
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** A whole number in SQL. Throws for any other. */
export function sqlInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`)
  return String(value)
}
