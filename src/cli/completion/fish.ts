/** For fish 3 and newer. */

export const fishScript = `# fish completion of webdata
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
