import type { PostEnd } from '../../gateway/client.ts'
import { t } from '../../text/words.ts'
import { OutcomeUnknown, UsageError } from '../../wire/errors.ts'
import type { Desk } from '../desk.ts'
import { recordOutcomes } from '../recording.ts'
import type { Prepared } from './preparation.ts'
import { type RowEnd, rowEnd, rowOutcome } from './rowEnd.ts'

/** The end of a row that was prepared when the work ended. */
export const STOPPED: PostEnd = { outcome: 'not-sent', fault: 'interrupted', code: 'STOPPED' }
/** The end of a row whose payment another process has made meanwhile. */
export const OVERTAKEN: PostEnd = { outcome: 'not-sent', fault: 'interrupted', code: 'OVERTAKEN' }

interface EndingsDesk extends Desk {
  /** Waits so long, or until the work is interrupted. */
  sleep(ms: number): Promise<void>
}

/** Who is told of the ends of rows. */
interface Listener {
  /** Called when it is in the timeline what became of a row. */
  report(end: RowEnd): void
  /** Called where that cannot be recorded: then it stays in doubt. */
  unrecorded(): void
  /** Called with whatever else goes wrong. */
  fail(error: unknown): void
}

interface Ended {
  prepared: Prepared
  end: PostEnd
}

/** Records what became of rows, several with one sync of the disk, and reports it then. */
export class Endings {
  readonly #desk: EndingsDesk
  readonly #listener: Listener
  readonly #gatherMs: number
  #ended: Ended[] = []
  /** When those are recorded and reported. */
  #told = deferred()
  #recording: Promise<void> | undefined

  /** `gatherMs` is how long the first row that has ended waits for others. */
  constructor(desk: EndingsDesk, listener: Listener, gatherMs: number) {
    this.#desk = desk
    this.#listener = listener
    this.#gatherMs = gatherMs
  }

  /** Takes the end of a row; returns when it is recorded and reported, or never will be. */
  conclude(prepared: Prepared, end: PostEnd): Promise<void> {
    const { promise } = this.#told
    this.#ended.push({ prepared, end })
    this.#recording ??= this.#recordAll()
    return promise
  }

  /** Waits until everything that has ended is recorded. */
  async settled(): Promise<void> {
    while (this.#recording !== undefined) await this.#recording
  }

  async #recordAll(): Promise<void> {
    while (this.#ended.length > 0) {
      if (this.#gatherMs > 0) await this.#desk.sleep(this.#gatherMs)
      const ended = this.#ended
      const told = this.#told
      this.#ended = []
      this.#told = deferred()
      await this.#record(ended).catch((error: unknown) => this.#listener.fail(error))
      told.resolve()
    }
    this.#recording = undefined
  }

  async #record(ended: readonly Ended[]): Promise<void> {
    // What was sent before stays in doubt, whatever is not sent now.
    const known = ended.filter(({ prepared, end }) => !(prepared.isAgain && isUnsent(end)))
    const outcomes = known.map(({ prepared, end }) => rowOutcome(prepared.row, prepared.intent, end, prepared.isAgain))
    const warnings = await recordOutcomes(this.#desk, outcomes)
    if (warnings.length > 0) this.#listener.unrecorded()
    for (const [place, { prepared, end }] of known.entries()) {
      const outcome = outcomes[place]
      // What was only prepared is a row that was not sent, like those that were never looked at.
      if (outcome === undefined || end === STOPPED || wasInterrupted(end)) continue
      const told = rowEnd(prepared.row, prepared.intent, end, outcome, this.#desk)
      this.#listener.report(warnings.length > 0 ? inDoubt(told) : end === OVERTAKEN ? overtaken(told) : told)
    }
  }
}

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function isUnsent(end: PostEnd): boolean {
  return end === STOPPED || end === OVERTAKEN
}

function wasInterrupted(end: PostEnd): boolean {
  return end.outcome === 'not-sent' && end.fault === 'interrupted' && end !== OVERTAKEN
}

function overtaken(end: RowEnd): RowEnd {
  const failure = new UsageError(
    t`The same payment was sent from elsewhere meanwhile, or is in doubt, so this row was not sent`,
    {
      code: 'REPEAT',
      hint: t`Look at it with \`pixgate history\``,
    },
  )
  return { ...end, failure, errorCode: failure.code, exitCode: failure.exitCode }
}

/** What the timeline does not know must not be said as if it did. */
function inDoubt(end: RowEnd): RowEnd {
  const failure = new OutcomeUnknown(t`The answer could not be recorded, so this row stays in doubt`, {
    externalId: end.externalId,
    hint: t`Make room on the disk, then go on with the run: \`pixgate batch list\` names it`,
  })
  return { ...end, outcome: 'unknown', failure, errorCode: failure.code, exitCode: failure.exitCode }
}
