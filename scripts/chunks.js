import { join } from 'node:path'

/**
 * The files that the bundle is split into, beside those that rolldown finds by itself. What every command loads is two files
 * instead of 20, which saves 5 to 9 ms.
 */
export function chunks(root) {
  const source = (path) => join(root, 'src', path)
  const isLoadedBy = (entry, id, bundle) => staticImports(source(entry), bundle).has(id)
  const isLoadedByAll = (id, bundle) => isLoadedBy('cli/run.ts', id, bundle)
  return [
    // These two are loaded first: for `--version` alone, and before the cache of compiled code is on.
    {
      name: (id) => ([source('programInfo.ts'), source('packagedFile.ts')].includes(id) ? 'programInfo' : null),
      debugName: 'programInfo',
      priority: 5,
    },
    { name: 'folders', test: source('folders.ts'), priority: 5 },
    // What a Tab loads.
    {
      name: (id, bundle) => (isLoadedBy('cli/complete.ts', id, bundle) ? 'complete' : null),
      debugName: 'complete',
      priority: 4,
    },
    {
      name: (id, bundle) =>
        isLoadedByAll(id, bundle) && isLoadedBy('library/sandbox.ts', id, bundle) ? 'shared' : null,
      debugName: 'shared',
      priority: 3,
    },
    { name: (id, bundle) => (isLoadedByAll(id, bundle) ? 'run' : null), debugName: 'run', priority: 2 },
    // What reads the profiles, as completion does, and much that needs no ledger.
    { name: 'schemas', test: source('schemas/jsonSchema.ts'), priority: 1 },
    // What `qr decode` and the ledger have in common.
    { name: 'brCode', test: source('pix/brCode.ts'), priority: 1 },
    {
      name: (id, bundle) => (isLoadedBy('cli/completedNames.ts', id, bundle) ? 'names' : null),
      debugName: 'names',
      priority: 0,
    },
  ]
}

/** A module and all that it imports, itself or through others, except with `import()`. */
function staticImports(module, bundle) {
  const found = new Set([module])
  for (const id of found) for (const imported of bundle.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
