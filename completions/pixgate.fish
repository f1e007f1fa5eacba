# fish completion for pixgate; printed by pixgate completion fish

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
                case 'pixgate qr create:--amount' \
                        'pixgate qr create:--request-number' \
                        'pixgate qr create:--due-date' \
                        'pixgate qr create:--callback-url' \
                        'pixgate qr create:--shipping-amount' \
                        'pixgate qr create:--checkout-user' \
                        'pixgate qr create:--payer-name' \
                        'pixgate qr create:--payer-tax-id' \
                        'pixgate qr create:--payer-email' \
                        'pixgate qr create:--split-username' \
                        'pixgate qr create:--split-percentage' \
                        'pixgate qr create:--from' \
                        'pixgate qr create:--png' \
                        'pixgate qr create:--interval' \
                        'pixgate refund:--reason' \
                        'pixgate refund:--amount' \
                        'pixgate refund:--callback-url' \
                        'pixgate refund:--id-field' \
                        'pixgate refund:--in-addition-to' \
                        'pixgate refund:--expires' \
                        'pixgate refund:--ssh-key' \
                        'pixgate transfer:--key' \
                        'pixgate transfer:--to' \
                        'pixgate transfer:--amount' \
                        'pixgate transfer:--value' \
                        'pixgate transfer:--key-type' \
                        'pixgate transfer:--external-id' \
                        'pixgate transfer:--owner' \
                        'pixgate transfer:--document' \
                        'pixgate transfer:--callback-url' \
                        'pixgate transfer:--in-addition-to' \
                        'pixgate transfer:--retry' \
                        'pixgate transfer:--expires' \
                        'pixgate transfer:--ssh-key' \
                        'pixgate batch transfer:--map' \
                        'pixgate batch transfer:--ignore-column' \
                        'pixgate batch transfer:--sheet' \
                        'pixgate batch transfer:--header-row' \
                        'pixgate batch transfer:--reference' \
                        'pixgate batch transfer:--callback-url' \
                        'pixgate batch transfer:--limit' \
                        'pixgate batch transfer:--concurrency' \
                        'pixgate batch transfer:--rate' \
                        'pixgate batch transfer:--stop-after' \
                        'pixgate batch transfer:--results' \
                        'pixgate batch transfer:--in-addition-to' \
                        'pixgate batch transfer:--expires' \
                        'pixgate batch transfer:--ssh-key' \
                        'pixgate batch transfer:--seed' \
                        'pixgate batch refund:--map' \
                        'pixgate batch refund:--ignore-column' \
                        'pixgate batch refund:--sheet' \
                        'pixgate batch refund:--header-row' \
                        'pixgate batch refund:--reference' \
                        'pixgate batch refund:--callback-url' \
                        'pixgate batch refund:--limit' \
                        'pixgate batch refund:--concurrency' \
                        'pixgate batch refund:--rate' \
                        'pixgate batch refund:--stop-after' \
                        'pixgate batch refund:--results' \
                        'pixgate batch refund:--in-addition-to' \
                        'pixgate batch refund:--expires' \
                        'pixgate batch refund:--ssh-key' \
                        'pixgate batch refund:--reason' \
                        'pixgate batch list:--limit' \
                        'pixgate batch report:--out' \
                        'pixgate batch resume:--limit' \
                        'pixgate batch resume:--concurrency' \
                        'pixgate batch resume:--rate' \
                        'pixgate batch resume:--stop-after' \
                        'pixgate batch resume:--results' \
                        'pixgate batch resume:--in-addition-to' \
                        'pixgate batch resume:--expires' \
                        'pixgate batch resume:--ssh-key' \
                        'pixgate plan approve:--ssh-key' \
                        'pixgate plan reject:--because' \
                        'pixgate resume:--limit' \
                        'pixgate resume:--concurrency' \
                        'pixgate resume:--rate' \
                        'pixgate resume:--stop-after' \
                        'pixgate resume:--results' \
                        'pixgate resume:--in-addition-to' \
                        'pixgate resume:--expires' \
                        'pixgate resume:--ssh-key' \
                        'pixgate status:--interval' \
                        'pixgate status:--expect' \
                        'pixgate status:--from' \
                        'pixgate history:--since' \
                        'pixgate history:--until' \
                        'pixgate history:--day' \
                        'pixgate history:--month' \
                        'pixgate history:--kind' \
                        'pixgate history:--state' \
                        'pixgate history:--amount' \
                        'pixgate history:--min' \
                        'pixgate history:--max' \
                        'pixgate history:--key' \
                        'pixgate history:--name' \
                        'pixgate history:--document' \
                        'pixgate history:--reference' \
                        'pixgate history:--by' \
                        'pixgate history:--for-profile' \
                        'pixgate history:--limit' \
                        'pixgate history list:--since' \
                        'pixgate history list:--until' \
                        'pixgate history list:--day' \
                        'pixgate history list:--month' \
                        'pixgate history list:--kind' \
                        'pixgate history list:--state' \
                        'pixgate history list:--amount' \
                        'pixgate history list:--min' \
                        'pixgate history list:--max' \
                        'pixgate history list:--key' \
                        'pixgate history list:--name' \
                        'pixgate history list:--document' \
                        'pixgate history list:--reference' \
                        'pixgate history list:--by' \
                        'pixgate history list:--for-profile' \
                        'pixgate history list:--limit' \
                        'pixgate history find:--since' \
                        'pixgate history find:--until' \
                        'pixgate history find:--day' \
                        'pixgate history find:--month' \
                        'pixgate history find:--kind' \
                        'pixgate history find:--state' \
                        'pixgate history find:--amount' \
                        'pixgate history find:--min' \
                        'pixgate history find:--max' \
                        'pixgate history find:--key' \
                        'pixgate history find:--name' \
                        'pixgate history find:--document' \
                        'pixgate history find:--reference' \
                        'pixgate history find:--by' \
                        'pixgate history find:--for-profile' \
                        'pixgate history find:--limit' \
                        'pixgate history show:--pdf' \
                        'pixgate history report:--month' \
                        'pixgate history report:--out' \
                        'pixgate history check:--since' \
                        'pixgate history check:--until' \
                        'pixgate history check:--day' \
                        'pixgate history check:--month' \
                        'pixgate history check:--kind' \
                        'pixgate history check:--statement' \
                        'pixgate history check:--map' \
                        'pixgate history check:--ignore' \
                        'pixgate history settle:--as' \
                        'pixgate history settle:--because' \
                        'pixgate webhook verify:--body' \
                        'pixgate webhook verify:--signature' \
                        'pixgate webhook verify:--request' \
                        'pixgate webhook verify:--event' \
                        'pixgate webhook verify:--recover' \
                        'pixgate webhook listen:--port' \
                        'pixgate webhook listen:--host' \
                        'pixgate webhook listen:--path' \
                        'pixgate webhook listen:--forward-to' \
                        'pixgate webhook listen:--route' \
                        'pixgate webhook listen:--events' \
                        'pixgate webhook listen:--max-events' \
                        'pixgate webhook listen:--for' \
                        'pixgate webhook listen:--timeout' \
                        'pixgate webhook listen:--header' \
                        'pixgate webhook listen:--public-url' \
                        'pixgate webhook listen:--tunnel' \
                        'pixgate webhook events:--since' \
                        'pixgate webhook events:--last' \
                        'pixgate webhook events list:--since' \
                        'pixgate webhook events list:--last' \
                        'pixgate webhook replay:--to' \
                        'pixgate webhook replay:--since' \
                        'pixgate webhook replay:--expect' \
                        'pixgate webhook replay:--body' \
                        'pixgate webhook replay:--set' \
                        'pixgate webhook send:--to' \
                        'pixgate webhook send:--set' \
                        'pixgate webhook send:--body' \
                        'pixgate webhook send:--times' \
                        'pixgate webhook send:--signature-encoding' \
                        'pixgate webhook send:--webhook-style' \
                        'pixgate webhook send:--expect' \
                        'pixgate webhook check:--state-url' \
                        'pixgate webhook check:--set' \
                        'pixgate webhook check:--header' \
                        'pixgate webhook check:--signature-encoding' \
                        'pixgate webhook sign:--body' \
                        'pixgate webhook sign:--signature-encoding' \
                        'pixgate inspect:--port' \
                        'pixgate sandbox:--port' \
                        'pixgate sandbox:--host' \
                        'pixgate sandbox:--client-id' \
                        'pixgate sandbox:--client-secret' \
                        'pixgate sandbox:--signature' \
                        'pixgate sandbox:--webhook-style' \
                        'pixgate sandbox:--status-key' \
                        'pixgate sandbox:--refund-event' \
                        'pixgate sandbox:--deliver-attempts' \
                        'pixgate sandbox:--deliver-delays' \
                        'pixgate sandbox:--auto-pay' \
                        'pixgate sandbox:--auto-settle' \
                        'pixgate sandbox:--latency' \
                        'pixgate sandbox:--allow-ip' \
                        'pixgate sandbox:--seed' \
                        'pixgate sandbox:--now' \
                        'pixgate sandbox:--balance' \
                        'pixgate sandbox:--partner' \
                        'pixgate sandbox:--dashboard-webhook' \
                        'pixgate sandbox:--control-token' \
                        'pixgate sandbox:--base-url-name' \
                        'pixgate sandbox start:--port' \
                        'pixgate sandbox start:--host' \
                        'pixgate sandbox start:--client-id' \
                        'pixgate sandbox start:--client-secret' \
                        'pixgate sandbox start:--signature' \
                        'pixgate sandbox start:--webhook-style' \
                        'pixgate sandbox start:--status-key' \
                        'pixgate sandbox start:--refund-event' \
                        'pixgate sandbox start:--deliver-attempts' \
                        'pixgate sandbox start:--deliver-delays' \
                        'pixgate sandbox start:--auto-pay' \
                        'pixgate sandbox start:--auto-settle' \
                        'pixgate sandbox start:--latency' \
                        'pixgate sandbox start:--allow-ip' \
                        'pixgate sandbox start:--seed' \
                        'pixgate sandbox start:--now' \
                        'pixgate sandbox start:--balance' \
                        'pixgate sandbox start:--partner' \
                        'pixgate sandbox start:--dashboard-webhook' \
                        'pixgate sandbox start:--control-token' \
                        'pixgate sandbox start:--base-url-name' \
                        'pixgate sandbox exec:--env' \
                        'pixgate sandbox exec:--log' \
                        'pixgate sandbox exec:--port' \
                        'pixgate sandbox exec:--host' \
                        'pixgate sandbox exec:--client-id' \
                        'pixgate sandbox exec:--client-secret' \
                        'pixgate sandbox exec:--signature' \
                        'pixgate sandbox exec:--webhook-style' \
                        'pixgate sandbox exec:--status-key' \
                        'pixgate sandbox exec:--refund-event' \
                        'pixgate sandbox exec:--deliver-attempts' \
                        'pixgate sandbox exec:--deliver-delays' \
                        'pixgate sandbox exec:--auto-pay' \
                        'pixgate sandbox exec:--auto-settle' \
                        'pixgate sandbox exec:--latency' \
                        'pixgate sandbox exec:--allow-ip' \
                        'pixgate sandbox exec:--seed' \
                        'pixgate sandbox exec:--now' \
                        'pixgate sandbox exec:--balance' \
                        'pixgate sandbox exec:--partner' \
                        'pixgate sandbox exec:--dashboard-webhook' \
                        'pixgate sandbox exec:--control-token' \
                        'pixgate sandbox exec:--base-url-name' \
                        'pixgate sandbox pay:--control-token' \
                        'pixgate sandbox expire:--control-token' \
                        'pixgate sandbox cancel:--control-token' \
                        'pixgate sandbox chargeback:--control-token' \
                        'pixgate sandbox return:--control-token' \
                        'pixgate sandbox deliver:--control-token' \
                        'pixgate sandbox fail:--error-code' \
                        'pixgate sandbox fail:--control-token' \
                        'pixgate sandbox fault:--times' \
                        'pixgate sandbox fault:--on' \
                        'pixgate sandbox fault:--control-token' \
                        'pixgate sandbox fault list:--control-token' \
                        'pixgate sandbox fault clear:--control-token' \
                        'pixgate sandbox advance:--control-token' \
                        'pixgate sandbox reset:--control-token' \
                        'pixgate sandbox state:--control-token' \
                        'pixgate sandbox requests:--control-token' \
                        'pixgate payee add:--key' \
                        'pixgate payee add:--key-type' \
                        'pixgate payee add:--owner' \
                        'pixgate payee add:--display-name' \
                        'pixgate payee edit:--key' \
                        'pixgate payee edit:--key-type' \
                        'pixgate payee edit:--owner' \
                        'pixgate payee edit:--display-name' \
                        'pixgate ledger init:--ledger-password-env' \
                        'pixgate ledger init:--ledger-password-command' \
                        'pixgate ledger join:--ledger-password-env' \
                        'pixgate ledger join:--ledger-password-command' \
                        'pixgate ledger leave:--confirm-host' \
                        'pixgate ledger repair:--confirm-host' \
                        'pixgate ledger repair:--ledger-password-env' \
                        'pixgate ledger repair:--ledger-password-command' \
                        'pixgate profile add:--environment' \
                        'pixgate profile add:--base-url' \
                        'pixgate profile add:--client-id' \
                        'pixgate profile add:--callback-url' \
                        'pixgate profile add:--max-amount' \
                        'pixgate profile add:--max-day' \
                        'pixgate profile add:--check-command' \
                        'pixgate profile add:--payee-wait' \
                        'pixgate profile add:--approval-from' \
                        'pixgate profile add:--approvers' \
                        'pixgate profile add:--company' \
                        'pixgate profile add:--company-document' \
                        'pixgate profile add:--lang' \
                        'pixgate profile add:--ledger' \
                        'pixgate profile add:--ledger-password-env' \
                        'pixgate profile add:--ledger-password-command' \
                        'pixgate profile add:--confirm-host' \
                        'pixgate profile add:--client-secret-env' \
                        'pixgate profile add:--client-secret-command' \
                        'pixgate profile edit:--name' \
                        'pixgate profile edit:--environment' \
                        'pixgate profile edit:--base-url' \
                        'pixgate profile edit:--client-id' \
                        'pixgate profile edit:--callback-url' \
                        'pixgate profile edit:--max-amount' \
                        'pixgate profile edit:--max-day' \
                        'pixgate profile edit:--check-command' \
                        'pixgate profile edit:--payee-wait' \
                        'pixgate profile edit:--approval-from' \
                        'pixgate profile edit:--approvers' \
                        'pixgate profile edit:--company' \
                        'pixgate profile edit:--company-document' \
                        'pixgate profile edit:--lang' \
                        'pixgate profile edit:--ledger' \
                        'pixgate profile edit:--ledger-password-env' \
                        'pixgate profile edit:--ledger-password-command' \
                        'pixgate profile edit:--confirm-host' \
                        'pixgate profile edit:--client-secret-env' \
                        'pixgate profile edit:--client-secret-command' \
                        'pixgate profile edit:--expires' \
                        'pixgate profile edit:--ssh-key' \
                        'pixgate profile remove:--confirm-host' \
                        '*:-p' \
                        '*:--profile' \
                        '*:--base-url' \
                        '*:-o' \
                        '*:--output' \
                        '*:--fields' \
                        '*:--confirm' \
                        '*:--timeout' \
                        '*:--lang'
                    set takes must
                case 'pixgate qr create:--wait' \
                        'pixgate refund:--wait' \
                        'pixgate refund:--plan' \
                        'pixgate transfer:--wait' \
                        'pixgate transfer:--plan' \
                        'pixgate batch transfer:--plan' \
                        'pixgate batch refund:--plan' \
                        'pixgate batch resume:--plan' \
                        'pixgate resume:--plan' \
                        'pixgate status:--wait' \
                        'pixgate webhook verify:--last-refused' \
                        'pixgate webhook listen:--inspect' \
                        'pixgate profile edit:--plan'
                    set takes may
            end
            continue
        end
        if test $literal = no; and test $__pixgate_arguments = 0
            switch "$__pixgate_path $word"
                case 'pixgate qr' \
                        'pixgate refund' \
                        'pixgate transfer' \
                        'pixgate batch' \
                        'pixgate plan' \
                        'pixgate resume' \
                        'pixgate status' \
                        'pixgate history' \
                        'pixgate webhook' \
                        'pixgate inspect' \
                        'pixgate demo' \
                        'pixgate sandbox' \
                        'pixgate payee' \
                        'pixgate ledger' \
                        'pixgate profile' \
                        'pixgate doctor' \
                        'pixgate schema' \
                        'pixgate lang' \
                        'pixgate completion' \
                        'pixgate help' \
                        'pixgate qr create' \
                        'pixgate qr draw' \
                        'pixgate qr decode' \
                        'pixgate batch transfer' \
                        'pixgate batch refund' \
                        'pixgate batch list' \
                        'pixgate batch show' \
                        'pixgate batch report' \
                        'pixgate batch resume' \
                        'pixgate plan list' \
                        'pixgate plan show' \
                        'pixgate plan approve' \
                        'pixgate plan reject' \
                        'pixgate plan send' \
                        'pixgate history list' \
                        'pixgate history find' \
                        'pixgate history show' \
                        'pixgate history report' \
                        'pixgate history check' \
                        'pixgate history import' \
                        'pixgate history settle' \
                        'pixgate history backup' \
                        'pixgate history export' \
                        'pixgate webhook verify' \
                        'pixgate webhook listen' \
                        'pixgate webhook events' \
                        'pixgate webhook replay' \
                        'pixgate webhook send' \
                        'pixgate webhook check' \
                        'pixgate webhook sign' \
                        'pixgate webhook events list' \
                        'pixgate webhook events show' \
                        'pixgate sandbox start' \
                        'pixgate sandbox exec' \
                        'pixgate sandbox pay' \
                        'pixgate sandbox expire' \
                        'pixgate sandbox cancel' \
                        'pixgate sandbox chargeback' \
                        'pixgate sandbox return' \
                        'pixgate sandbox deliver' \
                        'pixgate sandbox fail' \
                        'pixgate sandbox fault' \
                        'pixgate sandbox advance' \
                        'pixgate sandbox reset' \
                        'pixgate sandbox state' \
                        'pixgate sandbox requests' \
                        'pixgate sandbox openapi' \
                        'pixgate sandbox fault list' \
                        'pixgate sandbox fault clear' \
                        'pixgate payee add' \
                        'pixgate payee list' \
                        'pixgate payee show' \
                        'pixgate payee edit' \
                        'pixgate payee remove' \
                        'pixgate payee import' \
                        'pixgate ledger show' \
                        'pixgate ledger init' \
                        'pixgate ledger join' \
                        'pixgate ledger leave' \
                        'pixgate ledger repair' \
                        'pixgate profile add' \
                        'pixgate profile list' \
                        'pixgate profile show' \
                        'pixgate profile use' \
                        'pixgate profile edit' \
                        'pixgate profile remove'
                    set __pixgate_path "$__pixgate_path $word"
                    continue
            end
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
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a qr -d 'create, draw and read PIX QR codes'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a refund -d 'refund all or part of a received payment'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a transfer -d 'send a PIX transfer to a PIX key (cash-out)'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a batch -d 'send transfers or refunds from a CSV file or a workbook'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a plan -d 'payments that wait for a second person'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a resume -d 'continue what was interrupted or has an unknown outcome'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a status -d 'show what is known about one or many transactions'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a history -d 'recorded payments, and their results'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a webhook -d 'verify, receive, send and replay webhooks'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a inspect -d 'events and payments in a browser'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a demo -d 'the whole service, live, in your terminal'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a sandbox -d 'the gateway on your machine'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a payee -d 'the people and companies that are paid'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a ledger -d 'one ledger for a team, on PostgreSQL'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a profile -d 'store and select credentials'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a doctor -d 'check the setup: what is wrong and how to fix it'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a schema -d 'JSON Schemas of the events and of every JSON output'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a lang -d 'show or store the language'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a completion -d 'print the completion script for a shell'
complete -c pixgate -n '__pixgate_at \'pixgate\' 0' -a help -d 'help on a command or a topic'
complete -c pixgate -n '__pixgate_at \'pixgate qr\' 0' -a create -d 'create a dynamic PIX QR code (cash-in), draw it, optionally wait for the payment'
complete -c pixgate -n '__pixgate_at \'pixgate qr\' 0' -a draw -d 'draw a copy-and-paste code as a QR code'
complete -c pixgate -n '__pixgate_at \'pixgate qr\' 0' -a decode -d 'read a BR Code offline: fields, CRC, verdict'
complete -c pixgate -n '__pixgate_at \'pixgate batch\' 0' -a transfer -d 'send all transfers in a CSV file or a workbook'
complete -c pixgate -n '__pixgate_at \'pixgate batch\' 0' -a refund -d 'send all refunds in a CSV file or a workbook'
complete -c pixgate -n '__pixgate_at \'pixgate batch\' 0' -a list -d 'list the batch runs on this machine'
complete -c pixgate -n '__pixgate_at \'pixgate batch\' 0' -a show -d 'show the state of a batch run'
complete -c pixgate -n '__pixgate_at \'pixgate batch\' 0' -a report -d 'report on a batch run'
complete -c pixgate -n '__pixgate_at \'pixgate batch\' 0' -a resume -d 'continue an interrupted batch run'
complete -c pixgate -n '__pixgate_at \'pixgate plan\' 0' -a list -d 'the plans of the active account and their state'
complete -c pixgate -n '__pixgate_at \'pixgate plan\' 0' -a show -d 'show what a plan pays'
complete -c pixgate -n '__pixgate_at \'pixgate plan\' 0' -a approve -d 'approve a plan that somebody else made'
complete -c pixgate -n '__pixgate_at \'pixgate plan\' 0' -a reject -d 'reject a plan'
complete -c pixgate -n '__pixgate_at \'pixgate plan\' 0' -a send -d 'send an approved plan'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a list -d 'the payments of the active account, each in its last state'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a find -d 'search by names, keys, ids, amounts and days'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a show -d 'show everything known about one payment'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a report -d 'write the month for the accountant'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a check -d 'check the ledger, and compare it with the gateway or a statement'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a import -d 'import events that your own receiver stored'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a settle -d 'record what you found out about a payment'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a backup -d 'copy the ledger to a new file'
complete -c pixgate -n '__pixgate_at \'pixgate history\' 0' -a export -d 'print all records as NDJSON'
complete -c pixgate -n '__pixgate_at \'pixgate webhook\' 0' -a verify -d 'check a signature, and find out why it does not match'
complete -c pixgate -n '__pixgate_at \'pixgate webhook\' 0' -a listen -d 'receive webhooks: verify, pretty-print, record, forward'
complete -c pixgate -n '__pixgate_at \'pixgate webhook\' 0' -a events -d 'the webhooks recorded on this machine'
complete -c pixgate -n '__pixgate_at \'pixgate webhook\' 0' -a replay -d 'deliver recorded events again, byte for byte or edited and re-signed'
complete -c pixgate -n '__pixgate_at \'pixgate webhook\' 0' -a send -d 'send a correctly signed sample (or your own body) to a URL'
complete -c pixgate -n '__pixgate_at \'pixgate webhook\' 0' -a check -d 'does a server receive webhooks correctly?'
complete -c pixgate -n '__pixgate_at \'pixgate webhook\' 0' -a sign -d 'print the signature of a body'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events\' 0' -a list -d 'list the webhooks recorded on this machine'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events\' 0' -a show -d 'show everything known about one recorded webhook'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a start -d 'run the gateway on your machine until Ctrl-C'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a exec -d 'run a command against its own sandbox, then clean up'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a pay -d 'pay a QR code, as the payer would'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a expire -d 'expire an unpaid code'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a cancel -d 'cancel an unpaid code or a pending transfer'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a chargeback -d 'charge back a received payment, as the fraud procedure does'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a return -d 'return a transfer, as its receiver would'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a deliver -d 'deliver the last event of a transaction again'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a fail -d 'make a pending transfer or refund fail'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a fault -d 'make the next responses or deliveries fail'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a advance -d 'move the sandbox\'s clock forward'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a reset -d 'delete all state, as in a new sandbox'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a state -d 'print the sandbox\'s whole state'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a requests -d 'list the requests and their answers'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\' 0' -a openapi -d 'the OpenAPI document of the gateway'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault\' 0' -a list -d 'list the faults that are still to come'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault\' 0' -a clear -d 'remove one of them, or all'
complete -c pixgate -n '__pixgate_at \'pixgate payee\' 0' -a add -d 'add a payee'
complete -c pixgate -n '__pixgate_at \'pixgate payee\' 0' -a list -d 'list all payees'
complete -c pixgate -n '__pixgate_at \'pixgate payee\' 0' -a show -d 'show a payee and its changes'
complete -c pixgate -n '__pixgate_at \'pixgate payee\' 0' -a edit -d 'change a payee'
complete -c pixgate -n '__pixgate_at \'pixgate payee\' 0' -a remove -d 'remove a payee'
complete -c pixgate -n '__pixgate_at \'pixgate payee\' 0' -a import -d 'add and change payees from a file'
complete -c pixgate -n '__pixgate_at \'pixgate ledger\' 0' -a show -d 'where the payment records of the account are, and who writes them'
complete -c pixgate -n '__pixgate_at \'pixgate ledger\' 0' -a init -d 'prepare a database, once, as its owner'
complete -c pixgate -n '__pixgate_at \'pixgate ledger\' 0' -a join -d 'use the ledger of a team for the active account'
complete -c pixgate -n '__pixgate_at \'pixgate ledger\' 0' -a leave -d 'use the ledger of this machine again'
complete -c pixgate -n '__pixgate_at \'pixgate ledger\' 0' -a repair -d 'after the database was restored: hand over what it lost'
complete -c pixgate -n '__pixgate_at \'pixgate profile\' 0' -a add -d 'store credentials'
complete -c pixgate -n '__pixgate_at \'pixgate profile\' 0' -a list -d 'list all stored profiles'
complete -c pixgate -n '__pixgate_at \'pixgate profile\' 0' -a show -d 'show a profile and where its values come from'
complete -c pixgate -n '__pixgate_at \'pixgate profile\' 0' -a use -d 'choose the active profile'
complete -c pixgate -n '__pixgate_at \'pixgate profile\' 0' -a edit -d 'change a stored profile'
complete -c pixgate -n '__pixgate_at \'pixgate profile\' 0' -a remove -d 'remove a profile and its secret'
complete -c pixgate -n '__pixgate_at \'pixgate qr decode\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate refund\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate plan show\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate plan approve\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate plan reject\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate plan send\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate resume\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate status\' 0+' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate history show\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate history import\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate history settle\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate history backup\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate webhook events show\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\' 0' -k -a 'pix.received refund.status transfer.completed transfer.failed payment'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\' 0' -a '(__fish_complete_command)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\' 0+' -F
complete -c pixgate -n '__pixgate_at \'pixgate sandbox pay\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox expire\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox cancel\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox chargeback\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox return\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox deliver\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fail\' 0' -k -a '(command pixgate __complete ids 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault\' 0' -k -a 'status:500 drop-before drop-after slow:10s garbage html garbage-before html-before INVALID_AMOUNT INVALID_TRANSACTION_ID INVALID_CREDENTIALS TRANSACTION_NOT_FOUND REFUND_NOT_ALLOWED NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT webhook:lost webhook:twice webhook:late:10s webhook:reorder webhook:unsigned webhook:bad-signature'
complete -c pixgate -n '__pixgate_at \'pixgate payee show\' 0' -k -a '(command pixgate __complete payees 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate payee edit\' 0' -k -a '(command pixgate __complete payees 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate payee remove\' 0' -k -a '(command pixgate __complete payees 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate payee import\' 0' -F
complete -c pixgate -n '__pixgate_at \'pixgate profile show\' 0' -k -a '(command pixgate __complete profiles 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate profile use\' 0' -k -a '(command pixgate __complete profiles 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\' 0' -k -a '(command pixgate __complete profiles 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate profile remove\' 0' -k -a '(command pixgate __complete profiles 2>/dev/null)'
complete -c pixgate -n '__pixgate_at \'pixgate schema\' 0' -k -a 'pix.received refund.status transfer.completed transfer.failed payment qr-create refund transfer status dry-run error doctor demo qr-decode qr-draw webhook-verify webhook-sign profile-list profile-show profile-add profile-edit profile-use profile-remove schema lang batch-transfer batch-refund resume batch-list batch-report batch-show history history-find history-show history-settle history-report history-check history-import ledger-show ledger-init ledger-join ledger-leave ledger-repair history-backup history-export plan-list plan-show plan-approve plan-reject plan-send payee-list payee-add payee-show payee-edit payee-remove payee-import webhook-listen inspect webhook-events webhook-events-show webhook-check webhook-send webhook-replay sandbox-start sandbox-control sandbox-state sandbox-reset sandbox-fault sandbox-fault-list sandbox-fault-clear sandbox-advance sandbox-requests'
complete -c pixgate -n '__pixgate_at \'pixgate lang\' 0' -k -a 'en pt-BR'
complete -c pixgate -n '__pixgate_at \'pixgate completion\' 0' -k -a 'bash zsh fish powershell'
complete -c pixgate -n '__pixgate_at \'pixgate help\' 0+' -k -a 'amounts keys csv production unknown-outcomes webhooks team exit-codes environment global qr refund transfer batch plan resume status history webhook inspect demo sandbox payee ledger profile doctor schema lang completion'
complete -c pixgate -s p -l profile -x -k -a '(command pixgate __complete profiles 2>/dev/null)' -d 'credentials profile (env PIXGATE_PROFILE)'
complete -c pixgate -l base-url -x -d 'the gateway\'s base address (env PIXGATE_BASE_URL)'
complete -c pixgate -s o -l output -x -k -a 'text json csv' -d 'text, json or csv (env PIXGATE_OUTPUT)'
complete -c pixgate -l json -d 'the same as -o json'
complete -c pixgate -l fields -x -d 'select and order columns or keys'
complete -c pixgate -s y -l yes -d 'answer yes to the question; not enough in production'
complete -c pixgate -l confirm -x -d 'answer yes in production, by naming the profile'
complete -c pixgate -l no-input -d 'never prompt; a missing value is an error (env CI)'
complete -c pixgate -l timeout -x -d 'longest time for one call (env PIXGATE_TIMEOUT, default 30s)'
complete -c pixgate -s q -l quiet -d 'do not print notes on stderr'
complete -c pixgate -s v -l verbose -d 'print request and response lines on stderr, secrets redacted'
complete -c pixgate -l lang -x -k -a 'en pt-BR' -d 'en or pt-BR: language of what people read (env PIXGATE_LANG)'
complete -c pixgate -l no-color -d 'disable colours (env NO_COLOR, FORCE_COLOR)'
complete -c pixgate -s h -l help -d 'show this help'
complete -c pixgate -n '__pixgate_at \'pixgate\'' -s V -l version -d 'output the version number'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l amount -x -d 'amount in reais: 10, 10.50, 10,50 or 1.234,56'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l request-number -x -d 'order id in your system (default: generated)'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l due-date -x -d 'YYYY-MM-DD, a date-time, today or +3d (default +1d)'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l callback-url -x -d 'where its events are sent; listen: the running listener (default: from the profile)'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l shipping-amount -x -d 'shipping amount in reais'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l checkout-user -x -d 'checkout user, for identification'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l payer-name -x -d 'name of the payer'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l payer-tax-id -x -d 'CPF or CNPJ of the payer'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l payer-email -x -d 'e-mail address of the payer'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l split-username -x -d 'partner who receives a share'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l split-percentage -x -d 'share of the partner, above 0 and at most 100'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l from -r -F -d 'JSON request body, - for stdin; options come first'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l png -r -F -d 'write the image that the gateway returns'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l qr -d 'draw the code into a file or pipe, too'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l no-qr -d 'do not draw the code'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l again -d 'allow a request number that was used before'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l wait -d 'wait until it is paid, expired or cancelled (default 15m)'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l interval -x -d 'pause between two queries while waiting'
complete -c pixgate -n '__pixgate_at \'pixgate qr create\'' -l dry-run -d 'print the exact request, and send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate qr draw\'' -l qr -d 'draw the code even if the output is not a terminal'
complete -c pixgate -n '__pixgate_at \'pixgate qr draw\'' -l no-qr -d 'print only the code'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l reason -x -d 'reason for the refund'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l amount -x -d 'amount in reais: 10, 10.50, 10,50 or 1.234,56 (default: what is left)'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l full -d 'refund all that is left; in production this or --amount is required'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l callback-url -x -d 'where its events are sent; listen: the running listener (default: from the profile)'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l id-field -x -k -a 'originalTransactionId idTransaction both' -d 'field for the id of the payment: originalTransactionId, idTransaction, both'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l skip-query -d 'do not query the payment first; what the ledger knows of it still counts'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l despite-chargeback -d 'refund the payment although a chargeback of it is known'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l again -d 'allow a repeat of an earlier refund, in a sandbox'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l in-addition-to -x -d 'allow a repeat of this earlier refund (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l wait -d 'wait for the event with the result (default 15m)'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l dry-run -d 'apply every rule, show the request, send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l plan -d 'sign a plan for a second person; send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l expires -x -d 'with --plan: how long it can be sent (default 24h)'
complete -c pixgate -n '__pixgate_at \'pixgate refund\'' -l ssh-key -r -F -d 'with --plan: SSH key to sign with'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l key -x -d 'PIX key of the receiver, see `pixgate help keys`'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l to -x -k -a '(command pixgate __complete payees 2>/dev/null)' -d 'payee, in place of a key and its owner'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l amount -x -d 'amount in reais, such as 1.234,56 (alias --value)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l value -x -d 'alias of --amount'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l key-type -x -k -a 'document phoneNumber email randomKey paymentCode' -d 'document, phoneNumber, email, randomKey, paymentCode (default: detected)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l external-id -x -d 'your id for this transfer; the gateway carries out each id only once (default: generated)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l owner -x -d 'CPF or CNPJ that must own the key (alias --document)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l document -x -d 'alias of --owner'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l callback-url -x -d 'where its events are sent; listen: the running listener (default: from the profile)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l again -d 'allow a repeat of an earlier payment, in a sandbox'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l in-addition-to -x -d 'allow a repeat of this earlier payment (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l retry -x -d 'send a transfer with an unknown outcome again, like pixgate resume'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l include-unknown -d 'with --retry: also if it was sent over 24 hours ago'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l wait -d 'wait for the event with the result (default 65m)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l dry-run -d 'apply every rule, show the request, send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l plan -d 'sign a plan for a second person; send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l expires -x -d 'with --plan: how long it can be sent (default 24h)'
complete -c pixgate -n '__pixgate_at \'pixgate transfer\'' -l ssh-key -r -F -d 'with --plan: SSH key to sign with'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l map -x -d 'column of a field, such as value=valor (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l ignore-column -x -d 'column of amounts, or of a known heading, not to use (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l sheet -x -d 'sheet of a workbook (default: first with the columns)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l header-row -x -d 'row of the header (default: it is found)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l include-hidden -d 'send hidden rows and columns of a workbook too'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l skip-hidden -d 'leave out hidden and filtered rows of a workbook'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l reference -x -d 'what the payments are for; their ids depend on it (default: the file name)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l callback-url -x -d 'where events are sent; listen: the running listener (default: from the profile)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l file-changed -d 'send although sent rows are no longer in the file'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l dry-run -d 'apply every rule, print the totals, send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l limit -x -d 'send at most n rows now; resume sends the rest'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l concurrency -x -d 'requests at once, up to 64'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l rate -x -d 'maximum rate: 10/s or 300/m'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l stop-after -x -d 'stop after n rows in a row that were not accepted'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l results -r -F -d 'write the result of every row to a CSV file'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l excel -d 'with --results: as a Brazilian spreadsheet reads it'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l again -d 'allow repeats of earlier payments, in a sandbox'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l in-addition-to -x -d 'allow a repeat of this earlier payment (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l plan -d 'sign a plan for a second person; send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l expires -x -d 'with --plan: how long it can be sent (default 24h)'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l ssh-key -r -F -d 'with --plan: SSH key to sign with'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l rehearse -d 'run it in a sandbox with faults; no money moves'
complete -c pixgate -n '__pixgate_at \'pixgate batch transfer\'' -l seed -x -d 'with --rehearse: repeat the faults of an earlier one'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l map -x -d 'column of a field, such as value=valor (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l ignore-column -x -d 'column of amounts, or of a known heading, not to use (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l sheet -x -d 'sheet of a workbook (default: first with the columns)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l header-row -x -d 'row of the header (default: it is found)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l include-hidden -d 'send hidden rows and columns of a workbook too'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l skip-hidden -d 'leave out hidden and filtered rows of a workbook'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l reference -x -d 'what the payments are for; their ids depend on it (default: the file name)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l callback-url -x -d 'where events are sent; listen: the running listener (default: from the profile)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l file-changed -d 'send although sent rows are no longer in the file'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l dry-run -d 'apply every rule, print the totals, send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l limit -x -d 'send at most n rows now; resume sends the rest'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l concurrency -x -d 'requests at once, up to 64'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l rate -x -d 'maximum rate: 10/s or 300/m'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l stop-after -x -d 'stop after n rows in a row that were not accepted'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l results -r -F -d 'write the result of every row to a CSV file'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l excel -d 'with --results: as a Brazilian spreadsheet reads it'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l again -d 'allow repeats of earlier payments, in a sandbox'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l in-addition-to -x -d 'allow a repeat of this earlier payment (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l plan -d 'sign a plan for a second person; send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l expires -x -d 'with --plan: how long it can be sent (default 24h)'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l ssh-key -r -F -d 'with --plan: SSH key to sign with'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l reason -x -d 'reason for refunds whose row has none'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l full -d 'refund all that is left if a row has no amount'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l skip-query -d 'do not query the payments first; what the ledger knows of them still counts'
complete -c pixgate -n '__pixgate_at \'pixgate batch refund\'' -l despite-chargeback -d 'refund payments although a chargeback of them is known'
complete -c pixgate -n '__pixgate_at \'pixgate batch list\'' -l limit -x -d 'only the newest n'
complete -c pixgate -n '__pixgate_at \'pixgate batch list\'' -l all-rows -d 'on a terminal, too, all rows: not only the newest 30'
complete -c pixgate -n '__pixgate_at \'pixgate batch report\'' -l out -x -d 'a new file, which will be a workbook'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l refused -d 'for a run: also send refused and failed rows, each as a new attempt'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l include-unknown -d 'send refunds with an unknown outcome too, and transfers that were sent more than 24 hours ago'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l despite-chargeback -d 'refund payments although a chargeback of them is known'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l limit -x -d 'send at most n rows now; resume sends the rest'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l concurrency -x -d 'requests at once, up to 64 (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l rate -x -d 'maximum rate: 10/s or 300/m (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l stop-after -x -d 'stop after n rows in a row that were not accepted (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l results -r -F -d 'write the result of every row to a CSV file (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l excel -d 'with --results: as a Brazilian spreadsheet reads it'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l again -d 'allow repeats of earlier payments, in a sandbox'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l in-addition-to -x -d 'allow a repeat of this earlier payment (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l plan -d 'sign a plan for a second person; send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l expires -x -d 'with --plan: how long it can be sent (default 24h)'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l ssh-key -r -F -d 'with --plan: SSH key to sign with'
complete -c pixgate -n '__pixgate_at \'pixgate batch resume\'' -l dry-run -d 'apply every rule, print what would be sent, and send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate plan approve\'' -l ssh-key -r -F -d 'SSH key to sign with (default: the agent\'s, else the usual file)'
complete -c pixgate -n '__pixgate_at \'pixgate plan reject\'' -l because -x -d 'why, for its maker and the ledger'
complete -c pixgate -n '__pixgate_at \'pixgate plan send\'' -l watch -d 'send plans of the shared ledger as they are approved, without a question'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l refused -d 'for a run: also send refused and failed rows, each as a new attempt'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l include-unknown -d 'send refunds with an unknown outcome too, and transfers that were sent more than 24 hours ago'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l despite-chargeback -d 'refund payments although a chargeback of them is known'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l limit -x -d 'send at most n rows now; resume sends the rest'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l concurrency -x -d 'requests at once, up to 64 (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l rate -x -d 'maximum rate: 10/s or 300/m (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l stop-after -x -d 'stop after n rows in a row that were not accepted (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l results -r -F -d 'write the result of every row to a CSV file (default: the run\'s own)'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l excel -d 'with --results: as a Brazilian spreadsheet reads it'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l again -d 'allow repeats of earlier payments, in a sandbox'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l in-addition-to -x -d 'allow a repeat of this earlier payment (repeatable)'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l plan -d 'sign a plan for a second person; send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l expires -x -d 'with --plan: how long it can be sent (default 24h)'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l ssh-key -r -F -d 'with --plan: SSH key to sign with'
complete -c pixgate -n '__pixgate_at \'pixgate resume\'' -l dry-run -d 'apply every rule, print the exact request, secrets redacted, or the rows of a run to send, and send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate status\'' -l wait -d 'wait until the status is final (default 15m, of a transfer 65m)'
complete -c pixgate -n '__pixgate_at \'pixgate status\'' -l interval -x -d 'pause between two queries while waiting'
complete -c pixgate -n '__pixgate_at \'pixgate status\'' -l expect -x -k -a 'PAID EXPIRED CANCELLED REFUNDED' -d 'exit 1 if the status is different'
complete -c pixgate -n '__pixgate_at \'pixgate status\'' -l from -r -F -d 'ids, one a line; a CSV or workbook with idTransaction and what you expect as amount and status; or the results of a batch; - for stdin'
complete -c pixgate -n '__pixgate_at \'pixgate status\'' -l unmask -d 'show keys and tax documents of people unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l since -x -d 'created since: 7d, a day, or a time as it is printed'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l until -x -d 'created until this time; a day is included in full'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l day -x -d 'on this day: today, yesterday, 21/11/2026 or 2026-11-21'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l month -x -d 'in this month: 11/2026 or 2026-11'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l kind -x -k -a 'qr transfer refund' -d 'qr, transfer, refund'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l state -x -k -a 'not-sent refused accepted unknown paid not-paid returned' -d 'not-sent, refused, accepted, unknown, paid, not-paid, returned'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l amount -x -d 'of exactly this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l min -x -d 'of at least this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l max -x -d 'of at most this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l key -x -d 'to this PIX key, with or without its punctuation'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l name -x -d 'involving a person or company with this name'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l document -x -d 'with this CPF or CNPJ'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l reference -x -d 'of this reference, external id or request number'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l by -x -d 'created by this user'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l for-profile -x -k -a '(command pixgate __complete profiles 2>/dev/null)' -d 'created under this profile'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l limit -x -d 'only the newest n'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l all -d 'all accounts and environments, with separate sums'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l attempts -d 'every attempt, not each payment in its last state'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l all-rows -d 'on a terminal, too, all rows: not only the newest 30'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l excel -d 'with -o csv: local times and decimal commas, for a spreadsheet'
complete -c pixgate -n '__pixgate_at \'pixgate history\'' -l unmask -d 'show keys and tax documents of people unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l since -x -d 'created since: 7d, a day, or a time as it is printed'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l until -x -d 'created until this time; a day is included in full'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l day -x -d 'on this day: today, yesterday, 21/11/2026 or 2026-11-21'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l month -x -d 'in this month: 11/2026 or 2026-11'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l kind -x -k -a 'qr transfer refund' -d 'qr, transfer, refund'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l state -x -k -a 'not-sent refused accepted unknown paid not-paid returned' -d 'not-sent, refused, accepted, unknown, paid, not-paid, returned'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l amount -x -d 'of exactly this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l min -x -d 'of at least this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l max -x -d 'of at most this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l key -x -d 'to this PIX key, with or without its punctuation'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l name -x -d 'involving a person or company with this name'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l document -x -d 'with this CPF or CNPJ'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l reference -x -d 'of this reference, external id or request number'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l by -x -d 'created by this user'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l for-profile -x -k -a '(command pixgate __complete profiles 2>/dev/null)' -d 'created under this profile'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l limit -x -d 'only the newest n'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l all -d 'all accounts and environments, with separate sums'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l attempts -d 'every attempt, not each payment in its last state'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l all-rows -d 'on a terminal, too, all rows: not only the newest 30'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l excel -d 'with -o csv: local times and decimal commas, for a spreadsheet'
complete -c pixgate -n '__pixgate_at \'pixgate history list\'' -l unmask -d 'show keys and tax documents of people unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l since -x -d 'created since: 7d, a day, or a time as it is printed'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l until -x -d 'created until this time; a day is included in full'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l day -x -d 'on this day: today, yesterday, 21/11/2026 or 2026-11-21'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l month -x -d 'in this month: 11/2026 or 2026-11'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l kind -x -k -a 'qr transfer refund' -d 'qr, transfer, refund'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l state -x -k -a 'not-sent refused accepted unknown paid not-paid returned' -d 'not-sent, refused, accepted, unknown, paid, not-paid, returned'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l amount -x -d 'of exactly this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l min -x -d 'of at least this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l max -x -d 'of at most this amount'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l key -x -d 'to this PIX key, with or without its punctuation'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l name -x -d 'involving a person or company with this name'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l document -x -d 'with this CPF or CNPJ'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l reference -x -d 'of this reference, external id or request number'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l by -x -d 'created by this user'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l for-profile -x -k -a '(command pixgate __complete profiles 2>/dev/null)' -d 'created under this profile'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l limit -x -d 'only the newest n'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l all -d 'all accounts and environments, with separate sums'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l attempts -d 'every attempt, not each payment in its last state'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l all-rows -d 'on a terminal, too, all rows: not only the newest 30'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l excel -d 'with -o csv: local times and decimal commas, for a spreadsheet'
complete -c pixgate -n '__pixgate_at \'pixgate history find\'' -l unmask -d 'show keys and tax documents of people unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate history show\'' -l receipt -d 'show the receipt of a paid transfer or refund'
complete -c pixgate -n '__pixgate_at \'pixgate history show\'' -l pdf -r -F -d 'with --receipt: also write it as a PDF'
complete -c pixgate -n '__pixgate_at \'pixgate history show\'' -l unmask -d 'accepted as in lists; nothing is masked here'
complete -c pixgate -n '__pixgate_at \'pixgate history report\'' -l month -x -d 'the month in São Paulo: 11/2026 or 2026-11'
complete -c pixgate -n '__pixgate_at \'pixgate history report\'' -l out -x -d 'a new file, which will be a workbook'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l since -x -d 'created since: 7d, a day, or a time as it is printed'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l until -x -d 'created until this time; a day is included in full'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l day -x -d 'on this day: today, yesterday, 21/11/2026 or 2026-11-21'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l month -x -d 'in this month: 11/2026 or 2026-11'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l kind -x -k -a 'qr transfer refund' -d 'only qr, transfer, refund'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l statement -r -F -d 'compare with a statement of the bank or the gateway: OFX, CSV or .xlsx; its dates set the period; - for stdin'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l map -x -d 'which columns hold what: id=Código,amount=Valor; or debit=…,credit=…'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l ignore -x -d 'leave out lines with this text, such as fees: TARIFA; repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l unmask -d 'show keys and tax documents of people unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate history check\'' -l accept-older -d 'accept a ledger that lacks records, or is new to the account, for example after restoring a backup'
complete -c pixgate -n '__pixgate_at \'pixgate history settle\'' -l as -x -k -a 'paid not-paid returned' -d 'what you found: paid, not-paid, returned'
complete -c pixgate -n '__pixgate_at \'pixgate history settle\'' -l because -x -d 'how you know'
complete -c pixgate -n '__pixgate_at \'pixgate webhook verify\'' -l body -r -F -d 'the exact bytes of the body, - for standard input'
complete -c pixgate -n '__pixgate_at \'pixgate webhook verify\'' -l signature -x -d 'the value of X-Signature'
complete -c pixgate -n '__pixgate_at \'pixgate webhook verify\'' -l request -r -F -d 'a raw HTTP request or a line of `listen -o json`, - for standard input'
complete -c pixgate -n '__pixgate_at \'pixgate webhook verify\'' -l event -x -d 'a recorded event, by its number or idTransaction'
complete -c pixgate -n '__pixgate_at \'pixgate webhook verify\'' -l last-refused -d 'one that a listener refused: the newest, or the nth newest'
complete -c pixgate -n '__pixgate_at \'pixgate webhook verify\'' -l recover -r -F -d 'write the bytes that were signed, if they are found'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l port -x -d 'port to listen on, 0 picks a free one (default 4242)'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l host -x -d 'address to listen on'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l path -x -d 'accept only this path (default: any)'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l forward-to -x -d 'forward every event that no --route takes, byte for byte; without a path, to the path of the request'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l route -x -d 'forward this event there; `pix.*` matches; repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l events -x -k -a 'pix.received refund.status transfer.completed transfer.failed payment' -d 'show and forward only these'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l max-events -x -d 'stop after this many events, duplicates not counted'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l for -x -d 'stop after this time (alias --timeout)'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l timeout -x -d 'the same as --for'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l allow-unsigned -d 'also accept webhooks without a signature'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l print-body -d 'print the body of every event'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l header -x -d 'add a header to forwarded webhooks, repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l drop-duplicates -d 'do not forward an event a second time'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l fail-on-forward -d 'exit 1 if a forward was refused or did not arrive'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l unmask -d 'show tax documents unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l inspect -d 'serve the page of `pixgate inspect` (default port 4040)'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l public-url -x -d 'the address at which the gateway reaches this listener'
complete -c pixgate -n '__pixgate_at \'pixgate webhook listen\'' -l tunnel -x -d 'command that prints a public URL; it knows {port}'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events\'' -l since -x -d 'only those that arrived within this time: 30m, 1h, 7d'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events\'' -l last -x -d 'only this many of the newest'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events\'' -l all-rows -d 'on a terminal, too, all rows: not only the newest 30'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events\'' -l failed -d 'only those that your server did not accept when they were forwarded'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events list\'' -l since -x -d 'only those that arrived within this time: 30m, 1h, 7d'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events list\'' -l last -x -d 'only this many of the newest'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events list\'' -l all-rows -d 'on a terminal, too, all rows: not only the newest 30'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events list\'' -l failed -d 'only those that your server did not accept when they were forwarded'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events show\'' -l unmask -d 'accepted as in lists; nothing is masked here'
complete -c pixgate -n '__pixgate_at \'pixgate webhook events show\'' -l raw -d 'write the exact bytes of the body to standard output, and nothing else'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l to -x -d 'target URL (default: the last forward target, the running listener, or the callback URL, in this order)'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l last -d 'the newest event'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l failed -d 'events whose last delivery was not answered 200 within 5 s'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l since -x -d 'events that arrived within this time, such as 1h'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l expect -x -d 'exit 0 if every answer has this status within 5 s, 1 if any differs'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l body -r -F -d 'send these bytes instead, re-signed; - for standard input'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l set -x -d 'set a value in the body and re-sign it, repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate webhook replay\'' -l dry-run -d 'print the exact request of one event, and send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l to -x -d 'target URL (default: the running listener, else the callback URL)'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l set -x -d 'set a value in the body, repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l body -r -F -d 'send these bytes, `-` for standard input'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l times -x -d 'send the same bytes this many times'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l at-once -d 'send them concurrently, not one after the other'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l unsigned -d 'without a signature'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l bad-signature -d 'with a wrong signature'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l signature-encoding -x -k -a 'hex base64' -d 'hex or base64'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l repeated-key -d 'refund.status: both ids under idTransaction'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l webhook-style -x -k -a 'java php python javascript' -d 'as java (default), php, python or javascript do'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l expect -x -d 'exit 0 if the answer has this status within 5 s, else 1'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l dry-run -d 'print the exact signed request, and send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate webhook send\'' -l curl -d 'with --dry-run: print it as a curl command'
complete -c pixgate -n '__pixgate_at \'pixgate webhook check\'' -l state-url -x -d 'shows what was credited; read before and after deliveries that change nothing'
complete -c pixgate -n '__pixgate_at \'pixgate webhook check\'' -l set -x -d 'set a value in every sample, repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate webhook check\'' -l header -x -d 'add a header, repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate webhook check\'' -l signature-encoding -x -k -a 'hex base64' -d 'hex or base64'
complete -c pixgate -n '__pixgate_at \'pixgate webhook sign\'' -l body -r -F -d 'the bytes, `-` for standard input'
complete -c pixgate -n '__pixgate_at \'pixgate webhook sign\'' -l signature-encoding -x -k -a 'hex base64' -d 'hex or base64'
complete -c pixgate -n '__pixgate_at \'pixgate inspect\'' -l port -x -d 'port to listen on, 0 picks a free one'
complete -c pixgate -n '__pixgate_at \'pixgate inspect\'' -l unmask -d 'show keys, tax documents and e-mail addresses unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l port -x -d 'port to listen on, 0 picks a free one (default 4010)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l host -x -d 'address to listen on (default 127.0.0.1)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l client-id -x -d 'client id that it accepts (default local)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l client-secret -x -d 'client secret that it accepts and signs with (default local-secret)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l hosted-status-rule -d 'ids that begin with paid- are PAID, others UNPAID'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l signature -x -k -a 'hex base64' -d 'hex or base64 in X-Signature (default hex)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l webhook-style -x -k -a 'java php python javascript' -d 'write webhook bodies as java (10.50), php (10.5), python (10.0) or javascript do (default java)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l status-key -x -k -a 'status statusTransaction' -d 'status (default) or statusTransaction in answers'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l refund-event -x -k -a 'originalTransactionId repeated-key' -d 'originalTransactionId (default) or repeated-key'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l deliver-attempts -x -d 'delivery attempts per webhook (default 3)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l deliver-delays -x -d 'times before further attempts (default 1s,5s)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l auto-pay -x -d 'pay every code after this time (default off)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l auto-settle -x -d 'settle refunds, transfers after it (default 1s)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l latency -x -d 'minimum time for every answer (default 0)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l allow-ip -x -d 'address that may make transfers, repeatable (default loopback)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l seed -x -d 'the same transaction ids and codes in each run'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l now -x -d 'time at which its clock starts (default: the real one)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l balance -x -d 'initial balance (default 10000)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l partner -x -d 'split partner to accept, repeatable (default any)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l dashboard-webhook -x -d 'receives the general payment notifications'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l control-token -x -d 'lets other machines control it, as a bearer token (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox\'' -l base-url-name -x -d 'host name in its address, such as its container'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l port -x -d 'port to listen on, 0 picks a free one (default 4010)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l host -x -d 'address to listen on (default 127.0.0.1)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l client-id -x -d 'client id that it accepts (default local)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l client-secret -x -d 'client secret that it accepts and signs with (default local-secret)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l hosted-status-rule -d 'ids that begin with paid- are PAID, others UNPAID'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l signature -x -k -a 'hex base64' -d 'hex or base64 in X-Signature (default hex)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l webhook-style -x -k -a 'java php python javascript' -d 'write webhook bodies as java (10.50), php (10.5), python (10.0) or javascript do (default java)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l status-key -x -k -a 'status statusTransaction' -d 'status (default) or statusTransaction in answers'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l refund-event -x -k -a 'originalTransactionId repeated-key' -d 'originalTransactionId (default) or repeated-key'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l deliver-attempts -x -d 'delivery attempts per webhook (default 3)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l deliver-delays -x -d 'times before further attempts (default 1s,5s)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l auto-pay -x -d 'pay every code after this time (default off)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l auto-settle -x -d 'settle refunds, transfers after it (default 1s)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l latency -x -d 'minimum time for every answer (default 0)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l allow-ip -x -d 'address that may make transfers, repeatable (default loopback)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l seed -x -d 'the same transaction ids and codes in each run'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l now -x -d 'time at which its clock starts (default: the real one)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l balance -x -d 'initial balance (default 10000)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l partner -x -d 'split partner to accept, repeatable (default any)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l dashboard-webhook -x -d 'receives the general payment notifications'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l control-token -x -d 'lets other machines control it, as a bearer token (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox start\'' -l base-url-name -x -d 'host name in its address, such as its container'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l env -x -d 'also set the address of the sandbox in this variable, repeatable'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l log -r -F -d 'write its requests and deliveries to this file, one line of JSON each'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l port -x -d 'port to listen on, 0 picks a free one (default 0)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l host -x -d 'address to listen on (default 127.0.0.1)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l client-id -x -d 'client id that it accepts (default local)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l client-secret -x -d 'client secret that it accepts and signs with (default local-secret)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l hosted-status-rule -d 'ids that begin with paid- are PAID, others UNPAID'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l signature -x -k -a 'hex base64' -d 'hex or base64 in X-Signature (default hex)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l webhook-style -x -k -a 'java php python javascript' -d 'write webhook bodies as java (10.50), php (10.5), python (10.0) or javascript do (default java)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l status-key -x -k -a 'status statusTransaction' -d 'status (default) or statusTransaction in answers'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l refund-event -x -k -a 'originalTransactionId repeated-key' -d 'originalTransactionId (default) or repeated-key'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l deliver-attempts -x -d 'delivery attempts per webhook (default 3)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l deliver-delays -x -d 'times before further attempts (default 1s,5s)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l auto-pay -x -d 'pay every code after this time (default off)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l auto-settle -x -d 'settle refunds, transfers after it (default 1s)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l latency -x -d 'minimum time for every answer (default 0)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l allow-ip -x -d 'address that may make transfers, repeatable (default loopback)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l seed -x -d 'the same transaction ids and codes in each run'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l now -x -d 'time at which its clock starts (default: the real one)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l balance -x -d 'initial balance (default 10000)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l partner -x -d 'split partner to accept, repeatable (default any)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l dashboard-webhook -x -d 'receives the general payment notifications'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l control-token -x -d 'lets other machines control it, as a bearer token (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox exec\'' -l base-url-name -x -d 'host name in its address, such as its container'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox pay\'' -l late -d 'pay it even if it has expired or was cancelled'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox pay\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox expire\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox cancel\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox chargeback\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox return\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox deliver\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fail\'' -l error-code -x -k -a 'NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT' -d 'error code in transfer.failed (default PIX_KEY_NOT_FOUND)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fail\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault\'' -l times -x -d 'how many times'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault\'' -l async -d 'accept the transfer, then make it fail with this code'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault\'' -l on -x -k -a 'transfer refund qr status' -d 'transfer, refund, qr or status, or an id, name or key'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault list\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox fault clear\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox advance\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox reset\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox state\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox requests\'' -l failed -d 'only those that were refused or not answered'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox requests\'' -l follow -d 'go on with those that come, until Ctrl-C; JSON is one line each'
complete -c pixgate -n '__pixgate_at \'pixgate sandbox requests\'' -l control-token -x -d 'the sandbox\'s control token, if it has one (env PIXGATE_CONTROL_TOKEN)'
complete -c pixgate -n '__pixgate_at \'pixgate payee add\'' -l key -x -d 'PIX key, see `pixgate help keys`'
complete -c pixgate -n '__pixgate_at \'pixgate payee add\'' -l key-type -x -k -a 'document phoneNumber email randomKey' -d 'type of the key (default: detected)'
complete -c pixgate -n '__pixgate_at \'pixgate payee add\'' -l owner -x -d 'CPF or CNPJ that must own the key; it is always sent'
complete -c pixgate -n '__pixgate_at \'pixgate payee add\'' -l display-name -x -d 'the name that people see in lists and receipts'
complete -c pixgate -n '__pixgate_at \'pixgate payee list\'' -l unmask -d 'show keys and tax documents of people unmasked'
complete -c pixgate -n '__pixgate_at \'pixgate payee edit\'' -l key -x -d 'PIX key, see `pixgate help keys`'
complete -c pixgate -n '__pixgate_at \'pixgate payee edit\'' -l key-type -x -k -a 'document phoneNumber email randomKey' -d 'type of the key (default: detected)'
complete -c pixgate -n '__pixgate_at \'pixgate payee edit\'' -l owner -x -d 'CPF or CNPJ that must own the key; it is always sent'
complete -c pixgate -n '__pixgate_at \'pixgate payee edit\'' -l display-name -x -d 'the name that people see in lists and receipts'
complete -c pixgate -n '__pixgate_at \'pixgate payee edit\'' -l no-owner -d 'do not check the owner of the key'
complete -c pixgate -n '__pixgate_at \'pixgate payee edit\'' -l no-display-name -d 'remove the name that people see'
complete -c pixgate -n '__pixgate_at \'pixgate ledger init\'' -l print-sql -d 'print the statements for an administrator, and connect to nothing'
complete -c pixgate -n '__pixgate_at \'pixgate ledger init\'' -l ledger-password-stdin -d 'database password from stdin, or a hidden prompt'
complete -c pixgate -n '__pixgate_at \'pixgate ledger init\'' -l ledger-password-env -x -d 'database password in this variable'
complete -c pixgate -n '__pixgate_at \'pixgate ledger init\'' -l ledger-password-command -x -d 'database password that this command prints'
complete -c pixgate -n '__pixgate_at \'pixgate ledger join\'' -l ledger-password-stdin -d 'database password from stdin, or a hidden prompt'
complete -c pixgate -n '__pixgate_at \'pixgate ledger join\'' -l ledger-password-env -x -d 'database password in this variable'
complete -c pixgate -n '__pixgate_at \'pixgate ledger join\'' -l ledger-password-command -x -d 'database password that this command prints'
complete -c pixgate -n '__pixgate_at \'pixgate ledger join\'' -l ledger-password-keychain -d 'database password in the keychain of the system'
complete -c pixgate -n '__pixgate_at \'pixgate ledger leave\'' -l confirm-host -x -d 'confirm it in a script with the host of the account\'s address'
complete -c pixgate -n '__pixgate_at \'pixgate ledger repair\'' -l confirm-host -x -d 'as the owner, end the stop in a script: the host of the database'
complete -c pixgate -n '__pixgate_at \'pixgate ledger repair\'' -l ledger-password-stdin -d 'database password from stdin, or a hidden prompt'
complete -c pixgate -n '__pixgate_at \'pixgate ledger repair\'' -l ledger-password-env -x -d 'database password in this variable'
complete -c pixgate -n '__pixgate_at \'pixgate ledger repair\'' -l ledger-password-command -x -d 'database password that this command prints'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l environment -x -k -a 'sandbox production' -d 'sandbox or production (default: by the address)'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l base-url -x -d 'the gateway\'s base address'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l client-id -x -d 'client id of the account (the ci header)'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l callback-url -x -d 'default URL for webhook events'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l max-amount -x -d 'largest amount of one payment'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l max-day -x -d 'largest total per day (São Paulo time)'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l read-only -d 'refuse every command that moves money or signs'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l check-command -x -d 'shell command that must allow what is sent'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l require-external-id -d 'account: refuse transfers whose id would be made up'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l payees-only -d 'account: refuse transfers to keys of no payee'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l payee-wait -x -d 'account: how long new or changed payees wait'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l approval-from -x -d 'account: from this sum on a second person approves'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l approvers -r -F -d 'account: who may approve (OpenSSH allowed_signers)'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l company -x -d 'company that the account belongs to'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l company-document -x -d 'CPF or CNPJ of the company'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l lang -x -k -a 'en pt-BR' -d 'language of what people read: en or pt-BR'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l ledger -x -d 'the ledger of a team, for this account'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l ledger-password-stdin -d 'database password from stdin, or a hidden prompt'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l ledger-password-env -x -d 'database password in this variable'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l ledger-password-command -x -d 'database password that this command prints'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l ledger-password-keychain -d 'database password in the keychain of the system'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l confirm-host -x -d 'in a script: confirm a remote sandbox, or fewer limits in production'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l client-secret-stdin -d 'secret from stdin, or from a hidden prompt'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l client-secret-env -x -d 'secret from this variable, at every use'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l client-secret-command -x -d 'secret that this command prints, at every use'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l keychain -d 'secret stored in the keychain of the system'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l no-secret -d 'no secret: plans, approves and reads the ledger'
complete -c pixgate -n '__pixgate_at \'pixgate profile add\'' -l no-test -d 'do not test the address and the credentials'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l name -x -d 'new name'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l environment -x -k -a 'sandbox production' -d 'sandbox or production (default: by the address)'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l base-url -x -d 'the gateway\'s base address'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l client-id -x -d 'client id of the account (the ci header)'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l callback-url -x -d 'default URL for webhook events'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l max-amount -x -d 'largest amount of one payment'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l max-day -x -d 'largest total per day (São Paulo time)'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l read-only -d 'refuse every command that moves money or signs'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l check-command -x -d 'shell command that must allow what is sent'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l require-external-id -d 'account: refuse transfers whose id would be made up'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l payees-only -d 'account: refuse transfers to keys of no payee'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l payee-wait -x -d 'account: how long new or changed payees wait'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l approval-from -x -d 'account: from this sum on a second person approves'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l approvers -r -F -d 'account: who may approve (OpenSSH allowed_signers)'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l company -x -d 'company that the account belongs to'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l company-document -x -d 'CPF or CNPJ of the company'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l lang -x -k -a 'en pt-BR' -d 'language of what people read: en or pt-BR'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l ledger -x -d 'the ledger of a team, for this account'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l ledger-password-stdin -d 'database password from stdin, or a hidden prompt'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l ledger-password-env -x -d 'database password in this variable'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l ledger-password-command -x -d 'database password that this command prints'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l ledger-password-keychain -d 'database password in the keychain of the system'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l confirm-host -x -d 'in a script: confirm a remote sandbox, or fewer limits in production'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l client-secret-stdin -d 'secret from stdin, or from a hidden prompt'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l client-secret-env -x -d 'secret from this variable, at every use'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l client-secret-command -x -d 'secret that this command prints, at every use'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l keychain -d 'secret stored in the keychain of the system'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-secret -d 'no secret: plans, approves and reads the ledger'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-callback-url -d 'remove the callback URL'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-max-amount -d 'remove the limit per payment'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-max-day -d 'remove the limit per day'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-read-only -d 'allow commands that move money or sign'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-check-command -d 'send without asking a command'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-require-external-id -d 'account: allow ids that pixgate makes up'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-payees-only -d 'account: allow any key'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-payee-wait -d 'account: pay new and changed payees at once'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-approval-from -d 'account: no approval by a second person'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-company -d 'remove the company'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-company-document -d 'remove the CPF or CNPJ of the company'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-lang -d 'use the language of other commands'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l no-ledger -d 'use the ledger of this machine for this account'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l plan -d 'sign a plan for a second person; send nothing'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l expires -x -d 'with --plan: how long it can be sent (default 24h)'
complete -c pixgate -n '__pixgate_at \'pixgate profile edit\'' -l ssh-key -r -F -d 'with --plan: SSH key to sign with'
complete -c pixgate -n '__pixgate_at \'pixgate profile remove\'' -l confirm-host -x -d 'in a script: confirm the removal of a production profile'
complete -c pixgate -n '__pixgate_at \'pixgate help\'' -l man -d 'print the man page of a command'
