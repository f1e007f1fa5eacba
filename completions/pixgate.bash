# bash completion for pixgate; printed by pixgate completion bash

_pixgate() {
  local IFS=$' \t\n' rest="${COMP_LINE:0:COMP_POINT}" words=() cur='' kind='' index piece line
  COMPREPLY=()
  # bash splits words at : and =; they are joined again here.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece="${COMP_WORDS[index]}"
    ((index < COMP_CWORD)) || piece="${rest#"${rest%%[![:space:]]*}"}"
    if ((index > 0)) && [[ -n "$piece" && "$rest" == "$piece"* ]]; then
      words[${#words[@]} - 1]+="$piece"
    else
      words+=("$piece")
    fi
    rest="${rest#*"$piece"}"
  done
  cur="${words[${#words[@]} - 1]}"
  while IFS=$'\t' read -r line _; do
    if [[ -z "$kind" ]]; then kind="$line"; elif [[ "$line" == "$cur"* ]]; then COMPREPLY+=("$line"); fi
  done < <(command pixgate __complete -- "${words[@]:1}" 2>/dev/null </dev/null)
  compopt -o nosort 2>/dev/null
  if [[ "$kind" == "command $((${#words[@]} - 2))" ]]; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -c -- "$cur" | sort -u)
  elif [[ "$kind" == files || "$kind" == command* ]] && ! compopt -o default 2>/dev/null; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${cur#--*=}")
  fi
  # readline replaces only the text after the last word break.
  line="${cur%"${cur##*[$COMP_WORDBREAKS]}"}"
  for index in "${!COMPREPLY[@]}"; do COMPREPLY[index]="${COMPREPLY[index]#"$line"}"; done
}

complete -F _pixgate pixgate
