import type { EventFacets, PageTexts } from './pageTexts.ts'

/** The answers to the inspector's page. All texts are safe to show and written for people; personal data is masked. */

/** How a text is coloured. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** A label and its value. */
export type LabelledText = readonly [label: string, value: string]

/** One delivery in a list. */
export interface EventLine {
  /** The number of a recorded event, `m` and a number for a delivery that is only in memory. */
  key: string
  /** Its position: the event before it, and its number among those in memory; 0 for a recorded event. */
  order: readonly [n: number, inMemory: number]
  /** The time in São Paulo, and the day. */
  clock: string
  day: string
  verdict: string
  tone: Tone
  event: string
  /** `bad` for an event that a person must not overlook. */
  eventTone: Tone
  status: string
  amount: string
  id: string
  /** The last forward: `200 12 ms`; '' if there was none. */
  forward: string
  forwardTone: Tone
  isProduction: boolean
  /** What it can be filtered by. */
  facets: EventFacets
}

/** A page of deliveries, newest first; of a filtered one maybe only few, because the search takes a rest. */
export interface EventPage {
  events: EventLine[]
  /** The older ones are those before this number; null if there are none. */
  before: number | null
  /** How many are recorded. */
  recorded: number
}

/** The result of forwarding or replaying an event. */
export interface ForwardLine {
  at: string
  url: string
  result: string
  tone: Tone
  ms: string
  /** Why there was no complete answer, or what an error status may mean. */
  advice: string
  body: string
}

/** Everything about one delivery. */
export interface EventDetail {
  line: EventLine
  /** What the verdict means, or what to do about it; '' if nothing is to be said. */
  advice: string
  facts: LabelledText[]
  headers: LabelledText[]
  /** The parsed body, indented. */
  body: string[]
  bytes: number
  sha256: string
  forwards: ForwardLine[]
  isRecorded: boolean
}

/** The exact bytes of a body. */
export interface EventBytes {
  base64: string
}

/** A command for a POSIX shell that sends a delivery's exact bytes. */
export interface EventCommand {
  command: string
  /** What the command does not send; '' if it sends everything. */
  note: string
}

/** A line of a comparison: in both, only in the first, or only in the second. */
export type DiffLine = readonly [mark: 'same' | 'first' | 'second', text: string]

/** The comparison of two deliveries. */
export interface EventDiff {
  first: EventLine
  second: EventLine
  /** True if the bodies are equal, byte for byte. */
  isSameBody: boolean
  headers: DiffLine[]
  body: DiffLine[]
}

/** What a replay would send. */
export interface ReplayPreview {
  facts: LabelledText[]
  body: string[]
  /** What must be read before the question is answered; empty if no question is asked. */
  warning: string
  /** What a person must type; '' if nothing. */
  question: string
  /** Identifies exactly this request; it is sent back with the consent. */
  digest: string
}

/** One payment in a list. */
export interface PaymentLine {
  id: string
  at: string
  kind: string
  state: string
  tone: Tone
  amount: string
  payee: string
  name: string
  environment: string
}

/** Everything about one payment. */
export interface PaymentDetail {
  facts: LabelledText[]
  /** What happened, oldest first. */
  records: LabelledText[]
}

/** What a search found. */
export interface SearchResult {
  events: EventLine[]
  payments: PaymentLine[]
  /** What was left out; '' if nothing was. */
  note: string
}

/** A control of the sandbox that has a button. */
export type SandboxAction = keyof PageTexts['actions']

/** A transaction of the sandbox, and the controls that make sense in its state. */
export interface SandboxTransaction {
  id: string
  kind: string
  status: string
  tone: Tone
  amount: string
  about: string
  actions: SandboxAction[]
}

/** The sandbox; `reason` tells why nothing else is known, and `hint` what to do. `url` is empty if there is no address. */
export interface SandboxView {
  url: string
  isRunning: boolean
  reason: string
  hint: string
  facts: LabelledText[]
  transactions: SandboxTransaction[]
  /** The last deliveries: event and id, then the result. */
  deliveries: LabelledText[]
  /** The faults that are still to come: kind, then what it is limited to. */
  faults: LabelledText[]
  faultKinds: readonly string[]
}

/** What the page reads, by the name behind `/api/`. */
export interface Questions {
  events: EventPage
  event: EventDetail
  bytes: EventBytes
  curl: EventCommand
  diff: EventDiff
  search: SearchResult
  payment: PaymentDetail
  sandbox: SandboxView
}

/** What the page does, by the name behind `/api/`, and what it gets in return. */
export interface Actions {
  preview: ReplayPreview
  replay: ForwardLine
  control: object
}

/** What has changed while a page is open. */
export interface LiveUpdate {
  /** Deliveries that are new or have changed, newest first. */
  events: EventLine[]
  /** True if there are more than these, so that a list must be read again. */
  isMore: boolean
  /** How many events are recorded. */
  recorded: number
}

/** Why nothing new can be read at the moment. */
export interface LiveTrouble {
  trouble: string
}
