/** The end of a help page: real command lines, each with what it is for. */
export function examples(...lines: readonly (readonly [commandLine: string, purpose: string])[]): string {
  return ['', 'Examples:', ...lines.flatMap(([commandLine, purpose]) => [`  # ${purpose}`, `  $ ${commandLine}`])].join(
    '\n',
  )
}
