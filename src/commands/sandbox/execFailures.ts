import type { Controls } from '../../sandbox/control.ts'
import type { DeliveryView, RequestEntry } from '../../schemas/sandboxAnswers.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { safeLines, safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'

/** As many of the last requests and deliveries are shown. */
const SHOWN_MAX = 20
const ANSWER_LINES_MAX = 8

/** Shows the requests that the sandbox refused, and the webhooks that were not received, with the answers of the server. */
export function showFailures({ err, note }: Terminal, controls: Controls): void {
  const requests = controls.requests({ failed: true })
  const deliveries = controls.deliveries().filter(hasFailed)
  const show = (title: string, blocks: readonly string[][]) => {
    if (blocks.length === 0) return
    note(err.bold(title))
    const hidden = blocks.length - SHOWN_MAX
    if (hidden > 0) note(`  ${t`and ${hidden} before these`}`)
    for (const line of blocks.slice(-SHOWN_MAX).flat()) note(`  ${line}`)
  }
  show(t`Refused by the sandbox`, requests.map(requestLines))
  show(t`Webhooks that were not received`, deliveries.map(deliveryLines))
}

/** A delivery that was never tried, or is under way for the first time, has not failed. */
function hasFailed({ outcome, status, error }: DeliveryView): boolean {
  return outcome === 'given-up' || (outcome === 'waiting' && (status !== null || error !== null))
}

function requestLines({ method, path, status, code, details }: RequestEntry): string[] {
  const result = [status === null ? t`no answer` : String(status), code ?? ''].filter((part) => part !== '').join(' ')
  return [safeText(`${method} ${path}: ${result}`), ...(details === null ? [] : [`  ${safeText(details)}`])]
}

function deliveryLines({ event, idTransaction, url, status, error, attempts, answer }: DeliveryView): string[] {
  const { origin, pathname } = new URL(url)
  const line = t`${event} of ${idTransaction} to ${origin + pathname}: ${status ?? error ?? ''}, attempts: ${attempts}`
  const said = safeLines((answer ?? '').trim()).filter((each) => each.trim() !== '')
  return [safeText(line), ...said.slice(0, ANSWER_LINES_MAX).map((each) => `  ${each}`)]
}
