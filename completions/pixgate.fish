# fish completion for pixgate; printed by pixgate completion fish

function __pixgate_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l answer (command pixgate __complete -- $words[2..-1] 2>/dev/null </dev/null)
    switch "$answer[1]"
        case files
            set -l option (string match -r -- '^--[^=]+=' $words[-1])
            printf "$option%s\n" (__fish_complete_path (string replace -- "$option" '' $words[-1]))
        case 'command *'
            set -l start (math 2 + (string split -- ' ' $answer[1])[2])
            complete -C (string join -- ' ' (string escape -- $words[$start..-2]) $words[-1])
    end
    printf '%s\n' $answer[2..-1]
end

complete -c pixgate -e
complete -c pixgate -f -k -a '(__pixgate_complete)'
