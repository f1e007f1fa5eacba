import { defineCommand } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { type ChosenLanguage, chosenLanguage, setLanguage } from '../language.ts'
import { readLanguage } from '../optionParsers.ts'
import { changeProfiles } from '../profiles/changeProfiles.ts'
import { LANGUAGE_CHOICE, LANGUAGES, type Language } from '../text/languages.ts'
import { t } from '../text/translate.ts'
import type { Printed } from '../views/outputSchemas.ts'

export const lang = defineCommand({
  arguments: [{ name: '[language]', description: LANGUAGE_CHOICE, parse: readLanguage, completes: LANGUAGES }],
  examples: [
    ['pixgate lang', 'which language is used, and what chose it'],
    ['pixgate lang pt-BR', 'Portuguese from now on'],
    ['pixgate transfer --help --lang pt-BR', 'for one command only'],
  ],
  run: showOrStore,
})

async function showOrStore(context: Context, { language }: { language: Language | undefined }): Promise<number> {
  const { settings, print, runtime, terminal } = context
  if (language !== undefined) {
    await changeProfiles(
      context.configFolder(),
      () => ({ lang: language }),
      (line) => terminal.warn(line),
    )
  }
  const chosen = chosenLanguage({ lang: settings.lang, profile: settings.profile, env: runtime.env })
  setLanguage(chosen.lang, settings.output === 'json')
  print.one<Printed<'lang'>>(chosen, () => [sentenceOf(chosen)])
  if (language !== undefined && chosen.source !== 'stored') {
    terminal.warn(t`Stored ${language}, which counts only where nothing else chooses the language`)
  }
  return 0
}

function sentenceOf({ lang: language, source }: ChosenLanguage): string {
  return SENTENCES[source](new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language)
}

const SENTENCES: Readonly<Record<ChosenLanguage['source'], (name: string) => string>> = {
  option: (name) => t`Language: ${name} (set by \`--lang\`)`,
  env: (name) => t`Language: ${name} (set by \`PIXGATE_LANG\`)`,
  profile: (name) => t`Language: ${name} (set by the profile)`,
  stored: (name) => t`Language: ${name} (set by \`pixgate lang\`)`,
  system: (name) => t`Language: ${name} (the language of this system)`,
}
