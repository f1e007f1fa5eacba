import type { Database } from '../storage/sqlite.ts'

/** All statements that made the tables and indexes of a database, as one text to compare it with another one. */
export function schemaOf(database: Database): string {
  return JSON.stringify(database.all('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name'))
}
