import { isIP } from 'node:net'
import { emailProblem } from '@fairball/domain/validation'
import { z } from 'zod'
import type { Mailbox } from '../ports/mail/mailer.ts'
import { RATE_SOURCES, type RateSourceName } from '../ports/rates/price-sources.ts'
import { serversOf } from '../runtime/server-list.ts'

/** How the text of a variable is parsed, by its meaning; an unsuitable text fails with what to set. */

/** Coins that ever exist, in sats. */
const MAX_SATS = 2_100_000_000_000_000n
/** Bytes of the key that everything else is derived from. */
export const LEAST_SECRET_BYTES = 32
/** All of them are asked at the same time. */
const MAX_RELAYS = 10

const DATABASE_PROTOCOLS = ['postgres:', 'postgresql:']
/** libpq's parameter for which of several servers is wanted, and its values that name the one that takes changes. */
const SESSION = 'target_session_attrs'
const PRIMARY = ['read-write', 'primary']

/** A whole number within bounds. @param what its name, like `a port` */
export const wholeNumber = (least: number, most: number, what: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `set ${what} from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `set ${what} from ${least} to ${most}`)

/** One of a few words. */
export const oneOf = <const W extends readonly [string, ...string[]]>(words: W) =>
  z.enum(words, `set one of ${words.join(', ')}`)

/** An amount of satoshis, as a `bigint`. */
export const sats = z
  .string()
  .regex(/^\d{1,16}$/, 'set a whole number of satoshis')
  .transform(BigInt)
  .refine((value) => value >= 1n && value <= MAX_SATS, `set from 1 to ${MAX_SATS} satoshis`)

/** The same, or 0. */
export const satsOrNone = z
  .string()
  .regex(/^\d{1,16}$/, 'set a whole number of satoshis')
  .transform(BigInt)
  .refine((value) => value <= MAX_SATS, `set from 0 to ${MAX_SATS} satoshis`)

/** A wallet's name at the node is a folder there. */
export const walletName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'set a name of letters, digits, dots, dashes and underscores')

/** The address of a node's RPC; it may contain a user and password. */
export const rpcUrl = z.string().refine((value) => {
  const url = parseUrl(value)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === ''
}, 'set an address like http://user:password@127.0.0.1:8332')

/** Two or more sources of rates, each once. */
export const rateSources = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((part) => part.trim()))])
  .refine(
    (names): names is RateSourceName[] =>
      names.length >= 2 && names.every((name) => (RATE_SOURCES as readonly string[]).includes(name)),
    `list two or more of ${RATE_SOURCES.join(', ')}, comma-separated`,
  )

/** The address of a PostgreSQL, or of several servers of which one takes changes (libpq's form). */
export const databaseUrl = (example: string) =>
  z
    .string()
    .refine(
      (value) => serversOf(value).every((one) => DATABASE_PROTOCOLS.includes(parseUrl(one)?.protocol ?? '')),
      `set an address like ${example}`,
    )
    .refine(
      (value) => [null, ...PRIMARY].includes(parseUrl(serversOf(value)[0] ?? '')?.searchParams.get(SESSION) ?? null),
      `set ${SESSION}=${PRIMARY.join(' or ')}, or leave it out: the server that takes changes is used`,
    )

/** An address of one of some protocols. */
export const urlOf = (protocols: readonly string[], example: string) =>
  z.string().refine((value) => protocols.includes(parseUrl(value)?.protocol ?? ''), `set an address like ${example}`)

/** The address of a server with TLS, without a path. */
export const tlsOrigin = urlOf(['https:'], 'https://127.0.0.1:8080')
  .refine((value) => {
    const url = parseUrl(value)
    return url === null || (url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '')
  }, 'set the address without a path, like https://127.0.0.1:8080')
  .transform((value) => new URL(value).origin)

/** The address of a site, without a path. */
export const origin = urlOf(['http:', 'https:'], 'https://lottery.example')
  .refine((value) => {
    const url = parseUrl(value)
    return url === null || (url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '')
  }, 'set the address without a path, like https://lottery.example')
  .transform((value) => new URL(value).origin)

const addresses = (whose: string) =>
  z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(isAddressOrNetwork),
      `list the addresses or networks of ${whose}, like 10.0.0.5, 192.168.0.0/16`,
    )

/** Addresses and networks of proxies. */
export const proxies = addresses('your proxies')

/** Addresses and networks of people. */
export const networks = addresses('your staff')

/** Random bytes in hexadecimal. */
export const secret = z
  .string()
  .regex(
    new RegExp(`^([0-9a-f]{2}){${LEAST_SECRET_BYTES},}$`, 'i'),
    `set at least ${LEAST_SECRET_BYTES} random bytes in hex: openssl rand -hex ${LEAST_SECRET_BYTES}`,
  )
  .transform((value) => new Uint8Array(Buffer.from(value, 'hex')))

/** An address of a provider, to which a path or a query is added. */
export const providerUrl = (example: string) =>
  urlOf(['http:', 'https:'], example)
    .refine((value) => {
      const url = parseUrl(value)
      return url === null || (url.search === '' && url.hash === '' && url.username === '' && url.password === '')
    }, `set the address without a query or a password, like ${example}`)
    .transform((value) => value.replace(/\/+$/, ''))

/** Base addresses of drand's relays, each once. */
export const relays = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim().replace(/\/+$/, '')))
  .refine((parts) => parts.length <= MAX_RELAYS && parts.every(isRelay), {
    message: `list up to ${MAX_RELAYS} addresses of relays, comma-separated, like https://api.drand.sh, without user, query or password`,
  })
  .transform((parts) => [...new Set(parts)])

/** An id or a secret from a provider: no space, no line feed, nothing that could end a header or a query. */
export const providerWord = z.string().regex(/^[\x21-\x7e]{1,250}$/, 'set it as the provider gave it, without spaces')

const MAILBOX = /^(?:(?:"([^"<>\\]{0,100})"|([^"<>\\]{0,100}))\s*<([^<>\s]+)>|([^<>\s]+))$/

/** A mailbox with or without a name (RFC 5322, section 3.4). */
export const mailbox = z.string().transform((value, context): Mailbox => {
  const [, quoted, plain, inBrackets, alone] = (hasControlCharacter(value) ? null : MAILBOX.exec(value)) ?? []
  const address = inBrackets ?? alone ?? ''
  if (emailProblem(address) !== null)
    context.addIssue({ code: 'custom', message: 'set one mailbox, like Fairball <no-reply@lottery.example>' })
  return { name: (quoted ?? plain ?? '').trim(), address }
})

/** One email address. */
export const emailAddress = z
  .string()
  .refine((value) => emailProblem(value) === null, 'set an email address, like help@lottery.example')

/** The address in a text; null if it is none. */
function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isRelay(text: string): boolean {
  const url = parseUrl(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false
  return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

function hasControlCharacter(text: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
}
