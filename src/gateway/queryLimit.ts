import { appendFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivateFolder } from '../locks/privateFolder.ts'
import { readTextOrNothing } from '../locks/textFile.ts'

/** The service allows 100 status queries a minute; the margin absorbs the way to the gateway. */
export const QUERIES_PER_WINDOW = 100
const WINDOW_MS = 60_000 + 500
const BUCKET_MS = 10 * 60_000

/** A place in the common queue of all processes on this machine. */
export interface QueryLimit {
  /** Takes a place and returns when it comes up, in ms since the epoch; at or before now means at once. */
  reserve(): Promise<number>
  /** When a place taken now would come up. */
  preview(): Promise<number>
}

/** One line of the queue: when the place was taken and by whom. */
interface Ticket {
  atMs: number
  id: string
}

/**
 * When each ticket's turn comes, from the order of the queue alone: at once, but never within the window of the hundredth
 * ticket before it. Every process computes the same times, so nobody needs a lock and nobody's death blocks the others.
 */
export function turns(tickets: readonly Ticket[]): number[] {
  const times: number[] = []
  for (const [index, ticket] of tickets.entries()) {
    const before = times[index - QUERIES_PER_WINDOW]
    times.push(before === undefined ? ticket.atMs : Math.max(ticket.atMs, before + WINDOW_MS))
  }
  return times
}

/** The limit for one base address, kept in files of `folder` that every process appends to. */
export function queryLimit(folder: string, baseUrl: string, now: () => number, newId: () => string): QueryLimit {
  const name = `queries-${crc32(baseUrl).toString(16).padStart(8, '0')}`
  const fileOf = (bucket: number) => join(folder, `${name}-${bucket}`)

  async function readTickets(nowMs: number): Promise<Ticket[]> {
    const bucket = Math.floor(nowMs / BUCKET_MS)
    const texts = await Promise.all([bucket - 1, bucket].map((each) => readTextOrNothing(fileOf(each))))
    return texts.join('').split('\n').flatMap(readTicket)
  }

  async function dropOldFiles(bucket: number): Promise<void> {
    for (const file of await readdir(folder)) {
      if (file.startsWith(`${name}-`) && Number(file.slice(name.length + 1)) < bucket - 1) {
        await rm(join(folder, file), { force: true })
      }
    }
  }

  return {
    async preview() {
      const nowMs = now()
      const tickets = [...(await readTickets(nowMs)), { atMs: nowMs, id: '' }]
      return turns(tickets).at(-1) ?? nowMs
    },
    async reserve() {
      const nowMs = now()
      const id = newId()
      const bucket = Math.floor(nowMs / BUCKET_MS)
      makePrivateFolder(folder)
      await appendFile(fileOf(bucket), `${nowMs} ${id}\n`, { mode: 0o600 })
      const tickets = await readTickets(nowMs)
      const index = tickets.findIndex((ticket) => ticket.id === id)
      if (index === 0) await dropOldFiles(bucket)
      return turns(tickets)[index] ?? nowMs
    },
  }
}

function readTicket(line: string): Ticket[] {
  const match = /^(\d{13}) (\S{8,64})$/.exec(line)
  return match?.[1] === undefined || match[2] === undefined ? [] : [{ atMs: Number(match[1]), id: match[2] }]
}
