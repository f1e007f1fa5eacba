// Bundles src/ into dist/: `npm run build`. Types are checked by `npm run check`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { writeCatalogues } from './catalogues.js'
import { chunks } from './chunks.js'
import { writeDeclarations } from './declarations.js'
import { inspectorPage } from './inspectorPage.js'
import { bundledVersions, licences } from './licences.js'
import { bundleIntoOneFile } from './oneFile.js'
import { withoutUnusedModules } from './unusedModules.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')

rmSync(DIST, { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    main: join(ROOT, 'src/main.ts'),
    completionTable: join(ROOT, 'src/cli/completionTable.ts'),
    sandbox: join(ROOT, 'src/library/sandbox.ts'),
    webhooks: join(ROOT, 'src/library/webhooks.ts'),
  },
  cwd: ROOT,
  platform: 'node',
  external: ['@photostructure/sqlite'],
  plugins: [withoutUnusedModules],
  // A module that one command loads lazily is loaded by another one in any case.
  checks: { ineffectiveDynamicImport: false },
})
const { output } = await bundle.write({
  dir: DIST,
  // Node.js loads CommonJS faster than ES modules, by a quarter of the time that a command takes to start.
  format: 'cjs',
  // Load external packages with require(): for `import()`, Node.js 20 first starts its ES module loader.
  dynamicImportInCjs: false,
  codeSplitting: { groups: chunks(ROOT) },
  sourcemap: true,
  sourcemapExcludeSources: true,
})
await bundle.close()
await bundleIntoOneFile(ROOT, join(ROOT, 'src/diagnosis/diagnosisWorker.ts'), join(DIST, 'diagnosisWorker.js'))
writeFileSync(join(DIST, 'package.json'), '{ "type": "commonjs" }\n')
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licences(output))
writeFileSync(join(DIST, 'build.json'), `${JSON.stringify({ built: buildDay(), packages: bundledVersions(output) })}\n`)
for (const [name, decoder] of Object.entries({ jpeg: 'mozjpeg_dec', webp: 'webp_dec' })) {
  writeFileSync(
    join(DIST, `${name}.wasm`),
    readFileSync(join(ROOT, `node_modules/@jsquash/${name}/codec/dec/${decoder}.wasm`)),
  )
}
writeDeclarations(ROOT, DIST)
writeCatalogues(ROOT, DIST)
writeFileSync(join(DIST, 'inspector.html'), await inspectorPage(ROOT))
const { completionTable } = createRequire(import.meta.url)(join(DIST, 'completionTable.js'))
writeFileSync(join(DIST, 'completion.json'), JSON.stringify(await completionTable()))
for (const file of ['completionTable.js', 'completionTable.js.map']) rmSync(join(DIST, file))

/** Today, or the day of SOURCE_DATE_EPOCH, with which a build can be repeated byte by byte. */
function buildDay() {
  const { SOURCE_DATE_EPOCH: seconds } = process.env
  return (seconds ? new Date(Number(seconds) * 1000) : new Date()).toISOString().slice(0, 10)
}
