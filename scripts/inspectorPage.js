import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** The page of the inspector as one file; only its nonce and its texts are filled in later, for each answer. */
export async function inspectorPage(root) {
  const folder = join(root, 'src/inspector/page')
  const read = (name) => readFileSync(join(folder, name), 'utf8').trim()
  const bundle = await rolldown({ input: join(folder, 'main.ts'), cwd: root, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'es', minify: { compress: true, mangle: false } })
  await bundle.close()
  const [{ code }] = output
  if (/<\/script|<!--/i.test(code)) throw new Error('the script of the inspector cannot stand in a page')
  return `${read('page.html')
    .replace('{{style}}', () => read('style.css'))
    .replace('{{script}}', () => code)}\n`
}
