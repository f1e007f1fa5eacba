/** The text as one word of a POSIX shell, in single quotes only if it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** The text as an argument at the end of a command line; `--` keeps one that begins with a dash from being read as an option. */
export function commandArgument(text: string): string {
  return text.startsWith('-') ? `-- ${shellWord(text)}` : shellWord(text)
}

/** The `pixgate …` commands that a hint has in backticks, in order, each once. A backtick in single quotes is part of its word. */
export function hintCommands(hint: string): string[] {
  const commands = [...hint.matchAll(/`(pixgate(?: (?:\\'|'[^']*'|[^`'])+)?)`/g)].map(([, command = '']) => command)
  return [...new Set(commands)]
}
