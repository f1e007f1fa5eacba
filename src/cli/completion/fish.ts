import type { ArgumentShape, CommandShape, OptionShape, TreeShape, ValueKind } from './treeShape.ts'

/** The completion script for fish 3.1 and later. */
export function fishScript({ commands, globals }: TreeShape): string {
  const children = commands.flatMap((command) => command.subcommands)
  const groups = commands.filter(({ subcommands }) => subcommands.length > 0)
  return `# fish completion for pixgate; printed by pixgate completion fish

# Parses the words before the cursor: which command is called and how many arguments it already has.
function __pixgate_read
    set -l words (commandline -opc)
    if test "$__pixgate_words" = "$words"
        return
    end
    set -g __pixgate_words $words
    set -g __pixgate_path pixgate
    set -g __pixgate_arguments 0
    set -l takes no
    set -l literal no
    for word in $words[2..-1]
        if test $takes = must; or test $takes = may; and not string match -q -- '-*' $word
            set takes no
            continue
        end
        set takes no
        if test $literal = no; and string match -q -- '-?*' $word
            if test $word = --
                set literal yes
                continue
            end
            switch "$__pixgate_path:$word"
${takesCases(commands, globals, 'required', 'must')}
${takesCases(commands, globals, 'optional', 'may')}
            end
            continue
        end
        if test $literal = no; and test $__pixgate_arguments = 0
            switch "$__pixgate_path $word"
                case ${children.map(({ path }) => quote(path)).join(' \\\n                        ')}
                    set __pixgate_path "$__pixgate_path $word"
                    continue
${children.flatMap(aliasCase).join('')}            end
        end
        set __pixgate_arguments (math $__pixgate_arguments + 1)
    end
end

# True if the command with this path is called and, if an index follows, its next argument has that index; 0+ is any.
function __pixgate_at
    __pixgate_read
    test "$__pixgate_path" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    string match -q -- '-*' (commandline -ct); and return 1
    test "$argv[2]" = "$__pixgate_arguments"; or string match -q -- '*+' "$argv[2]"
end

complete -c pixgate -e
complete -c pixgate -f
${groups.flatMap((group) => group.subcommands.map((command) => commandLine(group, command))).join('\n')}
${commands.flatMap((command) => command.arguments.flatMap((each, index) => argumentLines(command, each, index))).join('\n')}
${globals.map((option) => optionLine('', option)).join('\n')}
${commands.flatMap(({ path, options }) => options.map((option) => optionLine(at(path), option))).join('\n')}
`
}

function takesCases(
  commands: readonly CommandShape[],
  globals: readonly OptionShape[],
  value: OptionShape['value'],
  takes: string,
): string {
  const spellings = ({ short, long }: OptionShape) => (short === null ? [long] : [short, long])
  const ofValue = (options: readonly OptionShape[]) => options.filter((option) => option.value === value)
  const patterns = [
    ...commands.flatMap(({ path, options }) =>
      ofValue(options).flatMap((option) => spellings(option).map((name) => quote(`${path}:${name}`))),
    ),
    ...ofValue(globals).flatMap((option) => spellings(option).map((name) => quote(`*:${name}`))),
  ]
  if (patterns.length === 0) return ''
  return `                case ${patterns.join(' \\\n                        ')}\n                    set takes ${takes}`
}

function aliasCase({ path, aliases }: CommandShape): string[] {
  const group = path.slice(0, path.lastIndexOf(' '))
  return aliases.map(
    (alias) => `                case ${quote(`${group} ${alias}`)}
                    set __pixgate_path ${quote(path)}
                    continue
`,
  )
}

function commandLine(group: CommandShape, { name, summary }: CommandShape): string {
  return `complete -c pixgate${at(group.path, '0')} -a ${name} -d ${quote(summary)}`
}

function argumentLines({ path }: CommandShape, { kind, variadic }: ArgumentShape, index: number): string[] {
  if (kind.type === 'text') return []
  if (kind.type === 'command') {
    return [
      `complete -c pixgate${at(path, String(index))} -a '(__fish_complete_command)'`,
      `complete -c pixgate${at(path, '0+')} -F`,
    ]
  }
  return [`complete -c pixgate${at(path, variadic ? '0+' : String(index))}${values(kind)}`]
}

function optionLine(condition: string, { short, long, value, kind, description }: OptionShape): string {
  const names = `${short === null ? '' : ` -s ${short.slice(1)}`} -l ${long.slice(2)}`
  const argument = value === 'required' ? ` ${kind.type === 'files' ? '-r' : '-x'}${values(kind)}` : ''
  return `complete -c pixgate${condition}${names}${argument} -d ${quote(description)}`
}

function at(path: string, count?: string): string {
  return ` -n ${quote(`__pixgate_at ${quote(path)}${count === undefined ? '' : ` ${count}`}`)}`
}

function values(kind: ValueKind): string {
  switch (kind.type) {
    case 'words':
      return ` -k -a ${quote(kind.words.join(' '))}`
    case 'files':
      return ' -F'
    case 'ids':
    case 'payees':
    case 'profiles':
      return ` -k -a '(command pixgate __complete ${kind.type} 2>/dev/null)'`
    case 'command':
    case 'text':
      return ''
  }
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
