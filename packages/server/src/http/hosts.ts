import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { LotteryError } from '@fairball/domain/errors'
import { Misdirected } from './errors.ts'

/** The accepted hosts: null accepts every one. */
type KnownHosts = ReadonlySet<string> | null

/**
 * The hosts that a demo accepts besides IP addresses: a name that another's DNS points here would let a page read the
 * demo.
 */
export function hostsOfDemo(publicUrl: string): ReadonlySet<string> {
  return new Set(['localhost', new URL(publicUrl).hostname])
}

/**
 * A request of HTTP/1.1 names its host, once (RFC 9112, section 3.2).
 *
 * @throws LotteryError INVALID_PAYLOAD for none or several; Misdirected for an unknown host
 */
export function assertHost({ httpVersion, headers, rawHeaders }: IncomingMessage, known: KnownHosts): void {
  const { host } = headers
  if (host === undefined) {
    if (httpVersion === '1.1')
      throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { host: 'Is required.' } })
    return
  }
  // Node keeps the first; an intermediary may use another.
  if (rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length > 1)
    throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { host: 'Must be given once.' } })
  if (known === null) return
  const name = nameOf(host)
  if (!known.has(name) && isIP(name.replace(/^\[(.*)\]$/u, '$1')) === 0) throw new Misdirected()
}

/** The name of a host without its port, in small letters. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/u, '').toLowerCase()
}
