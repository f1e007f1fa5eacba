import { defineOptions } from '../commands/command.ts'
import { readDuration } from '../optionParsers.ts'
import { readFields, readLanguage, readOutputFormat } from '../settings.ts'
import { OUTPUT_FORMATS } from '../terminal/printer.ts'
import { LANGUAGES } from '../text/languages.ts'

/** The options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS = defineOptions(
  {
    flags: '-p, --profile <name>',
    description: 'credentials profile (env PIXGATE_PROFILE)',
    completes: 'profiles',
  },
  { flags: '--base-url <url>', description: "the gateway's base address (env PIXGATE_BASE_URL)" },
  {
    flags: '-o, --output <format>',
    description: 'text, json or csv (env PIXGATE_OUTPUT)',
    parse: readOutputFormat,
    completes: OUTPUT_FORMATS,
  },
  { flags: '--json', description: 'the same as -o json' },
  { flags: '--fields <a,b.c>', description: 'select and order columns or keys', parse: readFields },
  { flags: '-y, --yes', description: 'answer yes to the question; not enough in production' },
  { flags: '--confirm <profile>', description: 'answer yes in production, by naming the profile' },
  { flags: '--no-input', description: 'never prompt; a missing value is an error (env CI)' },
  {
    flags: '--timeout <duration>',
    description: 'longest time for one call (env PIXGATE_TIMEOUT, default 30s)',
    parse: readDuration,
  },
  { flags: '-q, --quiet', description: 'do not print notes on stderr' },
  { flags: '-v, --verbose', description: 'print request and response lines on stderr, secrets redacted' },
  {
    flags: '--lang <language>',
    description: 'en or pt-BR: language of what people read (env PIXGATE_LANG)',
    parse: readLanguage,
    completes: LANGUAGES,
  },
  { flags: '--no-color', description: 'disable colours (env NO_COLOR, FORCE_COLOR)' },
)
