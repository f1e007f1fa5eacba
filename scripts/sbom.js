// Prints what the executable files of a build contain, as a CycloneDX document: `node scripts/sbom.js <version of Node.js>`, after `npm run build`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const [nodeVersion] = process.argv.slice(2)
if (nodeVersion === undefined) throw new Error('Name the version of Node.js that is inside')

const { name, version, license } = read('package.json')
const { packages } = read('dist/build.json')
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name, version, licenses: [{ license: { id: license } }] } },
  components: [
    { type: 'platform', name: 'node', version: nodeVersion, purl: `pkg:generic/node@${nodeVersion}` },
    ...packages.map((each) => ({ type: 'library', ...each, purl: packageUrl(each) })),
  ],
}
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)

/** The name of an npm package as a package URL. */
function packageUrl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
