import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runSandbox } from '../cli/runningSandbox.ts'
import { emptyWorld } from '../world.ts'

/** A project of its own, because the generators need TypeScript 5. */
const PROJECT = join(import.meta.dirname, '..', 'clients')
const PACKAGES = join(PROJECT, 'node_modules')
const TSC = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')

const execute = promisify(execFile)

/** Runs a script of a package in a folder; throws with what it printed unless it exits with 0. */
async function runScript(cwd: string, ...args: string[]): Promise<void> {
  await execute(process.execPath, args, { cwd }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`)
  })
}

test.skipIf(!existsSync(PACKAGES))(
  '`npm ci --prefix test/clients` IS NEEDED FOR THIS: clients of two generators compile and create, pay and query a charge',
  { timeout: 120_000 },
  async () => {
    const world = emptyWorld()
    const folder = join(world.home, 'clients')
    mkdirSync(folder)
    for (const file of ['package.json', 'tsconfig.json', 'openApiFetch.ts', 'heyApi.ts']) {
      copyFileSync(join(PROJECT, file), join(folder, file))
    }
    symlinkSync(PACKAGES, join(folder, 'node_modules'), 'junction')
    const openApi = join(folder, 'openapi.json')
    writeFileSync(openApi, (await world.run(['sandbox', 'openapi'])).stdout)
    const generators = [
      ['openapi-typescript/bin/cli.js', openApi, '-o', 'generated/openApiTypescript.ts'],
      ['@hey-api/openapi-ts/bin/run.js', '-i', openApi, '-o', 'generated/heyApi', '--no-log-file', '--silent'],
    ]
    await Promise.all(generators.map(([script = '', ...args]) => runScript(folder, join(PACKAGES, script), ...args)))
    await runScript(folder, TSC, '-p', folder)
    const { url } = await runSandbox(world, [])
    for (const name of ['openApiFetch', 'heyApi']) {
      const client: { buy(url: string, secret: string): Promise<unknown> } = await import(
        pathToFileURL(join(folder, 'compiled', `${name}.js`)).href
      )
      const bought = { amount: 10.5, actions: ['wait', 'ship'], isUnknown: true }
      expect([name, await client.buy(url, 'local-secret')]).toEqual([name, bought])
    }
  },
)
