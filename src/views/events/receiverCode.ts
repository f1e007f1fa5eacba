import { declared, translated } from '../../text/translate.ts'
import type { WriterLanguage } from '../../wire/jsonWriters.ts'

/** How something is written in each language that has a usual way. */
type InLanguages = Readonly<Partial<Record<WriterLanguage, string>>>

/** How to get at the raw bytes of a body in the language, or after the program, that has written it again. */
export const RAW_BODY: Readonly<Record<WriterLanguage, string>> = {
  JavaScript: declared`In Node.js, verify the Buffer that \`express.raw({ type: 'application/json' })\` puts into \`req.body\`, before \`JSON.parse\``,
  Python: declared`In Python, verify \`request.get_data()\` (Flask), \`request.body\` (Django) or \`await request.body()\` (FastAPI), before \`json.loads\``,
  PHP: declared`In PHP, verify \`file_get_contents('php://input')\`, or \`$request->getContent()\` in Laravel and Symfony, before \`json_decode\``,
  Go: declared`In Go, verify the bytes that \`io.ReadAll(r.Body)\` gives, before \`json.Unmarshal\``,
  Java: declared`In Java, take the body as bytes, such as \`@RequestBody byte[] body\` in Spring, before it becomes an object`,
  'C#': declared`In .NET, read \`Request.Body\` into a byte array and verify it, before the model is bound`,
  Ruby: declared`In Ruby, verify \`request.raw_post\` (Rails) or \`request.body.read\` (Rack), before \`JSON.parse\``,
  database: declared`Store the raw bytes of the body, not a JSON column, which writes its own spaces and order`,
  editor: declared`Verify the bytes as they arrived: a formatter or an editor has changed their layout`,
}

/** How to compare the signature of a body with that of its header. */
export const COMPARISONS: InLanguages = {
  JavaScript: declared`In Node.js, compare \`Buffer.from(header, 'hex')\` with the \`digest()\` of \`createHmac('sha256', secret).update(body)\`: first the lengths, then \`timingSafeEqual\``,
  Python: declared`In Python, compare \`bytes.fromhex(header)\` with \`hmac.new(secret, body, hashlib.sha256).digest()\` by \`hmac.compare_digest\``,
  PHP: declared`In PHP, compare \`hash_hmac('sha256', $body, $secret)\` with \`strtolower($header)\` by \`hash_equals\``,
  Go: declared`In Go, compare what \`hex.DecodeString(header)\` gives with \`mac.Sum(nil)\` by \`hmac.Equal\``,
  Java: declared`In Java, compare \`HexFormat.of().parseHex(header)\` with \`mac.doFinal(body)\` by \`MessageDigest.isEqual\``,
  'C#': declared`In .NET, compare \`Convert.FromHexString(header)\` with \`HMACSHA256.HashData(secret, body)\` by \`CryptographicOperations.FixedTimeEquals\``,
  Ruby: declared`In Ruby, compare \`OpenSSL::HMAC.hexdigest('SHA256', secret, body)\` with \`header.downcase\` by \`OpenSSL.secure_compare\``,
}

/** How to exempt a path from the CSRF check. */
export const CSRF: InLanguages = {
  Python: declared`In Django, put \`@csrf_exempt\` before the view`,
  PHP: declared`In Laravel, add the path to \`validateCsrfTokens(except: […])\` in \`bootstrap/app.php\``,
  Ruby: declared`In Rails, write \`skip_forgery_protection\` in this controller`,
  Java: declared`In Spring Security, write \`csrf(csrf -> csrf.ignoringRequestMatchers("/…"))\``,
  'C#': declared`In ASP.NET, put \`[IgnoreAntiforgeryToken]\` before the action`,
}

/** How to credit an event only once. */
export const UNIQUE_KEYS: InLanguages = {
  JavaScript: declared`In Node.js, each \`await\` between looking and crediting lets the other webhooks in: \`INSERT … ON CONFLICT DO NOTHING\`, and credit only if it has inserted a row`,
  Python: declared`In Python, \`INSERT … ON CONFLICT DO NOTHING\`, and credit only if \`cursor.rowcount\` is 1; in Django, \`get_or_create\` with a unique field in \`transaction.atomic\``,
  PHP: declared`In PHP, \`INSERT … ON CONFLICT DO NOTHING\`, or \`INSERT IGNORE\` in MySQL, and credit only if \`rowCount()\` is 1; in Laravel, \`insertOrIgnore\``,
  Go: declared`In Go, \`INSERT … ON CONFLICT DO NOTHING\`, and credit only if \`RowsAffected\` is 1; a map alone needs a \`sync.Mutex\` around looking and crediting`,
  Java: declared`In Java, a unique constraint on the event's id, \`saveAndFlush\` in the transaction that credits, and \`DataIntegrityViolationException\` means a repetition`,
  'C#': declared`In .NET, a unique index on the event's id, \`SaveChanges\` in the transaction that credits, and \`DbUpdateException\` means a repetition`,
  Ruby: declared`In Rails, a unique index and \`insert\` or \`create_or_find_by\`; \`find_or_create_by\` alone lets two through`,
}

/** What to write in a language; undefined if it has no usual way, or is not known. */
export function codeText(texts: InLanguages, language: WriterLanguage | null): string | undefined {
  const text = language === null ? undefined : texts[language]
  return text === undefined ? undefined : translated(text)
}
