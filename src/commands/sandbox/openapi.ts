import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { defineCommand } from '../command.ts'

export const sandboxOpenApi = defineCommand({
  examples: [['pixgate sandbox openapi > gateway.json', 'generate a client, or mock the gateway']],
  run: printOpenApi,
})

async function printOpenApi(context: Context): Promise<number> {
  const { openApi } = await import('../../sandbox/openApi.ts')
  context.print.json(openApi(LOCAL_PROFILE.baseUrl))
  return 0
}
