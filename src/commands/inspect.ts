import { defineCommand } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { INSPECTOR_PORT, PORT_OPTION, untilAborted } from '../steps/foregroundServer.ts'
import { labelledLines } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import type { Printed } from '../views/outputSchemas.ts'

/** `pixgate inspect`: a local page for events, payments and the sandbox. */
export const inspect = defineCommand({
  options: [
    { ...PORT_OPTION, default: INSPECTOR_PORT },
    { flags: '--unmask', description: 'show keys, tax documents and e-mail addresses unmasked' },
  ],
  examples: [
    ['pixgate inspect', 'open the address that it prints; only that address shows the page'],
    ['pixgate inspect --port 0 -o json', 'on a free port; the first line holds the address'],
    ['pixgate webhook listen --inspect', 'the same page with a listener; it also shows refused webhooks'],
  ],
  run: serve,
})

async function serve(context: Context, { port, unmask }: { port: number; unmask: boolean }): Promise<number> {
  const { terminal, print, runtime } = context
  context.serve()
  const { openInspector } = await import('../inspector/openInspector.ts')
  const inspector = await openInspector(context, {
    port,
    option: '--port',
    unmask,
  })
  try {
    print.item<Printed<'inspect'>>({ type: 'ready', url: inspector.url }, () =>
      labelledLines([[t`inspect at`, inspector.url, terminal.out.bold]], terminal.out),
    )
    terminal.note(t`Only this address shows the page, so treat it like a password; Ctrl-C stops it`)
    await untilAborted(runtime.interrupt)
    return 0
  } finally {
    await inspector.close()
  }
}
