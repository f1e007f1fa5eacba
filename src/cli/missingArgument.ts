import type { ArgumentDefinition } from '../commands/command.ts'
import { faultOf } from '../commands/requiredValue.ts'
import type { Context } from '../context.ts'
import { LOCAL_PROFILE } from '../profiles/account.ts'
import { readProfiles } from '../profiles/store.ts'
import type { Choice } from '../terminal/prompts.ts'
import { t, translated } from '../text/translate.ts'

/** Asks for an argument that is missing: from a list if its values are known, else as text. Throws Cancelled. */
export async function askForArgument(context: Context, definition: ArgumentDefinition): Promise<string> {
  const { terminal } = context
  const { name, description, parse, choices } = definition
  const question = t`${name.replace(/[<>]/g, '')} (${translated(description)})`
  if (choices !== undefined)
    return terminal.choose(
      question,
      choices.map((each) => ({ value: each, name: each })),
    )
  if (definition.completes === 'profiles') {
    const profiles = await profileChoices(context)
    if (profiles.length > 0) return terminal.choose(question, profiles)
  }
  const read = (text: string) => parse?.(text, name, context.now())
  return terminal.askText(question, { faultOf: faultOf(read) })
}

async function profileChoices(context: Context): Promise<Choice<string>[]> {
  const { profiles } = await readProfiles(context.configFolder())
  const stored = [...profiles].map(([name, { baseUrl }]) => ({ value: name, name, description: baseUrl }))
  const { name, baseUrl } = LOCAL_PROFILE
  return stored.length === 0 ? [] : [...stored, { value: name, name, description: baseUrl }]
}
