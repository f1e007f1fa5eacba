// What a script does that pays once: a line written and synced, a POST, the answer read and printed.
const { fsyncSync, openSync, writeSync } = require('node:fs')
const { request } = require('node:http')

const file = openSync(`${process.env.PIXGATE_DATA_DIR}/bare.log`, 'a')
writeSync(file, '{"value":1}\n')
fsyncSync(file)
const headers = { 'content-type': 'application/json' }
const post = request(`${process.env.BENCH_URL}/pay`, { method: 'POST', headers }, (answer) => {
  let text = ''
  answer.on('data', (chunk) => {
    text += chunk
  })
  answer.on('end', () => process.stdout.write(`${JSON.parse(text).status}\n`))
})
post.end('{"value":1}')
