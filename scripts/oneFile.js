import { rolldown } from 'rolldown'
import { withoutUnusedModules } from './unusedModules.js'

/** Bundles a module of the project at `root`, and all that it loads, into one CommonJS file. */
export async function bundleIntoOneFile(root, input, file) {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    // Only Node.js 20 loads it; later versions have SQLite built in.
    external: ['@photostructure/sqlite'],
    plugins: [withoutUnusedModules],
    checks: { ineffectiveDynamicImport: false },
  })
  await bundle.write({ file, format: 'cjs', codeSplitting: false, dynamicImportInCjs: false })
  await bundle.close()
}
