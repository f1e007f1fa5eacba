/**
 * Reads a listener's stdout as a script would: each line parsed as JSON (`json`) or only taken (`text`). Says where the
 * listener is, and at the end how many lines of each type there were.
 */
import { createInterface } from 'node:readline'

const isJson = process.argv[2] === 'json'
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/
let isKnown = false
/** @type {Record<string, number>} */
const lines = {}

for await (const line of createInterface({ input: process.stdin })) {
  const type = isJson ? JSON.parse(line).type : 'line'
  lines[type] = (lines[type] ?? 0) + 1
  const url = isKnown ? undefined : ADDRESS.exec(line)?.[0]
  if (url === undefined) continue
  isKnown = true
  console.log(JSON.stringify({ type: 'ready', url }))
}
console.log(JSON.stringify({ type: 'read', lines }))
