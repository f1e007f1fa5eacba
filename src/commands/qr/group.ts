import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { addEntries, type Entry, type Words } from '../entries.ts'
import { examples } from '../examples.ts'

const ENTRIES: readonly Entry[] = [
  [
    'create',
    'create a dynamic PIX QR code (cash-in), draw it, optionally wait for the payment',
    async () => (await import('./create.ts')).qrCreate,
  ],
  ['draw', 'draw a copy-and-paste code as a QR code', async () => (await import('./draw.ts')).qrDraw],
  ['decode', 'read a BR Code offline: fields, CRC, verdict', async () => (await import('./decode.ts')).qrDecode],
]

/** `pixgate qr`: QR codes and the codes in them. */
export function qrGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('qr')
    .description('Create, draw and read PIX QR codes')
    .addHelpText('after', examples(['pixgate qr create --amount 10,50', 'a code to be paid until tomorrow']))
  return addEntries(group, ENTRIES, run, words)
}
