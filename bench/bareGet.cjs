// What a script does that asks for one payment: a GET, the answer read and printed.
const { get } = require('node:http')

get(`${process.env.BENCH_URL}/consult?id=1`, (answer) => {
  let text = ''
  answer.on('data', (chunk) => {
    text += chunk
  })
  answer.on('end', () => process.stdout.write(`${JSON.parse(text).status}\n`))
})
