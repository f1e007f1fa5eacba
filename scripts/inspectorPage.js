import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { translationsFor } from './catalogues.js'

/** What only Node.js has. */
const NODE_ONLY = /["'`]node:|\b(?:Buffer|process|require)\b\s*[.(]/

/** The page of the inspector as one file with its translations; only its nonce and its language are filled in later, for each answer. */
export async function inspectorPage(root) {
  const folder = join(root, 'src/inspector/page')
  const read = (name) => readFileSync(join(folder, name), 'utf8').trim()
  const bundle = await rolldown({
    input: join(folder, 'main.ts'),
    cwd: root,
    // A module may need Node.js for what the page does not call: only that is not taken.
    platform: 'node',
    treeshake: { moduleSideEffects: (path) => path.startsWith(folder) },
  })
  const { output } = await bundle.generate({ format: 'es', minify: { compress: true, mangle: false } })
  await bundle.close()
  const [{ code }] = output
  if (NODE_ONLY.test(code)) throw new Error('the script of the inspector needs Node.js')
  if (/<\/script|<!--/i.test(code)) throw new Error('the script of the inspector cannot stand in a page')
  const texts = JSON.stringify(translationsFor(root, code)).replaceAll('<', '\\u003c')
  return `${read('page.html')
    .replace('{{style}}', () => read('style.css'))
    .replace('{{texts}}', () => texts)
    .replace('{{script}}', () => code)}\n`
}
