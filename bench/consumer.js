/**
 * Reads a listener's stdout and takes its lines apart; what a script makes of them is not the listener's work. Says where the
 * listener is, and at the end how many lines of each type there were; lines of text are of the type `line`.
 */
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/
const TYPE = /^\{"type":"([a-z]+)"/
let isKnown = false
let rest = ''
/** @type {Record<string, number>} */
const lines = {}

process.stdin.on('data', (/** @type {Buffer} */ chunk) => {
  const parts = (rest + chunk.toString('latin1')).split('\n')
  rest = parts.pop() ?? ''
  for (const line of parts) {
    const type = TYPE.exec(line)?.[1] ?? 'line'
    lines[type] = (lines[type] ?? 0) + 1
    const url = isKnown ? undefined : ADDRESS.exec(line)?.[0]
    if (url === undefined) continue
    isKnown = true
    console.log(JSON.stringify({ type: 'ready', url }))
  }
})
process.stdin.on('end', () => console.log(JSON.stringify({ type: 'read', lines })))
