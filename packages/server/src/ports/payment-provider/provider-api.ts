import { timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { type BitcoinNetwork, parseBtcAddress } from '@fairball/domain/btc-address'
import { SATS_PER_BTC } from '@fairball/domain/money'
import type { Runtime } from '../../runtime/runtime.ts'
import type { SeenOutput } from './payment-provider.ts'
import { limitedText } from '../limited-text.ts'

/** Time limit for a provider's answer to one request (payments.md section 3, 15). */
const TIMEOUT_MS = 5_000
/** Many times the size of an invoice with all its payments. */
const MAX_ANSWER_BYTES = 1024 * 1024
const LIMIT = { largest: MAX_ANSWER_BYTES, tooLarge: () => new RangeError('the answer is too large') }
/** Messages of providers have a few kilobytes. */
export const MAX_WEBHOOK_BYTES = 256 * 1024
/** The confirmations of a Lightning payment: it cannot be undone. */
export const LIGHTNING_CONFIRMATIONS = 1_000_000

const TOO_MANY_REQUESTS = 429
const REQUEST_TIMEOUT = 408
const SERVER_ERRORS = 500
/** Maximum length of a provider's error code in messages. */
const LONGEST_CODE = 60
/** A key contains no line feed, no space and no other character that could end a header. */
const KEY = /^[\x21-\x7e]+$/

/**
 * The provider gave no reliable answer: none in time, a failure of its own, or half an answer. It may still have done
 * what was requested.
 */
export class ProviderSilent extends Error {
  override readonly name = 'ProviderSilent'
}

/** The provider understood the request and refused it: nothing was done. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  /** of HTTP, 400 to 499 */
  readonly status: number
  /** the provider's own error code; empty if it gives none */
  readonly code: string

  constructor(message: string, status: number, code: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Access to a provider's API. */
interface ProviderApiOptions {
  /** its name in the log */
  readonly provider: string
  /** without a slash at its end, a user name or a query */
  readonly baseUrl: string
  /** the value of the `authorization` header; it enters no log and no message */
  readonly authorization: string
}

/**
 * A provider's JSON API: no redirect is followed, and each answer is limited in time and size. Requests are made once;
 * the caller decides whether to retry.
 */
export class ProviderApi {
  readonly #runtime: Pick<Runtime, 'fetch' | 'monotonic'>
  readonly #options: ProviderApiOptions

  constructor(runtime: Pick<Runtime, 'fetch' | 'monotonic'>, options: ProviderApiOptions) {
    this.#runtime = runtime
    this.#options = options
  }

  /** @throws ProviderSilent, ProviderRefusal */
  get(path: string): Promise<unknown> {
    return this.#request('GET', path)
  }

  /**
   * Not repeated automatically: no provider has a key that makes a repeated creation harmless (payments.md section 1).
   *
   * @throws ProviderSilent, ProviderRefusal
   */
  post(path: string, body: object): Promise<unknown> {
    return this.#request('POST', path, body)
  }

  async #request(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const { provider, baseUrl, authorization } = this.#options
    const limit = new AbortController()
    const done = new AbortController()
    void this.#runtime.monotonic.sleep(TIMEOUT_MS, done.signal).then(
      () => limit.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)),
      () => undefined, // the answer came first
    )
    const what = `${method} ${path.split('?')[0]}`
    try {
      const response = await this.#runtime.fetch(baseUrl + path, {
        method,
        headers: {
          accept: 'application/json',
          authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        cache: 'no-store',
        signal: limit.signal,
      })
      return await answerIn(response, provider, what)
    } catch (error) {
      if (error instanceof ProviderSilent || error instanceof ProviderRefusal) throw error
      throw new ProviderSilent(`${provider} did not answer ${what}`, { cause: error })
    } finally {
      done.abort()
      limit.abort() // drops what was not read
    }
  }
}

async function answerIn(response: Response, provider: string, what: string): Promise<unknown> {
  const { status } = response
  const isTrouble = status >= SERVER_ERRORS || status === TOO_MANY_REQUESTS || status === REQUEST_TIMEOUT
  if (isTrouble) throw new ProviderSilent(`${provider} answered ${status} to ${what}`)
  const answer = parsed(await limitedText(response, LIMIT))
  if (response.ok && answer !== undefined) return answer
  if (response.ok) throw new ProviderSilent(`${provider} answered ${what} with what is no JSON`)
  const code = codeIn(answer)
  throw new ProviderRefusal(`${provider} refused ${what}: ${status} ${code}`.trim(), status, code)
}

/** Whether a key can be a header. Checked before its use, because `fetch` quotes a bad header in its message. */
export function isKey(text: string): boolean {
  return KEY.test(text)
}

/** Undefined if the text is no JSON, which cannot say `undefined` itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeIn(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('code' in answer)) return ''
  return typeof answer.code === 'string' ? answer.code.slice(0, LONGEST_CODE) : ''
}

const DECIMAL = /^(\d{1,8})(?:\.(\d{1,16}))?$/

/**
 * Reads a decimal amount of bitcoin. A Lightning payment counts in thousandths of a satoshi: fractions are cut off, so
 * that never more is credited than came.
 *
 * @throws ProviderSilent if the text is no such amount
 */
export function satsOfDecimal(text: string): bigint {
  const match = DECIMAL.exec(text)
  if (match === null) throw new ProviderSilent('an amount of the provider cannot be read')
  return BigInt(match[1] ?? '0') * SATS_PER_BTC + BigInt((match[2] ?? '').padEnd(8, '0').slice(0, 8))
}

/** A Lightning invoice names its network before the amount (BOLT 11). */
const LIGHTNING_PREFIXES: Record<BitcoinNetwork, string> = {
  mainnet: 'lnbc',
  testnet4: 'lntb',
  signet: 'lntbs',
  regtest: 'lnbcrt',
}

/**
 * Whether a bitcoin address or Lightning invoice belongs to a network. Addresses of testnet 3, testnet 4 and signet
 * look alike, so only their Lightning invoices distinguish these.
 */
export function isOnNetwork(destination: string, network: BitcoinNetwork): boolean {
  const prefix = /^(lnbcrt|lnbc|lntbs|lntb)(?=\d)/.exec(destination.toLowerCase())?.[1]
  return prefix === undefined ? parseBtcAddress(destination, network) !== null : prefix === LIGHTNING_PREFIXES[network]
}

/** Each outpoint once (at the greatest reported depth), oldest first. */
export function inOrder(outputs: readonly SeenOutput[]): SeenOutput[] {
  const byOutpoint = new Map<string, SeenOutput>()
  for (const output of outputs) {
    const known = byOutpoint.get(output.outpoint)
    if (known === undefined || known.confirmations < output.confirmations) byOutpoint.set(output.outpoint, output)
  }
  return [...byOutpoint.values()].toSorted((a, b) => a.seenAt - b.seenAt || (a.outpoint < b.outpoint ? -1 : 1))
}

/** The next moment after `now` on a grid that all checks share. */
export function onGrid(now: number, seconds: number): number {
  return (Math.floor(now / seconds) + 1) * seconds
}

/** Whole minutes until a moment, at least 1: the unit of providers for an invoice's life. */
export function minutesUntil(at: number, now: number): number {
  return Math.max(1, Math.round((at - now) / 60))
}

/** Whether an address of a provider's page can be given to a player. */
export function isPage(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol)
}

/** Compares a signature with the expected one, in a time that does not reveal where they differ. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Maximum number of members named of an answer in a wrong shape. */
const MAX_MEMBERS = 5

/** An answer in the required shape. @throws ProviderSilent, which names members and no values */
export function shaped<T>(provider: string, shape: z.ZodType<T>, answer: unknown): T {
  const result = shape.safeParse(answer)
  if (result.success) return result.data
  const members = result.error.issues.slice(0, MAX_MEMBERS).map((issue) => issue.path.join('.'))
  throw new ProviderSilent(`${provider} answered in another shape: ${members.join(', ')}`)
}
