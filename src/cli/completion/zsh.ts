/** For zsh: as a file of \`$fpath\`, or read by \`source\` after \`compinit\`. */

export const zshScript = `#compdef webdata
# zsh completion of webdata
_webdata() {
  local line value rest
  local -a closed open
  for line in "\${(@f)$("\${(Q)words[1]}" complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    value=\${line%%$'\\t'*}
    rest=\${line#*$'\\t'}
    if [[ $value == :files ]]; then
      compset -p $rest
      _files
      return
    elif [[ $value == *= ]]; then
      open+=("\${value//:/\\\\:}\${rest:+:$rest}")
    elif [[ -n $value ]]; then
      closed+=("\${value//:/\\\\:}\${rest:+:$rest}")
    fi
  done
  (($#closed)) && _describe -V -t values value closed
  (($#open)) && _describe -V -t values value open -S ''
}
if [[ $funcstack[1] == _webdata ]]; then _webdata "$@"; else compdef _webdata webdata; fi
`;
