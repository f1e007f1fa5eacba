import { setTimeout as sleep } from 'node:timers/promises'
import { errorAnswer, type Fault } from '../gateway/faultGateway.ts'
import {
  actedBut,
  actedThen,
  answering,
  chunkedBroken,
  closeAfterActing,
  drip,
  resetAfterActing,
  resetAfterAnswerHead,
  resetAfterReading,
  resetBeforeReading,
  stall,
  stallAfterActing,
  truncated,
  withField,
} from '../gateway/faults.ts'
import { writeAnswer } from '../gateway/rawHttp.ts'
import type { Started } from '../gateway/running.ts'
import type { Dice } from './dice.ts'

/** What a run meets. */
interface Stage {
  dice: Dice
  /** How long an undisturbed run takes here, from the start of the process to its end. */
  usualMs: number
  /** When the gateway has the POST of this run, or the process is over without one. */
  postedOrEnded: Promise<unknown>
}

/** One way for a payment to go wrong. */
export interface Kind {
  name: string
  /** What the gateway does to the POST. */
  fault(dice: Dice): Fault
  /** What happens to the process meanwhile. */
  meddle?(process: Started, stage: Stage): Promise<void>
  /** Options of the command line beside those of the payment. */
  options?(dice: Dice): string[]
  /** The exit codes that may come. */
  exits: readonly number[]
}

/** The end of a process by a signal that it did not catch. */
const KILLED = -1
const LATE_MS_MAX = 1500
/** On a busy machine no connection may be established in this time. */
const IMPATIENT = () => ['--timeout', '400ms']
const HTML = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }
const UNREADABLE_400 = { status: 400, body: '<h1>Bad request' }
/** A client that followed it would send the payment again. */
const TO_THE_SAME = { location: '/api/v1/gateway/pix-payment' }
/** Said in text mode when a Ctrl-C comes too late. */
const HELD = 'press Ctrl-C again'

/** Carried out or not, as the dice fall, then answered with this status. */
function perhapsActed(status: number, headers: Readonly<Record<string, string>> = {}) {
  return (dice: Dice) =>
    dice.coin() ? actedBut(status, headers) : answering(errorAnswer(status, 'SOME_CODE', headers))
}

/** Acts some time after the client has given up. */
function lateBy(delayMs: number): Fault {
  return async ({ socket, read, carryOut }) => {
    await read()
    await new Promise((resolve) => {
      if (socket.destroyed) resolve(undefined)
      else socket.once('close', resolve)
    })
    await sleep(delayMs)
    await carryOut()
  }
}

/** Serves well, but takes its time before and after it acts. */
function slowly(dice: Dice): Fault {
  const [beforeMs, afterMs] = [dice.below(30), dice.below(30)]
  return async ({ socket, carryOut }) => {
    await sleep(beforeMs)
    const answer = await carryOut()
    await sleep(afterMs)
    writeAnswer(socket, answer)
  }
}

/** Acts, and answers so late that a signal comes first. */
const actsThenWaits: Fault = async ({ socket, carryOut }) => {
  const answer = await carryOut()
  await sleep(700)
  writeAnswer(socket, answer)
}

/** Sends the signal somewhere in the life of the process; half of the times just when the gateway has the request. */
function signalAnywhere(name: NodeJS.Signals): NonNullable<Kind['meddle']> {
  return async (process, { dice, usualMs, postedOrEnded }) => {
    if (dice.coin()) await sleep(dice.fraction() * usualMs * 1.2)
    else {
      await postedOrEnded
      await sleep(dice.below(70))
    }
    process.signal(name)
  }
}

async function interruptTwice(process: Started, { postedOrEnded }: Stage): Promise<void> {
  await postedOrEnded
  process.signal('SIGINT')
  await process.said(HELD)
  process.signal('SIGINT')
}

/** More than twenty ways, each of which leaves the user at another place. */
export const KINDS: readonly Kind[] = [
  { name: 'no fault', fault: slowly, exits: [0] },
  { name: 'reset before reading', fault: () => resetBeforeReading, exits: [5] },
  { name: 'reset after reading', fault: () => resetAfterReading, exits: [5] },
  { name: 'reset after acting', fault: () => resetAfterActing, exits: [5] },
  { name: 'closed after acting', fault: () => closeAfterActing, exits: [5] },
  { name: 'reset after the answer head', fault: () => resetAfterAnswerHead, exits: [5] },
  { name: '500 before acting', fault: () => answering(errorAnswer(500, 'INTERNAL_ERROR')), exits: [5] },
  { name: '500 after acting', fault: () => actedBut(500), exits: [5] },
  { name: '502', fault: perhapsActed(502), exits: [5] },
  { name: '503', fault: perhapsActed(503, { 'retry-after': '0' }), exits: [5] },
  { name: '408', fault: perhapsActed(408), exits: [5] },
  {
    name: '3xx',
    fault: (dice) => perhapsActed([301, 302, 303, 307, 308][dice.below(5)] ?? 302, TO_THE_SAME)(dice),
    exits: [5],
  },
  { name: '429', fault: () => answering(errorAnswer(429, 'SLOW_DOWN', { 'retry-after': '0' })), exits: [7] },
  { name: '400', fault: () => answering(errorAnswer(400, 'DOCUMENT_VALIDATE')), exits: [1] },
  { name: 'unreadable 400', fault: () => answering(UNREADABLE_400), exits: [1] },
  { name: 'truncated 200', fault: (dice) => (dice.coin() ? truncated : chunkedBroken), exits: [5] },
  { name: 'HTML 200', fault: (dice) => (dice.coin() ? actedThen(HTML) : answering(HTML)), exits: [5] },
  { name: 'empty 200', fault: () => actedThen({ status: 200 }), exits: [5] },
  { name: 'garbage 200', fault: () => actedThen({ status: 200, body: '{"idTransaction":' }), exits: [5] },
  { name: 'JSON without id', fault: () => actedThen({ status: 200, body: '{"response":"OK"}' }), exits: [5] },
  { name: 'stall', fault: (dice) => (dice.coin() ? stall : stallAfterActing), options: IMPATIENT, exits: [5, 6] },
  { name: 'drip', fault: () => drip, options: IMPATIENT, exits: [5, 6] },
  { name: 'huge answer', fault: () => withField(`"long":"${'x'.repeat(2 ** 21)}"`), exits: [5] },
  { name: 'late processing', fault: (dice) => lateBy(dice.below(LATE_MS_MAX)), options: IMPATIENT, exits: [5, 6] },
  {
    name: 'no time at all',
    fault: slowly,
    options: (dice) => ['--timeout', `${1 + dice.below(40)}ms`],
    exits: [0, 5, 6],
  },
  { name: 'kill -9', fault: slowly, meddle: signalAnywhere('SIGKILL'), exits: [KILLED, 0] },
  { name: 'SIGTERM', fault: slowly, meddle: signalAnywhere('SIGTERM'), exits: [KILLED, 0, 5, 143] },
  { name: 'Ctrl-C anywhere', fault: slowly, meddle: signalAnywhere('SIGINT'), exits: [KILLED, 0, 130] },
  {
    name: 'Ctrl-C once',
    fault: () => actsThenWaits,
    meddle: async (process, { postedOrEnded }) => {
      await postedOrEnded
      process.signal('SIGINT')
    },
    exits: [0],
  },
  {
    name: 'Ctrl-C twice',
    fault: (dice) => (dice.coin() ? stall : stallAfterActing),
    meddle: interruptTwice,
    exits: [5],
  },
  {
    name: 'SIGTERM while the answer is awaited',
    fault: (dice) => (dice.coin() ? stall : stallAfterActing),
    meddle: async (process, { postedOrEnded }) => {
      await postedOrEnded
      process.signal('SIGTERM')
    },
    exits: [5],
  },
]
