import { basename } from 'node:path'
import type { Context } from '../../context.ts'
import { formatReais } from '../../pix/amount.ts'
import type { Document } from '../../terminal/printer.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'
import { damageIn, examineRecords, type LogName, repairLog } from '../../timeline/ledgerRepair.ts'
import type { LostLine, RepairedFile } from '../../timeline/logRepair.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'

const LOGS: readonly LogName[] = ['timeline', 'events']
/** What was lost may have been a payment. */
const LOST_EXIT = 5

/** `pixgate history repair`: puts damaged files of what this machine remembers right. */
export const historyRepair = defineCommand({
  description:
    'Hold every record against its checksum and put damaged files right, keeping a copy of each: one wrong bit is mended; of any other damaged line a payment that it told of counts as unknown; what may have been the only record of a payment stays damaged, and no money moves, until the loss is accepted',
  options: [{ flags: '--accept-loss', description: 'take also out what may have been the only record of a payment' }],
  examples: [
    ['pixgate history repair', 'says what is damaged, and asks before anything changes'],
    ['pixgate history repair --yes -o json', 'for a script: exit 5 where something was lost'],
  ],
  run: repair,
})

async function repair(context: Context, { acceptLoss = false }: { acceptLoss?: boolean }): Promise<number> {
  refuseCsv(context)
  const damaged = new Map<LogName, string[]>()
  let lines = 0
  for (const name of LOGS) {
    const files = await orCannotRead(context, async () => examineRecords(context.dataFolder(), name))
    lines += files.reduce((sum, file) => sum + file.lines, 0)
    const damage = damageIn(files)
    if (damage.length > 0) damaged.set(name, damage)
  }
  if (damaged.size === 0) {
    context.print.one({ files: [], mended: 0, lost: 0, kept: 0 }, () => [
      t`Nothing is damaged: ${lines} records are whole`,
    ])
    return 0
  }
  await askFirst(context, [...damaged.values()].flat())
  const files: RepairedFile[] = []
  for (const name of damaged.keys()) {
    files.push(...(await orCannotRead(context, async () => repairLog(await context.log(name), name, acceptLoss))))
  }
  return show(context, files, acceptLoss)
}

/** The files are on this machine, so nobody needs to be named: `--yes` is enough in production too. */
async function askFirst({ settings, terminal }: Context, damage: readonly string[]): Promise<void> {
  for (const sentence of damage) terminal.note(sentence)
  if (settings.yes) return
  if (!terminal.canAsk) {
    throw new UsageError(t`Damaged files would be put right, and nobody can be asked`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [...damage, t`Nothing was changed`],
      hint: t`Put them right from a copy of yours, which loses nothing, or add \`--yes\``,
    })
  }
  if (await terminal.confirm(t`Keep a copy of each, and go on without what cannot be read?`)) return
  throw new Cancelled(t`Declined, nothing was changed`, {
    hint: t`Put the files right from a copy of yours, or run the command again when you are ready`,
  })
}

async function orCannotRead<Result>({ dataFolder }: Context, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error && 'code' in error
    if (!isOfSystem) throw error
    throw new UsageError(t`The files in ${dataFolder()} cannot be read or written: ${String(error.code)}`, {
      details: [t`What is damaged is as it was`],
      hint: t`Make room on the disk, and the folder and its files readable and writable for you`,
    })
  }
}

function show(context: Context, files: readonly RepairedFile[], acceptLoss: boolean): number {
  const { print, terminal } = context
  const lost = files.flatMap((file) => file.lost)
  const kept = files.flatMap((file) => file.kept)
  const isWhole = files.every(({ isMissing, isShorter }) => !isMissing && !isShorter)
  const isAllThere = lost.length === 0 && kept.length === 0 && isWhole
  const mended = files.reduce((sum, file) => sum + file.mended.length, 0)
  print.one({ files: files.map(documentOf), mended, lost: lost.length, kept: kept.length }, () =>
    files.flatMap(linesOf),
  )
  if (isAllThere) return 0
  for (const file of files) {
    if (file.isMissing) terminal.alarm(t`All that stood in ${basename(file.path)} is lost`)
    if (file.isShorter) terminal.alarm(t`The last records of ${basename(file.path)} are lost`)
    for (const line of [...file.lost, ...file.kept]) terminal.alarm(lossOf(line))
  }
  if (acceptLoss) {
    terminal.alarm(
      t`A payment whose record is lost can be sent a second time, by \`resume\` too: look in the dashboard before you pay anything of that time again`,
    )
  } else if (files.some(({ isSound }) => !isSound)) {
    terminal.alarm(t`It stays so, and nothing that moves money is sent until the loss is accepted`)
    terminal.next(
      t`Look in the dashboard for what was paid at that time, or put the file right from a copy; then \`pixgate history repair --accept-loss\``,
    )
  }
  if (lost.some(({ legible }) => legible.of !== undefined)) {
    terminal.next(
      t`\`pixgate history --state unknown\` lists what is in doubt now; \`pixgate history settle\` says what you found`,
    )
  }
  terminal.next(t`\`pixgate history import <file>\` takes lost events in again from what your own server has kept`)
  return LOST_EXIT
}

function documentOf({ path, copy, mended, lost, kept, isMissing, isShorter }: RepairedFile): Document {
  return { file: path, copy, mended, lost, kept, missing: isMissing, shorter: isShorter }
}

function linesOf({ path, copy, mended, lost, kept, isSound }: RepairedFile): string[] {
  const lines = [isSound ? t`The file ${path} is put right` : t`The file ${path} is not whole`]
  if (copy !== null) lines.push(t`  as it was: ${copy}`)
  if (mended.length > 0) lines.push(t`  mended, nothing of them is lost: line ${mended.join(', ')}`)
  if (lost.length > 0) lines.push(t`  lost: line ${lost.map(({ line }) => line).join(', ')}`)
  if (kept.length > 0) lines.push(t`  still damaged: line ${kept.map(({ line }) => line).join(', ')}`)
  return lines.map(safeText)
}

/** What a lost line was about, as far as it is legible. */
function lossOf({ line, legible }: LostLine): string {
  const { type, kind, of, run, externalId, originalTransactionId, requestNumber, idTransaction, amountCents, at } =
    legible
  const name = externalId ?? originalTransactionId ?? requestNumber ?? idTransaction ?? legible.id
  const amount = amountCents === undefined ? '—' : formatReais(Number(amountCents))
  if (type === 'intent' && run !== undefined) {
    return safeText(
      t`Line ${line} was a ${kind ?? 'payment'} of ${run} that may have been sent: ${name ?? '—'}, ${amount}, ${at ?? '—'}`,
    )
  }
  if (type === 'intent') {
    return safeText(
      t`Line ${line} was a ${kind ?? 'payment'} that may have been sent: ${name ?? '—'}, ${amount}, ${at ?? '—'}`,
    )
  }
  if (of !== undefined) return safeText(t`Line ${line} told what became of ${of}, which is in doubt now`)
  return safeText(t`Line ${line} is lost, and of what it was about only this is legible: ${name ?? '—'}`)
}
