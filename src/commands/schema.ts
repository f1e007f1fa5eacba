import { defineCommand } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { SCHEMA_NAMES, schemaName, schemaOf } from '../views/outputSchemas.ts'
import { UsageError } from '../wire/errors.ts'

export const schema = defineCommand({
  arguments: [
    {
      name: '[name...]',
      description: 'an event such as pix.received, or a command such as `qr decode`',
      completes: SCHEMA_NAMES,
    },
  ],
  examples: [
    ['pixgate schema', 'list all schemas'],
    ['pixgate schema batch show', 'what `pixgate batch show -o json` prints'],
    ['pixgate schema pix.received > pix.received.json', 'validate or generate types for a webhook'],
  ],
  run: showSchema,
})

async function showSchema(context: Context, { name: words }: { name: readonly string[] }): Promise<number> {
  const { print, terminal, settings } = context
  if (words.length === 0) {
    if (settings.output === 'json') terminal.data(JSON.stringify(SCHEMA_NAMES))
    else terminal.data(SCHEMA_NAMES.join('\n'))
    return 0
  }
  const name = schemaName(words.join(' '))
  const found = schemaOf(name)
  if (found === undefined) throw unknownSchema(words.join(' '), name)
  print.json(found)
  return 0
}

function unknownSchema(typed: string, name: string): UsageError {
  const [likely] = nearest(name, SCHEMA_NAMES)
  const hint =
    likely === undefined
      ? t`List all names with \`pixgate schema\``
      : t`Type \`pixgate schema ${likely}\`; \`pixgate schema\` lists all names`
  return new UsageError(t`There is no schema \`${typed}\``, { hint })
}
