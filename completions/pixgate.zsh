#compdef pixgate
# zsh completion for pixgate; printed by pixgate completion zsh

__pixgate_globals=(
  '(-p --profile)'{-p+,--profile=}'[credentials profile (env PIXGATE_PROFILE)]:name: __pixgate_ask profiles profile'
  '--base-url=[the gateway'\''s base address (env PIXGATE_BASE_URL)]:url: '
  '(-o --output)'{-o+,--output=}'[text, json or csv (env PIXGATE_OUTPUT)]:format:(text json csv)'
  '--json[the same as -o json]'
  '--fields=[select and order columns or keys]:a,b.c: '
  '(-y --yes)'{-y,--yes}'[answer yes to the question; not enough in production]'
  '--confirm=[answer yes in production, by naming the profile]:profile: '
  '--no-input[never prompt; a missing value is an error (env CI)]'
  '--timeout=[longest time for one call (env PIXGATE_TIMEOUT, default 30s)]:duration: '
  '(-q --quiet)'{-q,--quiet}'[do not print notes on stderr]'
  '(-v --verbose)'{-v,--verbose}'[print request and response lines on stderr, secrets redacted]'
  '--no-color[disable colours (env NO_COLOR, FORCE_COLOR)]'
  '(-h --help)'{-h,--help}'[show this help]'
)

# Offers the values that pixgate __complete lists, in that order.
__pixgate_ask() {
  local -a found
  found=(${(f)"$(_call_program $1 command pixgate __complete $1 2>/dev/null </dev/null)"})
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

_pixgate() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'demo:the whole service, live, in your terminal'
    'qr:create, draw and read PIX QR codes'
    'refund:refund all or part of a received payment'
    'transfer:send a PIX transfer to a PIX key (cash-out)'
    'status:show what is known about one or many transactions'
    'resume:continue what was interrupted or has an unknown outcome'
    'batch:send transfers or refunds from a CSV file or a workbook'
    'history:payments sent from this machine, and their results'
    'webhook:verify, receive, send and replay webhooks'
    'inspect:events and payments in a browser'
    'sandbox:the gateway on your machine'
    'profile:store and select credentials'
    'schema:JSON Schemas of the events and of every JSON output'
    'doctor:check the setup: what is wrong and how to fix it'
    'completion:print the completion script for a shell'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '(-V --version)'{-V,--version}'[output the version number]' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        demo) _pixgate__demo && ret=0 ;;
        qr) _pixgate__qr && ret=0 ;;
        refund) _pixgate__refund && ret=0 ;;
        transfer) _pixgate__transfer && ret=0 ;;
        status) _pixgate__status && ret=0 ;;
        resume) _pixgate__resume && ret=0 ;;
        batch) _pixgate__batch && ret=0 ;;
        history) _pixgate__history && ret=0 ;;
        webhook) _pixgate__webhook && ret=0 ;;
        inspect) _pixgate__inspect && ret=0 ;;
        sandbox) _pixgate__sandbox && ret=0 ;;
        profile) _pixgate__profile && ret=0 ;;
        schema) _pixgate__schema && ret=0 ;;
        doctor) _pixgate__doctor && ret=0 ;;
        completion) _pixgate__completion && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__demo() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__qr() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'create:create a dynamic PIX QR code (cash-in), draw it, optionally wait for the payment'
    'draw:draw a copy-and-paste code as a QR code'
    'decode:read a BR Code offline: fields, CRC, verdict'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        create) _pixgate__qr__create && ret=0 ;;
        draw) _pixgate__qr__draw && ret=0 ;;
        decode) _pixgate__qr__decode && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__qr__create() {
  _arguments -s -S : $__pixgate_globals \
    '--amount=[amount in reais: 10, 10.50, 10,50 or 1.234,56]:amount: ' \
    '--request-number=[order id in your system (default: generated)]:id: ' \
    '--due-date=[YYYY-MM-DD, a date-time, today or +3d (default +1d)]:date: ' \
    '--callback-url=[where its events are sent; the word listen selects the running listener (default: from the profile)]:url: ' \
    '--shipping-amount=[shipping amount in reais]:amount: ' \
    '--checkout-user=[checkout user, for identification]:name: ' \
    '--payer-name=[name of the payer]:name: ' \
    '--payer-tax-id=[CPF or CNPJ of the payer]:document: ' \
    '--payer-email=[e-mail address of the payer]:address: ' \
    '--split-username=[partner who receives a share]:name: ' \
    '--split-percentage=[share of the partner, above 0 and at most 100]:number: ' \
    '--from=[JSON request body, - for stdin; options take precedence]:file:_files' \
    '--png=[write the image that the gateway returns to this file]:file:_files' \
    '--qr[draw the code even if the output is not a terminal]' \
    '--no-qr[do not draw the code]' \
    '--again[allow a request number that this machine has used before]' \
    '--wait=[wait until it is paid, expired or cancelled (default 15m)]::duration: ' \
    '--interval=[pause between two queries while waiting]:duration: ' \
    '--dry-run[print the exact request, secrets redacted, and send nothing]'
}

_pixgate__qr__draw() {
  _arguments -s -S : $__pixgate_globals \
    '--qr[draw the code even if the output is not a terminal]' \
    '--no-qr[print only the code]' \
    '1:code: '
}

_pixgate__qr__decode() {
  _arguments -s -S : $__pixgate_globals \
    '1:code:_files'
}

_pixgate__refund() {
  _arguments -s -S : $__pixgate_globals \
    '--reason=[reason for the refund]:text: ' \
    '--amount=[amount in reais: 10, 10.50, 10,50 or 1.234,56 (default: what is left)]:amount: ' \
    '--full[refund all that is left; in production this or --amount is required]' \
    '--callback-url=[where its events are sent; the word listen selects the running listener (default: from the profile)]:url: ' \
    '--id-field=[field for the id of the payment: originalTransactionId, idTransaction, both]:name:(originalTransactionId idTransaction both)' \
    '--skip-query[do not query the payment first; what the ledger knows of it still counts]' \
    '--despite-chargeback[refund the payment although a chargeback of it is known]' \
    '--again[allow a repeat of an earlier refund, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier refund (repeatable)]:id: ' \
    '--wait=[wait for the event that reports the result (default 15m)]::duration: ' \
    '--dry-run[apply every rule, print the exact request, secrets redacted, and send nothing]' \
    '1:original-id: __pixgate_ask ids id'
}

_pixgate__transfer() {
  _arguments -s -S : $__pixgate_globals \
    '--key=[PIX key of the receiver; a CPF, CNPJ or phone number may include punctuation]:key: ' \
    '--amount=[amount in reais: 10, 10.50, 10,50 or 1.234,56 (alias --value)]:amount: ' \
    '--value=[alias of --amount]:amount: ' \
    '--key-type=[document, phoneNumber, email, randomKey, paymentCode (default: detected)]:type:(document phoneNumber email randomKey paymentCode)' \
    '--external-id=[your id for this transfer; the gateway carries out each id only once (default: generated)]:id: ' \
    '--owner=[CPF or CNPJ that must own the key (alias --document)]:document: ' \
    '--document=[alias of --owner]:document: ' \
    '--callback-url=[where its events are sent; the word listen selects the running listener (default: from the profile)]:url: ' \
    '--again[allow a repeat of an earlier payment, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:external-id: ' \
    '--retry=[send a transfer with an unknown outcome again, like pixgate resume]:external-id: ' \
    '--include-unknown[with --retry: even if it was sent more than 24 hours ago]' \
    '--wait=[wait for the event that reports the result (default 65m)]::duration: ' \
    '--dry-run[apply every rule, print the exact request, secrets redacted, and send nothing]'
}

_pixgate__status() {
  _arguments -s -S : $__pixgate_globals \
    '--wait=[wait until the status is final (default 15m, of a transfer 65m)]::duration: ' \
    '--interval=[pause between two queries while waiting]:duration: ' \
    '--expect=[exit 1 if the status is different]:STATUS:(PAID EXPIRED CANCELLED REFUNDED)' \
    '--from=[ids, a CSV or workbook with idTransaction and what you expect as amount and status, or the results of a batch; - for stdin]:file:_files' \
    '*--map=[with --from: which columns are id, amount, status: id=Código,amount=Valor]:pairs: ' \
    '--fresh[with --from: query all ids again, even after an interrupted run]' \
    '--unmask[show keys, names and tax documents of people unmasked]' \
    '*:id: __pixgate_ask ids id'
}

_pixgate__resume() {
  _arguments -s -S : $__pixgate_globals \
    '--refused[for a run: also send refused and failed rows, each as a new attempt]' \
    '--include-unknown[send refunds with an unknown outcome too, and transfers that were sent more than 24 hours ago]' \
    '--despite-chargeback[refund payments although a chargeback of them is known]' \
    '--limit=[send at most this many rows now; resume continues with the rest]:n: ' \
    '--concurrency=[requests at once, up to 64]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m]:rate: ' \
    '--stop-after=[stop after this many consecutive rows that were not accepted]:n: ' \
    '--results=[write the result of every row to a CSV file]:file:_files' \
    '--excel[write the results for a Brazilian spreadsheet: semicolons, decimal commas, São Paulo times]' \
    '--again[allow repeats of payments made within six days outside this reference, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--dry-run[apply every rule, print the exact request, secrets redacted, or the rows of a run to send, and send nothing]' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__batch() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'transfer:send all transfers in a CSV file or a workbook'
    'refund:send all refunds in a CSV file or a workbook'
    'list:list the batch runs on this machine'
    'show:show the state of a batch run'
    'report:report on a batch run'
    'resume:continue an interrupted batch run'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        transfer) _pixgate__batch__transfer && ret=0 ;;
        refund) _pixgate__batch__refund && ret=0 ;;
        list) _pixgate__batch__list && ret=0 ;;
        show) _pixgate__batch__show && ret=0 ;;
        report) _pixgate__batch__report && ret=0 ;;
        resume) _pixgate__batch__resume && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__batch__transfer() {
  _arguments -s -S : $__pixgate_globals \
    '*--map=[column that holds a field (repeatable, or separated by commas)]:field=column: ' \
    '*--ignore-column=[column of amounts to ignore (repeatable)]:name: ' \
    '--sheet=[the sheet of a workbook (default: the first that is not hidden)]:name: ' \
    '--include-hidden[send hidden and filtered rows and hidden columns of a workbook too]' \
    '--skip-hidden[leave out hidden and filtered rows of a workbook]' \
    '--reference=[what these payments are for; the ids depend on it (default: the name of the file)]:text: ' \
    '--callback-url=[where events are sent; the word listen selects the running listener (default: from the profile)]:url: ' \
    '--file-changed[send although rows that were sent under this reference are missing from the file]' \
    '--dry-run[check the file, apply every rule, print the totals, and send nothing]' \
    '--limit=[send at most this many rows now; resume continues with the rest]:n: ' \
    '--concurrency=[requests at once, up to 64]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m]:rate: ' \
    '--stop-after=[stop after this many consecutive rows that were not accepted]:n: ' \
    '--results=[write the result of every row to a CSV file]:file:_files' \
    '--excel[write the results for a Brazilian spreadsheet: semicolons, decimal commas, São Paulo times]' \
    '--again[allow repeats of payments made within six days outside this reference, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--rehearse[rehearse the run on this machine, with lost answers and killed processes; no money moves]' \
    '--seed=[with --rehearse: repeat the faults of an earlier rehearsal]:n: ' \
    '1:file:_files'
}

_pixgate__batch__refund() {
  _arguments -s -S : $__pixgate_globals \
    '*--map=[column that holds a field (repeatable, or separated by commas)]:field=column: ' \
    '*--ignore-column=[column of amounts to ignore (repeatable)]:name: ' \
    '--sheet=[the sheet of a workbook (default: the first that is not hidden)]:name: ' \
    '--include-hidden[send hidden and filtered rows and hidden columns of a workbook too]' \
    '--skip-hidden[leave out hidden and filtered rows of a workbook]' \
    '--reference=[what these payments are for; the ids depend on it (default: the name of the file)]:text: ' \
    '--callback-url=[where events are sent; the word listen selects the running listener (default: from the profile)]:url: ' \
    '--file-changed[send although rows that were sent under this reference are missing from the file]' \
    '--dry-run[check the file, apply every rule, print the totals, and send nothing]' \
    '--limit=[send at most this many rows now; resume continues with the rest]:n: ' \
    '--concurrency=[requests at once, up to 64]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m]:rate: ' \
    '--stop-after=[stop after this many consecutive rows that were not accepted]:n: ' \
    '--results=[write the result of every row to a CSV file]:file:_files' \
    '--excel[write the results for a Brazilian spreadsheet: semicolons, decimal commas, São Paulo times]' \
    '--again[allow repeats of payments made within six days outside this reference, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--reason=[reason for refunds whose row has none]:text: ' \
    '--full[refund all that is left of payments whose row has no amount; rows with an amount keep it]' \
    '--skip-query[do not query the payments first; what the ledger knows of them still counts]' \
    '--despite-chargeback[refund payments although a chargeback of them is known]' \
    '1:file:_files'
}

_pixgate__batch__list() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__batch__show() {
  _arguments -s -S : $__pixgate_globals \
    '1:run: '
}

_pixgate__batch__report() {
  _arguments -s -S : $__pixgate_globals \
    '--out=[a new file; .xlsx is a workbook of up to 250,000 rows, .html a page to read or print, .csv is for other programs]:file:_files' \
    '1:run: '
}

_pixgate__batch__resume() {
  _arguments -s -S : $__pixgate_globals \
    '--refused[for a run: also send refused and failed rows, each as a new attempt]' \
    '--include-unknown[send refunds with an unknown outcome too, and transfers that were sent more than 24 hours ago]' \
    '--despite-chargeback[refund payments although a chargeback of them is known]' \
    '--limit=[send at most this many rows now; resume continues with the rest]:n: ' \
    '--concurrency=[requests at once, up to 64]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m]:rate: ' \
    '--stop-after=[stop after this many consecutive rows that were not accepted]:n: ' \
    '--results=[write the result of every row to a CSV file]:file:_files' \
    '--excel[write the results for a Brazilian spreadsheet: semicolons, decimal commas, São Paulo times]' \
    '--again[allow repeats of payments made within six days outside this reference, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--dry-run[apply every rule, print what would be sent, and send nothing]' \
    '1:run: '
}

_pixgate__history() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'list:the payments of the active account, each in its last state'
    'find:search by names, keys, ids, amounts and days'
    'show:show everything known about one payment'
    'check:check the ledger, and compare it with the gateway or a statement'
    'import:import events that your own receiver stored'
    'settle:record what you found out about a payment'
    'backup:copy the ledger to a new file'
    'export:print all records as NDJSON'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '--since=[created since: a duration like 7d, a day, or a time in any printed form]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[created on this day in São Paulo: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[created in this month in São Paulo: 11/2026 or 2026-11]:month: ' \
    '--kind=[qr, transfer, refund]:kind:(qr transfer refund)' \
    '--state=[not-sent, refused, accepted, unknown, paid, not-paid, returned]:state:(not-sent refused accepted unknown paid not-paid returned)' \
    '--amount=[of exactly this amount]:amount: ' \
    '--min=[of at least this amount]:amount: ' \
    '--max=[of at most this amount]:amount: ' \
    '--key=[to this PIX key, with or without its punctuation]:key: ' \
    '--name=[involving a person or company with this name]:words: ' \
    '--document=[with this CPF or CNPJ]:document: ' \
    '--reference=[of this batch reference, or with this external id or request number]:text: ' \
    '--by=[created by this user]:user: ' \
    '--for-profile=[created under this profile]:name: __pixgate_ask profiles profile' \
    '--limit=[only the newest n]:n: ' \
    '--all[include all accounts and environments, with separate sums]' \
    '--attempts[list every attempt, not each payment in its last state]' \
    '--unmask[show keys, names and tax documents of people unmasked]' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        list) _pixgate__history__list && ret=0 ;;
        find) _pixgate__history__find && ret=0 ;;
        show) _pixgate__history__show && ret=0 ;;
        check) _pixgate__history__check && ret=0 ;;
        import) _pixgate__history__import && ret=0 ;;
        settle) _pixgate__history__settle && ret=0 ;;
        backup) _pixgate__history__backup && ret=0 ;;
        export) _pixgate__history__export && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__history__list() {
  _arguments -s -S : $__pixgate_globals \
    '--since=[created since: a duration like 7d, a day, or a time in any printed form]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[created on this day in São Paulo: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[created in this month in São Paulo: 11/2026 or 2026-11]:month: ' \
    '--kind=[qr, transfer, refund]:kind:(qr transfer refund)' \
    '--state=[not-sent, refused, accepted, unknown, paid, not-paid, returned]:state:(not-sent refused accepted unknown paid not-paid returned)' \
    '--amount=[of exactly this amount]:amount: ' \
    '--min=[of at least this amount]:amount: ' \
    '--max=[of at most this amount]:amount: ' \
    '--key=[to this PIX key, with or without its punctuation]:key: ' \
    '--name=[involving a person or company with this name]:words: ' \
    '--document=[with this CPF or CNPJ]:document: ' \
    '--reference=[of this batch reference, or with this external id or request number]:text: ' \
    '--by=[created by this user]:user: ' \
    '--for-profile=[created under this profile]:name: __pixgate_ask profiles profile' \
    '--limit=[only the newest n]:n: ' \
    '--all[include all accounts and environments, with separate sums]' \
    '--attempts[list every attempt, not each payment in its last state]' \
    '--unmask[show keys, names and tax documents of people unmasked]'
}

_pixgate__history__find() {
  _arguments -s -S : $__pixgate_globals \
    '--since=[created since: a duration like 7d, a day, or a time in any printed form]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[created on this day in São Paulo: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[created in this month in São Paulo: 11/2026 or 2026-11]:month: ' \
    '--kind=[qr, transfer, refund]:kind:(qr transfer refund)' \
    '--state=[not-sent, refused, accepted, unknown, paid, not-paid, returned]:state:(not-sent refused accepted unknown paid not-paid returned)' \
    '--amount=[of exactly this amount]:amount: ' \
    '--min=[of at least this amount]:amount: ' \
    '--max=[of at most this amount]:amount: ' \
    '--key=[to this PIX key, with or without its punctuation]:key: ' \
    '--name=[involving a person or company with this name]:words: ' \
    '--document=[with this CPF or CNPJ]:document: ' \
    '--reference=[of this batch reference, or with this external id or request number]:text: ' \
    '--by=[created by this user]:user: ' \
    '--for-profile=[created under this profile]:name: __pixgate_ask profiles profile' \
    '--limit=[only the newest n]:n: ' \
    '--all[include all accounts and environments, with separate sums]' \
    '--attempts[list every attempt, not each payment in its last state]' \
    '--unmask[show keys, names and tax documents of people unmasked]' \
    '*:words: '
}

_pixgate__history__show() {
  _arguments -s -S : $__pixgate_globals \
    '--receipt[show the receipt of a paid transfer or refund]' \
    '--png=[with --receipt: also write it as an image]:file:_files' \
    '--pdf=[with --receipt: also write it as a PDF]:file:_files' \
    '--lang=[language of the receipt: pt or en (default: pt)]:language:(pt en)' \
    '--unmask[show keys, names and tax documents of people unmasked]' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__history__check() {
  _arguments -s -S : $__pixgate_globals \
    '--since=[created since: a duration like 7d, a day, or a time in any printed form]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[created on this day in São Paulo: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[created in this month in São Paulo: 11/2026 or 2026-11]:month: ' \
    '--kind=[only qr, transfer, refund]:kind:(qr transfer refund)' \
    '--statement=[compare with a CSV or workbook from the bank or the gateway; its dates set the period; - for stdin]:file:_files' \
    '*--map=[which columns are id, amount, status, date: id=Código,amount=Valor]:pairs: ' \
    '--unmask[show keys, names and tax documents of people unmasked]' \
    '--accept-older[accept a ledger that lacks records, or is new to the account, for example after restoring a backup]'
}

_pixgate__history__import() {
  _arguments -s -S : $__pixgate_globals \
    '1:file:_files'
}

_pixgate__history__settle() {
  _arguments -s -S : $__pixgate_globals \
    '--as=[what you found: paid, not-paid, returned]:finding:(paid not-paid returned)' \
    '--because=[how you know]:text: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__history__backup() {
  _arguments -s -S : $__pixgate_globals \
    '1:file:_files'
}

_pixgate__history__export() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__webhook() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'verify:check a signature, and find out why it does not match'
    'listen:receive webhooks: verify, pretty-print, record, forward'
    'events:the webhooks recorded on this machine'
    'replay:deliver recorded events again, byte for byte or edited and re-signed'
    'send:send a correctly signed sample (or your own body) to a URL'
    'sign:print the signature of a body'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        verify) _pixgate__webhook__verify && ret=0 ;;
        listen) _pixgate__webhook__listen && ret=0 ;;
        events) _pixgate__webhook__events && ret=0 ;;
        replay) _pixgate__webhook__replay && ret=0 ;;
        send) _pixgate__webhook__send && ret=0 ;;
        sign) _pixgate__webhook__sign && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__webhook__verify() {
  _arguments -s -S : $__pixgate_globals \
    '--body=[the exact bytes of the body, - for standard input]:file:_files' \
    '*--signature=[the value of X-Signature]:value: ' \
    '--request=[a raw HTTP request or a line of `listen -o json`, - for standard input]:file:_files' \
    '--event=[a recorded event, by its number or idTransaction]:n|id: ' \
    '--recover=[write the bytes that were signed, if they are found]:file:_files'
}

_pixgate__webhook__listen() {
  _arguments -s -S : $__pixgate_globals \
    '--port=[port to listen on, 0 picks a free one]:port: ' \
    '--host=[address to listen on]:address: ' \
    '--path=[accept only this path (default: any)]:path: ' \
    '--forward-to=[forward every event, byte for byte, with its headers; without a path, to the path of the request]:url: ' \
    '--events=[show and forward only these]:a,b:(pix.received refund.status transfer.completed transfer.failed payment)' \
    '--max-events=[stop after this many events, duplicates not counted]:n: ' \
    '--for=[stop after this time (alias --timeout)]:duration: ' \
    '--timeout=[the same as --for]:duration: ' \
    '--allow-unsigned[also accept webhooks without a signature]' \
    '--print-body[print the body of every event]' \
    '*--header=[add a header to forwarded webhooks, repeatable]:name\:value: ' \
    '--drop-duplicates[do not forward an event a second time]' \
    '--fail-on-forward[exit 1 if a forward was refused or the target was not reached]' \
    '--unmask[show names and tax documents unmasked]' \
    '--inspect=[serve the page of `pixgate inspect`, with refused webhooks too (default port 4040)]::port: ' \
    '--public-url=[the address at which the gateway reaches this listener]:url: ' \
    '--tunnel=[command that makes it reachable and prints its URL; {port} is replaced by the port]:command: '
}

_pixgate__webhook__events() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'list:list the webhooks recorded on this machine'
    'show:show everything known about one recorded webhook'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '--since=[only those that arrived within this time: 30m, 1h, 7d]:duration: ' \
    '--last=[only this many of the newest]:count: ' \
    '--failed[only those that your server did not accept when they were forwarded]' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        list) _pixgate__webhook__events__list && ret=0 ;;
        show) _pixgate__webhook__events__show && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__webhook__events__list() {
  _arguments -s -S : $__pixgate_globals \
    '--since=[only those that arrived within this time: 30m, 1h, 7d]:duration: ' \
    '--last=[only this many of the newest]:count: ' \
    '--failed[only those that your server did not accept when they were forwarded]'
}

_pixgate__webhook__events__show() {
  _arguments -s -S : $__pixgate_globals \
    '--unmask[show names, tax documents and e-mail addresses unmasked]' \
    '--raw[write the exact bytes of the body to standard output, and nothing else]' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__webhook__replay() {
  _arguments -s -S : $__pixgate_globals \
    '--to=[target URL (default: the last forward target, the running listener, or the callback URL, in this order)]:url: ' \
    '--last[the newest event]' \
    '--failed[events whose last delivery was not answered with 2xx]' \
    '--since=[events that arrived within this time, such as 1h]:duration: ' \
    '--expect=[exit 0 if every answer has this status, 1 if any differs]:status: ' \
    '--body=[send these bytes instead, re-signed; - for standard input]:file:_files' \
    '*--set=[set a value in the body and re-sign it, repeatable]:path=value: ' \
    '*:event: '
}

_pixgate__webhook__send() {
  _arguments -s -S : $__pixgate_globals \
    '--to=[target URL (default: the running listener, else the callback URL)]:url: ' \
    '*--set=[set a value in the body, repeatable]:path=value: ' \
    '--body=[send these bytes, `-` for standard input]:file:_files' \
    '--times=[send the same bytes this many times]:n: ' \
    '--at-once[send them concurrently, not one after the other]' \
    '--unsigned[without a signature]' \
    '--bad-signature[with a wrong signature]' \
    '--signature-encoding=[hex or base64]:encoding:(hex base64)' \
    '--repeated-key[for refund.status: use the key idTransaction for both ids]' \
    '--webhook-style=[write the sample as a service in java, php, python or javascript does (default: java)]:language:(java php python javascript)' \
    '--expect=[exit 0 if the answer has this status, 1 if it differs]:status: ' \
    '--dry-run[print the exact request with its signature, and send nothing]' \
    '--curl[with --dry-run: print it as a curl command]' \
    '1:event:(pix.received refund.status transfer.completed transfer.failed payment)'
}

_pixgate__webhook__sign() {
  _arguments -s -S : $__pixgate_globals \
    '--body=[the bytes, `-` for standard input]:file:_files' \
    '--signature-encoding=[hex or base64]:encoding:(hex base64)'
}

_pixgate__inspect() {
  _arguments -s -S : $__pixgate_globals \
    '--port=[port to listen on, 0 picks a free one]:port: ' \
    '--unmask[show names, tax documents and e-mail addresses unmasked]'
}

_pixgate__sandbox() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'start:run the gateway on your machine until Ctrl-C'
    'exec:run a command against its own sandbox, then clean up'
    'pay:pay a QR code, as the payer would'
    'expire:expire an unpaid code'
    'cancel:cancel an unpaid code or a pending transfer'
    'chargeback:charge back a received payment, as the fraud procedure does'
    'return:return a transfer, as its receiver would'
    'deliver:deliver the last event of a transaction again'
    'fail:make a pending transfer or refund fail'
    'fault:make the next responses or deliveries fail'
    'advance:move the sandbox'\''s clock forward'
    'reset:delete all state, as in a new sandbox'
    'state:print the sandbox'\''s whole state'
    'requests:list the requests and their answers'
    'openapi:the OpenAPI document of the gateway'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '--port=[port to listen on, 0 picks a free one (default 4010)]:port: ' \
    '--host=[address to listen on (default 127.0.0.1)]:address: ' \
    '--client-id=[client id that it accepts (default local)]:id: ' \
    '--client-secret=[client secret that it accepts and signs with (default local-secret)]:secret: ' \
    '--hosted-status-rule[ids that begin with paid- are PAID, all others UNPAID]' \
    '--signature=[how X-Signature is written: hex or base64 (default hex)]:encoding:(hex base64)' \
    '--webhook-style=[how webhook bodies are written: java (10.50), php (10.5, \\/ and \\u00e3), python (", " and ": ", 10.0) or javascript (10.5, as JSON.stringify) (default java)]:language:(java php python javascript)' \
    '--status-key=[status or statusTransaction in the answer to a query (default status)]:name:(status statusTransaction)' \
    '--refund-event=[originalTransactionId or repeated-key (default originalTransactionId)]:style:(originalTransactionId repeated-key)' \
    '--deliver-attempts=[delivery attempts per webhook (default 3)]:n: ' \
    '--auto-pay=[pay every code after this time (default off)]:duration: ' \
    '--auto-settle=[settle refunds and transfers after this time (default 1s)]:duration: ' \
    '--latency=[minimum time for every answer (default 0)]:duration: ' \
    '*--allow-ip=[address that may make transfers, repeatable (default loopback)]:address: ' \
    '--balance=[initial balance (default 10000)]:amount: ' \
    '*--partner=[split partner to accept, repeatable (default any)]:name: ' \
    '--dashboard-webhook=[receives the general payment notifications]:url: ' \
    '--control-token=[lets callers beyond this machine control it, with Authorization: Bearer (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '--base-url-name=[host name in its address, such as the name of its container]:host: ' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        start) _pixgate__sandbox__start && ret=0 ;;
        exec) _pixgate__sandbox__exec && ret=0 ;;
        pay) _pixgate__sandbox__pay && ret=0 ;;
        expire) _pixgate__sandbox__expire && ret=0 ;;
        cancel) _pixgate__sandbox__cancel && ret=0 ;;
        chargeback) _pixgate__sandbox__chargeback && ret=0 ;;
        return) _pixgate__sandbox__return && ret=0 ;;
        deliver) _pixgate__sandbox__deliver && ret=0 ;;
        fail) _pixgate__sandbox__fail && ret=0 ;;
        fault) _pixgate__sandbox__fault && ret=0 ;;
        advance) _pixgate__sandbox__advance && ret=0 ;;
        reset) _pixgate__sandbox__reset && ret=0 ;;
        state) _pixgate__sandbox__state && ret=0 ;;
        requests) _pixgate__sandbox__requests && ret=0 ;;
        openapi) _pixgate__sandbox__openapi && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__sandbox__start() {
  _arguments -s -S : $__pixgate_globals \
    '--port=[port to listen on, 0 picks a free one (default 4010)]:port: ' \
    '--host=[address to listen on (default 127.0.0.1)]:address: ' \
    '--client-id=[client id that it accepts (default local)]:id: ' \
    '--client-secret=[client secret that it accepts and signs with (default local-secret)]:secret: ' \
    '--hosted-status-rule[ids that begin with paid- are PAID, all others UNPAID]' \
    '--signature=[how X-Signature is written: hex or base64 (default hex)]:encoding:(hex base64)' \
    '--webhook-style=[how webhook bodies are written: java (10.50), php (10.5, \\/ and \\u00e3), python (", " and ": ", 10.0) or javascript (10.5, as JSON.stringify) (default java)]:language:(java php python javascript)' \
    '--status-key=[status or statusTransaction in the answer to a query (default status)]:name:(status statusTransaction)' \
    '--refund-event=[originalTransactionId or repeated-key (default originalTransactionId)]:style:(originalTransactionId repeated-key)' \
    '--deliver-attempts=[delivery attempts per webhook (default 3)]:n: ' \
    '--auto-pay=[pay every code after this time (default off)]:duration: ' \
    '--auto-settle=[settle refunds and transfers after this time (default 1s)]:duration: ' \
    '--latency=[minimum time for every answer (default 0)]:duration: ' \
    '*--allow-ip=[address that may make transfers, repeatable (default loopback)]:address: ' \
    '--balance=[initial balance (default 10000)]:amount: ' \
    '*--partner=[split partner to accept, repeatable (default any)]:name: ' \
    '--dashboard-webhook=[receives the general payment notifications]:url: ' \
    '--control-token=[lets callers beyond this machine control it, with Authorization: Bearer (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '--base-url-name=[host name in its address, such as the name of its container]:host: '
}

_pixgate__sandbox__exec() {
  _arguments -s -S : $__pixgate_globals \
    '*--env=[also set the address of the sandbox in this variable, repeatable]:name: ' \
    '--log=[write its requests and deliveries to this file, one line of JSON each]:file:_files' \
    '--port=[port to listen on, 0 picks a free one (default 0)]:port: ' \
    '--host=[address to listen on (default 127.0.0.1)]:address: ' \
    '--client-id=[client id that it accepts (default local)]:id: ' \
    '--client-secret=[client secret that it accepts and signs with (default local-secret)]:secret: ' \
    '--hosted-status-rule[ids that begin with paid- are PAID, all others UNPAID]' \
    '--signature=[how X-Signature is written: hex or base64 (default hex)]:encoding:(hex base64)' \
    '--webhook-style=[how webhook bodies are written: java (10.50), php (10.5, \\/ and \\u00e3), python (", " and ": ", 10.0) or javascript (10.5, as JSON.stringify) (default java)]:language:(java php python javascript)' \
    '--status-key=[status or statusTransaction in the answer to a query (default status)]:name:(status statusTransaction)' \
    '--refund-event=[originalTransactionId or repeated-key (default originalTransactionId)]:style:(originalTransactionId repeated-key)' \
    '--deliver-attempts=[delivery attempts per webhook (default 3)]:n: ' \
    '--auto-pay=[pay every code after this time (default off)]:duration: ' \
    '--auto-settle=[settle refunds and transfers after this time (default 1s)]:duration: ' \
    '--latency=[minimum time for every answer (default 0)]:duration: ' \
    '*--allow-ip=[address that may make transfers, repeatable (default loopback)]:address: ' \
    '--balance=[initial balance (default 10000)]:amount: ' \
    '*--partner=[split partner to accept, repeatable (default any)]:name: ' \
    '--dashboard-webhook=[receives the general payment notifications]:url: ' \
    '--control-token=[lets callers beyond this machine control it, with Authorization: Bearer (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '--base-url-name=[host name in its address, such as the name of its container]:host: ' \
    '*::command:__pixgate_command_line'
}

_pixgate__sandbox__pay() {
  _arguments -s -S : $__pixgate_globals \
    '--late[pay it even if it has expired or was cancelled]' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__expire() {
  _arguments -s -S : $__pixgate_globals \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__cancel() {
  _arguments -s -S : $__pixgate_globals \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__chargeback() {
  _arguments -s -S : $__pixgate_globals \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__return() {
  _arguments -s -S : $__pixgate_globals \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__deliver() {
  _arguments -s -S : $__pixgate_globals \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__fail() {
  _arguments -s -S : $__pixgate_globals \
    '--error-code=[error code in transfer.failed (default PIX_KEY_NOT_FOUND)]:code:(NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT)' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__fault() {
  _arguments -s -S : $__pixgate_globals \
    '--times=[how many times]:n: ' \
    '--async[accept the transfer, then make it fail with this code]' \
    '--on=[only for transfer, refund, qr or status, or for one id, external id, request number or key]:target:(transfer refund qr status)' \
    '1:kind:(status\:500 drop-before drop-after slow\:10s garbage html garbage-before html-before NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT webhook\:lost webhook\:twice webhook\:late\:10s webhook\:reorder webhook\:unsigned webhook\:bad-signature)'
}

_pixgate__sandbox__advance() {
  _arguments -s -S : $__pixgate_globals \
    '1:duration: '
}

_pixgate__sandbox__reset() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__sandbox__state() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__sandbox__requests() {
  _arguments -s -S : $__pixgate_globals \
    '--failed[only those that were refused or not answered]'
}

_pixgate__sandbox__openapi() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__profile() {
  local curcontext="$curcontext" state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'add:store credentials'
    'list:list all stored profiles'
    'show:show a profile and where its values come from'
    'use:choose the active profile'
    'edit:change a stored profile'
    'remove:remove a profile and its secret'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'pixgate command' below && ret=0 ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        add) _pixgate__profile__add && ret=0 ;;
        list) _pixgate__profile__list && ret=0 ;;
        show) _pixgate__profile__show && ret=0 ;;
        use) _pixgate__profile__use && ret=0 ;;
        edit) _pixgate__profile__edit && ret=0 ;;
        remove) _pixgate__profile__remove && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__profile__add() {
  _arguments -s -S : $__pixgate_globals \
    '--environment=[sandbox or production (default: sandbox for a local address, else production)]:kind:(sandbox production)' \
    '--base-url=[the gateway'\''s base address]:url: ' \
    '--client-id=[client id of the account (the ci header)]:id: ' \
    '--callback-url=[default URL for webhook events]:url: ' \
    '--max-amount=[largest amount of one payment]:amount: ' \
    '--max-day=[largest total per day (São Paulo time)]:amount: ' \
    '--read-only[refuse every command that moves money or signs]' \
    '--company=[company that the account belongs to]:name: ' \
    '--company-document=[CPF or CNPJ of the company]:document: ' \
    '--confirm-host=[in a script: confirm a remote sandbox, or a less strict production profile]:host: ' \
    '--client-secret-stdin[read the secret from standard input, or from a hidden prompt on a terminal]' \
    '--client-secret-env=[read the secret from this variable at every use; only the name is stored]:VAR: ' \
    '--client-secret-command=[run this command at every use to print the secret]:cmd: ' \
    '--keychain[store the secret in the system keychain; read it like --client-secret-stdin]' \
    '1:name: '
}

_pixgate__profile__list() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__profile__show() {
  _arguments -s -S : $__pixgate_globals \
    '1:name: __pixgate_ask profiles profile'
}

_pixgate__profile__use() {
  _arguments -s -S : $__pixgate_globals \
    '1:name: __pixgate_ask profiles profile'
}

_pixgate__profile__edit() {
  _arguments -s -S : $__pixgate_globals \
    '--name=[new name]:new-name: ' \
    '--environment=[sandbox or production (default: sandbox for a local address, else production)]:kind:(sandbox production)' \
    '--base-url=[the gateway'\''s base address]:url: ' \
    '--client-id=[client id of the account (the ci header)]:id: ' \
    '--callback-url=[default URL for webhook events]:url: ' \
    '--max-amount=[largest amount of one payment]:amount: ' \
    '--max-day=[largest total per day (São Paulo time)]:amount: ' \
    '--read-only[refuse every command that moves money or signs]' \
    '--company=[company that the account belongs to]:name: ' \
    '--company-document=[CPF or CNPJ of the company]:document: ' \
    '--confirm-host=[in a script: confirm a remote sandbox, or a less strict production profile]:host: ' \
    '--client-secret-stdin[read the secret from standard input, or from a hidden prompt on a terminal]' \
    '--client-secret-env=[read the secret from this variable at every use; only the name is stored]:VAR: ' \
    '--client-secret-command=[run this command at every use to print the secret]:cmd: ' \
    '--keychain[store the secret in the system keychain; read it like --client-secret-stdin]' \
    '--no-callback-url[remove the callback URL]' \
    '--no-max-amount[remove the limit per payment]' \
    '--no-max-day[remove the limit per day]' \
    '--no-read-only[allow commands that move money or sign]' \
    '--no-company[remove the company]' \
    '--no-company-document[remove the CPF or CNPJ of the company]' \
    '1:profile: __pixgate_ask profiles profile'
}

_pixgate__profile__remove() {
  _arguments -s -S : $__pixgate_globals \
    '1:name: __pixgate_ask profiles profile'
}

_pixgate__schema() {
  _arguments -s -S : $__pixgate_globals \
    '1:name:(pix.received refund.status transfer.completed transfer.failed payment qr-create refund transfer status dry-run error doctor demo qr-decode qr-draw webhook-verify webhook-sign profile-list profile-show profile-add profile-edit profile-use profile-remove schema batch-transfer batch-refund resume batch-list batch-report batch-show history history-find history-show history-settle history-check history-import history-backup history-export webhook-listen inspect webhook-events webhook-events-show webhook-send webhook-replay sandbox-start sandbox-control sandbox-state sandbox-reset sandbox-fault sandbox-advance sandbox-requests)'
}

_pixgate__doctor() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__completion() {
  _arguments -s -S : $__pixgate_globals \
    '1:shell:(bash zsh fish powershell)'
}

if [[ $funcstack[1] == _pixgate ]]; then
  _pixgate "$@"
else
  compdef _pixgate pixgate
fi
