#compdef pixgate
# zsh completion for pixgate; printed by pixgate completion zsh

_pixgate() {
  local line
  local -a answer found
  answer=("${(@f)$(command pixgate __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    found+=("${${line%%$'\t'*}//:/\\:}${${(M)line%%$'\t'*}:+:${line#*$'\t'}}")
  done
  case $answer[1] in
    'command '*)
      shift ${answer[1]#* } words
      shift words
      ((CURRENT -= ${answer[1]#* } + 1))
      _normal
      ;;
    files)
      compset -P '--*='
      _files
      ;;
  esac
  (($#found)) && _describe -V 'pixgate' found
}

(($+functions[compdef])) || { autoload -Uz compinit && compinit -i }
if [[ $funcstack[1] == _pixgate ]]; then
  _pixgate "$@"
else
  compdef _pixgate pixgate
fi
