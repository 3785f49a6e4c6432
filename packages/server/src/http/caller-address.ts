import { isIP, isIPv6 } from 'node:net'

/** No address is longer; a longer text can only come from a proxy's header. */
const LONGEST = 45
/**
 * The number of groups of an IPv6 address (of eight) that name the network: a household or a machine has all of a /64.
 */
const NETWORK_GROUPS = 4

/**
 * The address for counting and locating a caller: IPv4 as it is, even mapped into IPv6; for IPv6 the /64, since its
 * holder would otherwise have 2^64 fresh counters.
 *
 * @param ip the connection's address, or the one reported by a trusted proxy; undefined once the caller has hung up
 */
export function callerAddress(ip: string | undefined): string {
  const address = (ip ?? '').replace(/%.*$/s, '').slice(0, LONGEST)
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIP(mapped) === 4) return mapped
  // The address parser writes each in one way: `2001:db8::1` for `2001:0DB8:0::0.0.0.1`.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back]
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff') return dotted(groups)
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::`
}

/** The IPv4 address of the last two groups. */
function dotted(groups: readonly string[]): string {
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
