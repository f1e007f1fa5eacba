/** The `pixgate …` commands that a hint has in backticks, in order, each once. A backtick in single quotes is part of its word. */
export function hintCommands(hint: string): string[] {
  const commands = [...hint.matchAll(/`(pixgate(?: (?:\\'|'[^']*'|[^`'])+)?)`/g)].map(([, command = '']) => command)
  return [...new Set(commands)]
}
