import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { qrCreate } from './create.ts'
import { qrDecode } from './decode.ts'
import { qrDraw } from './draw.ts'

/** `pixgate qr`: QR codes and the codes in them. */
export function qrGroup(run: Run): Command {
  return new Command('qr')
    .summary('create, draw and read PIX QR codes')
    .description('Create, draw and read PIX QR codes')
    .addCommand(qrCreate(run))
    .addCommand(qrDraw(run))
    .addCommand(qrDecode(run))
    .addHelpText('after', examples(['pixgate qr create --amount 10,50', 'a code to be paid until tomorrow']))
}
