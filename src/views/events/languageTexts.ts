import { t } from '../../text/translate.ts'
import type { WriterLanguage } from '../../wire/jsonWriters.ts'

/** How to get at the raw bytes of a body in the language, or after the program, that has written it again. */
export function rawBodyText(language: WriterLanguage): string {
  switch (language) {
    case 'JavaScript':
      return t`In Node.js, verify the Buffer that \`express.raw({ type: 'application/json' })\` puts into \`req.body\`, before \`JSON.parse\``
    case 'Python':
      return t`In Python, verify \`request.get_data()\` (Flask), \`request.body\` (Django) or \`await request.body()\` (FastAPI), before \`json.loads\``
    case 'PHP':
      return t`In PHP, verify \`file_get_contents('php://input')\`, or \`$request->getContent()\` in Laravel and Symfony, before \`json_decode\``
    case 'Go':
      return t`In Go, verify the bytes that \`io.ReadAll(r.Body)\` gives, before \`json.Unmarshal\``
    case 'Java':
      return t`In Java, take the body as bytes, such as \`@RequestBody byte[] body\` in Spring, before it becomes an object`
    case 'C#':
      return t`In .NET, read \`Request.Body\` into a byte array and verify it, before the model is bound`
    case 'Ruby':
      return t`In Ruby, verify \`request.raw_post\` (Rails) or \`request.body.read\` (Rack), before \`JSON.parse\``
    case 'database':
      return t`Store the raw bytes of the body, not a JSON column, which writes its own spaces and order`
    case 'editor':
      return t`Verify the bytes as they arrived: a formatter or an editor has changed their layout`
  }
}

/** How to compare the signature of a body with that of its header in a language; undefined for what is none. */
export function compareText(language: WriterLanguage): string | undefined {
  switch (language) {
    case 'JavaScript':
      return t`In Node.js, compare \`Buffer.from(header, 'hex')\` with the \`digest()\` of \`createHmac('sha256', secret).update(body)\`: first the lengths, then \`timingSafeEqual\``
    case 'Python':
      return t`In Python, compare \`bytes.fromhex(header)\` with \`hmac.new(secret, body, hashlib.sha256).digest()\` by \`hmac.compare_digest\``
    case 'PHP':
      return t`In PHP, compare \`hash_hmac('sha256', $body, $secret)\` with \`strtolower($header)\` by \`hash_equals\``
    case 'Go':
      return t`In Go, compare what \`hex.DecodeString(header)\` gives with \`mac.Sum(nil)\` by \`hmac.Equal\``
    case 'Java':
      return t`In Java, compare \`HexFormat.of().parseHex(header)\` with \`mac.doFinal(body)\` by \`MessageDigest.isEqual\``
    case 'C#':
      return t`In .NET, compare \`Convert.FromHexString(header)\` with \`HMACSHA256.HashData(secret, body)\` by \`CryptographicOperations.FixedTimeEquals\``
    case 'Ruby':
      return t`In Ruby, compare \`OpenSSL::HMAC.hexdigest('SHA256', secret, body)\` with \`header.downcase\` by \`OpenSSL.secure_compare\``
    case 'database':
    case 'editor':
      return undefined
  }
}
