import { decodeText, detectEncoding } from '../batch/spreadsheet/encoding.ts'
import { bytesOf } from '../batch/spreadsheet/fileBytes.ts'
import type { Context } from '../context.ts'
import type { InputKind } from '../terminal/inputFile.ts'

/** Reads text in any encoding that spreadsheets write, from a file or, for `-`, stdin. Throws UsageError if it is not text. */
export async function readTextInput(context: Context, path: string, kind: InputKind): Promise<string> {
  const bytes = bytesOf(await context.readInputBytes(path, kind))
  const encoding = await detectEncoding(bytes)
  let text = ''
  for await (const piece of decodeText(bytes, encoding)) text += piece
  return text
}
