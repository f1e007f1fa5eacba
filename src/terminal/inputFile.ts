import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { wslPath } from '../storage/userFolders.ts'
import { shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { windows1252Text } from '../text/windows1252.ts'
import { isSystemError, systemCode, UsageError } from '../wire/errors.ts'
import type { InputStream } from './oneLine.ts'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB
const CHUNK_BYTES = 64 * KIB

/** The size limit of each kind of input, in bytes. All except `batchFile` are read into memory as a whole. */
export const INPUT_BYTES_MAX = {
  /** A webhook body to verify, sign or send. The gateway's bodies are far smaller. */
  webhookBody: MIB,
  /** A captured request. `webhook listen -o json` prints a body of 1 MiB twice, once in Base64. */
  webhookRequest: 8 * MIB,
  requestBody: MIB,
  /** The text of a BR Code, which has at most 512 characters. */
  brCode: 64 * KIB,
  image: 16 * MIB,
  secret: 64 * KIB,
  /** A public key, a signature or a list of approvers of plans. */
  sshKey: MIB,
  /** Payments that wait for a second person. */
  plan: 16 * MIB,
  /** A list of ids, or a CSV with the status that each should have. */
  idList: 64 * MIB,
  statement: 64 * MIB,
  payees: 64 * MIB,
  /** Webhooks that another receiver stored. */
  storedWebhooks: 64 * MIB,
  /** The rows of a batch as CSV, which are streamed. */
  batchFile: GIB,
  /** The rows of a batch as a workbook; Excel needs about 30 MiB for half a million rows. */
  workbook: 32 * MIB,
} as const

export type InputKind = keyof typeof INPUT_BYTES_MAX

/**
 * Reads a whole file. Throws UsageError for a file that does not exist, cannot be read or exceeds the limit,
 * and for a directory, pipe, socket or device.
 */
export function readInputFile(path: string, kind: InputKind): Buffer {
  const file = openInputFile(path, kind)
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const length = readSync(file, chunk)
      if (length === 0) return Buffer.concat(chunks, bytes)
      bytes += length
      // The reported size is not reliable for a file that grows or is generated while it is read.
      if (bytes > INPUT_BYTES_MAX[kind]) throw fileTooLarge(path, kind)
      chunks.push(chunk.subarray(0, length))
    }
  } catch (error) {
    throw readFailure(path, error)
  } finally {
    closeSync(file)
  }
}

/**
 * Reads a whole file, or what another program writes to a pipe, such as the shell's `<(command)`. Throws like {@link readInputFile},
 * except for a pipe.
 */
export async function readFileOrPipe(path: string, kind: InputKind): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (!statSync(path).isFIFO()) return readInputFile(path, kind)
    const { Socket } = await import('node:net')
    // Opening and reading never block the process, so Ctrl-C still ends it.
    const pipe = new Socket({
      fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
      readable: true,
      writable: false,
    })
    for await (const chunk of pipe) {
      const part: Buffer = chunk
      bytes += part.length
      if (bytes > INPUT_BYTES_MAX[kind]) throw fileTooLarge(path, kind)
      chunks.push(part)
    }
  } catch (error) {
    throw readFailure(path, error)
  }
  return Buffer.concat(chunks, bytes)
}

/**
 * Opens a file for reading and returns its descriptor. It never blocks on a pipe. Throws UsageError for a file that
 * does not exist, cannot be read or exceeds the limit, and for a directory, pipe, socket or device.
 */
export function openInputFile(path: string, kind: InputKind): number {
  let file: number | undefined
  try {
    // Opening a device may have side effects, so the type is checked before opening, too.
    assertRegularFile(path, statSync(path))
    assertNoCompanion(path)
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const facts = fstatSync(file)
    assertRegularFile(path, facts)
    if (facts.size > INPUT_BYTES_MAX[kind]) throw fileTooLarge(path, kind)
    return file
  } catch (error) {
    if (file !== undefined) closeSync(file)
    throw readFailure(path, error)
  }
}

/** The chunks of standard input. Throws UsageError as soon as they exceed the size limit of this kind. */
export async function* inputChunks(stdin: InputStream, kind: InputKind): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of readable(stdin)) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    bytes += part.length
    if (bytes > INPUT_BYTES_MAX[kind]) {
      throw new UsageError(t`Standard input is larger than the limit of ${sizeText(INPUT_BYTES_MAX[kind])}`, {
        hint: t`Check the data that is piped in`,
      })
    }
    yield part
  }
}

/** What standard input gives. Throws UsageError if it cannot be read, as under `nohup`. */
async function* readable(stdin: InputStream): AsyncGenerator<string | Buffer> {
  try {
    let isEmpty = true
    for await (const chunk of stdin) {
      isEmpty = false
      yield chunk
    }
    // Node.js takes a folder for an empty input.
    if (isEmpty) assertRegularInput()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    const { reason } = systemTrouble(error, '')
    throw new UsageError(t`Standard input cannot be read: ${reason}`, {
      hint: t`Give the path of a file instead of \`-\`; under \`nohup\` there is no input`,
    })
  }
}

function assertRegularInput(): void {
  if (fstatSync(0).isDirectory()) {
    throw new UsageError(t`Standard input is a folder`, { hint: t`Use the path of a file` })
  }
}

/** Reads standard input to its end. Throws UsageError as soon as it exceeds the size limit of this kind. */
export async function readStdin(stdin: InputStream, kind: InputKind): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of inputChunks(stdin, kind)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The error for a file that is larger than its kind of input may be. */
export function fileTooLarge(path: string, kind: InputKind): UsageError {
  return new UsageError(t`\`${path}\` is larger than the limit of ${sizeText(INPUT_BYTES_MAX[kind])}`, {
    hint: t`Check that this is the right file`,
  })
}

/** The failure of a workbook that is larger than the limit, packed or unpacked; `file` is null for standard input. */
export function workbookTooLarge(file: string | null, bytesMax: number): UsageError {
  const limit = sizeText(bytesMax)
  const message =
    file === null
      ? t`The workbook is larger than the limit of ${limit}`
      : t`The workbook \`${file}\` is larger than the limit of ${limit}`
  return new UsageError(message, {
    hint: t`Save the sheet as "CSV UTF-8", which may be larger`,
  })
}

/**
 * The text of an input without its mark: UTF-16, as PowerShell writes it, if it has the mark or the zero bytes of it, else UTF-8, else what Windows writes
 * without asking.
 */
export function inputText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittle = (first === 0xff && second === 0xfe) || (second === 0 && first !== 0 && first !== undefined)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined)
  if (!isLittle && !isBig && !isUtf8(bytes)) return windows1252Text(bytes)
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

/** Turns a system error while reading a file into a UsageError; returns any other error unchanged. */
export function readFailure(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error
  const hint = t`Check the path, or use \`-\` to read from standard input`
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new UsageError(t`The file \`${path}\` does not exist`, {
        hint: quotedPathHint(path) ?? windowsPathHint(path) ?? hint,
      })
    case 'EACCES':
    case 'EPERM':
      return new UsageError(t`Cannot read \`${path}\`: permission denied (${error.code})`, { hint })
    default:
      return new UsageError(t`Cannot read \`${path}\`: ${systemTrouble(error, path).reason}`, { hint })
  }
}

const IN_QUOTES = /^(["'])(.+)\1$/s

/** What to type for a path with the quotes that Windows copies with it, or as a browser shows it; undefined for any other. */
function quotedPathHint(path: string): string | undefined {
  const [, , quoted] = IN_QUOTES.exec(path) ?? []
  if (quoted !== undefined) return t`Type only the quotes that the shell takes away: \`${shellWord(quoted)}\``
  return /^file:\/\//i.test(path) ? t`Use the path of the file, not its URL` : undefined
}

/** What to type for a path as Windows has it, which is another one in WSL; undefined for any other. */
function windowsPathHint(path: string): string | undefined {
  const inside = wslPath(path)
  return inside && t`Check the path; in WSL it is \`${inside}\``
}

/** What Excel, LibreOffice and macOS leave beside a file, with the name of the file in its own. */
const COMPANION = /^(?:~\$|\.~lock\.|\._)(.+?)#?$/

function assertNoCompanion(path: string): void {
  const own = COMPANION.exec(basename(path))?.[1]
  if (own === undefined) return
  throw new UsageError(t`\`${path}\` is what another program leaves beside \`${own}\`, and not that file`, {
    hint: t`Use the path of \`${own}\``,
  })
}

function assertRegularFile(path: string, facts: Stats): void {
  if (facts.isFile()) return
  if (facts.isDirectory()) {
    throw new UsageError(t`\`${path}\` is a folder`, { hint: t`Use the path of a file` })
  }
  const hint = t`Use a regular file, or \`-\` to read from standard input`
  if (facts.isFIFO()) throw new UsageError(t`\`${path}\` is a pipe, not a regular file`, { hint })
  if (facts.isSocket()) throw new UsageError(t`\`${path}\` is a socket, not a regular file`, { hint })
  throw new UsageError(t`\`${path}\` is a device, not a regular file`, { hint })
}

function sizeText(bytes: number): string {
  if (bytes >= GIB) return t`${bytes / GIB} GiB`
  return bytes >= MIB ? t`${bytes / MIB} MiB` : t`${bytes / KIB} KiB`
}
