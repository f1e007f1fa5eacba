// The types of Node.js 20, which has no SQLite, are used everywhere; both engines have the same interface.
declare module 'node:sqlite' {
  export { DatabaseSync } from '@photostructure/sqlite'
}
