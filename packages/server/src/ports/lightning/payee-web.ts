import { isPublicName } from '@fairball/domain/lightning-destination'
import { isIP } from 'node:net'
import type { OutboundAnswer } from '../../runtime/outbound.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { PayeesDeps } from './payee.ts'
import { PayeeRefused } from './payee-refused.ts'
import { isPublicAddress } from './public-address.ts'

/** How long everything together may take. */
const LIMIT_MS = 5_000
/** Largest answer that is read. */
const MAX_BYTES = 64 * 1024
const OK = 200

const SILENT = 'The wallet did not answer in time.'

/** Reads JSON of payees' servers, each host resolved once. */
export interface PayeeWeb {
  /** @param url https, of a public name, without port or userinfo; or of our own origin, if it is allowed */
  readJson(url: URL): Promise<Readonly<Record<string, unknown>>>
}

/** Runs work that the payee's server may not hold up. @throws PayeeRefused when its time is over, whatever it does */
export async function inTime<T>(
  { monotonic }: Pick<Runtime, 'monotonic'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const done = new AbortController()
  const late = monotonic.sleep(LIMIT_MS, done.signal).then(
    () => {
      limit.abort()
      throw new PayeeRefused(SILENT)
    },
    () => new Promise<never>(() => undefined), // it was in time
  )
  try {
    return await Promise.race([work(limit.signal), late])
  } finally {
    done.abort()
    limit.abort() // a body that nobody read to its end
  }
}

/** @param isOwn whether our own origin is asked, in process */
export function payeeWeb(deps: PayeesDeps, isOwn: boolean, signal: AbortSignal): PayeeWeb {
  const resolved = new Map<string, Promise<string>>()
  const addressOf = (host: string): Promise<string> => {
    const known = resolved.get(host) ?? publicAddressOf(deps, host, signal)
    resolved.set(host, known)
    return known
  }
  return {
    async readJson(url) {
      if (isOwn && url.origin === new URL(deps.publicUrl).origin) return await readOwn(deps, url)
      assertPublicUrl(url)
      const host = url.hostname
      const address = await addressOf(host)
      const path = url.pathname + url.search
      const answer = await deps.outbound.get({ host, address, path, signal }).catch((error: unknown) => {
        throw new PayeeRefused('The wallet’s server cannot be reached.', error)
      })
      return jsonOf(await bodyOf(answer))
    },
  }
}

function assertPublicUrl(url: URL): void {
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  if (!isPlain || isIP(url.hostname) !== 0 || !isPublicName(url.hostname))
    throw new PayeeRefused('The wallet’s server names an address that is not allowed.')
}

/** The address that is connected to. Each one must be public: which of them answers is not ours to choose. */
async function publicAddressOf({ outbound }: PayeesDeps, host: string, signal: AbortSignal): Promise<string> {
  const all = await outbound.resolve(host, signal).catch((error: unknown) => {
    throw new PayeeRefused('The name of the wallet’s server cannot be looked up.', error)
  })
  const [first] = all.toSorted((one, other) => isIP(one) - isIP(other)) // IPv4 first
  if (first === undefined) throw new PayeeRefused('There is no server of this name.')
  if (!all.every(isPublicAddress)) throw new PayeeRefused('The wallet’s server is not on the public internet.')
  return first
}

async function readOwn({ ownServer }: PayeesDeps, url: URL): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ownServer?.(url.pathname + url.search)
  if (answer === undefined || answer.status !== OK) throw new PayeeRefused('There is no such Lightning address.')
  return jsonOf(answer.body)
}

/** @throws PayeeRefused for another status (redirects are not followed), another encoding, or a larger answer */
async function bodyOf({ status, headers, body }: OutboundAnswer): Promise<string> {
  if (status === 404) throw new PayeeRefused('The wallet’s server knows no such Lightning address.')
  if (status !== OK) throw new PayeeRefused(`The wallet’s server answered with status ${status}.`)
  const tooLarge = 'The wallet’s server gave too large an answer.'
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new PayeeRefused('The wallet’s server gave a compressed answer.')
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw new PayeeRefused(tooLarge)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > MAX_BYTES) throw new PayeeRefused(tooLarge)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof PayeeRefused ? error : new PayeeRefused('The wallet’s server broke off its answer.', error)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new PayeeRefused('The wallet’s server did not answer in JSON.', error)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PayeeRefused('The wallet’s server did not answer as a wallet does.')
  return value as Record<string, unknown>
}
