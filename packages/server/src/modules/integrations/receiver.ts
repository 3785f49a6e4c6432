import { isIP } from 'node:net'
import { isPublicName } from '@fairball/domain/lightning-destination'
import { isPublicAddress } from '../../ports/lightning/public-address.ts'
import type { Outbound } from '../../runtime/outbound.ts'
import type { Runtime } from '../../runtime/runtime.ts'

/** How long a receiver has for everything. */
const LIMIT_MS = 10_000
/** The demo's receivers on the same computer. */
const OWN_HOSTS: Readonly<Record<string, string>> = { localhost: '127.0.0.1', '127.0.0.1': '127.0.0.1' }

/** What a receiver answered, or why it did not. */
export interface Answered {
  /** null if there was no answer */
  readonly status: number | null
  /** null for success */
  readonly problem: string | null
}

/** A receiver cannot be asked. The message is for the operator. */
class NotAsked extends Error {}

/**
 * What is wrong with the address of a webhook: only https is allowed, to a public name or address, without a user; in
 * the demo also http to this computer.
 *
 * @returns one sentence; null for an address that may be used
 */
export function problemOfUrl(text: string, isDemo: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || text.length > 2000) return 'The address of a webhook begins with https://.'
  if (url.username !== '' || url.password !== '') return 'The address of a webhook names no user.'
  if (isOwn(url, isDemo)) return null
  if (url.protocol !== 'https:') return 'The address of a webhook begins with https://.'
  const host = bareHost(url)
  if (isIP(host) !== 0 ? !isPublicAddress(host) : !isPublicName(host))
    return 'The address of a webhook is on the public internet.'
  return null
}

/**
 * Sends one message. The name is resolved once, each of its addresses must be public, and one of them is connected to.
 * No redirect is followed, and of the answer only its status is read.
 */
export async function sendTo(
  deps: { readonly outbound: Outbound; readonly monotonic: Runtime['monotonic']; readonly isDemo: boolean },
  to: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<Answered> {
  const limit = new AbortController()
  const done = new AbortController()
  const late = deps.monotonic.sleep(LIMIT_MS, done.signal).then(
    (): Answered => {
      limit.abort()
      return { status: null, problem: 'It did not answer in 10 seconds.' }
    },
    () => new Promise<never>(() => undefined), // it was in time
  )
  try {
    return await Promise.race([ask(deps, new URL(to), message, limit.signal), late])
  } finally {
    done.abort()
    limit.abort() // the rest of the answer
  }
}

async function ask(
  { outbound, isDemo }: Parameters<typeof sendTo>[0],
  url: URL,
  { headers, body }: Parameters<typeof sendTo>[2],
  signal: AbortSignal,
): Promise<Answered> {
  try {
    const isOwnComputer = isOwn(url, isDemo)
    const address = isOwnComputer
      ? (OWN_HOSTS[url.hostname] ?? '')
      : await publicAddressOf(outbound, bareHost(url), signal)
    const isPlain = url.protocol === 'http:'
    const { status } = await outbound.post({
      host: bareHost(url),
      address,
      port: url.port === '' ? (isPlain ? 80 : 443) : Number(url.port),
      path: url.pathname + url.search,
      isPlain,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal,
    })
    const isTaken = status >= 200 && status < 300
    return { status, problem: isTaken ? null : `It answered with status ${status}.` }
  } catch (error) {
    const problem = error instanceof NotAsked ? error.message : `It cannot be reached: ${(error as Error).message}.`
    return { status: null, problem: problem.slice(0, 300) }
  }
}

/** The address that is connected to. Each one must be public: which of them answers is not ours to choose. */
async function publicAddressOf(outbound: Outbound, host: string, signal: AbortSignal): Promise<string> {
  const all = isIP(host) === 0 ? await outbound.resolve(host, signal) : [host]
  const [first] = all.toSorted((one, other) => isIP(one) - isIP(other)) // IPv4 first
  if (first === undefined) throw new NotAsked('Its name does not exist.')
  if (!all.every(isPublicAddress)) throw new NotAsked('Its name leads to an address that is not public.')
  return first
}

function isOwn({ protocol, hostname }: URL, isDemo: boolean): boolean {
  return isDemo && protocol === 'http:' && Object.hasOwn(OWN_HOSTS, hostname)
}

/** An address of IPv6 without its brackets. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1')
}
