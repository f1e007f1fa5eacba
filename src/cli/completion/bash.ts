import type { ArgumentShape, CommandShape, OptionShape, TreeShape, ValueKind } from './treeShape.ts'

/** The completion script for bash 3.2 (the version of macOS) and later. It does not need bash-completion. */
export function bashScript({ commands, globals }: TreeShape): string {
  const children = commands.flatMap((command) => command.subcommands)
  return `# bash completion for pixgate; printed by pixgate completion bash

# Sets path to the subcommand with this name or alias of the command at path; fails if there is none.
__pixgate_enter() {
  case "$path $1" in
    ${children.map(({ path }) => `'${path}'`).join(' | \\\n      ')})
      path+=" $1"
      ;;
${children.flatMap(aliasCase).join('')}    *) return 1 ;;
  esac
}

# Sets names to the subcommands, and options to the options, of the command at path.
__pixgate_names() {
  names=''
  options=''
  case "$path" in
${commands.flatMap(namesCase).join('\n')}
  esac
}

# Sets kind to the kind of value this option of the command at path takes; a leading ? means the value is optional.
__pixgate_option() {
  case "$path:$1" in
${commands.flatMap(({ path, options }) => options.flatMap((option) => optionCase(`'${path}':`, option))).join('\n')}
${globals.flatMap((option) => optionCase('*:', option)).join('\n')}
    *) kind='' ;;
  esac
}

# Sets kind to the kind of the argument with this index of the command at path.
__pixgate_argument() {
  case "$path:$1" in
${commands.flatMap((command) => command.arguments.flatMap((each, index) => argumentCase(command, each, index))).join('\n')}
    *) kind='' ;;
  esac
}
${engine(globals.flatMap(spellings).join(' '))}`
}

function aliasCase({ path, aliases }: CommandShape): string[] {
  const group = path.slice(0, path.lastIndexOf(' '))
  return aliases.map((alias) => `    '${group} ${alias}') path='${path}' ;;\n`)
}

function namesCase({ path, subcommands, options }: CommandShape): string[] {
  if (subcommands.length === 0 && options.length === 0) return []
  const lines = [`    '${path}')`]
  if (subcommands.length > 0) lines.push(`      names='${subcommands.map(({ name }) => name).join(' ')}'`)
  if (options.length > 0) lines.push(`      options='${options.flatMap(spellings).join(' ')}'`)
  return [...lines, '      ;;']
}

function optionCase(prefix: string, option: OptionShape): string[] {
  if (option.value === 'none') return []
  const patterns = spellings(option).map((name) => prefix + name)
  return [`    ${patterns.join(' | ')}) kind='${option.value === 'optional' ? '?' : ''}${kindText(option.kind)}' ;;`]
}

function argumentCase({ path }: CommandShape, { kind, variadic }: ArgumentShape, index: number): string[] {
  if (kind.type === 'command') return [`    '${path}:${index}') kind='command' ;;`, `    '${path}:'*) kind='files' ;;`]
  return [`    '${path}:'${variadic ? '*' : index}) kind='${kindText(kind)}' ;;`]
}

function kindText(kind: ValueKind): string {
  return kind.type === 'words' ? `words ${kind.words.join(' ')}` : kind.type
}

function spellings({ short, long }: OptionShape): string[] {
  return short === null ? [long] : [short, long]
}

/** The functions that parse the command line, using the tables that are generated before them. */
function engine(globals: string): string {
  return `
# Sets cur to the word to complete and words to those before it. bash splits words at : and =; they are joined again here.
__pixgate_words() {
  local rest="\${COMP_LINE:0:COMP_POINT}" index piece
  words=()
  for ((index = 0; index < COMP_CWORD; index++)); do
    piece="\${COMP_WORDS[index]}"
    if ((index > 0)) && [[ "$rest" == "$piece"* ]]; then
      words[\${#words[@]} - 1]+="$piece"
    else
      words+=("$piece")
    fi
    rest="\${rest#*"$piece"}"
  done
  cur="\${rest#"\${rest%%[![:space:]]*}"}"
  if ((index > 0)) && [[ -n "$rest" && "$cur" == "$rest" ]]; then
    cur="\${words[\${#words[@]} - 1]}$rest"
    unset "words[\${#words[@]} - 1]"
  fi
}

# Adds the words on stdin that match what is typed; the first argument is a prefix for each.
__pixgate_add() {
  local candidate
  while IFS= read -r candidate; do
    [[ -n "$candidate" && "$1$candidate" == "$cur"* ]] && COMPREPLY+=("$1$candidate")
  done
}

# Offers values of this kind; the second argument is the option before it, with its =.
__pixgate_offer() {
  local kind="\${1#\\?}" typed="\${cur#"$2"}"
  case "$kind" in
    'words '*) __pixgate_add "$2" < <(printf '%s\\n' \${kind#words }) ;;
    profiles | payees) __pixgate_add "$2" < <(command pixgate __complete "$kind" 2>/dev/null </dev/null) ;;
    ids)
      compopt -o nosort 2>/dev/null
      __pixgate_add "$2" < <(command pixgate __complete ids 2>/dev/null </dev/null)
      ;;
    command) __pixgate_add "$2" < <(compgen -c -- "$typed" | sort -u) ;;
    files) compopt -o default 2>/dev/null || __pixgate_add "$2" < <(compgen -f -- "$typed") ;;
  esac
}

_pixgate() {
  local IFS=$' \\t\\n' words cur path=pixgate names options kind='' word literal='' breaks='' head
  local -i argument=0 index
  COMPREPLY=()
  __pixgate_words
  for ((index = 1; index < \${#words[@]}; index++)); do
    word="\${words[index]}"
    if [[ -n "$kind" && ( "$kind" != '?'* || "$word" != -* ) ]]; then
      kind=''
    elif [[ -n "$literal" || "$word" != -?* ]]; then
      kind=''
      if [[ -n "$literal" ]] || ((argument > 0)) || ! __pixgate_enter "$word"; then argument+=1; fi
    elif [[ "$word" == -- ]]; then
      kind=''
      literal=1
    else
      __pixgate_option "$word"
    fi
  done

  __pixgate_names
  options+=' ${globals}'
  if [[ -n "$kind" && ( "$kind" != '?'* || "$cur" != -* ) ]]; then
    __pixgate_offer "$kind" ''
  elif [[ -z "$literal" && "$cur" == --*=* ]]; then
    __pixgate_option "\${cur%%=*}"
    __pixgate_offer "$kind" "\${cur%%=*}="
  elif [[ -z "$literal" && "$cur" == -* ]]; then
    __pixgate_offer "words $options" ''
  else
    __pixgate_argument "$argument"
    if [[ -n "$names" && -z "$literal" ]] && ((argument == 0)); then __pixgate_offer "words $names" ''; fi
    __pixgate_offer "$kind" ''
    if [[ -z "$kind$names$cur$literal" ]]; then __pixgate_offer "words $options" ''; fi
  fi

  # readline replaces only the text after the last word break.
  for word in = : @; do
    if [[ "$COMP_WORDBREAKS" == *"$word"* ]]; then breaks+="$word"; fi
  done
  if [[ -n "$breaks" && "$cur" == *[$breaks]* ]]; then
    head="\${cur%"\${cur##*[$breaks]}"}"
    for ((index = 0; index < \${#COMPREPLY[@]}; index++)); do
      COMPREPLY[index]="\${COMPREPLY[index]#"$head"}"
    done
  fi
}

complete -F _pixgate pixgate
`
}
