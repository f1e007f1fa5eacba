# bash completion for pixgate; printed by pixgate completion bash

# Sets path to the subcommand with this name or alias of the command at path; fails if there is none.
__pixgate_enter() {
  case "$path $1" in
    'pixgate qr' | \
      'pixgate refund' | \
      'pixgate transfer' | \
      'pixgate batch' | \
      'pixgate plan' | \
      'pixgate resume' | \
      'pixgate status' | \
      'pixgate history' | \
      'pixgate webhook' | \
      'pixgate inspect' | \
      'pixgate demo' | \
      'pixgate sandbox' | \
      'pixgate payee' | \
      'pixgate ledger' | \
      'pixgate profile' | \
      'pixgate doctor' | \
      'pixgate schema' | \
      'pixgate lang' | \
      'pixgate completion' | \
      'pixgate help' | \
      'pixgate qr create' | \
      'pixgate qr draw' | \
      'pixgate qr decode' | \
      'pixgate batch transfer' | \
      'pixgate batch refund' | \
      'pixgate batch list' | \
      'pixgate batch show' | \
      'pixgate batch report' | \
      'pixgate batch resume' | \
      'pixgate plan list' | \
      'pixgate plan show' | \
      'pixgate plan approve' | \
      'pixgate plan reject' | \
      'pixgate plan send' | \
      'pixgate history list' | \
      'pixgate history find' | \
      'pixgate history show' | \
      'pixgate history report' | \
      'pixgate history check' | \
      'pixgate history import' | \
      'pixgate history settle' | \
      'pixgate history backup' | \
      'pixgate history export' | \
      'pixgate webhook verify' | \
      'pixgate webhook listen' | \
      'pixgate webhook events' | \
      'pixgate webhook replay' | \
      'pixgate webhook send' | \
      'pixgate webhook check' | \
      'pixgate webhook sign' | \
      'pixgate webhook events list' | \
      'pixgate webhook events show' | \
      'pixgate sandbox start' | \
      'pixgate sandbox exec' | \
      'pixgate sandbox pay' | \
      'pixgate sandbox expire' | \
      'pixgate sandbox cancel' | \
      'pixgate sandbox chargeback' | \
      'pixgate sandbox return' | \
      'pixgate sandbox deliver' | \
      'pixgate sandbox fail' | \
      'pixgate sandbox fault' | \
      'pixgate sandbox advance' | \
      'pixgate sandbox reset' | \
      'pixgate sandbox state' | \
      'pixgate sandbox requests' | \
      'pixgate sandbox openapi' | \
      'pixgate sandbox fault list' | \
      'pixgate sandbox fault clear' | \
      'pixgate payee add' | \
      'pixgate payee list' | \
      'pixgate payee show' | \
      'pixgate payee edit' | \
      'pixgate payee remove' | \
      'pixgate payee import' | \
      'pixgate ledger show' | \
      'pixgate ledger init' | \
      'pixgate ledger join' | \
      'pixgate ledger leave' | \
      'pixgate ledger repair' | \
      'pixgate profile add' | \
      'pixgate profile list' | \
      'pixgate profile show' | \
      'pixgate profile use' | \
      'pixgate profile edit' | \
      'pixgate profile remove')
      path+=" $1"
      ;;
    *) return 1 ;;
  esac
}

# Sets names to the subcommands, and options to the options, of the command at path.
__pixgate_names() {
  names=''
  options=''
  case "$path" in
    'pixgate')
      names='qr refund transfer batch plan resume status history webhook inspect demo sandbox payee ledger profile doctor schema lang completion help'
      options='-V --version'
      ;;
    'pixgate qr')
      names='create draw decode'
      ;;
    'pixgate qr create')
      options='--amount --request-number --due-date --callback-url --shipping-amount --checkout-user --payer-name --payer-tax-id --payer-email --split-username --split-percentage --from --png --qr --no-qr --again --wait --interval --dry-run'
      ;;
    'pixgate qr draw')
      options='--qr --no-qr'
      ;;
    'pixgate refund')
      options='--reason --amount --full --callback-url --id-field --skip-query --despite-chargeback --again --in-addition-to --wait --dry-run --plan --expires --ssh-key'
      ;;
    'pixgate transfer')
      options='--key --to --amount --value --key-type --external-id --owner --document --callback-url --again --in-addition-to --retry --include-unknown --wait --dry-run --plan --expires --ssh-key'
      ;;
    'pixgate batch')
      names='transfer refund list show report resume'
      ;;
    'pixgate batch transfer')
      options='--map --ignore-column --sheet --header-row --include-hidden --skip-hidden --reference --callback-url --file-changed --dry-run --limit --concurrency --rate --stop-after --results --excel --again --in-addition-to --plan --expires --ssh-key --rehearse --seed'
      ;;
    'pixgate batch refund')
      options='--map --ignore-column --sheet --header-row --include-hidden --skip-hidden --reference --callback-url --file-changed --dry-run --limit --concurrency --rate --stop-after --results --excel --again --in-addition-to --plan --expires --ssh-key --reason --full --skip-query --despite-chargeback'
      ;;
    'pixgate batch list')
      options='--limit --all-rows'
      ;;
    'pixgate batch report')
      options='--out'
      ;;
    'pixgate batch resume')
      options='--refused --include-unknown --despite-chargeback --limit --concurrency --rate --stop-after --results --excel --again --in-addition-to --plan --expires --ssh-key --dry-run'
      ;;
    'pixgate plan')
      names='list show approve reject send'
      ;;
    'pixgate plan approve')
      options='--ssh-key'
      ;;
    'pixgate plan reject')
      options='--because'
      ;;
    'pixgate plan send')
      options='--watch'
      ;;
    'pixgate resume')
      options='--refused --include-unknown --despite-chargeback --limit --concurrency --rate --stop-after --results --excel --again --in-addition-to --plan --expires --ssh-key --dry-run'
      ;;
    'pixgate status')
      options='--wait --interval --expect --from --unmask'
      ;;
    'pixgate history')
      names='list find show report check import settle backup export'
      options='--since --until --day --month --kind --state --amount --min --max --key --name --document --reference --by --for-profile --limit --all --attempts --all-rows --excel --unmask'
      ;;
    'pixgate history list')
      options='--since --until --day --month --kind --state --amount --min --max --key --name --document --reference --by --for-profile --limit --all --attempts --all-rows --excel --unmask'
      ;;
    'pixgate history find')
      options='--since --until --day --month --kind --state --amount --min --max --key --name --document --reference --by --for-profile --limit --all --attempts --all-rows --excel --unmask'
      ;;
    'pixgate history show')
      options='--receipt --pdf --unmask'
      ;;
    'pixgate history report')
      options='--month --out'
      ;;
    'pixgate history check')
      options='--since --until --day --month --kind --statement --map --ignore --unmask --accept-older'
      ;;
    'pixgate history settle')
      options='--as --because'
      ;;
    'pixgate webhook')
      names='verify listen events replay send check sign'
      ;;
    'pixgate webhook verify')
      options='--body --signature --request --event --last-refused --recover'
      ;;
    'pixgate webhook listen')
      options='--port --host --path --forward-to --route --events --max-events --for --timeout --allow-unsigned --print-body --header --drop-duplicates --fail-on-forward --unmask --inspect --public-url --tunnel'
      ;;
    'pixgate webhook events')
      names='list show'
      options='--since --last --all-rows --failed'
      ;;
    'pixgate webhook events list')
      options='--since --last --all-rows --failed'
      ;;
    'pixgate webhook events show')
      options='--unmask --raw'
      ;;
    'pixgate webhook replay')
      options='--to --last --failed --since --expect --body --set --dry-run'
      ;;
    'pixgate webhook send')
      options='--to --set --body --times --at-once --unsigned --bad-signature --signature-encoding --repeated-key --webhook-style --expect --dry-run --curl'
      ;;
    'pixgate webhook check')
      options='--state-url --set --header --signature-encoding'
      ;;
    'pixgate webhook sign')
      options='--body --signature-encoding'
      ;;
    'pixgate inspect')
      options='--port --unmask'
      ;;
    'pixgate sandbox')
      names='start exec pay expire cancel chargeback return deliver fail fault advance reset state requests openapi'
      options='--port --host --client-id --client-secret --hosted-status-rule --signature --webhook-style --status-key --refund-event --deliver-attempts --deliver-delays --auto-pay --auto-settle --latency --allow-ip --seed --now --balance --partner --dashboard-webhook --control-token --base-url-name'
      ;;
    'pixgate sandbox start')
      options='--port --host --client-id --client-secret --hosted-status-rule --signature --webhook-style --status-key --refund-event --deliver-attempts --deliver-delays --auto-pay --auto-settle --latency --allow-ip --seed --now --balance --partner --dashboard-webhook --control-token --base-url-name'
      ;;
    'pixgate sandbox exec')
      options='--env --log --port --host --client-id --client-secret --hosted-status-rule --signature --webhook-style --status-key --refund-event --deliver-attempts --deliver-delays --auto-pay --auto-settle --latency --allow-ip --seed --now --balance --partner --dashboard-webhook --control-token --base-url-name'
      ;;
    'pixgate sandbox pay')
      options='--late --control-token'
      ;;
    'pixgate sandbox expire')
      options='--control-token'
      ;;
    'pixgate sandbox cancel')
      options='--control-token'
      ;;
    'pixgate sandbox chargeback')
      options='--control-token'
      ;;
    'pixgate sandbox return')
      options='--control-token'
      ;;
    'pixgate sandbox deliver')
      options='--control-token'
      ;;
    'pixgate sandbox fail')
      options='--error-code --control-token'
      ;;
    'pixgate sandbox fault')
      names='list clear'
      options='--times --async --on --control-token'
      ;;
    'pixgate sandbox fault list')
      options='--control-token'
      ;;
    'pixgate sandbox fault clear')
      options='--control-token'
      ;;
    'pixgate sandbox advance')
      options='--control-token'
      ;;
    'pixgate sandbox reset')
      options='--control-token'
      ;;
    'pixgate sandbox state')
      options='--control-token'
      ;;
    'pixgate sandbox requests')
      options='--failed --follow --control-token'
      ;;
    'pixgate payee')
      names='add list show edit remove import'
      ;;
    'pixgate payee add')
      options='--key --key-type --owner --display-name'
      ;;
    'pixgate payee list')
      options='--unmask'
      ;;
    'pixgate payee edit')
      options='--key --key-type --owner --display-name --no-owner --no-display-name'
      ;;
    'pixgate ledger')
      names='show init join leave repair'
      ;;
    'pixgate ledger init')
      options='--print-sql --ledger-password-stdin --ledger-password-env --ledger-password-command'
      ;;
    'pixgate ledger join')
      options='--ledger-password-stdin --ledger-password-env --ledger-password-command --ledger-password-keychain'
      ;;
    'pixgate ledger leave')
      options='--confirm-host'
      ;;
    'pixgate ledger repair')
      options='--confirm-host --ledger-password-stdin --ledger-password-env --ledger-password-command'
      ;;
    'pixgate profile')
      names='add list show use edit remove'
      ;;
    'pixgate profile add')
      options='--environment --base-url --client-id --callback-url --max-amount --max-day --read-only --check-command --require-external-id --payees-only --payee-wait --approval-from --approvers --company --company-document --lang --ledger --ledger-password-stdin --ledger-password-env --ledger-password-command --ledger-password-keychain --confirm-host --client-secret-stdin --client-secret-env --client-secret-command --keychain --no-secret --no-test'
      ;;
    'pixgate profile edit')
      options='--name --environment --base-url --client-id --callback-url --max-amount --max-day --read-only --check-command --require-external-id --payees-only --payee-wait --approval-from --approvers --company --company-document --lang --ledger --ledger-password-stdin --ledger-password-env --ledger-password-command --ledger-password-keychain --confirm-host --client-secret-stdin --client-secret-env --client-secret-command --keychain --no-secret --no-callback-url --no-max-amount --no-max-day --no-read-only --no-check-command --no-require-external-id --no-payees-only --no-payee-wait --no-approval-from --no-company --no-company-document --no-lang --no-ledger --plan --expires --ssh-key'
      ;;
    'pixgate profile remove')
      options='--confirm-host'
      ;;
    'pixgate help')
      options='--man'
      ;;
  esac
}

# Sets kind to the kind of value this option of the command at path takes; a leading ? means the value is optional.
__pixgate_option() {
  case "$path:$1" in
    'pixgate qr create':--amount) kind='text' ;;
    'pixgate qr create':--request-number) kind='text' ;;
    'pixgate qr create':--due-date) kind='text' ;;
    'pixgate qr create':--callback-url) kind='text' ;;
    'pixgate qr create':--shipping-amount) kind='text' ;;
    'pixgate qr create':--checkout-user) kind='text' ;;
    'pixgate qr create':--payer-name) kind='text' ;;
    'pixgate qr create':--payer-tax-id) kind='text' ;;
    'pixgate qr create':--payer-email) kind='text' ;;
    'pixgate qr create':--split-username) kind='text' ;;
    'pixgate qr create':--split-percentage) kind='text' ;;
    'pixgate qr create':--from) kind='files' ;;
    'pixgate qr create':--png) kind='files' ;;
    'pixgate qr create':--wait) kind='?text' ;;
    'pixgate qr create':--interval) kind='text' ;;
    'pixgate refund':--reason) kind='text' ;;
    'pixgate refund':--amount) kind='text' ;;
    'pixgate refund':--callback-url) kind='text' ;;
    'pixgate refund':--id-field) kind='words originalTransactionId idTransaction both' ;;
    'pixgate refund':--in-addition-to) kind='text' ;;
    'pixgate refund':--wait) kind='?text' ;;
    'pixgate refund':--plan) kind='?files' ;;
    'pixgate refund':--expires) kind='text' ;;
    'pixgate refund':--ssh-key) kind='files' ;;
    'pixgate transfer':--key) kind='text' ;;
    'pixgate transfer':--to) kind='payees' ;;
    'pixgate transfer':--amount) kind='text' ;;
    'pixgate transfer':--value) kind='text' ;;
    'pixgate transfer':--key-type) kind='words document phoneNumber email randomKey paymentCode' ;;
    'pixgate transfer':--external-id) kind='text' ;;
    'pixgate transfer':--owner) kind='text' ;;
    'pixgate transfer':--document) kind='text' ;;
    'pixgate transfer':--callback-url) kind='text' ;;
    'pixgate transfer':--in-addition-to) kind='text' ;;
    'pixgate transfer':--retry) kind='text' ;;
    'pixgate transfer':--wait) kind='?text' ;;
    'pixgate transfer':--plan) kind='?files' ;;
    'pixgate transfer':--expires) kind='text' ;;
    'pixgate transfer':--ssh-key) kind='files' ;;
    'pixgate batch transfer':--map) kind='text' ;;
    'pixgate batch transfer':--ignore-column) kind='text' ;;
    'pixgate batch transfer':--sheet) kind='text' ;;
    'pixgate batch transfer':--header-row) kind='text' ;;
    'pixgate batch transfer':--reference) kind='text' ;;
    'pixgate batch transfer':--callback-url) kind='text' ;;
    'pixgate batch transfer':--limit) kind='text' ;;
    'pixgate batch transfer':--concurrency) kind='text' ;;
    'pixgate batch transfer':--rate) kind='text' ;;
    'pixgate batch transfer':--stop-after) kind='text' ;;
    'pixgate batch transfer':--results) kind='files' ;;
    'pixgate batch transfer':--in-addition-to) kind='text' ;;
    'pixgate batch transfer':--plan) kind='?files' ;;
    'pixgate batch transfer':--expires) kind='text' ;;
    'pixgate batch transfer':--ssh-key) kind='files' ;;
    'pixgate batch transfer':--seed) kind='text' ;;
    'pixgate batch refund':--map) kind='text' ;;
    'pixgate batch refund':--ignore-column) kind='text' ;;
    'pixgate batch refund':--sheet) kind='text' ;;
    'pixgate batch refund':--header-row) kind='text' ;;
    'pixgate batch refund':--reference) kind='text' ;;
    'pixgate batch refund':--callback-url) kind='text' ;;
    'pixgate batch refund':--limit) kind='text' ;;
    'pixgate batch refund':--concurrency) kind='text' ;;
    'pixgate batch refund':--rate) kind='text' ;;
    'pixgate batch refund':--stop-after) kind='text' ;;
    'pixgate batch refund':--results) kind='files' ;;
    'pixgate batch refund':--in-addition-to) kind='text' ;;
    'pixgate batch refund':--plan) kind='?files' ;;
    'pixgate batch refund':--expires) kind='text' ;;
    'pixgate batch refund':--ssh-key) kind='files' ;;
    'pixgate batch refund':--reason) kind='text' ;;
    'pixgate batch list':--limit) kind='text' ;;
    'pixgate batch report':--out) kind='text' ;;
    'pixgate batch resume':--limit) kind='text' ;;
    'pixgate batch resume':--concurrency) kind='text' ;;
    'pixgate batch resume':--rate) kind='text' ;;
    'pixgate batch resume':--stop-after) kind='text' ;;
    'pixgate batch resume':--results) kind='files' ;;
    'pixgate batch resume':--in-addition-to) kind='text' ;;
    'pixgate batch resume':--plan) kind='?files' ;;
    'pixgate batch resume':--expires) kind='text' ;;
    'pixgate batch resume':--ssh-key) kind='files' ;;
    'pixgate plan approve':--ssh-key) kind='files' ;;
    'pixgate plan reject':--because) kind='text' ;;
    'pixgate resume':--limit) kind='text' ;;
    'pixgate resume':--concurrency) kind='text' ;;
    'pixgate resume':--rate) kind='text' ;;
    'pixgate resume':--stop-after) kind='text' ;;
    'pixgate resume':--results) kind='files' ;;
    'pixgate resume':--in-addition-to) kind='text' ;;
    'pixgate resume':--plan) kind='?files' ;;
    'pixgate resume':--expires) kind='text' ;;
    'pixgate resume':--ssh-key) kind='files' ;;
    'pixgate status':--wait) kind='?text' ;;
    'pixgate status':--interval) kind='text' ;;
    'pixgate status':--expect) kind='words PAID EXPIRED CANCELLED REFUNDED' ;;
    'pixgate status':--from) kind='files' ;;
    'pixgate history':--since) kind='text' ;;
    'pixgate history':--until) kind='text' ;;
    'pixgate history':--day) kind='text' ;;
    'pixgate history':--month) kind='text' ;;
    'pixgate history':--kind) kind='words qr transfer refund' ;;
    'pixgate history':--state) kind='words not-sent refused accepted unknown paid not-paid returned' ;;
    'pixgate history':--amount) kind='text' ;;
    'pixgate history':--min) kind='text' ;;
    'pixgate history':--max) kind='text' ;;
    'pixgate history':--key) kind='text' ;;
    'pixgate history':--name) kind='text' ;;
    'pixgate history':--document) kind='text' ;;
    'pixgate history':--reference) kind='text' ;;
    'pixgate history':--by) kind='text' ;;
    'pixgate history':--for-profile) kind='profiles' ;;
    'pixgate history':--limit) kind='text' ;;
    'pixgate history list':--since) kind='text' ;;
    'pixgate history list':--until) kind='text' ;;
    'pixgate history list':--day) kind='text' ;;
    'pixgate history list':--month) kind='text' ;;
    'pixgate history list':--kind) kind='words qr transfer refund' ;;
    'pixgate history list':--state) kind='words not-sent refused accepted unknown paid not-paid returned' ;;
    'pixgate history list':--amount) kind='text' ;;
    'pixgate history list':--min) kind='text' ;;
    'pixgate history list':--max) kind='text' ;;
    'pixgate history list':--key) kind='text' ;;
    'pixgate history list':--name) kind='text' ;;
    'pixgate history list':--document) kind='text' ;;
    'pixgate history list':--reference) kind='text' ;;
    'pixgate history list':--by) kind='text' ;;
    'pixgate history list':--for-profile) kind='profiles' ;;
    'pixgate history list':--limit) kind='text' ;;
    'pixgate history find':--since) kind='text' ;;
    'pixgate history find':--until) kind='text' ;;
    'pixgate history find':--day) kind='text' ;;
    'pixgate history find':--month) kind='text' ;;
    'pixgate history find':--kind) kind='words qr transfer refund' ;;
    'pixgate history find':--state) kind='words not-sent refused accepted unknown paid not-paid returned' ;;
    'pixgate history find':--amount) kind='text' ;;
    'pixgate history find':--min) kind='text' ;;
    'pixgate history find':--max) kind='text' ;;
    'pixgate history find':--key) kind='text' ;;
    'pixgate history find':--name) kind='text' ;;
    'pixgate history find':--document) kind='text' ;;
    'pixgate history find':--reference) kind='text' ;;
    'pixgate history find':--by) kind='text' ;;
    'pixgate history find':--for-profile) kind='profiles' ;;
    'pixgate history find':--limit) kind='text' ;;
    'pixgate history show':--pdf) kind='files' ;;
    'pixgate history report':--month) kind='text' ;;
    'pixgate history report':--out) kind='text' ;;
    'pixgate history check':--since) kind='text' ;;
    'pixgate history check':--until) kind='text' ;;
    'pixgate history check':--day) kind='text' ;;
    'pixgate history check':--month) kind='text' ;;
    'pixgate history check':--kind) kind='words qr transfer refund' ;;
    'pixgate history check':--statement) kind='files' ;;
    'pixgate history check':--map) kind='text' ;;
    'pixgate history check':--ignore) kind='text' ;;
    'pixgate history settle':--as) kind='words paid not-paid returned' ;;
    'pixgate history settle':--because) kind='text' ;;
    'pixgate webhook verify':--body) kind='files' ;;
    'pixgate webhook verify':--signature) kind='text' ;;
    'pixgate webhook verify':--request) kind='files' ;;
    'pixgate webhook verify':--event) kind='text' ;;
    'pixgate webhook verify':--last-refused) kind='?text' ;;
    'pixgate webhook verify':--recover) kind='files' ;;
    'pixgate webhook listen':--port) kind='text' ;;
    'pixgate webhook listen':--host) kind='text' ;;
    'pixgate webhook listen':--path) kind='text' ;;
    'pixgate webhook listen':--forward-to) kind='text' ;;
    'pixgate webhook listen':--route) kind='text' ;;
    'pixgate webhook listen':--events) kind='words pix.received refund.status transfer.completed transfer.failed payment' ;;
    'pixgate webhook listen':--max-events) kind='text' ;;
    'pixgate webhook listen':--for) kind='text' ;;
    'pixgate webhook listen':--timeout) kind='text' ;;
    'pixgate webhook listen':--header) kind='text' ;;
    'pixgate webhook listen':--inspect) kind='?text' ;;
    'pixgate webhook listen':--public-url) kind='text' ;;
    'pixgate webhook listen':--tunnel) kind='text' ;;
    'pixgate webhook events':--since) kind='text' ;;
    'pixgate webhook events':--last) kind='text' ;;
    'pixgate webhook events list':--since) kind='text' ;;
    'pixgate webhook events list':--last) kind='text' ;;
    'pixgate webhook replay':--to) kind='text' ;;
    'pixgate webhook replay':--since) kind='text' ;;
    'pixgate webhook replay':--expect) kind='text' ;;
    'pixgate webhook replay':--body) kind='files' ;;
    'pixgate webhook replay':--set) kind='text' ;;
    'pixgate webhook send':--to) kind='text' ;;
    'pixgate webhook send':--set) kind='text' ;;
    'pixgate webhook send':--body) kind='files' ;;
    'pixgate webhook send':--times) kind='text' ;;
    'pixgate webhook send':--signature-encoding) kind='words hex base64' ;;
    'pixgate webhook send':--webhook-style) kind='words java php python javascript' ;;
    'pixgate webhook send':--expect) kind='text' ;;
    'pixgate webhook check':--state-url) kind='text' ;;
    'pixgate webhook check':--set) kind='text' ;;
    'pixgate webhook check':--header) kind='text' ;;
    'pixgate webhook check':--signature-encoding) kind='words hex base64' ;;
    'pixgate webhook sign':--body) kind='files' ;;
    'pixgate webhook sign':--signature-encoding) kind='words hex base64' ;;
    'pixgate inspect':--port) kind='text' ;;
    'pixgate sandbox':--port) kind='text' ;;
    'pixgate sandbox':--host) kind='text' ;;
    'pixgate sandbox':--client-id) kind='text' ;;
    'pixgate sandbox':--client-secret) kind='text' ;;
    'pixgate sandbox':--signature) kind='words hex base64' ;;
    'pixgate sandbox':--webhook-style) kind='words java php python javascript' ;;
    'pixgate sandbox':--status-key) kind='words status statusTransaction' ;;
    'pixgate sandbox':--refund-event) kind='words originalTransactionId repeated-key' ;;
    'pixgate sandbox':--deliver-attempts) kind='text' ;;
    'pixgate sandbox':--deliver-delays) kind='text' ;;
    'pixgate sandbox':--auto-pay) kind='text' ;;
    'pixgate sandbox':--auto-settle) kind='text' ;;
    'pixgate sandbox':--latency) kind='text' ;;
    'pixgate sandbox':--allow-ip) kind='text' ;;
    'pixgate sandbox':--seed) kind='text' ;;
    'pixgate sandbox':--now) kind='text' ;;
    'pixgate sandbox':--balance) kind='text' ;;
    'pixgate sandbox':--partner) kind='text' ;;
    'pixgate sandbox':--dashboard-webhook) kind='text' ;;
    'pixgate sandbox':--control-token) kind='text' ;;
    'pixgate sandbox':--base-url-name) kind='text' ;;
    'pixgate sandbox start':--port) kind='text' ;;
    'pixgate sandbox start':--host) kind='text' ;;
    'pixgate sandbox start':--client-id) kind='text' ;;
    'pixgate sandbox start':--client-secret) kind='text' ;;
    'pixgate sandbox start':--signature) kind='words hex base64' ;;
    'pixgate sandbox start':--webhook-style) kind='words java php python javascript' ;;
    'pixgate sandbox start':--status-key) kind='words status statusTransaction' ;;
    'pixgate sandbox start':--refund-event) kind='words originalTransactionId repeated-key' ;;
    'pixgate sandbox start':--deliver-attempts) kind='text' ;;
    'pixgate sandbox start':--deliver-delays) kind='text' ;;
    'pixgate sandbox start':--auto-pay) kind='text' ;;
    'pixgate sandbox start':--auto-settle) kind='text' ;;
    'pixgate sandbox start':--latency) kind='text' ;;
    'pixgate sandbox start':--allow-ip) kind='text' ;;
    'pixgate sandbox start':--seed) kind='text' ;;
    'pixgate sandbox start':--now) kind='text' ;;
    'pixgate sandbox start':--balance) kind='text' ;;
    'pixgate sandbox start':--partner) kind='text' ;;
    'pixgate sandbox start':--dashboard-webhook) kind='text' ;;
    'pixgate sandbox start':--control-token) kind='text' ;;
    'pixgate sandbox start':--base-url-name) kind='text' ;;
    'pixgate sandbox exec':--env) kind='text' ;;
    'pixgate sandbox exec':--log) kind='files' ;;
    'pixgate sandbox exec':--port) kind='text' ;;
    'pixgate sandbox exec':--host) kind='text' ;;
    'pixgate sandbox exec':--client-id) kind='text' ;;
    'pixgate sandbox exec':--client-secret) kind='text' ;;
    'pixgate sandbox exec':--signature) kind='words hex base64' ;;
    'pixgate sandbox exec':--webhook-style) kind='words java php python javascript' ;;
    'pixgate sandbox exec':--status-key) kind='words status statusTransaction' ;;
    'pixgate sandbox exec':--refund-event) kind='words originalTransactionId repeated-key' ;;
    'pixgate sandbox exec':--deliver-attempts) kind='text' ;;
    'pixgate sandbox exec':--deliver-delays) kind='text' ;;
    'pixgate sandbox exec':--auto-pay) kind='text' ;;
    'pixgate sandbox exec':--auto-settle) kind='text' ;;
    'pixgate sandbox exec':--latency) kind='text' ;;
    'pixgate sandbox exec':--allow-ip) kind='text' ;;
    'pixgate sandbox exec':--seed) kind='text' ;;
    'pixgate sandbox exec':--now) kind='text' ;;
    'pixgate sandbox exec':--balance) kind='text' ;;
    'pixgate sandbox exec':--partner) kind='text' ;;
    'pixgate sandbox exec':--dashboard-webhook) kind='text' ;;
    'pixgate sandbox exec':--control-token) kind='text' ;;
    'pixgate sandbox exec':--base-url-name) kind='text' ;;
    'pixgate sandbox pay':--control-token) kind='text' ;;
    'pixgate sandbox expire':--control-token) kind='text' ;;
    'pixgate sandbox cancel':--control-token) kind='text' ;;
    'pixgate sandbox chargeback':--control-token) kind='text' ;;
    'pixgate sandbox return':--control-token) kind='text' ;;
    'pixgate sandbox deliver':--control-token) kind='text' ;;
    'pixgate sandbox fail':--error-code) kind='words NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT' ;;
    'pixgate sandbox fail':--control-token) kind='text' ;;
    'pixgate sandbox fault':--times) kind='text' ;;
    'pixgate sandbox fault':--on) kind='words transfer refund qr status' ;;
    'pixgate sandbox fault':--control-token) kind='text' ;;
    'pixgate sandbox fault list':--control-token) kind='text' ;;
    'pixgate sandbox fault clear':--control-token) kind='text' ;;
    'pixgate sandbox advance':--control-token) kind='text' ;;
    'pixgate sandbox reset':--control-token) kind='text' ;;
    'pixgate sandbox state':--control-token) kind='text' ;;
    'pixgate sandbox requests':--control-token) kind='text' ;;
    'pixgate payee add':--key) kind='text' ;;
    'pixgate payee add':--key-type) kind='words document phoneNumber email randomKey' ;;
    'pixgate payee add':--owner) kind='text' ;;
    'pixgate payee add':--display-name) kind='text' ;;
    'pixgate payee edit':--key) kind='text' ;;
    'pixgate payee edit':--key-type) kind='words document phoneNumber email randomKey' ;;
    'pixgate payee edit':--owner) kind='text' ;;
    'pixgate payee edit':--display-name) kind='text' ;;
    'pixgate ledger init':--ledger-password-env) kind='text' ;;
    'pixgate ledger init':--ledger-password-command) kind='text' ;;
    'pixgate ledger join':--ledger-password-env) kind='text' ;;
    'pixgate ledger join':--ledger-password-command) kind='text' ;;
    'pixgate ledger leave':--confirm-host) kind='text' ;;
    'pixgate ledger repair':--confirm-host) kind='text' ;;
    'pixgate ledger repair':--ledger-password-env) kind='text' ;;
    'pixgate ledger repair':--ledger-password-command) kind='text' ;;
    'pixgate profile add':--environment) kind='words sandbox production' ;;
    'pixgate profile add':--base-url) kind='text' ;;
    'pixgate profile add':--client-id) kind='text' ;;
    'pixgate profile add':--callback-url) kind='text' ;;
    'pixgate profile add':--max-amount) kind='text' ;;
    'pixgate profile add':--max-day) kind='text' ;;
    'pixgate profile add':--check-command) kind='text' ;;
    'pixgate profile add':--payee-wait) kind='text' ;;
    'pixgate profile add':--approval-from) kind='text' ;;
    'pixgate profile add':--approvers) kind='files' ;;
    'pixgate profile add':--company) kind='text' ;;
    'pixgate profile add':--company-document) kind='text' ;;
    'pixgate profile add':--lang) kind='words en pt-BR' ;;
    'pixgate profile add':--ledger) kind='text' ;;
    'pixgate profile add':--ledger-password-env) kind='text' ;;
    'pixgate profile add':--ledger-password-command) kind='text' ;;
    'pixgate profile add':--confirm-host) kind='text' ;;
    'pixgate profile add':--client-secret-env) kind='text' ;;
    'pixgate profile add':--client-secret-command) kind='text' ;;
    'pixgate profile edit':--name) kind='text' ;;
    'pixgate profile edit':--environment) kind='words sandbox production' ;;
    'pixgate profile edit':--base-url) kind='text' ;;
    'pixgate profile edit':--client-id) kind='text' ;;
    'pixgate profile edit':--callback-url) kind='text' ;;
    'pixgate profile edit':--max-amount) kind='text' ;;
    'pixgate profile edit':--max-day) kind='text' ;;
    'pixgate profile edit':--check-command) kind='text' ;;
    'pixgate profile edit':--payee-wait) kind='text' ;;
    'pixgate profile edit':--approval-from) kind='text' ;;
    'pixgate profile edit':--approvers) kind='files' ;;
    'pixgate profile edit':--company) kind='text' ;;
    'pixgate profile edit':--company-document) kind='text' ;;
    'pixgate profile edit':--lang) kind='words en pt-BR' ;;
    'pixgate profile edit':--ledger) kind='text' ;;
    'pixgate profile edit':--ledger-password-env) kind='text' ;;
    'pixgate profile edit':--ledger-password-command) kind='text' ;;
    'pixgate profile edit':--confirm-host) kind='text' ;;
    'pixgate profile edit':--client-secret-env) kind='text' ;;
    'pixgate profile edit':--client-secret-command) kind='text' ;;
    'pixgate profile edit':--plan) kind='?files' ;;
    'pixgate profile edit':--expires) kind='text' ;;
    'pixgate profile edit':--ssh-key) kind='files' ;;
    'pixgate profile remove':--confirm-host) kind='text' ;;
    *:-p | *:--profile) kind='profiles' ;;
    *:--base-url) kind='text' ;;
    *:-o | *:--output) kind='words text json csv' ;;
    *:--fields) kind='text' ;;
    *:--confirm) kind='text' ;;
    *:--timeout) kind='text' ;;
    *:--lang) kind='words en pt-BR' ;;
    *) kind='' ;;
  esac
}

# Sets kind to the kind of the argument with this index of the command at path.
__pixgate_argument() {
  case "$path:$1" in
    'pixgate qr draw:'0) kind='text' ;;
    'pixgate qr decode:'0) kind='files' ;;
    'pixgate refund:'0) kind='ids' ;;
    'pixgate batch transfer:'0) kind='files' ;;
    'pixgate batch refund:'0) kind='files' ;;
    'pixgate batch show:'0) kind='text' ;;
    'pixgate batch report:'0) kind='text' ;;
    'pixgate batch resume:'0) kind='text' ;;
    'pixgate plan show:'0) kind='files' ;;
    'pixgate plan approve:'0) kind='files' ;;
    'pixgate plan reject:'0) kind='files' ;;
    'pixgate plan send:'0) kind='files' ;;
    'pixgate resume:'0) kind='ids' ;;
    'pixgate status:'*) kind='ids' ;;
    'pixgate history find:'*) kind='text' ;;
    'pixgate history show:'0) kind='ids' ;;
    'pixgate history import:'0) kind='files' ;;
    'pixgate history settle:'0) kind='ids' ;;
    'pixgate history backup:'0) kind='files' ;;
    'pixgate webhook events show:'0) kind='ids' ;;
    'pixgate webhook replay:'*) kind='text' ;;
    'pixgate webhook send:'0) kind='words pix.received refund.status transfer.completed transfer.failed payment' ;;
    'pixgate webhook check:'0) kind='text' ;;
    'pixgate sandbox exec:0') kind='command' ;;
    'pixgate sandbox exec:'*) kind='files' ;;
    'pixgate sandbox pay:'0) kind='ids' ;;
    'pixgate sandbox expire:'0) kind='ids' ;;
    'pixgate sandbox cancel:'0) kind='ids' ;;
    'pixgate sandbox chargeback:'0) kind='ids' ;;
    'pixgate sandbox return:'0) kind='ids' ;;
    'pixgate sandbox deliver:'0) kind='ids' ;;
    'pixgate sandbox fail:'0) kind='ids' ;;
    'pixgate sandbox fault:'0) kind='words status:500 drop-before drop-after slow:10s garbage html garbage-before html-before INVALID_AMOUNT INVALID_TRANSACTION_ID INVALID_CREDENTIALS TRANSACTION_NOT_FOUND REFUND_NOT_ALLOWED NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT webhook:lost webhook:twice webhook:late:10s webhook:reorder webhook:unsigned webhook:bad-signature' ;;
    'pixgate sandbox fault clear:'0) kind='text' ;;
    'pixgate sandbox advance:'0) kind='text' ;;
    'pixgate payee add:'0) kind='text' ;;
    'pixgate payee show:'0) kind='payees' ;;
    'pixgate payee edit:'0) kind='payees' ;;
    'pixgate payee remove:'0) kind='payees' ;;
    'pixgate payee import:'0) kind='files' ;;
    'pixgate ledger init:'0) kind='text' ;;
    'pixgate ledger join:'0) kind='text' ;;
    'pixgate ledger repair:'0) kind='text' ;;
    'pixgate profile add:'0) kind='text' ;;
    'pixgate profile show:'0) kind='profiles' ;;
    'pixgate profile use:'0) kind='profiles' ;;
    'pixgate profile edit:'0) kind='profiles' ;;
    'pixgate profile remove:'0) kind='profiles' ;;
    'pixgate schema:'0) kind='words pix.received refund.status transfer.completed transfer.failed payment qr-create refund transfer status dry-run error doctor demo qr-decode qr-draw webhook-verify webhook-sign profile-list profile-show profile-add profile-edit profile-use profile-remove schema lang batch-transfer batch-refund resume batch-list batch-report batch-show history history-find history-show history-settle history-report history-check history-import ledger-show ledger-init ledger-join ledger-leave ledger-repair history-backup history-export plan-list plan-show plan-approve plan-reject plan-send payee-list payee-add payee-show payee-edit payee-remove payee-import webhook-listen inspect webhook-events webhook-events-show webhook-check webhook-send webhook-replay sandbox-start sandbox-control sandbox-state sandbox-reset sandbox-fault sandbox-fault-list sandbox-fault-clear sandbox-advance sandbox-requests' ;;
    'pixgate lang:'0) kind='words en pt-BR' ;;
    'pixgate completion:'0) kind='words bash zsh fish powershell' ;;
    'pixgate help:'*) kind='words amounts keys csv production unknown-outcomes webhooks team exit-codes environment global qr refund transfer batch plan resume status history webhook inspect demo sandbox payee ledger profile doctor schema lang completion' ;;
    *) kind='' ;;
  esac
}

# Sets cur to the word to complete and words to those before it. bash splits words at : and =; they are joined again here.
__pixgate_words() {
  local rest="${COMP_LINE:0:COMP_POINT}" index piece
  words=()
  for ((index = 0; index < COMP_CWORD; index++)); do
    piece="${COMP_WORDS[index]}"
    if ((index > 0)) && [[ "$rest" == "$piece"* ]]; then
      words[${#words[@]} - 1]+="$piece"
    else
      words+=("$piece")
    fi
    rest="${rest#*"$piece"}"
  done
  cur="${rest#"${rest%%[![:space:]]*}"}"
  if ((index > 0)) && [[ -n "$rest" && "$cur" == "$rest" ]]; then
    cur="${words[${#words[@]} - 1]}$rest"
    unset "words[${#words[@]} - 1]"
  fi
}

# Adds the words on stdin that match what is typed; the first argument is a prefix for each.
__pixgate_add() {
  local candidate
  while IFS= read -r candidate; do
    [[ -n "$candidate" && "$1$candidate" == "$cur"* ]] && COMPREPLY+=("$1$candidate")
  done
}

# Offers values of this kind; the second argument is the option before it, with its =.
__pixgate_offer() {
  local kind="${1#\?}" typed="${cur#"$2"}"
  case "$kind" in
    'words '*) __pixgate_add "$2" < <(printf '%s\n' ${kind#words }) ;;
    profiles | payees) __pixgate_add "$2" < <(command pixgate __complete "$kind" 2>/dev/null </dev/null) ;;
    ids)
      compopt -o nosort 2>/dev/null
      __pixgate_add "$2" < <(command pixgate __complete ids 2>/dev/null </dev/null)
      ;;
    command) __pixgate_add "$2" < <(compgen -c -- "$typed" | sort -u) ;;
    files) compopt -o default 2>/dev/null || __pixgate_add "$2" < <(compgen -f -- "$typed") ;;
  esac
}

_pixgate() {
  local IFS=$' \t\n' words cur path=pixgate names options kind='' word literal='' breaks='' head
  local -i argument=0 index
  COMPREPLY=()
  __pixgate_words
  for ((index = 1; index < ${#words[@]}; index++)); do
    word="${words[index]}"
    if [[ -n "$kind" && ( "$kind" != '?'* || "$word" != -* ) ]]; then
      kind=''
    elif [[ -n "$literal" || "$word" != -?* ]]; then
      kind=''
      if [[ -n "$literal" ]] || ((argument > 0)) || ! __pixgate_enter "$word"; then argument+=1; fi
    elif [[ "$word" == -- ]]; then
      kind=''
      literal=1
    else
      __pixgate_option "$word"
    fi
  done

  __pixgate_names
  options+=' -p --profile --base-url -o --output --json --fields -y --yes --confirm --no-input --timeout -q --quiet -v --verbose --lang --no-color -h --help'
  if [[ -n "$kind" && ( "$kind" != '?'* || "$cur" != -* ) ]]; then
    __pixgate_offer "$kind" ''
  elif [[ -z "$literal" && "$cur" == --*=* ]]; then
    __pixgate_option "${cur%%=*}"
    __pixgate_offer "$kind" "${cur%%=*}="
  elif [[ -z "$literal" && "$cur" == -* ]]; then
    __pixgate_offer "words $options" ''
  else
    __pixgate_argument "$argument"
    if [[ -n "$names" && -z "$literal" ]] && ((argument == 0)); then __pixgate_offer "words $names" ''; fi
    __pixgate_offer "$kind" ''
    if [[ -z "$kind$names$cur$literal" ]]; then __pixgate_offer "words $options" ''; fi
  fi

  # readline replaces only the text after the last word break.
  for word in = : @; do
    if [[ "$COMP_WORDBREAKS" == *"$word"* ]]; then breaks+="$word"; fi
  done
  if [[ -n "$breaks" && "$cur" == *[$breaks]* ]]; then
    head="${cur%"${cur##*[$breaks]}"}"
    for ((index = 0; index < ${#COMPREPLY[@]}; index++)); do
      COMPREPLY[index]="${COMPREPLY[index]#"$head"}"
    done
  fi
}

complete -F _pixgate pixgate
