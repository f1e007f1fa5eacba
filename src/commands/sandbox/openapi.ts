import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { typedAddress } from '../../profiles/addressEnvironment.ts'
import { defineCommand } from '../command.ts'

export const sandboxOpenApi = defineCommand({
  examples: [['pixgate sandbox openapi > gateway.json', 'generate a client, or mock the gateway']],
  run: printOpenApi,
})

async function printOpenApi(context: Context): Promise<number> {
  const { openApi } = await import('../../sandbox/openApi.ts')
  const { settings, runtime } = context
  context.print.json(openApi(typedAddress(settings.baseUrl, runtime.env)?.url ?? LOCAL_PROFILE.baseUrl))
  return 0
}
