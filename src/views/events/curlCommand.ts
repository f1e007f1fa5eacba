import { hasControlCharacter } from '../../text/safeText.ts'
import { withoutPassword } from '../../wire/address.ts'

/** A request that a command sends. */
interface PostRequest {
  url: URL
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer
}

/** A command for a POSIX shell that posts exactly these bytes with these headers, without a password of the URL. */
export function curlCommand({ url, headers, body }: PostRequest): string {
  const curlArguments = [
    'curl',
    '-X',
    'POST',
    shellQuoted(withoutPassword(url.href)),
    ...headers.flatMap(([name, value]) => ['-H', shellQuoted(`${name}: ${value}`)]),
  ]
  const text = body.toString('utf8')
  const isPlain =
    Buffer.from(text).equals(body) && !hasControlCharacter(text.replaceAll('\n', '')) && !text.startsWith('@')
  if (isPlain) return [...curlArguments, '--data-binary', shellQuoted(text)].join(' ')
  return [`printf %s ${body.toString('base64')} | base64 -d |`, ...curlArguments, '--data-binary', '@-'].join(' ')
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
