import { readPackagedFile } from '../packagedFile.ts'
import { currentLanguage, t } from '../text/translate.ts'
import { pageTexts } from './pageTexts.ts'

let built: string | undefined

/** The page for one answer. The build makes one file of its parts; `nonce` marks them as the page's own. */
export function renderPage(nonce: string): string {
  built ??= readPackagedFile('dist/inspector.html')
  const texts = JSON.stringify(pageTexts()).replaceAll('<', '\\u003c')
  return built
    .replaceAll('{{nonce}}', nonce)
    .replace('{{language}}', currentLanguage())
    .replace('{{noscript}}', t`This page needs JavaScript`)
    .replace('{{texts}}', () => texts)
}
