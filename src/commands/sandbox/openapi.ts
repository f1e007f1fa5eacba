import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { defineCommand } from '../command.ts'

export const sandboxOpenApi = defineCommand({
  description: 'Sandbox: the OpenAPI 3.1 document of the gateway and of the control API, also at /openapi.json',
  examples: [['pixgate sandbox openapi > gateway.json', 'generate a client, or mock the gateway']],
  run: printOpenApi,
})

async function printOpenApi(context: Context): Promise<number> {
  const { openApi } = await import('../../sandbox/openApi.ts')
  context.print.json(openApi(LOCAL_PROFILE.baseUrl))
  return 0
}
