/**
 * The last net under the log. No code passes a secret to it; but messages of libraries repeat addresses with their
 * logins, headers and keys, and a line once written cannot be taken back.
 */

/** Patterns of secrets that are recognisable by their surroundings, and their replacements. */
const LOOKS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // The user and password of an address: postgres://, smtp://, the node's http://.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>]{1,1000}@/gi, '$1[secret]@'],
  // A header's credentials (RFC 9110, section 11.4), as BTCPay and OpenNode take them too.
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  [/\b(token)\s+(?=\S*\d)[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  [/\b(authorization|proxy-authorization|cookie|set-cookie)(["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi, '$1$2[secret]'],
  // A field of JSON, also inside a JSON string, or of an object written into a message.
  [/((?:password|passphrase|secret|token|api_?key|apikey)\\*["']?\s*:\s*\\*["'])[^"'\\\n]{1,4000}/gi, '$1[secret]'],
  // In a query or a form: keys of mails, codes of logins, addresses of people.
  [
    /([?&;](?:[\w-]{0,40}(?:key|token|secret|password|code|signature)|email|transaction_id|state)=)[^&\s"'#<>]{1,4000}/gi,
    '$1[secret]',
  ],
  // Private keys: extended ones (BIP 32, SLIP 132) and those of wallets (WIF).
  [/\b[xyzYZtuvUV]prv[1-9A-HJ-NP-Za-km-z]{50,}/g, '[secret]'],
  [/\b[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}\b/g, '[secret]'],
  // A token of ours or of a login provider (RFC 7519).
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, '[secret]'],
]

const MIGHT_HOLD = /[@=&:]|Bearer|Basic|token|authorization|cookie|prv|eyJ|[1-9A-HJ-NP-Za-km-z]{51}/i

/** A text without the secrets that can be recognised in it. */
export function withoutSecrets(text: string): string {
  if (!MIGHT_HOLD.test(text)) return text
  return LOOKS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)
}

/** A text without these secrets, which are those of the configuration. */
export function withoutKnown(text: string, known: readonly string[]): string {
  return known.reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, '[secret]') : left), text)
}
