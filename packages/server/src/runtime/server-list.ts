/** An address in libpq's form for several servers: what stands before them, their hosts and ports, and the rest. */
const LISTED = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s

/**
 * The address of each server that an address names, in its order: `postgres://user@one:5432,two:5432/database` names
 * two. Any other text is one address.
 */
export function serversOf(address: string): string[] {
  const [, before, hosts, rest] = LISTED.exec(address) ?? []
  return hosts === undefined ? [address] : hosts.split(',').map((host) => `${before}${host}${rest}`)
}
