# PowerShell completion for pixgate; printed by pixgate completion powershell

Register-ArgumentCompleter -Native -CommandName 'pixgate' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Commands by path: names below it with their summaries, options, kinds of arguments (a last one that ends in * repeats).
    $commands = @{
        'pixgate' = @{
            Commands = @(
                ,@('demo', 'the whole service, live, in your terminal')
                ,@('qr', 'create, draw and read PIX QR codes')
                ,@('refund', 'return all or part of a received payment')
                ,@('transfer', 'send a PIX transfer to a PIX key (cash-out)')
                ,@('status', 'what is known of one or many transactions')
                ,@('resume', 'go on with what is in doubt or was interrupted')
                ,@('batch', 'send transfers or refunds from a CSV file')
                ,@('history', 'what was asked for from this machine, and what became of it')
                ,@('webhook', 'verify, receive, send and replay webhooks')
                ,@('sandbox', 'the gateway on your machine')
                ,@('profile', 'stored credentials')
                ,@('doctor', 'what is set up, what is wrong, how to fix it')
                ,@('completion', 'the completion script for your shell')
            )
            Options = @(
                ,@('-V', '--version', '', 'output the version number')
            )
            Arguments = @()
        }
        'pixgate demo' = @{
            Commands = @()
            Options = @()
            Arguments = @()
        }
        'pixgate qr' = @{
            Commands = @(
                ,@('create', 'create a dynamic PIX QR code (cash-in), draw it, optionally wait for the payment')
                ,@('draw', 'draw a copy-and-paste code as a QR code')
                ,@('decode', 'read a BR Code offline: fields, CRC, verdict')
            )
            Options = @()
            Arguments = @()
        }
        'pixgate qr create' = @{
            Commands = @()
            Options = @(
                ,@('', '--amount', 'text', 'in reais: 10, 10.50, 10,50 or 1.234,56')
                ,@('', '--request-number', 'text', 'id of the order in your system (default: generated)')
                ,@('', '--due-date', 'text', 'YYYY-MM-DD, a date-time, today or +3d (default +1d)')
                ,@('', '--callback-url', 'text', 'receives its events, listen for the running listener (default: of the profile)')
                ,@('', '--shipping-amount', 'text', 'shipping, in reais')
                ,@('', '--checkout-user', 'text', 'checkout user, for identification')
                ,@('', '--payer-name', 'text', 'name of the payer')
                ,@('', '--payer-tax-id', 'text', 'CPF or CNPJ of the payer')
                ,@('', '--payer-email', 'text', 'e-mail address of the payer')
                ,@('', '--split-username', 'text', 'partner who gets a share')
                ,@('', '--split-percentage', 'text', 'the share, above 0 and at most 100')
                ,@('', '--from', 'files', 'a request body in JSON, - for stdin; options win over it')
                ,@('', '--png', 'files', 'write the image that the gateway returns')
                ,@('', '--qr', '', 'draw also where the output is no terminal')
                ,@('', '--no-qr', '', 'do not draw')
                ,@('', '--again', '', 'allow a request number that this machine has used before')
                ,@('', '--wait', '?text', 'wait until it is paid, expired or cancelled (default 15m)')
                ,@('', '--interval', 'text', 'pause between two queries of a wait')
                ,@('', '--dry-run', '', 'print the exact request, secrets redacted, and stop')
            )
            Arguments = @()
        }
        'pixgate qr draw' = @{
            Commands = @()
            Options = @(
                ,@('', '--qr', '', 'draw also where the output is no terminal')
                ,@('', '--no-qr', '', 'print the code only')
            )
            Arguments = @('text')
        }
        'pixgate qr decode' = @{
            Commands = @()
            Options = @()
            Arguments = @('files')
        }
        'pixgate refund' = @{
            Commands = @()
            Options = @(
                ,@('', '--reason', 'text', 'why it is returned')
                ,@('', '--amount', 'text', 'in reais: 10, 10.50, 10,50 or 1.234,56 (default: what is left)')
                ,@('', '--full', '', 'return all that is left, said explicitly')
                ,@('', '--callback-url', 'text', 'receives its events, listen for the running listener (default: of the profile)')
                ,@('', '--id-field', 'words originalTransactionId idTransaction both', 'how the original is named: originalTransactionId, idTransaction, both')
                ,@('', '--skip-query', '', 'do not ask for the payment before')
                ,@('', '--again', '', 'return the same amount once more, in a sandbox')
                ,@('', '--in-addition-to', 'text', 'return the same amount once more, naming the earlier refund')
                ,@('', '--wait', '?text', 'wait for the event that tells its end (default 15m)')
                ,@('', '--dry-run', '', 'print the exact request, secrets redacted, and stop')
            )
            Arguments = @('ids')
        }
        'pixgate transfer' = @{
            Commands = @()
            Options = @(
                ,@('', '--key', 'text', 'the destination PIX key, sent as typed')
                ,@('', '--amount', 'text', 'in reais: 10, 10.50, 10,50 or 1.234,56 (alias --value)')
                ,@('', '--value', 'text', 'the same as --amount')
                ,@('', '--key-type', 'words document phoneNumber email randomKey paymentCode', 'document, phoneNumber, email, randomKey, paymentCode (default: detected)')
                ,@('', '--external-id', 'text', 'your id, carried out only once (default: generated)')
                ,@('', '--owner', 'text', 'CPF or CNPJ that must own the key (alias --document)')
                ,@('', '--document', 'text', 'the same as --owner')
                ,@('', '--callback-url', 'text', 'receives its events, listen for the running listener (default: of the profile)')
                ,@('', '--again', '', 'make the same payment once more, in a sandbox')
                ,@('', '--in-addition-to', 'text', 'make the same payment once more, naming the earlier one')
                ,@('', '--retry', 'text', 'go on with a transfer in doubt, like pixgate resume')
                ,@('', '--wait', '?text', 'wait for the event that tells its end (default 15m)')
                ,@('', '--dry-run', '', 'print the exact request, secrets redacted, and stop')
            )
            Arguments = @()
        }
        'pixgate status' = @{
            Commands = @()
            Options = @(
                ,@('', '--wait', '?text', 'wait until the status is final (default 15m)')
                ,@('', '--interval', 'text', 'pause between two queries of a wait')
                ,@('', '--expect', 'words PAID EXPIRED CANCELLED REFUNDED', 'exit 1 if the status is another')
                ,@('', '--from', 'files', 'ids, or a CSV with idTransaction and what you expect as amount and status; - for stdin')
                ,@('', '--fresh', '', 'with --from: ask for all again, also after an interrupted run')
            )
            Arguments = @('ids*')
        }
        'pixgate resume' = @{
            Commands = @()
            Options = @(
                ,@('', '--refused', '', 'of a run: send refused rows too, each as a new attempt')
                ,@('', '--include-unknown', '', 'of a run: send refunds in doubt too, and transfers in doubt for more than a day')
                ,@('', '--limit', 'text', 'send at most so many rows now; resume goes on with the rest')
                ,@('', '--concurrency', 'text', 'so many at once, up to 64')
                ,@('', '--rate', 'text', 'at most so many: 10/s or 300/m')
                ,@('', '--stop-after', 'text', 'stop after so many rows in a row that were not accepted')
                ,@('', '--results', 'files', 'write what became of every row to a CSV file')
                ,@('', '--excel', '', 'make that file safe to open in Excel')
                ,@('', '--dry-run', '', 'print the exact request, secrets redacted, or what of a run would be sent, and stop')
            )
            Arguments = @('ids')
        }
        'pixgate batch' = @{
            Commands = @(
                ,@('transfer', 'send all the transfers of a CSV file')
                ,@('refund', 'make all the refunds of a CSV file')
                ,@('list', 'the batches of this machine')
                ,@('show', 'how a batch stands')
                ,@('resume', 'go on with a batch that was interrupted')
            )
            Options = @()
            Arguments = @()
        }
        'pixgate batch transfer' = @{
            Commands = @()
            Options = @(
                ,@('', '--map', 'text', 'the file calls a field by another name (repeatable, or with commas)')
                ,@('', '--reference', 'text', 'what these payments are for; the ids depend on it (default: the name of the file)')
                ,@('', '--callback-url', 'text', 'receives the events, listen for the running listener (default: of the profile)')
                ,@('', '--again', '', 'pay rows once more that were paid within six days outside this reference, in a sandbox')
                ,@('', '--in-addition-to', 'text', 'the same, naming each earlier payment (repeatable)')
                ,@('', '--file-changed', '', 'rows that were sent under this reference have been taken out of the file')
                ,@('', '--dry-run', '', 'check the file, print the totals, and stop')
                ,@('', '--limit', 'text', 'send at most so many rows now; resume goes on with the rest')
                ,@('', '--concurrency', 'text', 'so many at once, up to 64')
                ,@('', '--rate', 'text', 'at most so many: 10/s or 300/m')
                ,@('', '--stop-after', 'text', 'stop after so many rows in a row that were not accepted')
                ,@('', '--results', 'files', 'write what became of every row to a CSV file')
                ,@('', '--excel', '', 'make that file safe to open in Excel')
                ,@('', '--rehearse', '', 'play the whole run on this machine, with lost answers and kills; no money moves')
                ,@('', '--seed', 'text', 'of a rehearsal: repeat the mishaps of an earlier one')
            )
            Arguments = @('files')
        }
        'pixgate batch refund' = @{
            Commands = @()
            Options = @(
                ,@('', '--map', 'text', 'the file calls a field by another name (repeatable, or with commas)')
                ,@('', '--reference', 'text', 'what these payments are for; the ids depend on it (default: the name of the file)')
                ,@('', '--callback-url', 'text', 'receives the events, listen for the running listener (default: of the profile)')
                ,@('', '--again', '', 'pay rows once more that were paid within six days outside this reference, in a sandbox')
                ,@('', '--in-addition-to', 'text', 'the same, naming each earlier payment (repeatable)')
                ,@('', '--file-changed', '', 'rows that were sent under this reference have been taken out of the file')
                ,@('', '--dry-run', '', 'check the file, print the totals, and stop')
                ,@('', '--limit', 'text', 'send at most so many rows now; resume goes on with the rest')
                ,@('', '--concurrency', 'text', 'so many at once, up to 64')
                ,@('', '--rate', 'text', 'at most so many: 10/s or 300/m')
                ,@('', '--stop-after', 'text', 'stop after so many rows in a row that were not accepted')
                ,@('', '--results', 'files', 'write what became of every row to a CSV file')
                ,@('', '--excel', '', 'make that file safe to open in Excel')
                ,@('', '--reason', 'text', 'why payments are returned whose row does not say it')
                ,@('', '--skip-query', '', 'do not ask for the payments before')
            )
            Arguments = @('files')
        }
        'pixgate batch list' = @{
            Commands = @()
            Options = @()
            Arguments = @()
        }
        'pixgate batch show' = @{
            Commands = @()
            Options = @()
            Arguments = @('text')
        }
        'pixgate batch resume' = @{
            Commands = @()
            Options = @(
                ,@('', '--refused', '', 'of a run: send refused rows too, each as a new attempt')
                ,@('', '--include-unknown', '', 'of a run: send refunds in doubt too, and transfers in doubt for more than a day')
                ,@('', '--limit', 'text', 'send at most so many rows now; resume goes on with the rest')
                ,@('', '--concurrency', 'text', 'so many at once, up to 64')
                ,@('', '--rate', 'text', 'at most so many: 10/s or 300/m')
                ,@('', '--stop-after', 'text', 'stop after so many rows in a row that were not accepted')
                ,@('', '--results', 'files', 'write what became of every row to a CSV file')
                ,@('', '--excel', '', 'make that file safe to open in Excel')
                ,@('', '--dry-run', '', 'print what would be sent, and stop')
            )
            Arguments = @('text')
        }
        'pixgate history' = @{
            Commands = @(
                ,@('list', 'everything that was asked for from this machine')
                ,@('show', 'everything that is known of one transaction')
                ,@('check', 'compare open payments with the gateway, or the ledger with a statement')
                ,@('import', 'take in events that your own receiver kept')
                ,@('settle', 'record what you found out about a payment in doubt')
            )
            Options = @(
                ,@('', '--since', 'text', 'asked for since: a duration like 7d, a day in São Paulo, or a date-time')
                ,@('', '--until', 'text', 'asked for until then; a day counts to its end')
                ,@('', '--month', 'text', 'asked for in this month in São Paulo, like 2026-11')
                ,@('', '--kind', 'words qr transfer refund', 'qr, transfer, refund')
                ,@('', '--state', 'words not-sent refused accepted unknown paid not-paid returned', 'not-sent, refused, accepted, unknown, paid, not-paid, returned')
                ,@('', '--reference', 'text', 'of this batch reference, or with this external id or request number')
                ,@('', '--by', 'text', 'asked for by this user')
                ,@('', '--for-profile', 'profiles', 'asked for under this profile')
                ,@('', '--unmask', '', 'show keys and tax documents of people whole')
            )
            Arguments = @()
        }
        'pixgate history list' = @{
            Commands = @()
            Options = @(
                ,@('', '--since', 'text', 'asked for since: a duration like 7d, a day in São Paulo, or a date-time')
                ,@('', '--until', 'text', 'asked for until then; a day counts to its end')
                ,@('', '--month', 'text', 'asked for in this month in São Paulo, like 2026-11')
                ,@('', '--kind', 'words qr transfer refund', 'qr, transfer, refund')
                ,@('', '--state', 'words not-sent refused accepted unknown paid not-paid returned', 'not-sent, refused, accepted, unknown, paid, not-paid, returned')
                ,@('', '--reference', 'text', 'of this batch reference, or with this external id or request number')
                ,@('', '--by', 'text', 'asked for by this user')
                ,@('', '--for-profile', 'profiles', 'asked for under this profile')
                ,@('', '--unmask', '', 'show keys and tax documents of people whole')
            )
            Arguments = @()
        }
        'pixgate history show' = @{
            Commands = @()
            Options = @(
                ,@('', '--receipt', '', 'the slip of a completed transfer, as a supplier asks for it')
                ,@('', '--png', 'files', 'with --receipt: write it as an image too')
                ,@('', '--unmask', '', 'show keys and tax documents of people whole')
            )
            Arguments = @('ids')
        }
        'pixgate history check' = @{
            Commands = @()
            Options = @(
                ,@('', '--since', 'text', 'asked for since: a duration like 7d, a day in São Paulo, or a date-time')
                ,@('', '--until', 'text', 'asked for until then; a day counts to its end')
                ,@('', '--month', 'text', 'asked for in this month in São Paulo, like 2026-11')
                ,@('', '--kind', 'words qr transfer refund', 'only qr, transfer, refund')
                ,@('', '--statement', 'files', 'compare with a CSV of the bank or the gateway; its dates are the period; - for stdin')
                ,@('', '--map', 'text', 'which columns are id, amount, status, date: id=Código,amount=Valor')
                ,@('', '--unmask', '', 'show keys and tax documents of people whole')
            )
            Arguments = @()
        }
        'pixgate history import' = @{
            Commands = @()
            Options = @()
            Arguments = @('files')
        }
        'pixgate history settle' = @{
            Commands = @()
            Options = @(
                ,@('', '--as', 'words paid not-paid returned', 'what you found: paid, not-paid, returned')
                ,@('', '--because', 'text', 'how you know')
            )
            Arguments = @('ids')
        }
        'pixgate webhook' = @{
            Commands = @(
                ,@('verify', 'is this signature right for these bytes, and if not, why not')
                ,@('listen', 'temporary listener: verify, pretty-print, record, forward')
                ,@('events', 'the webhooks that were recorded on this machine')
                ,@('replay', 'deliver recorded events again, byte for byte or edited and signed anew')
                ,@('send', 'send a correctly signed sample (or your own body) to a URL')
                ,@('sign', 'the signature of these bytes')
            )
            Options = @()
            Arguments = @()
        }
        'pixgate webhook verify' = @{
            Commands = @()
            Options = @(
                ,@('', '--body', 'files', 'the exact bytes of the body, - for standard input')
                ,@('', '--signature', 'text', 'the value of X-Signature')
                ,@('', '--request', 'files', 'a raw HTTP request or a line of `listen -o json`, - for standard input')
                ,@('', '--event', 'text', 'a recorded event, by its number or idTransaction')
                ,@('', '--recover', 'files', 'write the bytes that were signed, where they are found')
            )
            Arguments = @()
        }
        'pixgate webhook listen' = @{
            Commands = @()
            Options = @(
                ,@('', '--port', 'text', 'port to listen on, 0 picks a free one')
                ,@('', '--host', 'text', 'address to listen on')
                ,@('', '--path', 'text', 'take only this path (default: any)')
                ,@('', '--forward-to', 'text', 'pass every event on, byte for byte, with its headers')
                ,@('', '--events', 'words pix.received refund.status transfer.completed transfer.failed payment', 'show and pass on only these')
                ,@('', '--max-events', 'text', 'end after so many events, duplicates not counted')
                ,@('', '--for', 'text', 'end after this time (alias --timeout)')
                ,@('', '--timeout', 'text', 'the same as --for')
                ,@('', '--allow-unsigned', '', 'take webhooks without a signature too')
                ,@('', '--print-body', '', 'print the body of every event')
                ,@('', '--header', 'text', 'add a header to what is passed on, repeatable')
                ,@('', '--drop-duplicates', '', 'do not pass an event on a second time')
                ,@('', '--unmask', '', 'show names and tax ids whole')
                ,@('', '--public-url', 'text', 'the address by which the gateway reaches this listener')
                ,@('', '--tunnel', 'text', 'command that makes it reachable and prints its URL; {port} is filled in')
            )
            Arguments = @()
        }
        'pixgate webhook events' = @{
            Commands = @(
                ,@('list', 'the webhooks that were recorded on this machine')
                ,@('show', 'everything that is known of one recorded webhook')
            )
            Options = @(
                ,@('', '--since', 'text', 'only those that arrived in the last 30m, 1h, 7d')
                ,@('', '--last', 'text', 'only so many of the newest')
                ,@('', '--failed', '', 'only those that your server did not take when they were passed on')
            )
            Arguments = @()
        }
        'pixgate webhook events list' = @{
            Commands = @()
            Options = @(
                ,@('', '--since', 'text', 'only those that arrived in the last 30m, 1h, 7d')
                ,@('', '--last', 'text', 'only so many of the newest')
                ,@('', '--failed', '', 'only those that your server did not take when they were passed on')
            )
            Arguments = @()
        }
        'pixgate webhook events show' = @{
            Commands = @()
            Options = @(
                ,@('', '--unmask', '', 'show names, tax ids and e-mail addresses whole')
                ,@('', '--raw', '', 'write the exact bytes of the body to standard output, and nothing else')
            )
            Arguments = @('ids')
        }
        'pixgate webhook replay' = @{
            Commands = @()
            Options = @(
                ,@('', '--to', 'text', 'where to (default: where it was passed on last, else the running listener)')
                ,@('', '--last', '', 'the newest')
                ,@('', '--failed', '', 'those whose last delivery was not answered 2xx')
                ,@('', '--since', 'text', 'those of the last hour, say: 1h')
                ,@('', '--body', 'files', 'send these bytes in its place, signed anew, `-` for standard input')
                ,@('', '--set', 'text', 'put a value into the body and sign it anew, repeatable')
            )
            Arguments = @('text*')
        }
        'pixgate webhook send' = @{
            Commands = @()
            Options = @(
                ,@('', '--to', 'text', 'where to (default: the running listener, else the callback URL)')
                ,@('', '--set', 'text', 'put a value into the body, repeatable')
                ,@('', '--body', 'files', 'send these bytes, `-` for standard input')
                ,@('', '--times', 'text', 'send the same bytes so often')
                ,@('', '--at-once', '', 'send them together, not one after the other')
                ,@('', '--unsigned', '', 'without a signature')
                ,@('', '--bad-signature', '', 'with a signature that is wrong')
                ,@('', '--signature-encoding', 'words hex base64', 'hex or base64')
                ,@('', '--repeated-key', '', 'of a refund: name both ids `idTransaction`')
            )
            Arguments = @('words pix.received refund.status transfer.completed transfer.failed payment')
        }
        'pixgate webhook sign' = @{
            Commands = @()
            Options = @(
                ,@('', '--body', 'files', 'the bytes, `-` for standard input')
                ,@('', '--signature-encoding', 'words hex base64', 'hex or base64')
            )
            Arguments = @()
        }
        'pixgate sandbox' = @{
            Commands = @(
                ,@('start', 'run the gateway on your machine until Ctrl-C')
                ,@('exec', 'run a command against a sandbox of its own, then clean up')
                ,@('pay', 'be the payer of a code')
                ,@('expire', 'let a code expire unpaid')
                ,@('cancel', 'cancel an unpaid code, or a transfer under way')
                ,@('chargeback', 'take a received payment back, as the fraud procedure does')
                ,@('return', 'let the receiver of a transfer send it back')
                ,@('deliver', 'deliver the last event of a transaction again')
                ,@('fail', 'let a transfer or refund under way fail')
                ,@('fault', 'make the next answers or deliveries misbehave')
                ,@('advance', 'move the clock of the sandbox forward')
                ,@('reset', 'forget everything: as on the first day')
                ,@('state', 'everything that the sandbox knows')
            )
            Options = @(
                ,@('', '--port', 'text', 'port to listen on, 0 picks a free one (default 4010)')
                ,@('', '--host', 'text', 'address to listen on (default 127.0.0.1)')
                ,@('', '--client-id', 'text', 'client id that it accepts (default local)')
                ,@('', '--client-secret', 'text', 'client secret that it accepts and signs with (default local-secret)')
                ,@('', '--hosted-status-rule', '', 'ids that begin with paid- are PAID, all others UNPAID')
                ,@('', '--signature', 'words hex base64', 'how X-Signature is written: hex or base64 (default hex)')
                ,@('', '--status-key', 'words status statusTransaction', 'status or statusTransaction in the answer to a query (default status)')
                ,@('', '--refund-event', 'words originalTransactionId repeated-key', 'originalTransactionId or repeated-key (default originalTransactionId)')
                ,@('', '--deliver-attempts', 'text', 'how often a webhook is tried (default 3)')
                ,@('', '--auto-pay', 'text', 'pay every code after this time (default off)')
                ,@('', '--auto-settle', 'text', 'settle refunds and transfers after this time (default 1s)')
                ,@('', '--latency', 'text', 'least time for every answer (default 0)')
                ,@('', '--allow-ip', 'text', 'address that may make transfers, repeatable (default loopback)')
                ,@('', '--balance', 'text', 'balance to begin with (default 10000)')
                ,@('', '--partner', 'text', 'split partner that exists, repeatable (default any)')
                ,@('', '--dashboard-webhook', 'text', 'receives the general payment notifications')
            )
            Arguments = @()
        }
        'pixgate sandbox start' = @{
            Commands = @()
            Options = @(
                ,@('', '--port', 'text', 'port to listen on, 0 picks a free one (default 4010)')
                ,@('', '--host', 'text', 'address to listen on (default 127.0.0.1)')
                ,@('', '--client-id', 'text', 'client id that it accepts (default local)')
                ,@('', '--client-secret', 'text', 'client secret that it accepts and signs with (default local-secret)')
                ,@('', '--hosted-status-rule', '', 'ids that begin with paid- are PAID, all others UNPAID')
                ,@('', '--signature', 'words hex base64', 'how X-Signature is written: hex or base64 (default hex)')
                ,@('', '--status-key', 'words status statusTransaction', 'status or statusTransaction in the answer to a query (default status)')
                ,@('', '--refund-event', 'words originalTransactionId repeated-key', 'originalTransactionId or repeated-key (default originalTransactionId)')
                ,@('', '--deliver-attempts', 'text', 'how often a webhook is tried (default 3)')
                ,@('', '--auto-pay', 'text', 'pay every code after this time (default off)')
                ,@('', '--auto-settle', 'text', 'settle refunds and transfers after this time (default 1s)')
                ,@('', '--latency', 'text', 'least time for every answer (default 0)')
                ,@('', '--allow-ip', 'text', 'address that may make transfers, repeatable (default loopback)')
                ,@('', '--balance', 'text', 'balance to begin with (default 10000)')
                ,@('', '--partner', 'text', 'split partner that exists, repeatable (default any)')
                ,@('', '--dashboard-webhook', 'text', 'receives the general payment notifications')
            )
            Arguments = @()
        }
        'pixgate sandbox exec' = @{
            Commands = @()
            Options = @(
                ,@('', '--port', 'text', 'port to listen on, 0 picks a free one (default 0)')
                ,@('', '--host', 'text', 'address to listen on (default 127.0.0.1)')
                ,@('', '--client-id', 'text', 'client id that it accepts (default local)')
                ,@('', '--client-secret', 'text', 'client secret that it accepts and signs with (default local-secret)')
                ,@('', '--hosted-status-rule', '', 'ids that begin with paid- are PAID, all others UNPAID')
                ,@('', '--signature', 'words hex base64', 'how X-Signature is written: hex or base64 (default hex)')
                ,@('', '--status-key', 'words status statusTransaction', 'status or statusTransaction in the answer to a query (default status)')
                ,@('', '--refund-event', 'words originalTransactionId repeated-key', 'originalTransactionId or repeated-key (default originalTransactionId)')
                ,@('', '--deliver-attempts', 'text', 'how often a webhook is tried (default 3)')
                ,@('', '--auto-pay', 'text', 'pay every code after this time (default off)')
                ,@('', '--auto-settle', 'text', 'settle refunds and transfers after this time (default 1s)')
                ,@('', '--latency', 'text', 'least time for every answer (default 0)')
                ,@('', '--allow-ip', 'text', 'address that may make transfers, repeatable (default loopback)')
                ,@('', '--balance', 'text', 'balance to begin with (default 10000)')
                ,@('', '--partner', 'text', 'split partner that exists, repeatable (default any)')
                ,@('', '--dashboard-webhook', 'text', 'receives the general payment notifications')
            )
            Arguments = @('command*')
        }
        'pixgate sandbox pay' = @{
            Commands = @()
            Options = @(
                ,@('', '--late', '', 'pay it although it has expired or was cancelled')
            )
            Arguments = @('ids')
        }
        'pixgate sandbox expire' = @{
            Commands = @()
            Options = @()
            Arguments = @('ids')
        }
        'pixgate sandbox cancel' = @{
            Commands = @()
            Options = @()
            Arguments = @('ids')
        }
        'pixgate sandbox chargeback' = @{
            Commands = @()
            Options = @()
            Arguments = @('ids')
        }
        'pixgate sandbox return' = @{
            Commands = @()
            Options = @()
            Arguments = @('ids')
        }
        'pixgate sandbox deliver' = @{
            Commands = @()
            Options = @()
            Arguments = @('ids')
        }
        'pixgate sandbox fail' = @{
            Commands = @()
            Options = @(
                ,@('', '--error-code', 'words NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT', 'the code of its transfer.failed (default PIX_KEY_NOT_FOUND)')
            )
            Arguments = @('ids')
        }
        'pixgate sandbox fault' = @{
            Commands = @()
            Options = @(
                ,@('', '--times', 'text', 'how often')
                ,@('', '--async', '', 'accept the transfer, then let it fail with this code')
            )
            Arguments = @('words status:500 drop-before drop-after slow:10s garbage html NO_FUNDS PIX_KEY_NOT_FOUND DOCUMENT_VALIDATE DUPLICATE_EXTERNAL_ID UNAUTHORIZED_IP ACCOUNT_DOCUMENTS_NOT_VALIDATED OPERATION_EXCEEDS_LIMIT WRONG_DATA_FORMAT webhook:lost webhook:twice webhook:late:10s webhook:reorder webhook:unsigned webhook:bad-signature')
        }
        'pixgate sandbox advance' = @{
            Commands = @()
            Options = @()
            Arguments = @('text')
        }
        'pixgate sandbox reset' = @{
            Commands = @()
            Options = @()
            Arguments = @()
        }
        'pixgate sandbox state' = @{
            Commands = @()
            Options = @()
            Arguments = @()
        }
        'pixgate profile' = @{
            Commands = @(
                ,@('add', 'store credentials')
                ,@('list', 'all stored profiles')
                ,@('show', 'one profile, with where its values come from')
                ,@('use', 'choose the active profile')
                ,@('edit', 'change a stored profile')
                ,@('remove', 'forget a profile and its secret')
            )
            Options = @()
            Arguments = @()
        }
        'pixgate profile add' = @{
            Commands = @()
            Options = @(
                ,@('', '--environment', 'words sandbox production', 'sandbox or production (default: sandbox on this machine, else production)')
                ,@('', '--base-url', 'text', 'the gateway''s base address')
                ,@('', '--client-id', 'text', 'the header ci of the gateway''s API')
                ,@('', '--callback-url', 'text', 'where the gateway sends events, unless a command names another')
                ,@('', '--max-amount', 'text', 'refuse a payment above this')
                ,@('', '--max-day', 'text', 'refuse what goes above this in a day of São Paulo')
                ,@('', '--read-only', '', 'refuse everything that moves money or signs')
                ,@('', '--client-secret-stdin', '', 'read the secret from standard input; on a terminal ask, hidden')
                ,@('', '--client-secret-env', 'text', 'read it from this variable at every use; only the name is stored')
                ,@('', '--client-secret-command', 'text', 'run this at every use; what it prints is the secret')
                ,@('', '--keychain', '', 'ask for it (or read it from a pipe) and keep it in the system''s keychain')
            )
            Arguments = @('text')
        }
        'pixgate profile list' = @{
            Commands = @()
            Options = @()
            Arguments = @()
        }
        'pixgate profile show' = @{
            Commands = @()
            Options = @()
            Arguments = @('profiles')
        }
        'pixgate profile use' = @{
            Commands = @()
            Options = @()
            Arguments = @('profiles')
        }
        'pixgate profile edit' = @{
            Commands = @()
            Options = @(
                ,@('', '--name', 'text', 'another name for it')
                ,@('', '--environment', 'words sandbox production', 'sandbox or production (default: sandbox on this machine, else production)')
                ,@('', '--base-url', 'text', 'the gateway''s base address')
                ,@('', '--client-id', 'text', 'the header ci of the gateway''s API')
                ,@('', '--callback-url', 'text', 'where the gateway sends events, unless a command names another')
                ,@('', '--max-amount', 'text', 'refuse a payment above this')
                ,@('', '--max-day', 'text', 'refuse what goes above this in a day of São Paulo')
                ,@('', '--read-only', '', 'refuse everything that moves money or signs')
                ,@('', '--client-secret-stdin', '', 'read the secret from standard input; on a terminal ask, hidden')
                ,@('', '--client-secret-env', 'text', 'read it from this variable at every use; only the name is stored')
                ,@('', '--client-secret-command', 'text', 'run this at every use; what it prints is the secret')
                ,@('', '--keychain', '', 'ask for it (or read it from a pipe) and keep it in the system''s keychain')
                ,@('', '--no-callback-url', '', 'clear the callback URL')
                ,@('', '--no-max-amount', '', 'clear the limit of one payment')
                ,@('', '--no-max-day', '', 'clear the limit of a day')
                ,@('', '--no-read-only', '', 'allow what moves money again')
            )
            Arguments = @('profiles')
        }
        'pixgate profile remove' = @{
            Commands = @()
            Options = @()
            Arguments = @('profiles')
        }
        'pixgate doctor' = @{
            Commands = @()
            Options = @()
            Arguments = @()
        }
        'pixgate completion' = @{
            Commands = @()
            Options = @()
            Arguments = @('words bash zsh fish powershell')
        }
    }
    # Other names of commands, and the path they stand for.
    $aliases = @{

    }
    # The options of every command: short, long, kind of the value (a leading ? where it may be left out), description.
    $globals = @(
        ,@('-p', '--profile', 'profiles', 'credentials profile (env PIXGATE_PROFILE)')
        ,@('', '--base-url', 'text', 'the gateway''s base address (env PIXGATE_BASE_URL)')
        ,@('-o', '--output', 'words text json csv', 'text, json or csv (env PIXGATE_OUTPUT)')
        ,@('', '--json', '', 'the same as -o json')
        ,@('', '--fields', 'text', 'pick and order columns or keys')
        ,@('-y', '--yes', '', 'answer the question in a sandbox')
        ,@('', '--confirm', 'text', 'answer the question by naming the profile')
        ,@('', '--no-input', '', 'never ask; a missing value is an error (env CI)')
        ,@('', '--timeout', 'text', 'longest time for one call (env PIXGATE_TIMEOUT, default 30s)')
        ,@('-q', '--quiet', '', 'no notes on stderr')
        ,@('-v', '--verbose', '', 'request and answer lines on stderr, secrets redacted')
        ,@('', '--no-color', '', 'no colours (env NO_COLOR, FORCE_COLOR)')
        ,@('-h', '--help', '', 'show this help')
    )

    function Find-Option($path, $name) {
        foreach ($option in @($commands[$path].Options) + $globals) {
            if ($option -and ($option[0] -ceq $name -or $option[1] -ceq $name)) { return ,$option }
        }
    }
    function New-Candidate($text, $type, $tip) {
        if (-not $tip) { $tip = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, $type, $tip)
    }
    # What a value of this kind can be; the text before it is the option with its =.
    function Get-Candidates($kind, $before) {
        $kind = $kind.TrimStart('?').TrimEnd('*')
        $found = @()
        if ($kind.StartsWith('words ')) {
            $found = @($kind.Substring(6).Split(' '))
        } elseif ($kind -ceq 'profiles' -or $kind -ceq 'ids') {
            $found = @(& pixgate __complete $kind 2>$null)
        }
        foreach ($word in $found) {
            $text = $before + $word
            if ($text.StartsWith($wordToComplete)) { New-Candidate $text 'ParameterValue' $word }
        }
    }

    $path = 'pixgate'
    $kind = ''
    $literal = $false
    $arguments = 0
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        if ($kind -and -not ($kind.StartsWith('?') -and $word.StartsWith('-'))) {
            $kind = ''
        } elseif (-not $literal -and $word -ceq '--') {
            $kind = ''
            $literal = $true
        } elseif (-not $literal -and $word.StartsWith('-') -and $word.Length -gt 1) {
            $option = Find-Option $path $word
            $kind = ''
            if ($option) { $kind = $option[2] }
        } else {
            $kind = ''
            $below = "$path $word"
            if ($aliases.ContainsKey($below)) { $below = $aliases[$below] }
            if (-not $literal -and $arguments -eq 0 -and $commands.ContainsKey($below)) {
                $path = $below
            } else {
                $arguments += 1
            }
        }
    }

    $command = $commands[$path]
    if ($kind -and -not ($kind.StartsWith('?') -and $wordToComplete.StartsWith('-'))) {
        Get-Candidates $kind ''
    } elseif (-not $literal -and $wordToComplete -match '^(--[^=]+)=') {
        $before = $Matches[1]
        $option = Find-Option $path $before
        if ($option) { Get-Candidates $option[2] "$before=" }
    } elseif (-not $literal -and $wordToComplete.StartsWith('-')) {
        foreach ($option in @($command.Options) + $globals) {
            foreach ($name in @($option[1], $option[0])) {
                if ($name -and $name.StartsWith($wordToComplete)) { New-Candidate $name 'ParameterName' $option[3] }
            }
        }
    } else {
        if (-not $literal -and $arguments -eq 0) {
            foreach ($below in $command.Commands) {
                if ($below[0].StartsWith($wordToComplete)) { New-Candidate $below[0] 'ParameterValue' $below[1] }
            }
        }
        $kinds = @($command.Arguments)
        if ($arguments -lt $kinds.Count) {
            Get-Candidates $kinds[$arguments] ''
        } elseif ($kinds.Count -gt 0 -and $kinds[-1].EndsWith('*')) {
            Get-Candidates $kinds[-1] ''
        }
    }
}
