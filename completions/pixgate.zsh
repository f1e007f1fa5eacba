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
  '--lang=[en or pt-BR: language of what people read (env PIXGATE_LANG)]:language:(en pt-BR)'
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
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'qr:create, draw and read PIX QR codes'
    'refund:refund all or part of a received payment'
    'transfer:send a PIX transfer to a PIX key (cash-out)'
    'batch:send transfers or refunds from a CSV file or a workbook'
    'plan:payments that wait for a second person'
    'resume:continue what was interrupted or has an unknown outcome'
    'status:show what is known about one or many transactions'
    'history:recorded payments, and their results'
    'webhook:verify, receive, send and replay webhooks'
    'inspect:events and payments in a browser'
    'demo:the whole service, live, in your terminal'
    'sandbox:the gateway on your machine'
    'payee:the people and companies that are paid'
    'ledger:one ledger for a team, on PostgreSQL'
    'profile:store and select credentials'
    'doctor:check the setup: what is wrong and how to fix it'
    'schema:JSON Schemas of the events and of every JSON output'
    'lang:show or store the language'
    'completion:print the completion script for a shell'
    'help:help on a command or a topic'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '(-V --version)'{-V,--version}'[output the version number]' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        qr) _pixgate__qr && ret=0 ;;
        refund) _pixgate__refund && ret=0 ;;
        transfer) _pixgate__transfer && ret=0 ;;
        batch) _pixgate__batch && ret=0 ;;
        plan) _pixgate__plan && ret=0 ;;
        resume) _pixgate__resume && ret=0 ;;
        status) _pixgate__status && ret=0 ;;
        history) _pixgate__history && ret=0 ;;
        webhook) _pixgate__webhook && ret=0 ;;
        inspect) _pixgate__inspect && ret=0 ;;
        demo) _pixgate__demo && ret=0 ;;
        sandbox) _pixgate__sandbox && ret=0 ;;
        payee) _pixgate__payee && ret=0 ;;
        ledger) _pixgate__ledger && ret=0 ;;
        profile) _pixgate__profile && ret=0 ;;
        doctor) _pixgate__doctor && ret=0 ;;
        schema) _pixgate__schema && ret=0 ;;
        lang) _pixgate__lang && ret=0 ;;
        completion) _pixgate__completion && ret=0 ;;
        help) _pixgate__help && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__qr() {
  local curcontext="$curcontext" expl state line ret=1
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
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
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
    '--callback-url=[where its events are sent; listen: the running listener (default: from the profile)]:url: ' \
    '--shipping-amount=[shipping amount in reais]:amount: ' \
    '--checkout-user=[checkout user, for identification]:name: ' \
    '--payer-name=[name of the payer]:name: ' \
    '--payer-tax-id=[CPF or CNPJ of the payer]:document: ' \
    '--payer-email=[e-mail address of the payer]:address: ' \
    '--split-username=[partner who receives a share]:name: ' \
    '--split-percentage=[share of the partner, above 0 and at most 100]:number: ' \
    '--from=[JSON request body, - for stdin; options come first]:file:_files' \
    '--png=[write the image that the gateway returns]:file:_files' \
    '--qr[draw the code into a file or pipe, too]' \
    '--no-qr[do not draw the code]' \
    '--again[allow a request number that was used before]' \
    '--wait=[wait until it is paid, expired or cancelled (default 15m)]::duration: ' \
    '--interval=[pause between two queries while waiting]:duration: ' \
    '--dry-run[print the exact request, and send nothing]'
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
    '--callback-url=[where its events are sent; listen: the running listener (default: from the profile)]:url: ' \
    '--id-field=[field for the id of the payment: originalTransactionId, idTransaction, both]:name:(originalTransactionId idTransaction both)' \
    '--skip-query[do not query the payment first; what the ledger knows of it still counts]' \
    '--despite-chargeback[refund the payment although a chargeback of it is known]' \
    '--again[allow a repeat of an earlier refund, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier refund (repeatable)]:id: ' \
    '--wait=[wait for the event with the result (default 15m)]::duration: ' \
    '--dry-run[apply every rule, show the request, send nothing]' \
    '--plan=[sign a plan for a second person; send nothing]::file:_files' \
    '--expires=[with --plan: how long it can be sent (default 24h)]:duration: ' \
    '--ssh-key=[with --plan: SSH key to sign with]:file:_files' \
    '1:original-id: __pixgate_ask ids id'
}

_pixgate__transfer() {
  _arguments -s -S : $__pixgate_globals \
    '--key=[PIX key of the receiver, see `pixgate help keys`]:key: ' \
    '--to=[payee, in place of a key and its owner]:name: __pixgate_ask payees payee' \
    '--amount=[amount in reais, such as 1.234,56 (alias --value)]:amount: ' \
    '--value=[alias of --amount]:amount: ' \
    '--key-type=[document, phoneNumber, email, randomKey, paymentCode (default: detected)]:type:(document phoneNumber email randomKey paymentCode)' \
    '--external-id=[your id for this transfer; the gateway carries out each id only once (default: generated)]:id: ' \
    '--owner=[CPF or CNPJ that must own the key (alias --document)]:document: ' \
    '--document=[alias of --owner]:document: ' \
    '--callback-url=[where its events are sent; listen: the running listener (default: from the profile)]:url: ' \
    '--again[allow a repeat of an earlier payment, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:external-id: ' \
    '--retry=[send a transfer with an unknown outcome again, like pixgate resume]:external-id: ' \
    '--include-unknown[with --retry: also if it was sent over 24 hours ago]' \
    '--wait=[wait for the event with the result (default 65m)]::duration: ' \
    '--dry-run[apply every rule, show the request, send nothing]' \
    '--plan=[sign a plan for a second person; send nothing]::file:_files' \
    '--expires=[with --plan: how long it can be sent (default 24h)]:duration: ' \
    '--ssh-key=[with --plan: SSH key to sign with]:file:_files'
}

_pixgate__batch() {
  local curcontext="$curcontext" expl state line ret=1
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
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
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
    '*--map=[column of a field, such as value=valor (repeatable)]:field=column: ' \
    '*--ignore-column=[column of amounts, or of a known heading, not to use (repeatable)]:name: ' \
    '--sheet=[sheet of a workbook (default: first with the columns)]:name: ' \
    '--header-row=[row of the header (default: it is found)]:n: ' \
    '--include-hidden[send hidden rows and columns of a workbook too]' \
    '--skip-hidden[leave out hidden and filtered rows of a workbook]' \
    '--reference=[what the payments are for; their ids depend on it (default: the file name)]:text: ' \
    '--callback-url=[where events are sent; listen: the running listener (default: from the profile)]:url: ' \
    '--file-changed[send although sent rows are no longer in the file]' \
    '--dry-run[apply every rule, print the totals, send nothing]' \
    '--limit=[send at most n rows now; resume sends the rest]:n: ' \
    '--concurrency=[requests at once, up to 64]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m]:rate: ' \
    '--stop-after=[stop after n rows in a row that were not accepted]:n: ' \
    '--results=[write the result of every row to a CSV file]:file:_files' \
    '--excel[with --results: as a Brazilian spreadsheet reads it]' \
    '--again[allow repeats of earlier payments, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--plan=[sign a plan for a second person; send nothing]::file:_files' \
    '--expires=[with --plan: how long it can be sent (default 24h)]:duration: ' \
    '--ssh-key=[with --plan: SSH key to sign with]:file:_files' \
    '--rehearse[run it in a sandbox with faults; no money moves]' \
    '--seed=[with --rehearse: repeat the faults of an earlier one]:n: ' \
    '1:file:_files'
}

_pixgate__batch__refund() {
  _arguments -s -S : $__pixgate_globals \
    '*--map=[column of a field, such as value=valor (repeatable)]:field=column: ' \
    '*--ignore-column=[column of amounts, or of a known heading, not to use (repeatable)]:name: ' \
    '--sheet=[sheet of a workbook (default: first with the columns)]:name: ' \
    '--header-row=[row of the header (default: it is found)]:n: ' \
    '--include-hidden[send hidden rows and columns of a workbook too]' \
    '--skip-hidden[leave out hidden and filtered rows of a workbook]' \
    '--reference=[what the payments are for; their ids depend on it (default: the file name)]:text: ' \
    '--callback-url=[where events are sent; listen: the running listener (default: from the profile)]:url: ' \
    '--file-changed[send although sent rows are no longer in the file]' \
    '--dry-run[apply every rule, print the totals, send nothing]' \
    '--limit=[send at most n rows now; resume sends the rest]:n: ' \
    '--concurrency=[requests at once, up to 64]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m]:rate: ' \
    '--stop-after=[stop after n rows in a row that were not accepted]:n: ' \
    '--results=[write the result of every row to a CSV file]:file:_files' \
    '--excel[with --results: as a Brazilian spreadsheet reads it]' \
    '--again[allow repeats of earlier payments, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--plan=[sign a plan for a second person; send nothing]::file:_files' \
    '--expires=[with --plan: how long it can be sent (default 24h)]:duration: ' \
    '--ssh-key=[with --plan: SSH key to sign with]:file:_files' \
    '--reason=[reason for refunds whose row has none]:text: ' \
    '--full[refund all that is left if a row has no amount]' \
    '--skip-query[do not query the payments first; what the ledger knows of them still counts]' \
    '--despite-chargeback[refund payments although a chargeback of them is known]' \
    '1:file:_files'
}

_pixgate__batch__list() {
  _arguments -s -S : $__pixgate_globals \
    '--limit=[only the newest n]:n: ' \
    '--all-rows[on a terminal, too, all rows: not only the newest 30]'
}

_pixgate__batch__show() {
  _arguments -s -S : $__pixgate_globals \
    '1:run: '
}

_pixgate__batch__report() {
  _arguments -s -S : $__pixgate_globals \
    '--out=[a new file, which will be a workbook]:file.xlsx: ' \
    '1:run: '
}

_pixgate__batch__resume() {
  _arguments -s -S : $__pixgate_globals \
    '--refused[for a run: also send refused and failed rows, each as a new attempt]' \
    '--include-unknown[send refunds with an unknown outcome too, and transfers that were sent more than 24 hours ago]' \
    '--despite-chargeback[refund payments although a chargeback of them is known]' \
    '--limit=[send at most n rows now; resume sends the rest]:n: ' \
    '--concurrency=[requests at once, up to 64 (default: the run'\''s own)]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m (default: the run'\''s own)]:rate: ' \
    '--stop-after=[stop after n rows in a row that were not accepted (default: the run'\''s own)]:n: ' \
    '--results=[write the result of every row to a CSV file (default: the run'\''s own)]:file:_files' \
    '--excel[with --results: as a Brazilian spreadsheet reads it]' \
    '--again[allow repeats of earlier payments, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--plan=[sign a plan for a second person; send nothing]::file:_files' \
    '--expires=[with --plan: how long it can be sent (default 24h)]:duration: ' \
    '--ssh-key=[with --plan: SSH key to sign with]:file:_files' \
    '--dry-run[apply every rule, print what would be sent, and send nothing]' \
    '1:run: '
}

_pixgate__plan() {
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'list:the plans of the active account and their state'
    'show:show what a plan pays'
    'approve:approve a plan that somebody else made'
    'reject:reject a plan'
    'send:send an approved plan'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        list) _pixgate__plan__list && ret=0 ;;
        show) _pixgate__plan__show && ret=0 ;;
        approve) _pixgate__plan__approve && ret=0 ;;
        reject) _pixgate__plan__reject && ret=0 ;;
        send) _pixgate__plan__send && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__plan__list() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__plan__show() {
  _arguments -s -S : $__pixgate_globals \
    '1:plan:_files'
}

_pixgate__plan__approve() {
  _arguments -s -S : $__pixgate_globals \
    '--ssh-key=[SSH key to sign with (default: the agent'\''s, else the usual file)]:file:_files' \
    '1:plan:_files'
}

_pixgate__plan__reject() {
  _arguments -s -S : $__pixgate_globals \
    '--because=[why, for its maker and the ledger]:text: ' \
    '1:plan:_files'
}

_pixgate__plan__send() {
  _arguments -s -S : $__pixgate_globals \
    '--watch[send plans of the shared ledger as they are approved, without a question]' \
    '1:plan:_files'
}

_pixgate__resume() {
  _arguments -s -S : $__pixgate_globals \
    '--refused[for a run: also send refused and failed rows, each as a new attempt]' \
    '--include-unknown[send refunds with an unknown outcome too, and transfers that were sent more than 24 hours ago]' \
    '--despite-chargeback[refund payments although a chargeback of them is known]' \
    '--limit=[send at most n rows now; resume sends the rest]:n: ' \
    '--concurrency=[requests at once, up to 64 (default: the run'\''s own)]:n: ' \
    '--rate=[maximum rate: 10/s or 300/m (default: the run'\''s own)]:rate: ' \
    '--stop-after=[stop after n rows in a row that were not accepted (default: the run'\''s own)]:n: ' \
    '--results=[write the result of every row to a CSV file (default: the run'\''s own)]:file:_files' \
    '--excel[with --results: as a Brazilian spreadsheet reads it]' \
    '--again[allow repeats of earlier payments, in a sandbox]' \
    '*--in-addition-to=[allow a repeat of this earlier payment (repeatable)]:id: ' \
    '--plan=[sign a plan for a second person; send nothing]::file:_files' \
    '--expires=[with --plan: how long it can be sent (default 24h)]:duration: ' \
    '--ssh-key=[with --plan: SSH key to sign with]:file:_files' \
    '--dry-run[apply every rule, print the exact request, secrets redacted, or the rows of a run to send, and send nothing]' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__status() {
  _arguments -s -S : $__pixgate_globals \
    '--wait=[wait until the status is final (default 15m, of a transfer 65m)]::duration: ' \
    '--interval=[pause between two queries while waiting]:duration: ' \
    '--expect=[exit 1 if the status is different]:STATUS:(PAID EXPIRED CANCELLED REFUNDED)' \
    '--from=[ids, one a line; a CSV or workbook with idTransaction and what you expect as amount and status; or the results of a batch; - for stdin]:file:_files' \
    '--unmask[show keys and tax documents of people unmasked]' \
    '*:id: __pixgate_ask ids id'
}

_pixgate__history() {
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'list:the payments of the active account, each in its last state'
    'find:search by names, keys, ids, amounts and days'
    'show:show everything known about one payment'
    'report:write the month for the accountant'
    'check:check the ledger, and compare it with the gateway or a statement'
    'import:import events that your own receiver stored'
    'settle:record what you found out about a payment'
    'backup:copy the ledger to a new file'
    'export:print all records as NDJSON'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '--since=[created since: 7d, a day, or a time as it is printed]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[on this day: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[in this month: 11/2026 or 2026-11]:month: ' \
    '--kind=[qr, transfer, refund]:kind:(qr transfer refund)' \
    '--state=[not-sent, refused, accepted, unknown, paid, not-paid, returned]:state:(not-sent refused accepted unknown paid not-paid returned)' \
    '--amount=[of exactly this amount]:amount: ' \
    '--min=[of at least this amount]:amount: ' \
    '--max=[of at most this amount]:amount: ' \
    '--key=[to this PIX key, with or without its punctuation]:key: ' \
    '--name=[involving a person or company with this name]:words: ' \
    '--document=[with this CPF or CNPJ]:document: ' \
    '--reference=[of this reference, external id or request number]:text: ' \
    '--by=[created by this user]:user: ' \
    '--for-profile=[created under this profile]:name: __pixgate_ask profiles profile' \
    '--limit=[only the newest n]:n: ' \
    '--all[all accounts and environments, with separate sums]' \
    '--attempts[every attempt, not each payment in its last state]' \
    '--all-rows[on a terminal, too, all rows: not only the newest 30]' \
    '--excel[with -o csv: local times and decimal commas, for a spreadsheet]' \
    '--unmask[show keys and tax documents of people unmasked]' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        list) _pixgate__history__list && ret=0 ;;
        find) _pixgate__history__find && ret=0 ;;
        show) _pixgate__history__show && ret=0 ;;
        report) _pixgate__history__report && ret=0 ;;
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
    '--since=[created since: 7d, a day, or a time as it is printed]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[on this day: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[in this month: 11/2026 or 2026-11]:month: ' \
    '--kind=[qr, transfer, refund]:kind:(qr transfer refund)' \
    '--state=[not-sent, refused, accepted, unknown, paid, not-paid, returned]:state:(not-sent refused accepted unknown paid not-paid returned)' \
    '--amount=[of exactly this amount]:amount: ' \
    '--min=[of at least this amount]:amount: ' \
    '--max=[of at most this amount]:amount: ' \
    '--key=[to this PIX key, with or without its punctuation]:key: ' \
    '--name=[involving a person or company with this name]:words: ' \
    '--document=[with this CPF or CNPJ]:document: ' \
    '--reference=[of this reference, external id or request number]:text: ' \
    '--by=[created by this user]:user: ' \
    '--for-profile=[created under this profile]:name: __pixgate_ask profiles profile' \
    '--limit=[only the newest n]:n: ' \
    '--all[all accounts and environments, with separate sums]' \
    '--attempts[every attempt, not each payment in its last state]' \
    '--all-rows[on a terminal, too, all rows: not only the newest 30]' \
    '--excel[with -o csv: local times and decimal commas, for a spreadsheet]' \
    '--unmask[show keys and tax documents of people unmasked]'
}

_pixgate__history__find() {
  _arguments -s -S : $__pixgate_globals \
    '--since=[created since: 7d, a day, or a time as it is printed]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[on this day: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[in this month: 11/2026 or 2026-11]:month: ' \
    '--kind=[qr, transfer, refund]:kind:(qr transfer refund)' \
    '--state=[not-sent, refused, accepted, unknown, paid, not-paid, returned]:state:(not-sent refused accepted unknown paid not-paid returned)' \
    '--amount=[of exactly this amount]:amount: ' \
    '--min=[of at least this amount]:amount: ' \
    '--max=[of at most this amount]:amount: ' \
    '--key=[to this PIX key, with or without its punctuation]:key: ' \
    '--name=[involving a person or company with this name]:words: ' \
    '--document=[with this CPF or CNPJ]:document: ' \
    '--reference=[of this reference, external id or request number]:text: ' \
    '--by=[created by this user]:user: ' \
    '--for-profile=[created under this profile]:name: __pixgate_ask profiles profile' \
    '--limit=[only the newest n]:n: ' \
    '--all[all accounts and environments, with separate sums]' \
    '--attempts[every attempt, not each payment in its last state]' \
    '--all-rows[on a terminal, too, all rows: not only the newest 30]' \
    '--excel[with -o csv: local times and decimal commas, for a spreadsheet]' \
    '--unmask[show keys and tax documents of people unmasked]' \
    '*:words: '
}

_pixgate__history__show() {
  _arguments -s -S : $__pixgate_globals \
    '--receipt[show the receipt of a paid transfer or refund]' \
    '--pdf=[with --receipt: also write it as a PDF]:file:_files' \
    '--unmask[accepted as in lists; nothing is masked here]' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__history__report() {
  _arguments -s -S : $__pixgate_globals \
    '--month=[the month in São Paulo: 11/2026 or 2026-11]:month: ' \
    '--out=[a new file, which will be a workbook]:file.xlsx: '
}

_pixgate__history__check() {
  _arguments -s -S : $__pixgate_globals \
    '--since=[created since: 7d, a day, or a time as it is printed]:when: ' \
    '--until=[created until this time; a day is included in full]:when: ' \
    '--day=[on this day: today, yesterday, 21/11/2026 or 2026-11-21]:day: ' \
    '--month=[in this month: 11/2026 or 2026-11]:month: ' \
    '--kind=[only qr, transfer, refund]:kind:(qr transfer refund)' \
    '--statement=[compare with a statement of the bank or the gateway: OFX, CSV or .xlsx; its dates set the period; - for stdin]:file:_files' \
    '*--map=[which columns hold what: id=Código,amount=Valor; or debit=…,credit=…]:pairs: ' \
    '*--ignore=[leave out lines with this text, such as fees: TARIFA; repeatable]:text: ' \
    '--unmask[show keys and tax documents of people unmasked]' \
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
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'verify:check a signature, and find out why it does not match'
    'listen:receive webhooks: verify, pretty-print, record, forward'
    'events:the webhooks recorded on this machine'
    'replay:deliver recorded events again, byte for byte or edited and re-signed'
    'send:send a correctly signed sample (or your own body) to a URL'
    'check:does a server receive webhooks correctly?'
    'sign:print the signature of a body'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        verify) _pixgate__webhook__verify && ret=0 ;;
        listen) _pixgate__webhook__listen && ret=0 ;;
        events) _pixgate__webhook__events && ret=0 ;;
        replay) _pixgate__webhook__replay && ret=0 ;;
        send) _pixgate__webhook__send && ret=0 ;;
        check) _pixgate__webhook__check && ret=0 ;;
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
    '--last-refused=[one that a listener refused: the newest, or the nth newest]::n: ' \
    '--recover=[write the bytes that were signed, if they are found]:file:_files'
}

_pixgate__webhook__listen() {
  _arguments -s -S : $__pixgate_globals \
    '--port=[port to listen on, 0 picks a free one (default 4242)]:port: ' \
    '--host=[address to listen on]:address: ' \
    '--path=[accept only this path (default: any)]:path: ' \
    '--forward-to=[forward every event that no --route takes, byte for byte; without a path, to the path of the request]:url: ' \
    '*--route=[forward this event there; `pix.*` matches; repeatable]:event=url: ' \
    '--events=[show and forward only these]:a,b:(pix.received refund.status transfer.completed transfer.failed payment)' \
    '--max-events=[stop after this many events, duplicates not counted]:n: ' \
    '--for=[stop after this time (alias --timeout)]:duration: ' \
    '--timeout=[the same as --for]:duration: ' \
    '--allow-unsigned[also accept webhooks without a signature]' \
    '--print-body[print the body of every event]' \
    '*--header=[add a header to forwarded webhooks, repeatable]:name\:value: ' \
    '--drop-duplicates[do not forward an event a second time]' \
    '--fail-on-forward[exit 1 if a forward was refused or did not arrive]' \
    '--unmask[show tax documents unmasked]' \
    '--inspect=[serve the page of `pixgate inspect` (default port 4040)]::port: ' \
    '--public-url=[the address at which the gateway reaches this listener]:url: ' \
    '--tunnel=[command that prints a public URL; it knows {port}]:command: '
}

_pixgate__webhook__events() {
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'list:list the webhooks recorded on this machine'
    'show:show everything known about one recorded webhook'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '--since=[only those that arrived within this time: 30m, 1h, 7d]:duration: ' \
    '--last=[only this many of the newest]:count: ' \
    '--all-rows[on a terminal, too, all rows: not only the newest 30]' \
    '--failed[only those that your server did not accept when they were forwarded]' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
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
    '--all-rows[on a terminal, too, all rows: not only the newest 30]' \
    '--failed[only those that your server did not accept when they were forwarded]'
}

_pixgate__webhook__events__show() {
  _arguments -s -S : $__pixgate_globals \
    '--unmask[accepted as in lists; nothing is masked here]' \
    '--raw[write the exact bytes of the body to standard output, and nothing else]' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__webhook__replay() {
  _arguments -s -S : $__pixgate_globals \
    '--to=[target URL (default: the last forward target, the running listener, or the callback URL, in this order)]:url: ' \
    '--last[the newest event]' \
    '--failed[events whose last delivery was not answered 200 within 5 s]' \
    '--since=[events that arrived within this time, such as 1h]:duration: ' \
    '--expect=[exit 0 if every answer has this status within 5 s, 1 if any differs]:status: ' \
    '--body=[send these bytes instead, re-signed; - for standard input]:file:_files' \
    '*--set=[set a value in the body and re-sign it, repeatable]:path=value: ' \
    '--dry-run[print the exact request of one event, and send nothing]' \
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
    '--repeated-key[refund.status: both ids under idTransaction]' \
    '--webhook-style=[as java (default), php, python or javascript do]:language:(java php python javascript)' \
    '--expect=[exit 0 if the answer has this status within 5 s, else 1]:status: ' \
    '--dry-run[print the exact signed request, and send nothing]' \
    '--curl[with --dry-run: print it as a curl command]' \
    '1:event:(pix.received refund.status transfer.completed transfer.failed payment)'
}

_pixgate__webhook__check() {
  _arguments -s -S : $__pixgate_globals \
    '--state-url=[shows what was credited; read before and after deliveries that change nothing]:url: ' \
    '*--set=[set a value in every sample, repeatable]:path=value: ' \
    '*--header=[add a header, repeatable]:name\:value: ' \
    '--signature-encoding=[hex or base64]:encoding:(hex base64)' \
    '1:url: '
}

_pixgate__webhook__sign() {
  _arguments -s -S : $__pixgate_globals \
    '--body=[the bytes, `-` for standard input]:file:_files' \
    '--signature-encoding=[hex or base64]:encoding:(hex base64)'
}

_pixgate__inspect() {
  _arguments -s -S : $__pixgate_globals \
    '--port=[port to listen on, 0 picks a free one]:port: ' \
    '--unmask[show keys, tax documents and e-mail addresses unmasked]'
}

_pixgate__demo() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__sandbox() {
  local curcontext="$curcontext" expl state line ret=1
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
    '--hosted-status-rule[ids that begin with paid- are PAID, others UNPAID]' \
    '--signature=[hex or base64 in X-Signature (default hex)]:encoding:(hex base64)' \
    '--webhook-style=[write webhook bodies as java (10.50), php (10.5), python (10.0) or javascript do (default java)]:language:(java php python javascript)' \
    '--status-key=[status (default) or statusTransaction in answers]:name:(status statusTransaction)' \
    '--refund-event=[originalTransactionId (default) or repeated-key]:style:(originalTransactionId repeated-key)' \
    '--deliver-attempts=[delivery attempts per webhook (default 3)]:n: ' \
    '--deliver-delays=[times before further attempts (default 1s,5s)]:list: ' \
    '--auto-pay=[pay every code after this time (default off)]:duration: ' \
    '--auto-settle=[settle refunds, transfers after it (default 1s)]:duration: ' \
    '--latency=[minimum time for every answer (default 0)]:duration: ' \
    '*--allow-ip=[address that may make transfers, repeatable (default loopback)]:address: ' \
    '--seed=[the same transaction ids and codes in each run]:text: ' \
    '--now=[time at which its clock starts (default: the real one)]:time: ' \
    '--balance=[initial balance (default 10000)]:amount: ' \
    '*--partner=[split partner to accept, repeatable (default any)]:name: ' \
    '--dashboard-webhook=[receives the general payment notifications]:url: ' \
    '--control-token=[lets other machines control it, as a bearer token (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '--base-url-name=[host name in its address, such as its container]:host: ' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
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
    '--hosted-status-rule[ids that begin with paid- are PAID, others UNPAID]' \
    '--signature=[hex or base64 in X-Signature (default hex)]:encoding:(hex base64)' \
    '--webhook-style=[write webhook bodies as java (10.50), php (10.5), python (10.0) or javascript do (default java)]:language:(java php python javascript)' \
    '--status-key=[status (default) or statusTransaction in answers]:name:(status statusTransaction)' \
    '--refund-event=[originalTransactionId (default) or repeated-key]:style:(originalTransactionId repeated-key)' \
    '--deliver-attempts=[delivery attempts per webhook (default 3)]:n: ' \
    '--deliver-delays=[times before further attempts (default 1s,5s)]:list: ' \
    '--auto-pay=[pay every code after this time (default off)]:duration: ' \
    '--auto-settle=[settle refunds, transfers after it (default 1s)]:duration: ' \
    '--latency=[minimum time for every answer (default 0)]:duration: ' \
    '*--allow-ip=[address that may make transfers, repeatable (default loopback)]:address: ' \
    '--seed=[the same transaction ids and codes in each run]:text: ' \
    '--now=[time at which its clock starts (default: the real one)]:time: ' \
    '--balance=[initial balance (default 10000)]:amount: ' \
    '*--partner=[split partner to accept, repeatable (default any)]:name: ' \
    '--dashboard-webhook=[receives the general payment notifications]:url: ' \
    '--control-token=[lets other machines control it, as a bearer token (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '--base-url-name=[host name in its address, such as its container]:host: '
}

_pixgate__sandbox__exec() {
  _arguments -s -S : $__pixgate_globals \
    '*--env=[also set the address of the sandbox in this variable, repeatable]:name: ' \
    '--log=[write its requests and deliveries to this file, one line of JSON each]:file:_files' \
    '--port=[port to listen on, 0 picks a free one (default 0)]:port: ' \
    '--host=[address to listen on (default 127.0.0.1)]:address: ' \
    '--client-id=[client id that it accepts (default local)]:id: ' \
    '--client-secret=[client secret that it accepts and signs with (default local-secret)]:secret: ' \
    '--hosted-status-rule[ids that begin with paid- are PAID, others UNPAID]' \
    '--signature=[hex or base64 in X-Signature (default hex)]:encoding:(hex base64)' \
    '--webhook-style=[write webhook bodies as java (10.50), php (10.5), python (10.0) or javascript do (default java)]:language:(java php python javascript)' \
    '--status-key=[status (default) or statusTransaction in answers]:name:(status statusTransaction)' \
    '--refund-event=[originalTransactionId (default) or repeated-key]:style:(originalTransactionId repeated-key)' \
    '--deliver-attempts=[delivery attempts per webhook (default 3)]:n: ' \
    '--deliver-delays=[times before further attempts (default 1s,5s)]:list: ' \
    '--auto-pay=[pay every code after this time (default off)]:duration: ' \
    '--auto-settle=[settle refunds, transfers after it (default 1s)]:duration: ' \
    '--latency=[minimum time for every answer (default 0)]:duration: ' \
    '*--allow-ip=[address that may make transfers, repeatable (default loopback)]:address: ' \
    '--seed=[the same transaction ids and codes in each run]:text: ' \
    '--now=[time at which its clock starts (default: the real one)]:time: ' \
    '--balance=[initial balance (default 10000)]:amount: ' \
    '*--partner=[split partner to accept, repeatable (default any)]:name: ' \
    '--dashboard-webhook=[receives the general payment notifications]:url: ' \
    '--control-token=[lets other machines control it, as a bearer token (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '--base-url-name=[host name in its address, such as its container]:host: ' \
    '*::command:__pixgate_command_line'
}

_pixgate__sandbox__pay() {
  _arguments -s -S : $__pixgate_globals \
    '--late[pay it even if it has expired or was cancelled]' \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__expire() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__cancel() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__chargeback() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__return() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__deliver() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__fail() {
  _arguments -s -S : $__pixgate_globals \
    '--error-code=[error code in transfer.failed (default PIX_KEY_NOT_FOUND)]:code:(NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT)' \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:id: __pixgate_ask ids id'
}

_pixgate__sandbox__fault() {
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'list:list the faults that are still to come'
    'clear:remove one of them, or all'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '--times=[how many times]:n: ' \
    '--async[accept the transfer, then make it fail with this code]' \
    '--on=[transfer, refund, qr or status, or an id, name or key]:target:(transfer refund qr status)' \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      _wanted words expl 'kind' compadd -- 'status:500' 'drop-before' 'drop-after' 'slow:10s' 'garbage' 'html' 'garbage-before' 'html-before' 'INVALID_AMOUNT' 'INVALID_TRANSACTION_ID' 'INVALID_CREDENTIALS' 'TRANSACTION_NOT_FOUND' 'REFUND_NOT_ALLOWED' 'NO_FUNDS' 'PIX_KEY_NOT_FOUND' 'DOCUMENT_VALIDATE' 'DUPLICATE_EXTERNAL_ID' 'UNAUTHORIZED_IP' 'ACCOUNT_DOCUMENTS_NOT_VALIDATED' 'OPERATION_EXCEEDS_LIMIT' 'WRONG_DATA_FORMAT' 'webhook:lost' 'webhook:twice' 'webhook:late:10s' 'webhook:reorder' 'webhook:unsigned' 'webhook:bad-signature' && ret=0
      ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        list) _pixgate__sandbox__fault__list && ret=0 ;;
        clear) _pixgate__sandbox__fault__clear && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__sandbox__fault__list() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: '
}

_pixgate__sandbox__fault__clear() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:n: '
}

_pixgate__sandbox__advance() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: ' \
    '1:duration: '
}

_pixgate__sandbox__reset() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: '
}

_pixgate__sandbox__state() {
  _arguments -s -S : $__pixgate_globals \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: '
}

_pixgate__sandbox__requests() {
  _arguments -s -S : $__pixgate_globals \
    '--failed[only those that were refused or not answered]' \
    '--follow[go on with those that come, until Ctrl-C; JSON is one line each]' \
    '--control-token=[the sandbox'\''s control token, if it has one (env PIXGATE_CONTROL_TOKEN)]:token: '
}

_pixgate__sandbox__openapi() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__payee() {
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'add:add a payee'
    'list:list all payees'
    'show:show a payee and its changes'
    'edit:change a payee'
    'remove:remove a payee'
    'import:add and change payees from a file'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        add) _pixgate__payee__add && ret=0 ;;
        list) _pixgate__payee__list && ret=0 ;;
        show) _pixgate__payee__show && ret=0 ;;
        edit) _pixgate__payee__edit && ret=0 ;;
        remove) _pixgate__payee__remove && ret=0 ;;
        import) _pixgate__payee__import && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__payee__add() {
  _arguments -s -S : $__pixgate_globals \
    '--key=[PIX key, see `pixgate help keys`]:key: ' \
    '--key-type=[type of the key (default: detected)]:type:(document phoneNumber email randomKey)' \
    '--owner=[CPF or CNPJ that must own the key; it is always sent]:document: ' \
    '--display-name=[the name that people see in lists and receipts]:name: ' \
    '1:name: '
}

_pixgate__payee__list() {
  _arguments -s -S : $__pixgate_globals \
    '--unmask[show keys and tax documents of people unmasked]'
}

_pixgate__payee__show() {
  _arguments -s -S : $__pixgate_globals \
    '1:name: __pixgate_ask payees payee'
}

_pixgate__payee__edit() {
  _arguments -s -S : $__pixgate_globals \
    '--key=[PIX key, see `pixgate help keys`]:key: ' \
    '--key-type=[type of the key (default: detected)]:type:(document phoneNumber email randomKey)' \
    '--owner=[CPF or CNPJ that must own the key; it is always sent]:document: ' \
    '--display-name=[the name that people see in lists and receipts]:name: ' \
    '--no-owner[do not check the owner of the key]' \
    '--no-display-name[remove the name that people see]' \
    '1:name: __pixgate_ask payees payee'
}

_pixgate__payee__remove() {
  _arguments -s -S : $__pixgate_globals \
    '1:name: __pixgate_ask payees payee'
}

_pixgate__payee__import() {
  _arguments -s -S : $__pixgate_globals \
    '1:file:_files'
}

_pixgate__ledger() {
  local curcontext="$curcontext" expl state line ret=1
  typeset -A opt_args
  local -a below
  below=(
    'show:where the payment records of the account are, and who writes them'
    'init:prepare a database, once, as its owner'
    'join:use the ledger of a team for the active account'
    'leave:use the ledger of this machine again'
    'repair:after the database was restored: hand over what it lost'
  )
  _arguments -C -s -S : $__pixgate_globals \
    '1: :->command' \
    '*:: :->rest' && ret=0
  case $state in
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
    rest)
      curcontext="${curcontext%:*:*}:pixgate-$line[1]:"
      case $line[1] in
        show) _pixgate__ledger__show && ret=0 ;;
        init) _pixgate__ledger__init && ret=0 ;;
        join) _pixgate__ledger__join && ret=0 ;;
        leave) _pixgate__ledger__leave && ret=0 ;;
        repair) _pixgate__ledger__repair && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_pixgate__ledger__show() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__ledger__init() {
  _arguments -s -S : $__pixgate_globals \
    '--print-sql[print the statements for an administrator, and connect to nothing]' \
    '--ledger-password-stdin[database password from stdin, or a hidden prompt]' \
    '--ledger-password-env=[database password in this variable]:VAR: ' \
    '--ledger-password-command=[database password that this command prints]:cmd: ' \
    '1:url: '
}

_pixgate__ledger__join() {
  _arguments -s -S : $__pixgate_globals \
    '--ledger-password-stdin[database password from stdin, or a hidden prompt]' \
    '--ledger-password-env=[database password in this variable]:VAR: ' \
    '--ledger-password-command=[database password that this command prints]:cmd: ' \
    '--ledger-password-keychain[database password in the keychain of the system]' \
    '1:url: '
}

_pixgate__ledger__leave() {
  _arguments -s -S : $__pixgate_globals \
    '--confirm-host=[confirm it in a script with the host of the account'\''s address]:host: '
}

_pixgate__ledger__repair() {
  _arguments -s -S : $__pixgate_globals \
    '--confirm-host=[as the owner, end the stop in a script: the host of the database]:host: ' \
    '--ledger-password-stdin[database password from stdin, or a hidden prompt]' \
    '--ledger-password-env=[database password in this variable]:VAR: ' \
    '--ledger-password-command=[database password that this command prints]:cmd: ' \
    '1:url: '
}

_pixgate__profile() {
  local curcontext="$curcontext" expl state line ret=1
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
    command)
      _describe -t commands 'pixgate command' below && ret=0
      ;;
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
    '--environment=[sandbox or production (default: by the address)]:kind:(sandbox production)' \
    '--base-url=[the gateway'\''s base address]:url: ' \
    '--client-id=[client id of the account (the ci header)]:id: ' \
    '--callback-url=[default URL for webhook events]:url: ' \
    '--max-amount=[largest amount of one payment]:amount: ' \
    '--max-day=[largest total per day (São Paulo time)]:amount: ' \
    '--read-only[refuse every command that moves money or signs]' \
    '--check-command=[shell command that must allow what is sent]:cmd: ' \
    '--require-external-id[account: refuse transfers whose id would be made up]' \
    '--payees-only[account: refuse transfers to keys of no payee]' \
    '--payee-wait=[account: how long new or changed payees wait]:duration: ' \
    '--approval-from=[account: from this sum on a second person approves]:amount: ' \
    '--approvers=[account: who may approve (OpenSSH allowed_signers)]:file:_files' \
    '--company=[company that the account belongs to]:name: ' \
    '--company-document=[CPF or CNPJ of the company]:document: ' \
    '--lang=[language of what people read: en or pt-BR]:language:(en pt-BR)' \
    '--ledger=[the ledger of a team, for this account]:url: ' \
    '--ledger-password-stdin[database password from stdin, or a hidden prompt]' \
    '--ledger-password-env=[database password in this variable]:VAR: ' \
    '--ledger-password-command=[database password that this command prints]:cmd: ' \
    '--ledger-password-keychain[database password in the keychain of the system]' \
    '--confirm-host=[in a script: confirm a remote sandbox, or fewer limits in production]:host: ' \
    '--client-secret-stdin[secret from stdin, or from a hidden prompt]' \
    '--client-secret-env=[secret from this variable, at every use]:VAR: ' \
    '--client-secret-command=[secret that this command prints, at every use]:cmd: ' \
    '--keychain[secret stored in the keychain of the system]' \
    '--no-secret[no secret: plans, approves and reads the ledger]' \
    '--no-test[do not test the address and the credentials]' \
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
    '--environment=[sandbox or production (default: by the address)]:kind:(sandbox production)' \
    '--base-url=[the gateway'\''s base address]:url: ' \
    '--client-id=[client id of the account (the ci header)]:id: ' \
    '--callback-url=[default URL for webhook events]:url: ' \
    '--max-amount=[largest amount of one payment]:amount: ' \
    '--max-day=[largest total per day (São Paulo time)]:amount: ' \
    '--read-only[refuse every command that moves money or signs]' \
    '--check-command=[shell command that must allow what is sent]:cmd: ' \
    '--require-external-id[account: refuse transfers whose id would be made up]' \
    '--payees-only[account: refuse transfers to keys of no payee]' \
    '--payee-wait=[account: how long new or changed payees wait]:duration: ' \
    '--approval-from=[account: from this sum on a second person approves]:amount: ' \
    '--approvers=[account: who may approve (OpenSSH allowed_signers)]:file:_files' \
    '--company=[company that the account belongs to]:name: ' \
    '--company-document=[CPF or CNPJ of the company]:document: ' \
    '--lang=[language of what people read: en or pt-BR]:language:(en pt-BR)' \
    '--ledger=[the ledger of a team, for this account]:url: ' \
    '--ledger-password-stdin[database password from stdin, or a hidden prompt]' \
    '--ledger-password-env=[database password in this variable]:VAR: ' \
    '--ledger-password-command=[database password that this command prints]:cmd: ' \
    '--ledger-password-keychain[database password in the keychain of the system]' \
    '--confirm-host=[in a script: confirm a remote sandbox, or fewer limits in production]:host: ' \
    '--client-secret-stdin[secret from stdin, or from a hidden prompt]' \
    '--client-secret-env=[secret from this variable, at every use]:VAR: ' \
    '--client-secret-command=[secret that this command prints, at every use]:cmd: ' \
    '--keychain[secret stored in the keychain of the system]' \
    '--no-secret[no secret: plans, approves and reads the ledger]' \
    '--no-callback-url[remove the callback URL]' \
    '--no-max-amount[remove the limit per payment]' \
    '--no-max-day[remove the limit per day]' \
    '--no-read-only[allow commands that move money or sign]' \
    '--no-check-command[send without asking a command]' \
    '--no-require-external-id[account: allow ids that pixgate makes up]' \
    '--no-payees-only[account: allow any key]' \
    '--no-payee-wait[account: pay new and changed payees at once]' \
    '--no-approval-from[account: no approval by a second person]' \
    '--no-company[remove the company]' \
    '--no-company-document[remove the CPF or CNPJ of the company]' \
    '--no-lang[use the language of other commands]' \
    '--no-ledger[use the ledger of this machine for this account]' \
    '--plan=[sign a plan for a second person; send nothing]::file:_files' \
    '--expires=[with --plan: how long it can be sent (default 24h)]:duration: ' \
    '--ssh-key=[with --plan: SSH key to sign with]:file:_files' \
    '1:profile: __pixgate_ask profiles profile'
}

_pixgate__profile__remove() {
  _arguments -s -S : $__pixgate_globals \
    '--confirm-host=[in a script: confirm the removal of a production profile]:host: ' \
    '1:name: __pixgate_ask profiles profile'
}

_pixgate__doctor() {
  _arguments -s -S : $__pixgate_globals
}

_pixgate__schema() {
  _arguments -s -S : $__pixgate_globals \
    '1:name:(pix.received refund.status transfer.completed transfer.failed payment qr-create refund transfer status dry-run error doctor demo qr-decode qr-draw webhook-verify webhook-sign profile-list profile-show profile-add profile-edit profile-use profile-remove schema lang batch-transfer batch-refund resume batch-list batch-report batch-show history history-find history-show history-settle history-report history-check history-import ledger-show ledger-init ledger-join ledger-leave ledger-repair history-backup history-export plan-list plan-show plan-approve plan-reject plan-send payee-list payee-add payee-show payee-edit payee-remove payee-import webhook-listen inspect webhook-events webhook-events-show webhook-check webhook-send webhook-replay sandbox-start sandbox-control sandbox-state sandbox-reset sandbox-fault sandbox-fault-list sandbox-fault-clear sandbox-advance sandbox-requests)'
}

_pixgate__lang() {
  _arguments -s -S : $__pixgate_globals \
    '1:language:(en pt-BR)'
}

_pixgate__completion() {
  _arguments -s -S : $__pixgate_globals \
    '1:shell:(bash zsh fish powershell)'
}

_pixgate__help() {
  _arguments -s -S : $__pixgate_globals \
    '--man[print the man page of a command]' \
    '*:name:(amounts keys csv production unknown-outcomes webhooks team exit-codes environment global qr refund transfer batch plan resume status history webhook inspect demo sandbox payee ledger profile doctor schema lang completion)'
}

if [[ $funcstack[1] == _pixgate ]]; then
  _pixgate "$@"
else
  compdef _pixgate pixgate
fi
