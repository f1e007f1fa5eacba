import { EVENT_NAMES } from '../schemas/webhookBodies.ts'
import { t } from '../text/translate.ts'

export type PageTexts = ReturnType<typeof pageTexts>

/** What a facet is called, what letting everything through is called, and its values. */
interface FilterTexts {
  label: string
  all: string
  values: readonly (readonly [value: string, text: string])[]
}

/** The words of the page. `{name}` is filled in by the page. */
export function pageTexts() {
  return {
    title: t`pixgate inspect`,
    events: t`Events`,
    payments: t`Payments`,
    payment: t`Payment`,
    sandbox: t`Sandbox`,
    connected: t`live`,
    disconnected: t`pixgate is not reachable; is it still running?`,
    failed: t`pixgate answered {status}; see its terminal for details`,
    help: t`Help`,
    close: t`Close`,
    back: t`Back`,
    newEvents: t`{count} new`,
    recordedEvents: t`{count} recorded`,
    matchingEvents: t`{count} match, {recorded} recorded`,
    matchingSoFar: t`{count} match so far, {recorded} recorded`,
    noMatch: t`No event matches`,
    filter: t`Filter`,
    showAll: t`Show all`,
    filters: filterTexts(),
    noEvents: t`No event has arrived yet`,
    notRecorded: t`not recorded`,
    production: t`production`,
    selected: t`What is selected`,
    nothingSelected: t`Select an event to see its verdict, headers, bytes and forwards`,
    facts: t`Fields`,
    headers: t`Headers`,
    body: t`Parsed body`,
    forwards: t`Forwards and replays`,
    notForwarded: t`not forwarded`,
    exactBytes: t`Exact bytes`,
    bytesOf: t`{count} bytes, SHA-256 {sha256}`,
    showBytes: t`Show the exact bytes`,
    bytesWarning: t`They are not masked: they may contain names and tax documents`,
    bytesCut: t`Only the first {count} bytes are shown; the file has all of them`,
    saveBytes: t`Save as a file`,
    bytesFile: t`event-{key}.bin`,
    replay: t`Replay…`,
    edit: t`Edit…`,
    copyCommand: t`Copy as cURL`,
    copied: t`The curl command is copied`,
    copyByHand: t`Copy this command`,
    copyRefused: t`The browser does not let this page copy; select the command and copy it`,
    mark: t`Mark for a comparison`,
    unmark: t`Remove the mark`,
    compare: t`Compare with the marked one`,
    comparison: t`Comparison`,
    comparing: t`− {first}, + {second}`,
    sameBody: t`The bodies are equal, byte for byte`,
    otherBody: t`The bodies differ`,
    otherLayout: t`The bodies differ only in how they are written: spaces, line breaks or escapes`,
    replayOf: t`Replay event {key}`,
    exact: t`the exact bytes, headers and signature`,
    edited: t`edited and re-signed`,
    target: t`Target URL`,
    targetHint: t`empty: the last forward target, the running listener or the callback URL`,
    editedBody: t`Body, unmasked`,
    edits: t`Values to set, one per line, such as data.amount=10.50`,
    notEditable: t`The body has bytes that a text field would change, so only single values can be set`,
    look: t`Preview`,
    willBeSent: t`This will be sent`,
    send: t`Send`,
    sendTo: t`Send event {key} to {target}`,
    search: t`Search`,
    searchHint: t`Names, ids, keys, amounts and days, such as: maria R$ 25,00 yesterday`,
    found: t`payments: {payments}, events: {events}`,
    noPayments: t`No payment matches`,
    history: t`History`,
    noSandbox: t`No sandbox is running at {url}`,
    transactions: t`Transactions`,
    deliveries: t`Deliveries`,
    controls: t`Faults, clock and reset`,
    none: t`none`,
    fault: t`Add a fault`,
    faultKind: t`Fault`,
    times: t`How many times`,
    isAsync: t`Accept the transfer, then make it fail`,
    faultTarget: t`Only for transfer, refund, qr, status or an id`,
    addFault: t`Add the fault`,
    faults: t`Faults to come`,
    clear: t`Remove`,
    advance: t`Move the clock forward`,
    duration: t`Duration, such as 10m or 31d`,
    reset: t`Reset…`,
    resetQuestion: t`Delete all transactions, faults and requests of the sandbox?`,
    done: t`Done`,
    actions: {
      pay: t`Pay`,
      'pay-late': t`Pay late`,
      expire: t`Expire`,
      cancel: t`Cancel`,
      chargeback: t`Charge back`,
      deliver: t`Deliver again`,
      fail: t`Fail`,
      return: t`Return`,
    },
    keys: [
      ['j, ↓', t`next event`],
      ['k, ↑', t`previous event`],
      ['Enter', t`open the selected event`],
      ['Esc', t`back to the list`],
      ['/', t`search`],
      ['Home, End', t`newest event, oldest event that is loaded`],
      ['f', t`filter the events`],
      ['r', t`replay the selected event`],
      ['e', t`edit the selected event and sign it anew`],
      ['c', t`copy the selected event as a curl command`],
      ['d', t`mark the selected event, then compare another one with it`],
      ['1, 2, 3', t`events, payments, sandbox`],
      ['?', t`this help`],
    ] as const,
  }
}

function filterTexts(): Readonly<Record<keyof EventFacets, FilterTexts>> {
  return {
    event: {
      label: t`Event`,
      all: t`All events`,
      values: [...EVENT_NAMES.map((name) => [name, name] as const), ['other', t`other events`]],
    },
    verdict: {
      label: t`Signature`,
      all: t`All verdicts`,
      values: [
        ['genuine', t`genuine`],
        ['repeated', t`genuine, repeated`],
        ['unsigned', t`accepted without signature`],
        ['refused', t`refused`],
      ],
    },
    forward: {
      label: t`Forward`,
      all: t`All forwards`,
      values: [
        ['received', t`forwarded`],
        ['failed', t`forward failed`],
        ['none', t`not forwarded`],
      ],
    },
  }
}

/** What events can be filtered by. */
export interface EventFacets {
  /** A name of the service's events, or `other`. */
  event: string
  /** Whether it was accepted; `unsigned` for one accepted without a signature. */
  verdict: 'genuine' | 'repeated' | 'unsigned' | 'refused'
  /** What became of the last forward or replay. */
  forward: 'received' | 'failed' | 'none'
}

/** The facets that an event must have; a missing one limits nothing. */
export type EventFilter = { readonly [Facet in keyof EventFacets]?: string }

/** The names of the facets, in the order in which people see them. */
export const FACETS = ['event', 'verdict', 'forward'] as const satisfies readonly (keyof EventFacets)[]

/** True for an event that a filter lets through. The server asks it of what is recorded, the page of what arrives. */
export function isMatch(facets: EventFacets, filter: EventFilter): boolean {
  return FACETS.every((name) => filter[name] === undefined || filter[name] === facets[name])
}
