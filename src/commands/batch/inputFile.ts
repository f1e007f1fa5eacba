import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import type { FileSource } from '../../spreadsheet/fileContent.ts'
import { makePrivateFolder } from '../../storage/privateFolder.ts'
import { inputChunks } from '../../terminal/inputFile.ts'
import { t } from '../../text/translate.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

/** A file that can be read from its beginning several times. */
export interface InputFile {
  source: FileSource
  close(): Promise<void>
}

/**
 * A file as it is; standard input as a private file in the data folder that has no name, so that nothing is left behind however this process
 * ends. Throws UsageError if it cannot be kept, or is too large.
 */
export async function openBatchInput(context: Context, path: string): Promise<InputFile> {
  if (path !== '-') return { source: path, close: async () => undefined }
  const folder = context.dataFolder()
  const temporaryPath = join(folder, `input-${context.newId()}.csv`)
  try {
    makePrivateFolder(folder)
    const file = await open(temporaryPath, 'wx+', 0o600)
    try {
      await rm(temporaryPath)
      for await (const chunk of inputChunks(context.runtime.stdin, 'batchFile')) await file.writeFile(chunk)
    } catch (error) {
      await file.close()
      throw error
    }
    return { source: file, close: () => file.close() }
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UsageError(t`Standard input cannot be stored in ${folder}: ${error.code}`, {
      details: [t`Nothing was sent`],
      hint: t`Free some disk space and make the folder writable, or give the path of the file instead of \`-\``,
    })
  }
}
