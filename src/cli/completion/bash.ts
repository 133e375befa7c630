/** For bash 3.2, which macOS has, and newer. Bash breaks words at = and :, and puts in only what stands behind the last of them. */

export const bashScript = `# bash completion of webdata
_webdata() {
  local words=() last=-1 word glue= i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i == COMP_CWORD)) && [[ $word != [=:]* ]]; then word=$2; fi
    word=\${word//[\\\\\\"\\']/}
    if ((last >= 0)) && [[ $glue || $word == [=:]* ]]; then
      words[last]+=$word
    else
      words[++last]=$word
    fi
    if [[ $word == [=:]* ]]; then glue=1; else glue=; fi
  done

  local current=\${words[last]} inserted=$word
  if [[ $inserted == [=:]* ]]; then inserted=; fi
  local before=$((\${#current} - \${#inserted})) value rest file
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    if [[ $value == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r file; do
        file=\${current:0:rest}$file
        COMPREPLY+=("\${file:before}")
      done < <(compgen -f -- "\${current:rest}")
    else
      if [[ $value == *= ]]; then compopt -o nospace 2>/dev/null; fi
      COMPREPLY+=("\${value:before}")
    fi
  done < <("$1" complete -- "\${words[@]}" 2>/dev/null)
}
complete -o nosort -F _webdata webdata 2>/dev/null || complete -F _webdata webdata
`;
