import { t } from '../../text/translate.ts'
import type { ArgumentShape, CommandShape, OptionShape, TreeShape, ValueKind } from './treeShape.ts'

/** The completion script for zsh. It works both as a file in `$fpath` and when sourced. */
export function zshScript({ commands, globals }: TreeShape): string {
  return `#compdef pixgate
# zsh completion for pixgate; printed by pixgate completion zsh

__pixgate_globals=(
${globals.map((option) => `  ${optionSpec(option)}`).join('\n')}
)

# Offers the values that pixgate __complete lists, in that order.
__pixgate_ask() {
  local -a found
  found=(\${(f)"$(_call_program $1 command pixgate __complete $1 2>/dev/null </dev/null)"})
  _wanted -V $1 expl $2 compadd -a found
}

# Completes the command line of another command, which may begin with --.
__pixgate_command_line() {
  if [[ $words[1] == -- ]]; then
    shift words
    ((CURRENT--))
  fi
  _normal
}

${commands.map(commandFunction).join('\n\n')}

if [[ $funcstack[1] == _pixgate ]]; then
  _pixgate "$@"
else
  compdef _pixgate pixgate
fi
`
}

function commandFunction(command: CommandShape): string {
  const { path, options, subcommands } = command
  const specs = options.map(optionSpec)
  if (subcommands.length === 0) {
    return `${functionName(path)}() {
${argumentsCall([...specs, ...command.arguments.map(argumentSpec)])}
}`
  }
  const described = subcommands.map(({ name, summary }) => `    ${quote(`${escapeColons(name)}:${summary}`)}`)
  const cases = subcommands.map(
    (child) => `        ${[child.name, ...child.aliases].join(' | ')}) ${functionName(child.path)} && ret=0 ;;`,
  )
  return `${functionName(path)}() {
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
${described.join('\n')}
  )
${argumentsCall([...specs, "'1: :->command'", "'*:: :->rest'"], '-C ')} && ret=0
  case $state in
    command)
      _describe -t commands ${quote(t`pixgate command`)} below && ret=0${command.arguments.slice(0, 1).map(wordsCall).join('')}
      ;;
    rest)
      curcontext="\${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
${cases.join('\n')}
      esac
      ;;
  esac
  return ret
}`
}

/** Offers the words of an argument beside the commands of its group. */
function wordsCall({ name, kind }: ArgumentShape): string {
  if (kind.type !== 'words') return ''
  const words = kind.words.map(quote).join(' ')
  return `\n      _wanted words expl ${quote(message(name))} compadd -- ${words} && ret=0`
}

function argumentsCall(specs: readonly string[], flags = ''): string {
  return [`  _arguments ${flags}-s -S : $__pixgate_globals`, ...specs].join(' \\\n    ')
}

function optionSpec({ short, long, value, placeholder, kind, description, repeatable }: OptionShape): string {
  const text = `[${description.replace(/[\\[\]]/g, '\\$&')}]`
  const action = value === 'none' ? '' : `${value === 'optional' ? '::' : ':'}${message(placeholder)}:${actionOf(kind)}`
  const [afterShort, afterLong] = value === 'none' ? ['', ''] : ['+', '=']
  const exclusion = repeatable ? '*' : short === null ? '' : `(${short} ${long})`
  if (short === null) return quote(`${exclusion}${long}${afterLong}${text}${action}`)
  return `${quote(exclusion)}{${short}${afterShort},${long}${afterLong}}${quote(text + action)}`
}

function argumentSpec({ name, variadic, kind }: ArgumentShape, index: number): string {
  if (kind.type === 'command') return quote(`*::${message(name)}:__pixgate_command_line`)
  return quote(`${variadic ? '*' : index + 1}:${message(name)}:${actionOf(kind)}`)
}

function actionOf(kind: ValueKind): string {
  switch (kind.type) {
    case 'words':
      return `(${kind.words.map(escapeColons).join(' ')})`
    case 'files':
      return '_files'
    case 'profiles':
      return ' __pixgate_ask profiles profile'
    case 'payees':
      return ' __pixgate_ask payees payee'
    case 'ids':
      return ' __pixgate_ask ids id'
    case 'command':
    case 'text':
      return ' '
  }
}

function functionName(path: string): string {
  return `_${path.replaceAll(' ', '__')}`
}

function message(text: string): string {
  return escapeColons(text) || ' '
}

function escapeColons(text: string): string {
  return text.replace(/[\\:]/g, '\\$&')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
