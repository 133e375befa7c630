/** Completion scripts. Each asks the hidden `webdata complete` for the candidates at the cursor. */

/** For bash 3.2, which macOS has, and newer. Bash breaks words at = and :, and inserts only the part after the last of them. */
const bashScript = `# bash completion of webdata
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

/** A file of `$fpath`, or read by `source` after `compinit`. */
const zshScript = `#compdef webdata
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

/** For fish 3 and newer. */
const fishScript = `# fish completion of webdata
function __webdata_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program $before[1]
    set -e before[1]
    for line in ($program complete -- $before "$current" 2>/dev/null)
        set -l parts (string split -m 1 \\t -- $line)
        if test "$parts[1]" = :files
            set -l kept (string sub -l $parts[2] -- "$current")
            for path in (__fish_complete_path (string sub -s (math $parts[2] + 1) -- "$current"))
                printf "%s\\n" "$kept$path"
            end
        else
            printf "%s\\n" $line
        end
    end
end
complete -c webdata -f -k -a '(__webdata_complete)'
`;

export const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
