import type { Context } from '../context.ts'
import type { describeRequest } from '../gateway/requests.ts'
import { safeLines } from '../text/safeText.ts'
import { t } from '../text/translate.ts'

/** The option of a payment that is only shown. */
export const DRY_RUN_OPTION = {
  flags: '--dry-run',
  description: 'apply every rule, show the request, send nothing',
} as const

/** Prints the request that would be sent and returns the exit code of a dry run. */
export function showDryRun(context: Context, request: ReturnType<typeof describeRequest>): number {
  context.print.one(request, () => [
    ...safeLines(`${request.method} ${request.url}`),
    ...Object.entries(request.headers).flatMap(([name, value]) => safeLines(`${name}: ${value}`)),
    '',
    ...safeLines(JSON.stringify(request.body, null, 2)),
  ])
  context.terminal.note(t`Nothing was sent`)
  return 0
}
