/** Modules that bundled packages load, and their code in the bundle: empty for features that pixgate does not use. */
const REPLACED = [
  // Subcommands that are programs of their own.
  { importer: /[\\/]node_modules[\\/]commander[\\/]/, specifier: 'node:child_process' },
  // The folder that conf would choose without `cwd`; it asks for the home while it loads, which fails where there is none.
  { importer: /[\\/]node_modules[\\/]conf[\\/]/, specifier: 'env-paths' },
  // HTTP/2, which the option `allowH2` turns on.
  { importer: /[\\/]node_modules[\\/]undici[\\/]/, specifier: 'node:http2' },
  // Colours of headers and lines: pixgate draws no lines, and chalk colours the headers.
  { importer: /[\\/]node_modules[\\/]cli-table3[\\/]/, specifier: '@colors/colors/safe' },
  // Tables count the cells of a text as everything else does.
  {
    importer: /[\\/]node_modules[\\/]cli-table3[\\/]/,
    specifier: 'string-width',
    code: "module.exports = require('fast-string-width').default",
  },
]
const EMPTY = 'module.exports = { constants: {} }'
const PREFIX = '\0replaced:'

/** A plugin that replaces these modules. At the start of a command, loading one takes 2 to 8 ms. */
export const withoutUnusedModules = {
  name: 'unused-modules',
  resolveId(specifier, importer = '') {
    const isReplaced = REPLACED.some((each) => each.specifier === specifier && each.importer.test(importer))
    return isReplaced ? `${PREFIX}${specifier}` : undefined
  },
  load(id) {
    if (!id.startsWith(PREFIX)) return undefined
    return REPLACED.find(({ specifier }) => id === `${PREFIX}${specifier}`)?.code ?? EMPTY
  },
}
