import { defineOptions } from '../commands/command.ts'
import { OUTPUT_FORMATS } from '../terminal/printer.ts'

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
    completes: OUTPUT_FORMATS,
  },
  { flags: '--json', description: 'the same as -o json' },
  { flags: '--fields <a,b.c>', description: 'pick and order columns or keys' },
  { flags: '-y, --yes', description: 'answer the question in a sandbox' },
  { flags: '--confirm <profile>', description: 'answer the question by naming the profile' },
  { flags: '--no-input', description: 'never ask; a missing value is an error (env CI)' },
  { flags: '--timeout <duration>', description: 'longest time for one call (env PIXGATE_TIMEOUT, default 30s)' },
  { flags: '-q, --quiet', description: 'no notes on stderr' },
  { flags: '-v, --verbose', description: 'request and answer lines on stderr, secrets redacted' },
  { flags: '--no-color', description: 'no colours (env NO_COLOR, FORCE_COLOR)' },
)
